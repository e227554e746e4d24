import { expect, it } from 'vitest';
import type { DirectoriesToFixView } from '../../../lambdas/portal/api/directory-views.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import { bodyOf, call, operator, portalWorld, problemOf } from '../applications/portal-world.ts';

/** Operators' routes for the data of directories, over mocks of `directory-operations` and `load-operations`. */

const world = portalWorld(await createEmptyTable());
const environment = 'production';

const counts = { records: 3, verified30: 3, verified90: 3, clean: 1 };
const report = {
  publication: 'p-1',
  builtAt: '2026-11-26T03:00:00.000Z',
  comparedWithNppes: false,
  types: {
    Location: { ...counts, findings: { phone_missing: 2 } },
    Practitioner: { ...counts, findings: { npi_missing: 1 } },
  },
  ...counts,
};
const examples = [
  { resource: 'Location/l1', code: 'phone_missing', message: 'It has no telephone number.' },
  { resource: 'Practitioner/p1', code: 'npi_missing', message: 'It has no NPI.' },
] as const;

const ask = (name: 'directoriesToFix' | 'directoryFindings', params: Readonly<Record<string, string>>) =>
  call(world, name, { session: operator, params });

it('put together what builds and loads found, for all lines of business at once', async () => {
  world.directories.send = async () => ({
    kind: 'to-fix',
    directories: [
      { lob: 'DSNP', report, examples },
      {
        lob: 'MAPD',
        examples: [],
        lastBuild: {
          lob: 'MAPD',
          id: 'b-1',
          startedAt: '2026-11-26T03:00:00.000Z',
          state: 'refused',
          reasons: [{ code: 'dangling_reference', message: 'Location/l9 is not loaded.' }],
        },
      },
    ],
  });
  world.loads.send = async () => ({
    kind: 'directory-rejects',
    loads: [
      {
        lob: 'DSNP',
        load: {
          lob: 'DSNP',
          jobId: 'drop.00000000',
          source: 'directory',
          kind: 'full',
          state: 'reconciled',
          attempt: 1,
          acceptedAt: '2026-11-26T02:00:00.000Z',
          controlTotal: 10,
          counts: { loaded: 8, unchanged: 0, older: 1, rejected: 1 },
          report: 'DSNP/directory/drop/report.json',
        },
        refusedFiles: [
          { name: 'Endpoint.ndjson', problem: 'The file is gzip.', fix: 'Upload it uncompressed.' },
        ],
        rejects: [
          {
            code: 'no_id',
            problem: 'The resource has no valid id.',
            fix: 'Set id.',
            rows: 1,
            examples: [{ file: 'Location.ndjson', line: 7, code: 'no_id', element: 'id' }],
          },
        ],
      },
    ],
  });
  const { directories } = bodyOf<DirectoriesToFixView>(await ask('directoriesToFix', { environment }));
  expect(directories).toEqual([
    {
      lob: 'DSNP',
      publication: {
        publishedAt: '2026-11-26T03:00:00.000Z',
        records: 3,
        clean: 1,
        comparedWithNppes: false,
      },
      findings: [
        {
          type: 'Location',
          code: 'phone_missing',
          records: 2,
          examples: [{ resource: 'Location/l1', message: 'It has no telephone number.' }],
        },
        {
          type: 'Practitioner',
          code: 'npi_missing',
          records: 1,
          examples: [{ resource: 'Practitioner/p1', message: 'It has no NPI.' }],
        },
      ],
      load: {
        jobId: 'drop.00000000',
        source: 'directory',
        state: 'reconciled',
        acceptedAt: '2026-11-26T02:00:00.000Z',
        rows: 10,
        rejected: 1,
        refusedFiles: [
          { name: 'Endpoint.ndjson', problem: 'The file is gzip.', fix: 'Upload it uncompressed.' },
        ],
        rejects: [
          {
            code: 'no_id',
            problem: 'The resource has no valid id.',
            fix: 'Set id.',
            rows: 1,
            examples: [{ file: 'Location.ndjson', line: 7, element: 'id' }],
          },
        ],
      },
    },
    {
      lob: 'MAPD',
      lastBuild: {
        state: 'refused',
        startedAt: '2026-11-26T03:00:00.000Z',
        reasons: [{ code: 'dangling_reference', message: 'Location/l9 is not loaded.' }],
      },
      findings: [],
    },
  ]);
});

it('give the address of all findings, and say where there is none', async () => {
  const url = 'https://bucket.example/findings.csv';
  world.directories.send = async (_, request) =>
    request.action === 'report' && request.lob === 'DSNP'
      ? { kind: 'report', report, csvUrl: url }
      : { kind: 'report' };
  expect(bodyOf(await ask('directoryFindings', { environment, lob: 'DSNP' }))).toEqual({ url });
  for (const params of [
    { environment, lob: 'MAPD' },
    { environment, lob: 'dsnp' },
    { environment: 'staging', lob: 'DSNP' },
  ]) {
    expect(problemOf(await ask('directoryFindings', params)).problem).toBe('not_found');
  }
  expect(problemOf(await ask('directoriesToFix', { environment: 'staging' })).problem).toBe('not_found');
});

it('say that an environment is away', async () => {
  const away = { kind: 'refusal', refusal: { code: 'environment_unavailable' } } as const;
  world.loads.send = async () => away;
  expect(problemOf(await ask('directoriesToFix', { environment })).problem).toBe('environment_unavailable');
  world.directories.send = async () => away;
  expect(problemOf(await ask('directoryFindings', { environment, lob: 'DSNP' })).problem).toBe(
    'environment_unavailable',
  );
});
