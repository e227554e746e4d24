import { describe, expect, it } from 'vitest';
import {
  type PatientAccessType,
  patientAccessTypes,
  recordSearchParameters,
  type SearchParameter,
  servedResource,
} from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { everySensitiveScope } from '../../../lambdas/catalog/fhir/sensitive-categories.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';
import { populationMember } from '../../../ops/generator/population.ts';
import fc from '../../support/property.ts';
import usCore from '../us-core-6.1.0-server.json' with { type: 'json' };
import { datePrefixNames, isDated, isFound, rangesOf, textsOf } from './brute-force.ts';
import { createWorld, entriesOf, linkOf, queryOf, type Resource } from './world.ts';

/**
 * Compares searches by the index to a filter over the resources without an index: for every type and parameter of the table and every
 * combination that US Core requires, by values that the resources have.
 */

/** A criterion of a search, and whether it is true of a resource. */
interface Asked {
  readonly sent: [name: string, value: string];
  readonly isTrueOf: (resource: Resource) => boolean;
}

interface Subject {
  readonly title: string;
  readonly patientId: string;
  readonly resources: readonly Resource[];
}

function subjectOf(
  title: string,
  member: { readonly patientId: string; readonly resources: readonly { readonly json: string }[] },
): Subject {
  return {
    title,
    patientId: member.patientId,
    resources: member.resources.map(({ json }) => JSON.parse(json)),
  };
}

/** Everything is granted here; restrictions by scope have tests of their own. */
const scope = `patient/*.read ${everySensitiveScope}`;
const month = '2026-11-01';
const everyType = syntheticMembers('sandbox', month).find((each) =>
  patientAccessTypes.every((type) => each.resources.some(({ resourceType }) => resourceType === type)),
);
if (everyType === undefined) throw new Error('no synthetic member has every type');
const population = { lob: 'MHBE', seed: 'sandbox', month } as const;
/** The members searched: one with every type, and of the synthetic population a spouse with an unknown birth month, and a child. */
const subjects: readonly Subject[] = [
  subjectOf('a member with every type', everyType),
  subjectOf('a spouse of the population', populationMember(population, 7)),
  subjectOf('a child of the population', populationMember(population, 2)),
];
const searched = patientAccessTypes.filter((type) =>
  servedResource(type).interactions.includes('search-type'),
);
const cases = subjects.flatMap((subject) =>
  searched
    .map((type) => ({ subject, title: subject.title, type, ofType: ofType(subject, type) }))
    .filter((each) => each.ofType.length > 0),
);

function ofType({ resources }: Subject, type: string): readonly Resource[] {
  return resources.filter(({ resourceType }) => resourceType === type);
}

const escaped = (text: string, { type }: SearchParameter) =>
  type === 'token' ? text.replace(/[\\,$]/g, '\\$&') : text.replace(/[\\,$|]/g, '\\$&');

/** Criteria of a parameter: single values, alternatives, negated values, and dates with each prefix. */
function asked(values: readonly string[], parameter: SearchParameter, all: readonly Resource[]) {
  const { name, type } = parameter;
  if (type === 'date') return askedDates(values, parameter);
  const others = ['nothing-of-the-kind', 'Patient/nobody'];
  const value = fc.constantFrom(...values, ...others);
  const isAnyOf = (texts: readonly string[]) => (resource: Resource) =>
    texts.some((text) => isFound(all, resource, parameter, text));
  const plain = fc.array(value, { minLength: 1, maxLength: 2 }).map(
    (texts): Asked => ({
      sent: [name, texts.map((text) => escaped(text, parameter)).join(',')],
      isTrueOf: isAnyOf(texts),
    }),
  );
  if (type !== 'token') return plain;
  const negated = plain.map(
    ({ sent: [, text], isTrueOf }): Asked => ({
      sent: [`${name}:not`, text],
      isTrueOf: (resource) => !isTrueOf(resource),
    }),
  );
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: negated });
}

