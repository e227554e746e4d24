/** The directory from a drop to its publication: rows, rejects, refused builds, concurrent builds, killed builds. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { directoryRejects } from '../../lambdas/loads/course/directory-rejects.ts';
import type { LoadSummary } from '../../lambdas/loads/course/load-operations-contract.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { patientPartition } from '../../lambdas/platform/table/table-keys.ts';
import { publishDirectory } from '../../lambdas/provider-directory/build/publish-directory.ts';
import type {
  PublicationBucket,
  PublicationPointer,
} from '../../lambdas/provider-directory/publication/publication-bucket-port.ts';
import { readDirectoryResource } from '../../lambdas/provider-directory/search/directory-search.ts';
import { createKeptPublications } from '../../lambdas/provider-directory/sqlite/kept-publications.ts';
import { createBuiltFile } from '../../lambdas/provider-directory/sqlite/publication-disk.ts';
import { createDirectoryBuilds } from '../../lambdas/provider-directory/store/directory-builds.ts';
import { directoryTexts } from '../../lambdas/provider-directory/store/directory-texts.ts';
import { startTestEngine } from '../support/engine.ts';
import { createLoads, type Drop, memoryBucket, upload } from './load-world.ts';

const engine = await startTestEngine();
const table = createSignedTable(engine);
const folder = mkdtempSync(join(tmpdir(), 'directory-publish-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await engine.stop();
});

const guide = 'http://hl7.org/fhir/us/davinci-pdex-plan-net/StructureDefinition/plannet-';
const meta = (profile: string, versionId: string) => ({
  versionId,
  lastUpdated: `2026-11-0${versionId}T00:00:00Z`,
  profile: [`${guide}${profile}|1.1.0`],
});
const organization = (id: string, versionId = '1', rest: object = {}) => ({
  ...{ resourceType: 'Organization', id, meta: meta('Organization', versionId) },
  ...{ active: true, type: [{ text: 'practice' }], name: `Practice ${id}`, ...rest },
  address: [{ line: ['1 Example Street'], city: 'Washington', state: 'DC', postalCode: '20001' }],
});
const role = (id: string, organizationId: string, versionId = '1') => ({
  ...{ resourceType: 'PractitionerRole', id, meta: meta('PractitionerRole', versionId), active: true },
  organization: { reference: `Organization/${organizationId}` },
});
const withdrawal = (reference: string, day: number) => ({
  resourceType: 'Parameters',
  meta: { lastUpdated: `2026-11-0${day}T00:00:00Z` },
  parameter: [{ name: 'withdraw', valueReference: { reference } }],
});

/** Publications in memory. `step` is called at each step of a build, and may end the build by throwing. */
function memoryPublications(step: (name: string) => void | Promise<void> = () => {}) {
  const files = new Map<string, Uint8Array>();
  let pointer: { etag: string; pointer: PublicationPointer } | undefined;
  const bucket: PublicationBucket = {
    async readPointer() {
      await step('read pointer');
      return pointer === undefined ? { kind: 'none' } : { kind: 'pointer', ...pointer };
    },
    async writePointer(_lob, next, replaces) {
      await step('write pointer');
      if (pointer?.etag !== replaces) return false;
      pointer = { etag: next.current.id, pointer: next };
      await step('pointer written');
      return true;
    },
    async *read(key) {
      yield files.get(key) ?? new Uint8Array();
    },
    readText: async () => undefined,
    readBytes: async () => undefined,
    signedUrl: async (key) => key,
    async upload(key, path) {
      await step('upload');
      files.set(key, await readFile(path));
      await step('uploaded');
    },
    async removeAll(prefix) {
      await step('remove');
      for (const key of files.keys()) if (key.startsWith(prefix)) files.delete(key);
    },
  };
  return { bucket, files, pointer: () => pointer?.pointer };
}

let lobs: LineOfBusiness[] = [];
let lob: LineOfBusiness;
let time: number;
beforeEach(() => {
  time = Date.UTC(2026, 10, 23, 1);
});

function publisher(
  bucket: PublicationBucket,
  reports: string[] = [],
  createFile = (id: string) => createBuiltFile(join(folder, 'builds'), id),
) {
  let built = 0;
  return (acceptLoss = false) =>
    publishDirectory(
      {
        builds: createDirectoryBuilds(table),
        bucket,
        texts: (of, type) => directoryTexts(table, of, type),
        createFile,
        publishFiles: async (of, { id, path }) =>
          await bucket.upload(`${of}/${id}/bulk/Organization.ndjson`, path),
        toleratedLoss: 0.1,
        now: () => {
          time += 1000;
          return time;
        },
        uuid: () => {
          built += 1;
          return `${String(built).padStart(8, '0')}-build`;
        },
        report: (_code, _lob, reason) => reports.push(reason),
      },
      { lob, acceptLoss },
    );
}

