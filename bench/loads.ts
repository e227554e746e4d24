import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchValues } from '../lambdas/fhir/search/values.ts';
import type { DropBucket } from '../lambdas/loads/drops.ts';
import { loadRange, type RangeItem } from '../lambdas/loads/load-range.ts';
import { carryOutLoadStep } from '../lambdas/loads/load-steps.ts';
import type { LoadStep, LoadStepAnswer } from '../lambdas/loads/load-steps-contract.ts';
import { digests } from '../lambdas/runtime/digests.ts';
import { createLoadLedger } from '../lambdas/storage/load-ledger.ts';
import { createLoadStore } from '../lambdas/storage/load-store.ts';
import { createSignedTable } from '../lambdas/table/signed-table.ts';
import { startTestEngine } from '../test/support/engine.ts';

/**
 * `npm run bench:loads [-- <members>]`: loads a drop of Patients and Coverages on this machine, and the same drop again. Prints resources a
 * second, CPU of this process per resource, peak memory, and the counts.
 */
const members = Number(process.argv[2] ?? 20_000);
const folder = mkdtempSync(join(tmpdir(), 'member-data-loads-'));
const profile = (name: string) => [`http://hl7.org/fhir/us/carin-bb/StructureDefinition/${name}|2.0.0`];
const meta = (name: string) => ({
  versionId: '1',
  lastUpdated: '2026-11-22T00:00:00Z',
  profile: profile(name),
});

async function write(name: string, row: (at: number) => object): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  const file = createWriteStream(join(folder, name));
  for (let at = 0; at < members; at += 1) {
    const line = `${JSON.stringify(row(at))}\n`;
    hash.update(line);
    if (!file.write(line)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return { rows: members, sha256: hash.digest('hex') };
}

const coding = [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }];
const files = [
  {
    name: 'Patient.ndjson',
    type: 'Patient',
    ...(await write('Patient.ndjson', (at) => ({
      resourceType: 'Patient',
      id: `p${at}`,
      meta: meta('C4BB-Patient'),
      identifier: [{ type: { coding }, system: 'https://plan.example/member', value: `M${at}` }],
      name: [{ family: `Sampleton${at % 997}`, given: ['Ada'] }],
      gender: 'female',
      birthDate: '1970-01-01',
      address: [{ city: 'Washington', state: 'DC', postalCode: '20001' }],
    }))),
  },
  {
    name: 'Coverage.ndjson',
    type: 'Coverage',
    ...(await write('Coverage.ndjson', (at) => ({
      resourceType: 'Coverage',
      id: `c${at}`,
      meta: meta('C4BB-Coverage'),
      status: 'active',
      subscriberId: `S${at}`,
      beneficiary: { reference: `Patient/p${at}` },
      relationship: { text: 'self' },
      payor: [{ display: 'The plan' }],
    }))),
  },
];
const manifest = JSON.stringify({
  lob: 'DSNP',
  source: 'bench',
  kind: 'full',
  createdAt: '2026-11-22T00:00:00Z',
  files,
});

const texts = new Map<string, string>();
const bucket: DropBucket = {
  async *read(key, _versionId, from, to) {
    yield* createReadStream(join(folder, key.split('/').at(-1) ?? ''), { start: from, end: to - 1 });
  },
  head: async (key) => ({ versionId: '1', bytes: statSync(join(folder, key.split('/').at(-1) ?? '')).size }),
  readText: async (key) => (key.endsWith('manifest.json') ? manifest : texts.get(key)),
  put: async (key, text) => void texts.set(key, text),
};
const engine = await startTestEngine({ file: join(folder, 'table.db') });
const table = createSignedTable(engine);
const ledger = createLoadLedger(table);
const now = Date.now;
const steps = {
  ledger,
  bucket,
  now,
  rangeBytes: 8 * 1024 * 1024,
  sha256: digests.sha256Hex,
  sha256Stream: () => {
    const hash = createHash('sha256');
    return { push: (chunk: Uint8Array) => void hash.update(chunk), end: () => hash.digest('hex') };
  },
  toleratedPercent: () => 0,
  report: () => {},
};
const ranges = {
  ledger,
  bucket,
  now,
  store: createLoadStore(table, { environment: 'sandbox', now, uuid: randomUUID }),
  searchValues: (resource: unknown) => JSON.stringify(searchValues(resource)),
  digest: digests.sha256Base64Url,
  rules: '1',
} as const;
const step = (asked: LoadStep): Promise<LoadStepAnswer> => carryOutLoadStep(steps, asked);

/** CPU seconds of the engine's process so far; 0 where the system has no `/proc`. */
function engineCpu(): number {
  const file = `/proc/${engine.pid}/stat`;
  if (!existsSync(file)) return 0;
  // Fields 14 and 15 (proc(5)), in ticks of 10 ms; the name before them may hold spaces.
  const [user, system] = readFileSync(file, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? [];
  return (Number(user) + Number(system)) / 100;
}

async function load(version: string): Promise<void> {
  const startedAt = performance.now();
  const engineBefore = engineCpu();
  const cpu = process.cpuUsage();
  const event = { detail: { object: { key: 'DSNP/bench/d1/manifest.json', 'version-id': version } } };
  const accepted = await step({ step: 'accept', event, execution: version });
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  const { lob, jobId } = accepted;
  for (const { file } of accepted.files) await step({ step: 'plan', lob, jobId, file });
  for (let after = -1; ; ) {
    const next = await step({ step: 'next', lob, jobId, after });
    if (next.kind !== 'wave') break;
    after = next.wave;
    const items = JSON.parse(texts.get(next.key) ?? '[]') as RangeItem[];
    for (const item of items) await loadRange(ranges, item);
  }
  await step({ step: 'finish', lob, jobId });
  const job = await ledger.job({ lob, jobId });
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const resources = 2 * members;
  console.log(
    [
      `${job?.state} ${JSON.stringify(job?.counts)}`,
      `${Math.round(resources / seconds)} resources/s`,
      `${((user + system) / resources).toFixed(0)} µs of CPU each and ${(((engineCpu() - engineBefore) * 1e6) / resources).toFixed(0)} µs of the engine's`,
      `peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
    ].join(', '),
  );
}

try {
  await load('first');
  await load('second');
} finally {
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}
