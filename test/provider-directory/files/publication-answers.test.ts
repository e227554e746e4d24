import { expect, it } from 'vitest';
import {
  answerPublication,
  type PublicationRequest,
  type PublicationServices,
} from '../../../lambdas/provider-directory/files/publication-answers.ts';
import { createPublicationCatalogs } from '../../../lambdas/provider-directory/files/publication-catalog.ts';
import { publicationFormat } from '../../../lambdas/provider-directory/publication/publication-schema.ts';
import { base, now } from '../world.ts';

const catalog = {
  publication: 'p2',
  builtAt: now,
  bulk: {
    output: [
      { type: 'Location', name: 'bulk/Location-001.ndjson', count: 3 },
      { type: 'Endpoint', name: 'bulk/Endpoint-001.ndjson', count: 1 },
    ],
    changes: { since: '2026-11-21T00:00:00.000Z', output: [] },
    deleted: [{ type: 'Bundle', name: 'deleted/Location.ndjson', count: 1 }],
  },
  planFinder: [{ contract: 'H0000', year: 2026, files: ['plan-finder-1/Location-001.json'] }],
  truth: {
    publication: 'p2',
    builtAt: '2026-11-22T00:00:00.000Z',
    comparedWithNppes: false,
    types: {},
    ...{ records: 4, verified30: 3, verified90: 4, clean: 4 },
  },
};

const objects = new Map([['MAPD/p2/catalog.json', JSON.stringify(catalog)]]);
const services: PublicationServices = {
  publications: { current: async () => ({ id: 'p2' }) as never },
  catalogOf: createPublicationCatalogs({ readText: async (key) => objects.get(key) }, 'MAPD'),
  lob: 'MAPD',
  base,
};

async function ask(
  operation: PublicationRequest['operation'],
  path: Record<string, string> = {},
  query = '',
  changes: Partial<PublicationRequest> = {},
) {
  const parameters = [...new URLSearchParams(query)];
  const request = { operation, path, parameters, isAsync: true, wantsPage: false };
  return await answerPublication(services, { ...request, ...changes });
}

async function document(...request: Parameters<typeof ask>) {
  const answer = await ask(...request);
  if (answer.kind !== 'document') throw new Error(JSON.stringify(answer));
  return { ...answer, json: JSON.parse(answer.body) };
}

const files = `${base}/public/files/p2`;

it('names the files of the current publication, tagged with it', async () => {
  const { tag, json } = await document('publication.bulk-publish');
  expect(tag).toBe('p2');
  expect(json.output[0]).toEqual({ type: 'Location', url: `${files}/bulk/Location-001.ndjson`, count: 3 });
  expect(json.deleted[0].url).toBe(`${files}/deleted/Location.ndjson`);
  expect(json).toMatchObject({ requiresAccessToken: false, extension: { changes: { output: [] } } });
});

it('accepts an export, whose status is the manifest of the types that were asked for', async () => {
  const accepted = await ask(
    'publication.export',
    {},
    '_type=Endpoint&_outputFormat=application/fhir%2Bndjson',
  );
  expect(accepted).toEqual({ kind: 'accepted', location: `${base}/public/export/p2?_type=Endpoint` });
  const { json } = await document('publication.export-status', { publication: 'p2' }, '_type=Endpoint');
  expect(json.request).toBe(`${base}/$export?_type=Endpoint`);
  expect(json.output.map(({ type }: { type: string }) => type)).toEqual(['Endpoint']);
});

it.each([
  ['', { isAsync: false }, 'respond-async'],
  ['_since=2026-01-01', {}, '_since'],
  ['_type=Patient', {}, 'Patient'],
  ['_outputFormat=csv', {}, 'csv'],
])('refuses an export with %s', async (query, changes, named) => {
  const answer = await ask('publication.export', {}, query, changes);
  if (answer.kind !== 'invalid') throw new Error(answer.kind);
  expect(answer.issues.map(({ diagnostics }) => diagnostics).join()).toContain(named);
});

it('leads to a file that the catalog names, and to no other object of the bucket', async () => {
  const path = { publication: 'p2', folder: 'bulk', file: 'Location-001.ndjson' };
  expect(await ask('publication.file', path)).toEqual({
    kind: 'file',
    key: 'MAPD/p2/bulk/Location-001.ndjson',
    contentType: 'application/fhir+ndjson',
  });
  for (const [folder, file] of [
    ['..', `publication-${publicationFormat}.json`],
    ['.', 'findings.ndjson'],
    ['', 'findings.ndjson'],
    ['bulk', '../findings.ndjson'],
  ] as const) {
    expect(await ask('publication.file', { ...path, folder, file })).toEqual({ kind: 'not_found' });
  }
  for (const publication of ['p1', '..', '../DSNP/p2', '']) {
    expect(await ask('publication.file', { ...path, publication })).toEqual({ kind: 'publication_gone' });
  }
});

it('answers the index of a contract and year that a plan names', async () => {
  const { json } = await document('publication.plan-finder', { contract: 'H0000', year: '2026' });
  expect(json).toEqual({ provider_urls: [`${files}/plan-finder-1/Location-001.json`] });
  expect(await ask('publication.plan-finder', { contract: 'H0001', year: '2026' })).toEqual({
    kind: 'not_found',
  });
});

it('answers the truth report as JSON and as a page, with a tag each', async () => {
  expect((await document('publication.truth-report')).json).toEqual(catalog.truth);
  const page = await ask('publication.truth-report', {}, '', { wantsPage: true });
  expect(page).toMatchObject({ tag: 'p2-page', contentType: 'text/html; charset=utf-8' });
  expect(JSON.stringify(page)).toContain('75 % of 4 records');
});