function askedDates(values: readonly string[], parameter: SearchParameter): fc.Arbitrary<Asked> {
  const anyDay = fc
    .tuple(
      fc.integer({ min: 2018, max: 2027 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
    )
    .map(([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
  const known = values.map((text) => text.slice(0, 10)).filter((text) => /^\d{4}-\d\d-\d\d$/.test(text));
  const days = known.filter((day) => !day.endsWith('00'));
  const day = days.length === 0 ? anyDay : fc.oneof(fc.constantFrom(...days), anyDay);
  return fc.tuple(fc.constantFrom(...datePrefixNames), day).map(([prefix, text]) => ({
    sent: [parameter.name, `${prefix}${text}`],
    isTrueOf: (resource) => isDated(resource, parameter, prefix, text),
  }));
}

/** The criterion `:missing` of a parameter. */
function missing(parameter: SearchParameter, isMissing: boolean): Asked {
  const hasValue = (resource: Resource) =>
    parameter.type === 'date'
      ? rangesOf(resource, parameter).length > 0
      : textsOf(resource, parameter).length > 0;
  return {
    sent: [`${parameter.name}:missing`, String(isMissing)],
    isTrueOf: (resource) => hasValue(resource) !== isMissing,
  };
}

/** The combinations that US Core requires of a type (SHALL and SHOULD). */
function combinationsOf(type: PatientAccessType): readonly (readonly string[])[] {
  const row = Object.entries(usCore.resources).find(([name]) => name === type)?.[1];
  return [...(row?.combinations ?? []), ...(row?.should.combinations ?? [])];
}

describe.each(cases)('a search of $type for $title', ({ subject, type, ofType: all }) => {
  const world = createWorld([...all]);
  const parameters = [...recordSearchParameters, ...servedResource(type).searchParameters];
  const valuesOf = (parameter: SearchParameter) => [
    ...new Set(all.flatMap((resource) => textsOf(resource, parameter))),
  ];
  const expectFilter = async (criteria: readonly Asked[]) => {
    const query = new URLSearchParams({ _count: '90' });
    for (const { sent } of criteria) query.append(...sent);
    const { patientId } = subject;
    const found: string[] = [];
    for (let page: string | undefined = String(query); page !== undefined; ) {
      const answer = await world.searchAs({ patientId, scope }, type, page);
      found.push(...entriesOf(answer));
      const next = linkOf(answer, 'next');
      page = next === undefined ? undefined : queryOf(next);
    }
    const expected = all
      .filter((resource) => criteria.every(({ isTrueOf }) => isTrueOf(resource)))
      .map(({ id }) => `match ${type}/${id}`);
    expect(found.sort(), String(query)).toEqual(expected.sort());
  };

  it('finds what a filter of the resources finds, by each parameter alone', async () => {
    for (const parameter of parameters) {
      const criteria = fc.sample(asked(valuesOf(parameter), parameter, all), 2);
      for (const criterion of criteria) await expectFilter([criterion]);
      if (parameter.name.startsWith('_')) continue;
      for (const isMissing of [true, false]) await expectFilter([missing(parameter, isMissing)]);
    }
  });

  it('finds what a filter of the resources finds, by several parameters and the combinations of US Core', async () => {
    const named = combinationsOf(type).map((names) => parameters.filter(({ name }) => names.includes(name)));
    const several = fc.subarray(parameters, { minLength: 2, maxLength: Math.min(3, parameters.length) });
    const chosen = named.length === 0 ? several : fc.oneof(fc.constantFrom(...named), several);
    // Values of one resource, so that something is found, or of any resources.
    const from = fc.oneof(fc.constantFrom(...all.map((resource) => [resource])), fc.constant(all));
    const criteria = fc.tuple(chosen, from).chain(([each, resources]) =>
      fc.tuple(
        ...each.map((parameter) =>
          asked(
            resources.flatMap((resource) => textsOf(resource, parameter)),
            parameter,
            all,
          ),
        ),
      ),
    );
    await fc.assert(fc.asyncProperty(criteria, expectFilter), { numRuns: 10 });
  });
});
