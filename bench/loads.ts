/** `npm run bench:loads`: loads a generated drop of members, twice, and prints resources a second and CPU by step. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { profileFaults, structureFaults } from '../lambdas/fhir/validation/validate.ts';
import type { RangeItem } from '../lambdas/loads/course/load-range.ts';
import { carryOutLoadStep } from '../lambdas/loads/course/load-steps.ts';
import type { LoadStep, LoadStepAnswer } from '../lambdas/loads/course/load-steps-contract.ts';
import { type LoadRow, readRow } from '../lambdas/loads/rows/rows.ts';
import { createLineSplitter, type NdjsonLine } from '../lambdas/platform/kernel/ndjson-lines.ts';
import { createSignedTable } from '../lambdas/platform/table/signed-table.ts';
import { populationMembers } from '../ops/generator/population.ts';
import { startTestEngine } from '../test/support/engine.ts';
import { loadServices } from '../test/support/load-services.ts';
import { startLimitedStore } from './limited-store.ts';
import { folderBucket, objectPath } from './load-bucket.ts';
import type { LoadedRange, LoadWorkerData } from './load-worker.ts';
import { startSqliteStore } from './sqlite-store.ts';

/**
 * `npm run bench:loads [-- <members> [--engine] [--at-once=2]]`: loads a drop of Patients and Coverages on this machine and then the same
 * drop again, `--at-once` ranges at a time, as the Distributed Map does. Prints counts, resources a second, CPU per resource by step,
 * writes, memory and disk. The store is `sqlite-store.ts`, behind the capacity of a table that was warmed for a first load. With `--engine`
 * it is the embedded engine, which then takes most of the CPU.
 */
const members = Number(process.argv[2] ?? 20_000);
const withEngine = process.argv.includes('--engine');
const atOnce = Number(/--at-once=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 2);
const dropPrefix = 'DSNP/bench/d1/';
const folder = mkdtempSync(join(tmpdir(), 'member-data-loads-'));
const profile = (name: string) => [`http://hl7.org/fhir/us/carin-bb/StructureDefinition/${name}|2.0.0`];
const meta = (name: string) => ({
  versionId: '1',
  lastUpdated: '2026-11-22T00:00:00Z',
  profile: profile(name),
});

async function write(name: string, row: (at: number) => object): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  const file = createWriteStream(objectPath(folder, dropPrefix + name));
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
      relationship: {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/subscriber-relationship', code: 'self' }],
      },
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

writeFileSync(objectPath(folder, `${dropPrefix}manifest.json`), manifest);
const bucket = folderBucket(folder);
const file = join(folder, 'table.db');
const engine = await (withEngine ? startTestEngine({ file }) : startSqliteStore(file));
const limited = await startLimitedStore(engine.endpoint, engine.tableName);
const access = { ...engine.access, endpoint: limited.endpoint };
const signed = createSignedTable({ tableName: engine.tableName, access });
const { steps, ranges } = loadServices(signed, bucket);
const workerData: LoadWorkerData = { folder, tableName: engine.tableName, access };
const workers = Array.from(
  { length: atOnce },
  () => new Worker(new URL('load-worker.ts', import.meta.url), { workerData }),
);
const { ledger } = steps;
const valuesOf = ranges.searchValues;
const step = (asked: LoadStep): Promise<LoadStepAnswer> => carryOutLoadStep(steps, asked);

