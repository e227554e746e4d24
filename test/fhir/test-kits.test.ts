import { describe, expect, it } from 'vitest';
import { isPatientAccessType, type PatientAccessType } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { memberSearch } from '../../lambdas/fhir/query/member-searches.ts';
import { searchValues } from '../../lambdas/fhir/values/values.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { sandboxPersonas } from '../../ops/generator/personas.ts';
import { bundleOf, context, createWorld, type Resource } from './search/world.ts';
import { carinKit, pdexKit, usCoreKit } from './test-kits.ts';

/**
 * The searches of the test kits over the sandbox's members: each finds the resource whose values it uses, or returns nothing if no resource
 * has the values. As here, a kit takes the values from resources that it has read.
 */

const month = '2026-11-01';
// Records searched for samples, personas first, since most samples are there.
const records = [
  ...sandboxPersonas(month).map(({ member }) => member),
  ...syntheticMembers('sandbox', month),
];
const worlds = records.map((record) => {
  const resources = record.resources.map(({ json }) => JSON.parse(json) as Resource);
  return { patientId: record.patientId, resources, world: createWorld(resources) };
});

/** Combinations of parameters for which the sandbox may have no values (docs/conformance.md). They must find resources that have values. */
const mayLackData: readonly string[] = ['Patient death-date family'];

/** Includes of a kit that are not served: Endpoint is a type of the directory only. */
const notServed: readonly string[] = ['PractitionerRole:endpoint'];

/** Values of a parameter as a kit sends them: a token with and without its system, a day, and a day with each comparator. */
function valuesOf(type: PatientAccessType, resource: Resource, name: string): readonly string[] {
  const meta = resource.meta as { readonly lastUpdated?: string } | undefined;
  if (name === '_id') return [resource.id, `${type}/${resource.id}`];
  if (name === '_lastUpdated') {
    const day = meta?.lastUpdated?.slice(0, 10);
    return day === undefined ? [] : [day, `ge${day}`, `le${day}`];
  }
  const values = searchValues(resource);
  const kind = memberSearch(type).parameters.find((parameter) => parameter.name === name)?.type;
  switch (kind) {
    case 'token':
    case 'uri':
      return (values.tokens[name] ?? []).slice(0, 1).flatMap(([system, code]) => [`${system}|${code}`, code]);
    case 'string':
      return (values.strings[name] ?? []).slice(0, 1).map(([, text]) => text.replace(/[\\,|$]/g, '\\$&'));
    case 'reference':
      return (values.references[name] ?? [])
        .slice(0, 1)
        .flatMap((target) => [target, target.split('/')[1] ?? '']);
    case 'date': {
      const [start] = values.dates[name]?.[0] ?? [];
      if (typeof start !== 'number') return [];
      const day = new Date(start).toISOString().slice(0, 10);
      const [before, after] = [-1, 1].map((days) =>
        new Date(start + days * 86_400_000).toISOString().slice(0, 10),
      );
      return [`ge${day}`, `gt${before}`, `le${after}`, `lt${after}`];
    }
    default:
      return [];
  }
}

/** Queries of a combination for a resource: each value of each parameter, beside the first values of the others. */
function queriesOf(type: PatientAccessType, resource: Resource, names: readonly string[]): readonly string[] {
  const values = names.map((name) => valuesOf(type, resource, name));
  if (values.some((each) => each.length === 0)) return [];
  const rounds = Math.max(...values.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    names
      .map(
        (name, at) =>
          `${name}=${encodeURIComponent(values[at]?.[Math.min(round, values[at].length - 1)] ?? '')}`,
      )
      .join('&'),
  );
}

const rows = [
  ...Object.entries(carinKit).map(([type, kit]) => ['CARIN for Blue Button', type, kit] as const),
  ...Object.entries(usCoreKit).map(([type, kit]) => ['US Core', type, kit] as const),
  ...Object.entries(pdexKit).map(([type, kit]) => ['PDex', type, kit] as const),
].filter(([, type]) => isPatientAccessType(type));

describe.each(rows)('the %s test kit, of %s', (_, name, {
  searches,
  includes: included = [],
  provenance = false,
}) => {
  const type = name as PatientAccessType;
  const search = async (patientId: string, query: string) => {
    const found = worlds.find((each) => each.patientId === patientId);
    const answer = await found?.world.search(type, `${query}&_count=100`, {
      prefer: 'handling=strict',
      context: { ...context, patientId },
    });
    return answer === undefined ? [] : (bundleOf(answer).entry ?? []);
  };
  const held = worlds.flatMap(({ patientId, resources }) =>
    resources
      .filter((resource) => resource.resourceType === type)
      .map((resource) => ({ patientId, resource })),
  );

  it.each(
    searches.filter((names) => !names.includes('questionnaire')).map((names) => [names]),
  )('finds by %j', async (asked) => {
    const sample = held.find(({ resource }) => queriesOf(type, resource, asked).length > 0);
    if (sample === undefined) expect(mayLackData).toContain(`${type} ${asked.join(' ')}`);
    for (const query of sample === undefined ? [] : queriesOf(type, sample.resource, asked)) {
      const entries = await search(sample?.patientId ?? '', query);
      const ids = entries.map(({ resource }) => resource.id);
      // The sample may be beyond a page of a hundred.
      if (ids.length < 100)
        expect([query, ids]).toEqual([query, expect.arrayContaining([sample?.resource.id])]);
      else expect(ids.length).toBe(100);
    }
  });

  /** Whether the search of some member includes a resource. */
  const includes = async (query: string, sourceType?: string): Promise<boolean> => {
    for (const { patientId } of worlds) {
      const included = (await search(patientId, query)).filter((entry) => entry.search.mode === 'include');
      if (included.some(({ resource }) => (sourceType ?? resource.resourceType) === resource.resourceType))
        return true;
    }
    return false;
  };

  it.each(
    included.filter((include) => !notServed.includes(`${type}:${include}`)),
  )('includes %s', async (include) => {
    expect(await includes(`_include=${type}:${include}`)).toBe(true);
  });

  it.each(provenance ? ['Provenance:target'] : [])('sends along by _revinclude=%s', async (value) => {
    expect(await includes(`_revinclude=${value}`, 'Provenance')).toBe(true);
  });
});

it('has the searches of the kits', () => {
  const count = rows.reduce((sum, [, , { searches }]) => sum + searches.length, 0);
  expect(count).toBeGreaterThan(100);
});
