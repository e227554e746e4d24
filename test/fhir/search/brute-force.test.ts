import { describe, expect, it } from 'vitest';
import {
  patientAccessTypes,
  type SearchParameter,
  servedResource,
} from '../../../lambdas/catalog/fhir-resources.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';
import fc from '../../support/property.ts';
import { searchTexts, valuesAt } from '../../support/search-texts.ts';
import { createWorld, entriesOf, type Resource } from './world.ts';

/**
 * A search finds what a filter over the resources themselves finds, which knows nothing of entries: for every type and parameter of the
 * table, by values that the resources have.
 */

const member = syntheticMembers('sandbox').find((each) =>
  patientAccessTypes.every((type) => each.resources.some(({ resourceType }) => resourceType === type)),
);
const resources = (member?.resources ?? []).map(({ json }) => JSON.parse(json) as Resource);
const types = patientAccessTypes.filter((type) => servedResource(type).interactions.includes('search-type'));
const ofType = (type: string) => resources.filter(({ resourceType }) => resourceType === type);

type Json = Readonly<Record<string, unknown>>;

/** Parameters whose values are compared as they stand; dates by the day. */
function isFound(resource: Resource, parameter: SearchParameter, asked: string): boolean {
  const values = searchTexts(resource, parameter);
  const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  if (parameter.chainedBy !== undefined) return chainOf(resource, parameter).has(asked.toLowerCase());
  if (parameter.type === 'string') return values.some((value) => folded(value).startsWith(folded(asked)));
  if (parameter.type === 'token') return values.some((value) => value.toLowerCase() === asked.toLowerCase());
  if (parameter.type === 'reference') return values.includes(asked);
  if (parameter.type === 'uri') {
    return values.some((value) => value === asked || value.startsWith(`${asked}|`));
  }
  const first = `${asked}T00:00:00Z`;
  const periods = parameter.sources
    .filter(({ as }) => as === 'Period')
    .flatMap(({ path }) => valuesAt(resource, path.split('.')) as readonly Json[]);
  const end = (text: unknown) => (text === undefined ? '9999' : String(text));
  const after = Date.parse(first);
  // Whatever ends on that day or later.
  return (
    values.some((value) => lastInstant(value) > after) ||
    periods.some((period) => lastInstant(end(period.end)) > after)
  );
}

const chains = new Map<Resource, ReadonlySet<string>>();

/** All texts of the chain that a resource belongs to: links are gone through until none is new. */
function chainOf(resource: Resource, parameter: SearchParameter): ReadonlySet<string> {
  const known = chains.get(resource);
  if (known !== undefined) return known;
  const linkedBy = servedResource('ExplanationOfBenefit').searchParameters.find(
    ({ name }) => name === parameter.chainedBy,
  );
  const own = (each: Resource) =>
    [parameter, ...(linkedBy ? [linkedBy] : [])]
      .flatMap((of) => searchTexts(each, of))
      .map((text) => text.toLowerCase());
  const chain = new Set(own(resource));
  for (let size = 0; size < chain.size; ) {
    size = chain.size;
    for (const texts of ofType(resource.resourceType).map(own)) {
      if (texts.some((text) => text.includes('|') && chain.has(text)))
        for (const text of texts) chain.add(text);
    }
  }
  chains.set(resource, chain);
  return chain;
}

function lastInstant(text: string): number {
  const [year = '', month, day] = (text.split('T', 1)[0] ?? '').split('-');
  if (text.includes('T')) return Date.parse(text) + 1;
  if (month === undefined || month === '00') return Date.UTC(Number(year) + 1, 0, 1);
  if (day === undefined || day === '00') return Date.UTC(Number(year), Number(month), 1);
  return Date.UTC(Number(year), Number(month) - 1, Number(day) + 1);
}

const days = fc
  .tuple(
    fc.integer({ min: 2018, max: 2027 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);

/** A value of the parameter that some resource has, or of none. */
function asked(type: string, parameter: SearchParameter): fc.Arbitrary<string> {
  if (parameter.type === 'date') return days;
  const values = [...new Set(ofType(type).flatMap((resource) => searchTexts(resource, parameter)))];
  const others = ['nothing-of-the-kind', 'Patient/nobody'];
  return fc.constantFrom(...values.filter((value) => value !== ''), ...others);
}

const escaped = (text: string, { type }: SearchParameter) =>
  type === 'token' ? text.replace(/[\\,$]/g, '\\$&') : text.replace(/[\\,$|]/g, '\\$&');

describe.each(types)('a search of %s', (type) => {
  const { searchParameters } = servedResource(type);
  const parameters = fc.subarray([...searchParameters], {
    minLength: Math.min(1, searchParameters.length),
    maxLength: Math.min(3, searchParameters.length),
  });
  const criteria = parameters.chain((chosen) =>
    fc.tuple(
      ...chosen.map((parameter) => asked(type, parameter).map((value) => [parameter, value] as const)),
    ),
  );

  it('finds what a filter of the resources finds', async () => {
    expect(ofType(type).length).toBeGreaterThan(0);
    const world = createWorld([...resources]);
    const context = { patientId: member?.patientId ?? '' };
    await fc.assert(
      fc.asyncProperty(criteria, async (sent) => {
        const query = new URLSearchParams([
          ['_count', '100'],
          ...sent.map(([parameter, value]): [string, string] => [
            parameter.name,
            parameter.type === 'date' ? `ge${value}` : escaped(value, parameter),
          ]),
        ]);
        const found = entriesOf(await world.searchAs(context, type, String(query)));
        const expected = ofType(type)
          .filter((resource) => sent.every(([parameter, value]) => isFound(resource, parameter, value)))
          .map(({ id }) => `match ${type}/${id}`);
        expect(found.sort()).toEqual(expected.sort());
      }),
      { numRuns: 30 },
    );
  });
});