/** CPU seconds and peak megabytes of the store's process so far; 0 on systems without `/proc`. */
function storeUse(): { readonly cpu: number; readonly peak: number } {
  const folderOf = `/proc/${engine.pid}`;
  if (!existsSync(folderOf)) return { cpu: 0, peak: 0 };
  // Fields 14 and 15 of `/proc/<pid>/stat` (proc(5)), in ticks of 10 ms. The process name before them may contain spaces.
  const stat = readFileSync(`${folderOf}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`${folderOf}/status`, 'utf8'))?.[1];
  return { cpu: (Number(stat[11]) + Number(stat[12])) / 100, peak: Math.round(Number(peak) / 1024) };
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const resources = 2 * members;
const each = (seconds: number) => `${((seconds * 1e6) / resources).toFixed(1)} µs`;

/** Reads every row of the drop and calls `work` with it. Returns the CPU seconds. */
async function withEachRow(work: (row: LoadRow) => void): Promise<number> {
  const before = cpuSeconds();
  for (const { name, type } of files) {
    const splitter = createLineSplitter();
    const take = (lines: readonly NdjsonLine[]) => {
      for (const line of lines) work(readRow(line, type, { lob: 'DSNP', now: Date.now() }));
    };
    for await (const chunk of bucket.read(dropPrefix + name, '1', 0, Number.POSITIVE_INFINITY))
      take(splitter.push(chunk));
    take(splitter.end());
  }
  return cpuSeconds() - before;
}

/** The CPU cost of validating rows of every type of a generated population, and that of parsing them. */
function validationText(): string {
  const population = populationMembers({ lob: 'DSNP', seed: 'bench', month: '2026-11-01' }, 20);
  const texts = [...population].flatMap((member) => member.resources.map(({ json }) => json));
  const parse = () => texts.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
  const rows = parse();
  const validate = () =>
    rows.filter((row) => structureFaults(row).length + profileFaults(row).length > 0).length;
  validate();
  const [before, faulty] = [cpuSeconds(), validate()];
  const validated = cpuSeconds();
  parse();
  const [cost, parsed] = [validated - before, cpuSeconds() - validated];
  const micros = Math.round((cost * 1e6) / rows.length);
  return `validation: ${micros} µs a resource of a population, ${(cost / parsed).toFixed(1)} times its parsing; ${faulty} of ${rows.length} faulty`;
}

interface Progress {
  /** Time in milliseconds. */
  readonly at: number;
  /** Rows loaded so far. */
  readonly rows: number;
  /** CPU seconds of the loader and of the store. */
  readonly cpu: number;
  readonly store: number;
}

/** Prints each tenth of the ranges separately, which shows whether a load slows down as the table grows. */
function printTenths(progress: readonly Progress[]): void {
  const last = progress.length - 1;
  if (last < 10) return;
  const tenths = Array.from({ length: 10 }, (_, at) => {
    const [from, to] = [Math.round((at * last) / 10), Math.round(((at + 1) * last) / 10)];
    const [a, b] = [progress[from], progress[to]];
    if (a === undefined || b === undefined) return '';
    const rows = b.rows - a.rows;
    const micros = (seconds: number) => Math.round((seconds * 1e6) / rows);
    return `${Math.round(rows / ((b.at - a.at) / 1000))}/s (${micros(b.cpu - a.cpu)} + ${micros(b.store - a.store)} µs)`;
  });
  console.log(`  by tenths of the ranges, with the CPU of loader and store: ${tenths.join(', ')}`);
}

async function load(version: string): Promise<void> {
  let [writes, reads] = [0, 0];
  const startedAt = performance.now();
  const [before, storeBefore] = [cpuSeconds(), storeUse()];
  const event = { detail: { object: { key: `${dropPrefix}manifest.json`, 'version-id': version } } };
  const accepted = await step({ step: 'accept', event, execution: version });
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  const { lob, jobId } = accepted;
  const turn = await step({ step: 'admit', lob, jobId, execution: version });
  if (turn.kind !== 'admitted') throw new Error(turn.kind);
  for (const { file: number } of accepted.files) await step({ step: 'plan', lob, jobId, file: number });
  const planned = cpuSeconds();
  const progress: Progress[] = [{ at: performance.now(), rows: 0, cpu: planned, store: storeUse().cpu }];
  for (let after = -1; ; ) {
    const next = await step({ step: 'next', lob, jobId, after });
    if (next.kind !== 'wave') break;
    after = next.wave;
    const items = JSON.parse((await bucket.readText(next.key)) ?? '[]') as RangeItem[];
    await Promise.all(
      workers.map(async (worker) => {
        for (let item = items.shift(); item !== undefined; item = items.shift()) {
          worker.postMessage(item);
          const [done] = (await once(worker, 'message')) as [LoadedRange];
          writes += done.writes;
          reads += done.reads;
          const loaded = (await ledger.range(item, item.file, item.range))?.rows ?? 0;
          const rows = (progress.at(-1)?.rows ?? 0) + loaded;
          progress.push({ at: performance.now(), rows, cpu: cpuSeconds(), store: storeUse().cpu });
        }
      }),
    );
  }
  await step({ step: 'finish', lob, jobId });
  const seconds = (performance.now() - startedAt) / 1000;
  const [cpu, store] = [cpuSeconds(), storeUse()];
  const load = await ledger.load({ lob, jobId });
  console.log(`${load?.state} ${JSON.stringify(load?.counts)} in ${seconds.toFixed(1)} s: ${Math.round(resources / seconds)} resources/s
  CPU of each resource: ${each(cpu - before)} (of it scan ${each(planned - before)}); store ${each(store.cpu - storeBefore.cpu)}
  ${writes} writes and ${reads} keys read, beside the ledger's
  peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB, store ${store.peak} MB; table ${Math.round(bytesOf(file) / 1e6)} MB`);
  printTenths(progress);
}

/** Returns the size of a file on disk, including its write-ahead log. */
function bytesOf(path: string): number {
  return [path, `${path}-wal`].reduce((sum, one) => sum + (existsSync(one) ? statSync(one).size : 0), 0);
}

/** Checks a sample of members: their resources must be stored. */
async function checkStored(): Promise<string> {
  const sample = Array.from({ length: Math.min(members, 500) }, (_, at) => Math.floor((at * members) / 500));
  const names = sample.flatMap((at) => [
    { patientId: `p${at}`, resourceType: 'Patient', id: `p${at}` },
    { patientId: `p${at}`, resourceType: 'Coverage', id: `c${at}` },
  ]);
  const marks = await ranges.store.marks('DSNP', names);
  return `${marks.filter((mark) => mark?.content !== undefined).length} of ${names.length} resources of a sample are stored`;
}

try {
  console.log(
    `${members} members, ${files.map(({ name }) => `${name} ${Math.round(statSync(objectPath(folder, dropPrefix + name)).size / 1e6)} MB`).join(', ')}`,
  );
  const read = await withEachRow(() => {});
  const valued = await withEachRow((row) => row.kind === 'resource' && valuesOf(row.content));
  console.log(validationText());
  console.log(`alone: read and validate a row ${each(read)}, make its search values ${each(valued - read)}`);
  await load('first');
  console.log(`  ${await checkStored()}`);
  await load('second');
} finally {
  await Promise.all(workers.map((worker) => worker.terminate()));
  await limited.stop();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}
