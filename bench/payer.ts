/** `npm run bench:payer`: matches members for another payer and exports them, at several sizes of the store. */

import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { jobKinds } from '../lambdas/catalog/payer/job-kinds.ts';
import type { Job } from '../lambdas/fhir/jobs/job.ts';
import { jobFolder, rangesOf } from '../lambdas/fhir/jobs/job.ts';
import type { JobFiles } from '../lambdas/fhir/jobs/job-ports.ts';
import { bulkMatchInput, createBulkMatch } from '../lambdas/fhir/payer/bulk-match.ts';
import { createGroupExport, exportInput } from '../lambdas/fhir/payer/group-export.ts';
import { groupMembersKey } from '../lambdas/fhir/payer/payer-group-port.ts';
import { bulkMatchFailuresByApplication } from '../lambdas/kernel/rates.ts';
import { digests } from '../lambdas/runtime/digests.ts';
import { createMatchLimits } from '../lambdas/storage/payer/match-limits.ts';
import { createPayerGrants } from '../lambdas/storage/payer/payer-grants.ts';
import { createPayerGroups } from '../lambdas/storage/payer/payer-groups.ts';
import { createMatchStore } from '../lambdas/storage/payer/payer-matches.ts';
import { createPatientCompartment } from '../lambdas/storage/resources/resource-store.ts';
import { applicationKey, memberIdKey } from '../lambdas/storage/table-keys.ts';
import type { Key } from '../lambdas/table/key.ts';
import { createSignedTable } from '../lambdas/table/signed-table.ts';
import type { Item } from '../lambdas/table/table.ts';
import { startEngine } from '../local/aws/dynamodb/engine.ts';
import { printAnswerTimes } from './answer-times.ts';
import { benchTable } from './fixture.ts';
import { importStore } from './import-store.ts';
import { itemsOfMember, patientIdOf, templateMember } from './sizes-members.ts';
import { startCountingProxy } from './store-cost.ts';

/**
 * `npm run bench:payer [-- <members>...]`: fills a store of each size, matches members spread over it by `$bulk-member-match`'s work, and
 * exports up to 10,000 of them, each with 17 resources. Prints members and resources a second, this process's CPU for each, the store's
 * units, the time to the first file, the peak memory, and how long refused requests take of which nobody may tell the reason. The store is the embedded engine, whose CPU is not counted; files lie on the disk.
 */
const sizes = process.argv
  .slice(2)
  .map(Number)
  .filter((size) => size > 0);
