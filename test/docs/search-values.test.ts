import { afterAll, describe, expect, it } from 'vitest';
import type { DirectoryType } from '../../lambdas/catalog/fhir/directory-types.ts';
import type { PatientAccessType } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import type { MemberLoad } from '../../lambdas/loads/ingest/ingest-contract.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { payerCohort } from '../../ops/generator/payer-cohort.ts';
import searchValues from '../../portal-static/build/documents/examples/search-values.json' with {
  type: 'json',
};
import { exampleLob } from '../../portal-static/build/documents/member-examples.ts';
import { bundleOf, createWorld } from '../fhir/search/world.ts';
import {
  bundleOf as directoryBundleOf,
  published,
  removeFolder,
  search,
  syntheticDirectory,
} from '../provider-directory/world.ts';

/** Every value that the API reference shows, searched as the interfaces search, in this month's record. */

afterAll(removeFolder);

type Values = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Searches of the values, but for types that no search finds: they have the ID of a read only. */
const searchesOf = (values: Values) =>
  Object.entries(values)
    .filter(([, own]) => Object.keys(own).length > 1)
    .flatMap(([type, own]) =>
      Object.entries(own).map((pair) => ({ type, query: `${new URLSearchParams([pair])}` })),
    );

/** @returns the searches that find nothing in the record */
async function withoutResult(record: MemberLoad | undefined, values: Values): Promise<readonly string[]> {
  const { patientId = '', resources = [] } = record ?? {};
  const world = createWorld(resources.map(({ json }) => JSON.parse(json.replaceAll(patientId, 'p1'))));
  const failed: string[] = [];
  for (const { type, query } of searchesOf(values)) {
    const answer = await world.search(type as PatientAccessType, query.replaceAll(patientId, 'p1'));
    if (bundleOf(answer).total === 0) failed.push(`${type}?${query}`);
  }
  return failed;
}

const isExample = ({ lob }: { readonly lob: string }) => lob === exampleLob;

describe('each value of a search parameter in the API reference finds something', () => {
  it('of Patient Access in the record of the first member of the line of business', async () => {
    const member = syntheticMembers('sandbox').find(isExample);
    expect(searchesOf(searchValues['patient-access']).length).toBeGreaterThan(150);
    expect(await withoutResult(member, searchValues['patient-access'])).toEqual([]);
  });

  it('of Payer Access in the record of the cohort’s member who is matched', async () => {
    const member = payerCohort().find(isExample);
    expect(searchesOf(searchValues['payer-access']).length).toBeGreaterThan(150);
    expect(await withoutResult(member, searchValues['payer-access'])).toEqual([]);
  });

  it('of the Provider Directory in a publication of the synthetic directory', async () => {
    const seed = lineOfBusinessCodes.indexOf(exampleLob) + 1;
    const publication = await published(syntheticDirectory(100, seed));
    const failed: string[] = [];
    for (const { type, query } of searchesOf(searchValues['provider-directory'])) {
      const { entry = [] } = directoryBundleOf(await search(publication, type as DirectoryType, query));
      if (entry.length === 0) failed.push(`${type}?${query}`);
    }
    expect(failed).toEqual([]);
    publication.close();
  });
});