const memory = memoryBucket();
let drops = 0;
async function load(files: Drop['files'], more: Partial<Drop> = {}) {
  drops += 1;
  const loads = createLoads(table, memory);
  const name = `d${drops}`;
  const ended = await loads.run(upload(memory, { files, lob, name, product: 'directory', ...more }));
  return { ended, loads, folder: `${lob}/claims/${name}/` };
}
const nextLob = () => {
  if (lobs.length === 0) lobs = ['MAPD', 'CHPDC', 'CHPMD', 'DSNP', 'EGWP'];
  lob = lobs.shift() as LineOfBusiness;
};

describe('a drop of a directory', () => {
  it('loads rows by the directory’s table, rejects the others with line and code, and starts a build', async () => {
    nextLob();
    const wrong = { ...organization('o3'), name: undefined };
    const {
      ended,
      loads,
      folder: at,
    } = await load([
      {
        type: 'Organization',
        rows: [
          organization('o1'),
          organization('o2'),
          wrong,
          organization('o4', '1', { partOf: { reference: 'Patient/p1' } }),
          {
            ...organization('o5'),
            meta: { ...organization('o5').meta, profile: ['http://example.org/other'] },
          },
          organization('o1', '1', { alias: ['changed'] }),
          organization('o6', '1', { name: `'";-- OR NEAR(*` }),
        ],
      },
      { type: 'PractitionerRole', rows: [role('r1', 'o1'), role('r2', 'o2')] },
    ]);
    expect(ended).toMatchObject({ state: 'reconciled', followUp: 'build-directory', lob });
    expect(loads.rejects(at).map(({ line, code }) => [line, code])).toEqual([
      [3, 'missing_element'],
      [4, 'other_value'],
      [5, 'no_profile'],
      [6, 'version_reused'],
    ]);
    expect(loads.report(at)).toMatchObject({ loaded: 5, rejected: 4, unchanged: 0 });
    const { ledger } = loads;
    const found = await directoryRejects({ ledger, bucket: memory.bucket }, () => ({}) as LoadSummary);
    const { rejects, refusedFiles } = found.find((each) => each.lob === lob) ?? {};
    expect(refusedFiles).toEqual([]);
    expect(
      rejects
        ?.map(({ code, rows, examples: [first] }) => [
          code,
          rows,
          first?.file.replace(/^\d+-/, ''),
          first?.line,
        ])
        .sort(),
    ).toEqual([
      ['missing_element', 1, 'Organization.ndjson', 3],
      ['no_profile', 1, 'Organization.ndjson', 5],
      ['other_value', 1, 'Organization.ndjson', 4],
      ['version_reused', 1, 'Organization.ndjson', 6],
    ]);
    const again = await load([{ type: 'PractitionerRole', rows: [role('r1', 'o1'), role('r2', 'o2', '2')] }]);
    expect(again.loads.report(again.folder)).toMatchObject({ loaded: 1, unchanged: 1 });
  });

  it('takes resources back, and keeps older versions of them out', async () => {
    nextLob();
    await load([{ type: 'Organization', rows: [organization('w1', '2'), organization('w2')] }]);
    const { loads, folder: at } = await load([
      { type: 'Parameters', rows: [withdrawal('Organization/w1', 1), withdrawal('Organization/w2', 3)] },
    ]);
    expect(loads.rejects(at).map(({ line, code }) => [line, code])).toEqual([[1, 'older_version']]);
    const older = await load([{ type: 'Organization', rows: [organization('w2', '2')] }]);
    expect(older.loads.rejects(older.folder)[0]?.code).toBe('older_version');
    const texts = [];
    for await (const text of directoryTexts(table, lob, 'Organization')) texts.push(JSON.parse(text).id);
    expect(texts).toEqual(['w1']);
  });

  it('is refused for a line of business without a directory, and its files of members’ types with it', async () => {
    nextLob();
    const members = await load([{ type: 'Coverage', rows: [{}] }]);
    expect(members.ended).toMatchObject({ state: 'not-reconciled' });
    expect(members.loads.report(members.folder).files[0]).toMatchObject({ refusal: 'file_of_unknown_type' });
    const none = await load([{ type: 'Organization', rows: [organization('o1')] }], { lob: 'MHBE' });
    expect(none.ended).toMatchObject({ kind: 'refused', reason: 'manifest_invalid' });
    // A drop of members' data does not change the directory, and a drop of the directory does not change a record.
    await load([{ type: 'Organization', rows: [organization('patient-x')] }]);
    expect((await table.query({ pk: patientPartition(lob, 'patient-x') })).items).toEqual([]);
  });
});

