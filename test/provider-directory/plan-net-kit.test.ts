import { afterAll, describe, expect, it } from 'vitest';
import { directoryParameter } from '../../lambdas/catalog/fhir/directory-resources.ts';
import type { DirectoryType } from '../../lambdas/catalog/fhir/directory-types.ts';
import { indexValues } from '../../lambdas/provider-directory/build/index-values.ts';
import { parameterElements } from '../../lambdas/provider-directory/publication/publication-schema.ts';
import { planNet } from './plan-net.ts';
import { bundleOf, namesOf, published, removeFolder, search, syntheticDirectory } from './world.ts';

/**
 * The searches of Inferno's Plan-Net test kit over the sandbox's directory: by each parameter with a value that was read, and with each
 * include.
 */

const texts = syntheticDirectory(300);
const publication = await published(texts, { id: 'kit' });
afterAll(async () => {
  publication.close();
  await removeFolder();
});

/** Parameters for which the sandbox may have no values (docs/conformance.md). They must find resources that have values. */
const mayLackData: Readonly<Record<string, readonly string[]>> = {
  HealthcareService: ['service-type', 'coverage-area', 'endpoint'],
  InsurancePlan: ['plan-type', 'coverage-area'],
  Location: ['partof', 'endpoint'],
  Organization: ['coverage-area', 'endpoint', 'partof'],
  OrganizationAffiliation: ['specialty', 'endpoint'],
  PractitionerRole: ['endpoint'],
};

/** The first value of a parameter as the kit sends it, and a resource that has it. */
function sampleOf(
  type: DirectoryType,
  name: string,
): { readonly id: string; readonly value: string } | undefined {
  const { numbers } = parameterElements(type, name);
  for (const text of texts.get(type) ?? []) {
    const resource = JSON.parse(text);
    const found = indexValues(type, resource).values.find(([{ number }]) => numbers.includes(number))?.[1];
    if (found === undefined) continue;
    if (found.kind === 'token') return { id: resource.id, value: `${found.system}|${found.code}` };
    if (found.kind === 'string') return { id: resource.id, value: found.text.replace(/[\\,|$]/g, '\\$&') };
    if (found.kind === 'reference') return { id: resource.id, value: found.target };
    if (found.kind === 'date' && found.range[0] !== undefined)
      return { id: resource.id, value: `ge${new Date(found.range[0] ?? 0).toISOString().slice(0, 10)}` };
  }
  return undefined;
}

const rows = Object.entries(planNet).map(([type, row]) => [type as DirectoryType, row] as const);

describe.each(rows)('the Plan-Net test kit, of %s', (type, { parameters, include, revinclude }) => {
  it.each(Object.keys(parameters))('finds by %s', async (name) => {
    const sample = sampleOf(type, name);
    expect(directoryParameter(type, name)).toBeDefined();
    if (sample === undefined) return expect(mayLackData[type]).toContain(name);
    const { id, value } = sample;
    const found = await search(publication, type, `${name}=${encodeURIComponent(value)}&_id=${type}/${id}`);
    expect(namesOf(bundleOf(found))).toEqual([`${type}/${id}`]);
  });

  it.each([
    ...include.map((value) => ['_include', value] as const),
    ...revinclude.map((value) => ['_revinclude', value] as const),
  ])('sends along by %s=%s', async (name, value) => {
    const found = await search(publication, type, `${name}=${value}&_count=100`);
    const [source = '', parameter = ''] = value.split(':');
    const lacks = namesOf(bundleOf(found), 'include').length === 0;
    if (lacks) expect(mayLackData[source]).toContain(parameter);
  });
});
