import { expect, it } from 'vitest';
import {
  commonSearchParameters,
  patientAccessTypes,
  payerAccessResources,
} from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import type { SearchEntry } from '../../../lambdas/fhir/values/patient-compartment.ts';
import { type SearchValues, searchValues } from '../../../lambdas/fhir/values/values.ts';
import { releasedResources } from '../../../lambdas/payer-access/release/released-resources.ts';
import { payerCohort } from '../../../ops/generator/payer-cohort.ts';
import { labelsOf, type Resource } from '../../fhir/search/world.ts';

/**
 * Compares Payer Access's CapabilityStatement to the data that other payers can get in the sandbox: each parameter and include can be tried
 * with a member of the cohort.
 */

const now = Date.parse('2026-11-23T10:00:00Z');

/** The released resources of the whole cohort in one line of business. */
async function releasedCohort(): Promise<readonly Resource[]> {
  const all: Resource[] = [];
  for (const { patientId, resources: loaded } of payerCohort('2026-11-01').filter(
    ({ lob }) => lob === 'DSNP',
  )) {
    const resources = loaded.map(({ json }) => JSON.parse(json) as Resource);
    const entries = loaded.map(
      ({ resourceType, id, versionId, lastUpdated, json }): SearchEntry => ({
        ...{ resourceType, id, versionId, lastUpdated },
        values: searchValues(JSON.parse(json)),
      }),
    );
    const compartment = {
      entries: async () => ({ grant: undefined, entries, labels: labelsOf(resources) }),
      resources: async (
        _id: string,
        names: readonly { readonly resourceType: string; readonly id: string }[],
      ) =>
        names.map((name) =>
          loaded.find(({ resourceType, id }) => resourceType === name.resourceType && id === name.id),
        ),
    };
    const selection = { policy: 'sensitive', scope: 'patient/*.rs' } as const;
    for await (const { json } of releasedResources(compartment, { patientId, grantId: 'g' }, selection, now))
      all.push(JSON.parse(json));
  }
  return all;
}

/** US Core requires this parameter, and no member of the cohort has died. */
const mayLackData = ['Patient?death-date'];

const hasValue = ({ tokens, dates, strings, references }: SearchValues, name: string) =>
  [tokens, dates, strings, references].some((values) => (values[name]?.length ?? 0) > 0);

it('has a released resource for each type, search parameter, include and reverse include that is claimed', async () => {
  const released = await releasedCohort();
  const values = released.map((resource) => [resource, searchValues(resource)] as const);
  const names = new Set(released.map(({ resourceType, id }) => `${resourceType}/${id}`));
  const common = commonSearchParameters.map(({ name }) => name);
  const lacking: string[] = [];
  for (const type of patientAccessTypes) {
    const own = values.filter(([{ resourceType }]) => resourceType === type);
    if (own.length === 0) lacking.push(type);
    const { searchParameters, includes, revIncludes } = payerAccessResources[type];
    for (const { name } of searchParameters.filter((each) => !common.includes(each.name))) {
      if (!own.some(([, each]) => hasValue(each, name))) lacking.push(`${type}?${name}`);
    }
    for (const name of includes) {
      const leads = own.some(([, { references }]) => references[name]?.some((target) => names.has(target)));
      if (!leads) lacking.push(`${type}?_include=${type}:${name}`);
    }
    for (const revInclude of revIncludes) {
      const [source, name = ''] = revInclude.split(':');
      const refers = values.some(
        ([{ resourceType }, { references }]) =>
          resourceType === source && references[name]?.some((target) => target.startsWith(`${type}/`)),
      );
      if (!refers) lacking.push(`${type}?_revinclude=${revInclude}`);
    }
  }
  expect(lacking).toEqual(mayLackData);
});
