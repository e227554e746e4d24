import { expect, it } from 'vitest';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import {
  carryOutDirectoryOperation,
  type DirectoryOperationsDeps,
} from '../../lambdas/provider-directory/build/directory-operations.ts';
import type { DirectoryBuild } from '../../lambdas/provider-directory/build/directory-operations-contract.ts';
import { findingsCsv } from '../../lambdas/provider-directory/files/findings-csv.ts';

const builtAt = Date.UTC(2026, 10, 26, 3);
const counts = { records: 2, verified30: 2, verified90: 2, clean: 1 };
const catalog = {
  ...{ publication: 'p1', builtAt, planFinder: [], bulk: { output: [], deleted: [] } },
  truth: {
    ...{ publication: 'p1', builtAt: new Date(builtAt).toISOString(), comparedWithNppes: true, ...counts },
    types: { Location: { ...counts, findings: { phone_missing: 1 } } },
  },
};
const examples = [{ resource: 'Location/l1', code: 'phone_missing', message: 'It has no telephone number.' }];

/** DSNP has a publication of this release, MAPD one of an earlier release, and the others nothing. */
const deps: DirectoryOperationsDeps = {
  builds: {
    list: async (lob) =>
      lob === 'MAPD'
        ? [
            {
              lob,
              id: 'b2',
              startedAt: '2026-11-27T03:00:00.000Z',
              state: 'refused',
            } satisfies DirectoryBuild,
          ]
        : [],
  },
  bucket: {
    readPointer: async (lob: LineOfBusiness) =>
      lob === 'DSNP' || lob === 'MAPD'
        ? { kind: 'pointer', etag: 'e', pointer: { current: { id: 'p1' } as never } }
        : { kind: 'none' },
    readText: async (key) => JSON.stringify(key.startsWith('DSNP/') ? { ...catalog, examples } : catalog),
    signedUrl: async (key, contentType) => `https://bucket.example/${key}?type=${contentType}`,
  },
  bucketName: 'publications',
  start: async () => {},
};

it('lists what is to fix in every directory, also where nothing is published', async () => {
  const answer = await carryOutDirectoryOperation(deps, { action: 'to-fix' });
  if (answer.kind !== 'to-fix') throw new Error(answer.kind);
  expect(answer.directories.map(({ lob }) => lob)).toEqual(['CHPDC', 'CHPMD', 'DSNP', 'MAPD', 'EGWP']);
  const of = (code: string) => answer.directories.find(({ lob }) => lob === code);
  expect(of('DSNP')).toMatchObject({ report: { records: 2 }, examples });
  expect(of('MAPD')).toMatchObject({ lastBuild: { state: 'refused' }, report: { clean: 1 }, examples: [] });
  expect(of('EGWP')).toEqual({ lob: 'EGWP', examples: [] });
});

it('gives the address of the CSV only where the build wrote one', async () => {
  const report = (lob: string) => carryOutDirectoryOperation(deps, { action: 'report', lob });
  expect(await report('DSNP')).toMatchObject({
    csvUrl: expect.stringMatching(/^https:\/\/bucket\.example\/DSNP\/p1\/findings\.csv\?type=text\/csv/),
  });
  expect(await report('MAPD')).toMatchObject({ findingsUrl: expect.any(String), csvUrl: undefined });
});

it('writes findings as CSV that no spreadsheet runs', () => {
  const lines = [
    { resource: 'Location/l1', code: 'phone_implausible', message: '=1+1 can’t be a telephone number.' },
    { resource: 'Practitioner/p"1', code: 'npi_missing', message: 'It has no NPI.' },
  ].map((finding) => JSON.stringify(finding));
  expect([...findingsCsv(lines)].join('')).toBe(
    [
      'resource,fault,message',
      '"Location/l1","phone_implausible","\'=1+1 can’t be a telephone number."',
      '"Practitioner/p""1","npi_missing","It has no NPI."',
      '',
    ].join('\r\n'),
  );
});