const lob = 'DSNP';
const clientId = 'payer-1';
/** Another application of the same organization, which has matched nobody. */
const otherClientId = 'payer-2';
const npi = { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' };
const exported = 10_000;
const matchedForRate = 1_000;
const timedRequests = 2_200;
const credentials = { region: 'us-east-1', accessKeyId: 'bench', secretAccessKey: 'bench' };

const folder = mkdtempSync(join(tmpdir(), 'member-data-payer-'));

const memberIdOf = (number: number) => `BENCH${number}`;

/** A member that is exported has claims and results, any other a Patient. */
function* itemsOf(size: number): Generator<Item & Key> {
  for (const id of [clientId, otherClientId]) {
    const application = { clientId: id, state: 'active', products: ['payer-access'], meteringKey: 'm' };
    yield { ...applicationKey(lob, id), ...application, organization: [npi] };
  }
  for (let number = 0; number < size; number += 1) {
    const [patientId, memberId] = [patientIdOf(number), memberIdOf(number)];
    yield { ...memberIdKey(lob, memberId), patientId };
    for (const item of itemsOfMember(number, number < exported ? 'typical' : 'small')) {
      const { json } = item;
      yield typeof json === 'string'
        ? { ...item, json: json.replaceAll(templateMember.memberId, memberId) }
        : item;
    }
  }
}

const templatePatient = JSON.parse(
  templateMember.resources.find(({ resourceType }) => resourceType === 'Patient')?.json ?? '{}',
);
const concept = (code: string) => ({ coding: [{ code }] });

/** The parts of a MemberBundle that matches a member. */
function bundleOf(number: number): readonly { readonly name: string; readonly resource: object }[] {
  const { name, gender, birthDate } = templatePatient;
  const year = new Date().getUTCFullYear();
  const policy = 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#regular';
  const provision = {
    type: 'permit',
    period: { start: `${year - 1}-01-01`, end: `${year + 1}-12-31` },
    actor: [{ role: concept('IRCP'), reference: { identifier: npi } }],
    action: [concept('disclose')],
  };
  const patient = { reference: 'Patient/1' };
  return [
    { name: 'MemberPatient', resource: { resourceType: 'Patient', id: '1', name, gender, birthDate } },
    {
      name: 'CoverageToMatch',
      resource: { resourceType: 'Coverage', subscriberId: memberIdOf(number), beneficiary: patient },
    },
    {
      name: 'Consent',
      resource: {
        resourceType: 'Consent',
        status: 'active',
        scope: concept('patient-privacy'),
        patient,
        policy: [{ uri: policy }],
        provision,
      },
    },
  ];
}

/** The bucket of jobs as files of a folder, compressed as in S3. */
function folderFiles(at: string) {
  const path = (key: string) => join(at, encodeURIComponent(key));
  const written = { firstOutputAt: undefined as number | undefined };
  const files: JobFiles = {
    async put(key, text) {
      writeFileSync(path(key), await promisify(gzip)(text));
      if (key.includes('/output/')) written.firstOutputAt ??= performance.now();
    },
    readText: async (key) =>
      existsSync(path(key)) ? gunzipSync(readFileSync(path(key))).toString() : undefined,
    keys: async (prefix) =>
      readdirSync(at)
        .map(decodeURIComponent)
        .filter((key) => key.startsWith(prefix)),
    remove: async () => {},
    signedUrl: async () => '',
  };
  return { files, written };
}

function worksOf(endpoint: string, files: JobFiles) {
  const table = createSignedTable({ tableName: benchTable, access: { endpoint, ...credentials } });
  const now = Date.now;
  const uuid = randomUUID;
  const store = createMatchStore(table, { lob, environment: 'sandbox', now, uuid });
  const limits = createMatchLimits(table, lob, bulkMatchFailuresByApplication);
  const matching = { store, limits, sha256: digests.sha256Hex, now };
  return {
    'member-match': createBulkMatch({ matching, groups: createPayerGroups(table, lob, now), files, lob }),
    export: createGroupExport({
      ...{ files, now, payers: store },
      grants: createPayerGrants(table, { lob, environment: 'sandbox', now, uuid }),
      compartment: createPatientCompartment(table, lob),
    }),
  };
}

function jobOf(kind: Job['kind'], members: number): Job {
  const [acceptedAt, expiresAt] = [new Date().toISOString(), Math.floor(Date.now() / 1000) + 3_600];
  return {
    ...{
      jobId: randomUUID(),
      kind,
      clientId,
      state: 'running',
      request: '',
      scope: 'system/*.rs',
      requestId: 'bench',
    },
    ...{ parameters: '{}', members, done: 0, acceptedAt, expiresAt },
  };
}

interface Carried {
  readonly job: Job;
  readonly seconds: number;
  /** CPU milliseconds of this process. */
  readonly cpuMs: number;
  /** Lines of all files. */
  readonly lines: number;
}

/** Carries out a job's parts one after the other, as one invocation after the other of the state machine. */
async function carryOut(
  endpoint: string,
  files: JobFiles,
  kind: Job['kind'],
  members: readonly unknown[],
): Promise<Carried> {
  const job = jobOf(kind, members.length);
  const input = kind === 'export' ? exportInput : bulkMatchInput;
  await files.put(`${jobFolder(job.jobId)}${input}`, JSON.stringify(members));
  const work = worksOf(endpoint, files)[kind];
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  let lines = 0;
  const count = (made: readonly { readonly count: number }[]) => {
    for (const { count: own } of made) lines += own;
  };
  for (const range of rangesOf(job, jobKinds[kind].membersInPart)) count(await work.carryOut(job, range));
  count(await work.finish(job));
  const { user, system } = process.cpuUsage(before);
  return { job, seconds: (performance.now() - startedAt) / 1000, cpuMs: (user + system) / 1000, lines };
}

async function matchedOf(files: JobFiles, { jobId }: Job): Promise<readonly unknown[]> {
  return JSON.parse((await files.readText(groupMembersKey(`${jobId}.match`))) ?? '[]');
}

async function measureSize(size: number): Promise<void> {
  const at = join(folder, `${size}`);
  mkdirSync(join(at, 'files'), { recursive: true });
  const { file, written } = await importStore(at, benchTable, itemsOf(size));
  console.log(`${size} members, ${written} items`);
  const engine = await startEngine({ file });
  const proxy = await startCountingProxy(engine.endpoint);
  const { files, written: bucket } = folderFiles(join(at, 'files'));
  const spread = (count: number) =>
    Array.from({ length: count }, (_, each) => Math.floor((each * size) / count));
  const print = (what: string, { seconds, cpuMs, lines }: Carried, count: number, of: string) =>
    console.log(
      `${what}: ${lines} lines in ${seconds.toFixed(1)} s; ${Math.round(count / seconds)} ${of} a second, ${((cpuMs * 1000) / count).toFixed(0)} µs of CPU each`,
    );
  const unitsOf = (writes: boolean) => (calls: ReturnType<typeof proxy.take>) =>
    calls
      .filter(({ operation }) => /Get|Query/.test(operation) !== writes)
      .reduce((sum, { units }) => sum + units, 0);
  const printUnits = (what: string, count: number) => {
    const calls = proxy.take();
    const each = (units: number) => (units / count).toFixed(1);
    console.log(
      `  ${what}: ${each(unitsOf(false)(calls))} read and ${each(unitsOf(true)(calls))} write units each`,
    );
  };
  try {
    await carryOut(engine.endpoint, files, 'member-match', spread(100).map(bundleOf));
    const count = Math.min(matchedForRate, size);
    print(
      'match of members spread over the store',
      await carryOut(engine.endpoint, files, 'member-match', spread(count).map(bundleOf)),
      count,
      'members',
    );
    await carryOut(proxy.endpoint, files, 'member-match', spread(20).map(bundleOf));
    printUnits('a matched member', 20);

    const most = Math.min(exported, size);
    const all = await carryOut(
      engine.endpoint,
      files,
      'member-match',
      Array.from({ length: most }, (_, number) => bundleOf(number)),
    );
    print('match of those to be exported', all, most, 'members');
    const members = await matchedOf(files, all.job);
    for (const part of new Set([Math.ceil(members.length / 10), members.length])) {
      bucket.firstOutputAt = undefined;
      const startedAt = performance.now();
      const done = await carryOut(engine.endpoint, files, 'export', members.slice(0, part));
      print(`export of ${part} members`, done, done.lines, 'resources');
      console.log(
        `  first file after ${(((bucket.firstOutputAt ?? Number.NaN) - startedAt) / 1000).toFixed(2)} s; peak memory so far ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
      );
    }
    proxy.take();
    await carryOut(proxy.endpoint, files, 'export', members.slice(0, 20));
    printUnits('an exported member', 20);
    const access = { endpoint: engine.endpoint, ...credentials };
    await printAnswerTimes(
      createSignedTable({ tableName: benchTable, access }),
      { lob, clientId, otherClientId, count: size, memberIdOf, patientIdOf, bundleOf },
      timedRequests,
    );
  } finally {
    proxy.stop();
    await engine.stop();
    rmSync(at, { recursive: true, force: true });
  }
}

try {
  for (const size of sizes.length > 0 ? sizes : [1_000, 100_000]) await measureSize(size);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