describe('a build', () => {
  const two = () => [
    { type: 'Organization', rows: [organization('o1'), organization('o2')] },
    { type: 'PractitionerRole', rows: [role('r1', 'o1'), role('r2', 'o2')] },
  ];

  it('is refused for dangling references and losses, and the last publication stays', async () => {
    nextLob();
    const publications = memoryPublications();
    const reports: string[] = [];
    const publish = publisher(publications.bucket, reports);
    await load(two());
    const first = await publish();
    expect(first.kind).toBe('published');
    await load([{ type: 'PractitionerRole', rows: [role('r3', 'nowhere')] }]);
    expect(await publish()).toMatchObject({ kind: 'refused', reasons: [{ code: 'dangling' }] });
    await load([{ type: 'Parameters', rows: [withdrawal('PractitionerRole/r3', 9)] }]);
    await load([{ type: 'Parameters', rows: [withdrawal('PractitionerRole/r1', 9)] }]);
    expect(await publish()).toMatchObject({ kind: 'refused', reasons: [{ code: 'loss' }] });
    expect(reports).toEqual(['dangling', 'loss']);
    expect(publications.pointer()?.current.id).toBe(first.kind === 'published' ? first.id : '');
    expect((await publish(true)).kind).toBe('published');
    expect(publications.pointer()?.previous?.id).toBe(first.kind === 'published' ? first.id : '');
    const states = (await createDirectoryBuilds(table).list(lob, 10)).map(({ state }) => state);
    expect(states).toEqual(['published', 'refused', 'refused', 'published']);
  });

  it('keeps two publications with the versions in them, and removes the third', async () => {
    nextLob();
    const publications = memoryPublications();
    const publish = publisher(publications.bucket);
    await load(two());
    await publish();
    for (const version of ['2', '3']) {
      await load([{ type: 'Organization', rows: [organization('o1', version)] }]);
      await publish();
    }
    expect(publications.files.size).toBe(4);
    const kept = createKeptPublications({
      bucket: publications.bucket,
      ...{ lob, folder: join(folder, 'search'), now: () => time, log: () => {} },
    });
    const read = (version?: string) =>
      readDirectoryResource({ publications: kept }, 'Organization', 'o1', version);
    expect(await read()).toMatchObject({ kind: 'resource', versionId: '3' });
    expect(await read('2')).toMatchObject({ kind: 'resource', versionId: '2' });
    expect(await read('1')).toEqual({ kind: 'not_found' });
  });

  it('that was overtaken by another leaves no file and is tried again', async () => {
    nextLob();
    let overtake = async () => {};
    const publications = memoryPublications(async (name) => {
      if (name === 'write pointer') await overtake();
    });
    const publish = publisher(publications.bucket);
    await load(two());
    overtake = async () => {
      overtake = async () => {};
      await publish();
    };
    await expect(publish()).rejects.toThrow();
    expect(publications.files.size).toBe(2);
    expect((await publish()).kind).toBe('published');
  });

  it('that finds its disk full fails, and the last publication stays', async () => {
    const publications = memoryPublications();
    // A day later, after the builds of this line of business in other tests.
    time += 86_400_000;
    await load(two());
    expect((await publisher(publications.bucket)()).kind).toBe('published');
    const before = [publications.pointer(), ...publications.files.keys()];
    const full = async (id: string) => {
      const file = await createBuiltFile(join(folder, 'builds'), id);
      // SQLite's error for a full disk (SQLITE_FULL).
      file.writer.run('PRAGMA max_page_count = 4');
      return file;
    };
    await expect(publisher(publications.bucket, [], full)()).rejects.toThrow('full');
    expect([publications.pointer(), ...publications.files.keys()]).toEqual(before);
    expect(readdirSync(join(folder, 'builds'))).toEqual([]);
    const [{ state } = {}] = await createDirectoryBuilds(table).list(lob, 1);
    expect(state).toBe('failed');
  });

  it('that is killed at any step leaves a whole publication, and the next one removes what it left', async () => {
    nextLob();
    let remaining = Number.POSITIVE_INFINITY;
    let dead = false;
    const publications = memoryPublications(() => {
      remaining -= 1;
      if (remaining < 0) dead = true;
      if (dead) throw new Error('killed');
    });
    const publish = publisher(publications.bucket);
    await load(two());
    expect((await publish()).kind).toBe('published');
    expect((await publish()).kind).toBe('published');
    for (let steps = 0; steps < 10; steps += 1) {
      const before = publications.pointer()?.current.id;
      remaining = steps;
      await publish().catch(() => {});
      remaining = Number.POSITIVE_INFINITY;
      dead = false;
      const { current, previous } = publications.pointer() ?? {};
      for (const file of [current, previous])
        expect(publications.files.get(file?.key ?? '')?.length).toBe(file?.bytes);
      expect([current?.id, previous?.id]).toContain(before);
    }
    time += 30 * 60_000;
    expect((await publish()).kind).toBe('published');
    const { current, previous } = publications.pointer() ?? {};
    const prefixes = [...publications.files.keys()].map((key) => key.split('/')[1]);
    expect(new Set(prefixes)).toEqual(new Set([current?.id, previous?.id]));
    const states = (await createDirectoryBuilds(table).list(lob, 50)).map(({ state }) => state);
    expect(states).not.toContain('running');
  });
});
