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
import type { JobKind } from '../lambdas/catalog/payer/job-kinds.ts';
import { createPatientCompartment } from '../lambdas/fhir/store/resource-store.ts';
import { createGroupExport } from '../lambdas/payer-access/export/group-export.ts';
import type { JobFiles } from '../lambdas/payer-access/jobs/job-ports.ts';
import { beginJob } from '../lambdas/payer-access/jobs/job-requests.ts';
import { carryOutJobStep } from '../lambdas/payer-access/jobs/job-steps.ts';
import { createBulkMatch } from '../lambdas/payer-access/match/bulk-match.ts';
import { groupMembersKey } from '../lambdas/payer-access/permission/payer-group-port.ts';
import { createJobStore } from '../lambdas/payer-access/store/job-store.ts';
import { createMatchLimits } from '../lambdas/payer-access/store/match-limits.ts';
import { createPayerGrants } from '../lambdas/payer-access/store/payer-grants.ts';
import { createPayerGroups } from '../lambdas/payer-access/store/payer-groups.ts';
import { createMatchStore } from '../lambdas/payer-access/store/payer-matches.ts';
import { digests } from '../lambdas/platform/runtime/digests.ts';
import type { Key } from '../lambdas/platform/table/key.ts';
import { createSignedTable } from '../lambdas/platform/table/signed-table.ts';
import type { Item } from '../lambdas/platform/table/table.ts';
import { applicationKey, memberIdKey } from '../lambdas/platform/table/table-keys.ts';
import { startEngine } from '../local/aws/dynamodb/engine.ts';
import { printAnswerTimes } from './answer-times.ts';
import { benchTable } from './fixture.ts';
import { importStore } from './import-store.ts';
import { itemsOfMember, patientIdOf, templateMember } from './sizes-members.ts';
import { startCountingProxy } from './store-cost.ts';

/**
 * `npm run bench:payer [-- <members>...]`: fills a store of each size, matches members spread over it with the code of
 * `$bulk-member-match`, and exports up to 10,000 of them, each with 17 resources. Stores of different sizes are measured alternately, so
 * that other load on the machine affects all of them alike. Prints members and resources a second, CPU of this process for each, the
 * store's units, the time to the first file, the peak memory, and the times of refused requests, which must not reveal the reason. The
 * store is the embedded engine, whose CPU is not counted; files are written to disk.
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
/** Rounds in which each size is measured once. */
const rounds = 5;
const unitMembers = 100;
const timedRequests = 2_200;
const credentials = { region: 'us-east-1', accessKeyId: 'bench', secretAccessKey: 'bench' };

const folder = mkdtempSync(join(tmpdir(), 'member-data-payer-'));

const memberIdOf = (number: number) => `BENCH${number}`;

/** Items of a store: members that are exported have claims and laboratory results, all others only a Patient. */
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
const concept = (system: string, code: string) => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }],
});

/** The parameters of a MemberBundle that matches the member with this number. */
function bundleOf(number: number): readonly { readonly name: string; readonly resource: object }[] {
  const { name, gender, birthDate } = templatePatient;
  const year = new Date().getUTCFullYear();
  const policy = 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#regular';
  const provision = {
    type: 'permit',
    period: { start: `${year - 1}-01-01`, end: `${year + 1}-12-31` },
    actor: [{ role: concept('v3-ParticipationType', 'IRCP'), reference: { identifier: npi } }],
    action: [concept('consentaction', 'disclose')],
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
        scope: concept('consentscope', 'patient-privacy'),
        patient,
        policy: [{ uri: policy }],
        provision,
      },
    },
  ];
}

/** The bucket of payer jobs as compressed files of a folder. */
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
    remove: async (keys) => {
      for (const key of keys) rmSync(path(key));
    },
    signedUrl: async () => '',
  };
  return { files, written };
}

function stepsOf(endpoint: string, files: JobFiles) {
  const table = createSignedTable({ tableName: benchTable, access: { endpoint, ...credentials } });
  const now = Date.now;
  const uuid = randomUUID;
  const payers = createMatchStore(table, { lob, environment: 'sandbox', now, uuid });
  const limits = createMatchLimits(table, lob, undefined);
  const matching = { store: payers, limits, sha256: digests.sha256Hex, now };
  const reportMember = () => {};
  const works = {
    'member-match': createBulkMatch({
      ...{ reportMember, matching, files, lob },
      quota: { giveBack: async () => {} },
      groups: createPayerGroups(table, lob, now),
    }),
    export: createGroupExport({
      ...{ reportMember, files, now, payers },
      grants: createPayerGrants(table, { lob, environment: 'sandbox', now, uuid }),
      compartment: createPatientCompartment(table, lob),
    }),
  };
  const store = createJobStore(table, lob);
  return { store, files, works, now, uuid, machine: { start: async () => {} }, report: () => {} };
}

interface Carried {
  readonly jobId: string;
  readonly members: number;
  readonly seconds: number;
  /** CPU milliseconds of this process. */
  readonly cpuMs: number;
  /** Lines in all files of the job. */
  readonly lines: number;
}

/** Carries out a job step by step, as the state machine does with one invocation after the other. */
async function carryOut(
  endpoint: string,
  files: JobFiles,
  kind: JobKind,
  members: readonly unknown[],
): Promise<Carried> {
  const steps = stepsOf(endpoint, files);
  const request = {
    clientId,
    payer: 'bench',
    requestId: 'bench',
    request: '',
    scope: 'system/*.rs',
    parameters: {},
  };
  const begun = await beginJob(steps, { ...request, kind, members });
  if (begun.kind !== 'accepted') throw new Error('the job was not accepted');
  const { jobId } = begun;
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  await carryOutJobStep(steps, { step: 'admit', jobId });
  for (;;) {
    const wave = await carryOutJobStep(steps, { step: 'next', jobId });
    if (wave.kind !== 'wave') break;
    for (const { part } of wave.parts) await carryOutJobStep(steps, { step: 'part', jobId, part });
  }
  await carryOutJobStep(steps, { step: 'finish', jobId });
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - startedAt) / 1000;
  if ((await steps.store.job(jobId))?.state !== 'complete') throw new Error('the job did not complete');
  const written = (await steps.store.parts(jobId)).flatMap((part) => part.files);
  const lines = written.reduce((sum, { count }) => sum + count, 0);
  return { jobId, members: members.length, seconds, cpuMs: (user + system) / 1000, lines };
}

async function matchedOf(files: JobFiles, { jobId }: Carried): Promise<readonly unknown[]> {
  return JSON.parse((await files.readText(groupMembersKey(`${jobId}.match`))) ?? '[]');
}

function print(
  what: string,
  { seconds, cpuMs, lines }: Pick<Carried, 'seconds' | 'cpuMs' | 'lines'>,
  count: number,
  of: string,
): void {
  console.log(
    `${what}: ${lines} lines in ${seconds.toFixed(1)} s; ${Math.round(count / seconds)} ${of} a second, ${((cpuMs * 1000) / count).toFixed(0)} µs of CPU each`,
  );
}

/** A store of a size, with its engine and its bucket. */
interface FilledStore {
  readonly size: number;
  readonly endpoint: string;
  readonly proxy: Awaited<ReturnType<typeof startCountingProxy>>;
  readonly bucket: ReturnType<typeof folderFiles>;
  stop(): Promise<void>;
}

async function fillStore(size: number): Promise<FilledStore> {
  const at = join(folder, `${size}`);
  mkdirSync(join(at, 'files'), { recursive: true });
  const { file, written } = await importStore(at, benchTable, itemsOf(size));
  console.log(`${size} members, ${written} items`);
  const engine = await startEngine({ file });
  const proxy = await startCountingProxy(engine.endpoint);
  return {
    ...{ size, proxy, endpoint: engine.endpoint, bucket: folderFiles(join(at, 'files')) },
    async stop() {
      proxy.stop();
      await engine.stop();
      rmSync(at, { recursive: true, force: true });
    },
  };
}

/** Numbers of `count` members, spread evenly over a store of `size`. */
function spread(count: number, size: number) {
  return Array.from({ length: count }, (_, each) => bundleOf(Math.floor((each * size) / count)));
}

/** Matches the same number of members in each store, alternating between the stores. */
async function compareMatching(stores: readonly FilledStore[]): Promise<void> {
  const match = async ({ endpoint, bucket }: FilledStore, members: readonly unknown[]) =>
    await carryOut(endpoint, bucket.files, 'member-match', members);
  const count = Math.min(matchedForRate, ...stores.map(({ size }) => size));
  const carried = new Map<FilledStore, Carried[]>(stores.map((store) => [store, []]));
  for (const store of stores) await match(store, spread(unitMembers, store.size));
  for (let round = 0; round < rounds; round += 1) {
    for (const [store, own] of carried)
      own.push(
        await match(
          store,
          spread(count, store.size).filter((_, at) => at % rounds === round),
        ),
      );
  }
  for (const [{ size }, own] of carried) {
    const sum = (of: 'seconds' | 'cpuMs' | 'lines') => own.reduce((all, each) => all + each[of], 0);
    const all = { seconds: sum('seconds'), cpuMs: sum('cpuMs'), lines: sum('lines') };
    print(`${size} members: match of members spread over the store`, all, count, 'members');
  }
}

async function printUnits(
  { size, proxy, bucket }: FilledStore,
  kind: JobKind,
  members: readonly unknown[],
): Promise<void> {
  proxy.take();
  await carryOut(proxy.endpoint, bucket.files, kind, members);
  const calls = proxy.take();
  const each = (isRead: boolean) => {
    const own = calls.filter(({ operation }) => /Get|Query/.test(operation) === isRead);
    return (own.reduce((sum, { units }) => sum + units, 0) / members.length).toFixed(1);
  };
  console.log(
    `${size} members: ${each(true)} read and ${each(false)} write units a member, in a job (${kind}) of ${members.length}`,
  );
}

/** Matches and exports the most members that a job may have. */
async function measureExport(store: FilledStore): Promise<void> {
  const { size, endpoint, bucket } = store;
  const { files, written } = bucket;
  const most = Math.min(exported, size);
  const bundles = Array.from({ length: most }, (_, number) => bundleOf(number));
  const matched = await carryOut(endpoint, files, 'member-match', bundles);
  print(`${size} members: match of those to be exported`, matched, most, 'members');
  const members = await matchedOf(files, matched);
  for (const part of new Set([Math.ceil(members.length / 10), members.length])) {
    written.firstOutputAt = undefined;
    const startedAt = performance.now();
    const done = await carryOut(endpoint, files, 'export', members.slice(0, part));
    print(`${size} members: export of ${part}`, done, done.lines, 'resources');
    console.log(
      `  first file after ${(((written.firstOutputAt ?? Number.NaN) - startedAt) / 1000).toFixed(2)} s; peak memory so far ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
    );
  }
  await printUnits(store, 'export', members.slice(0, unitMembers));
}

async function printTimesOf({ endpoint, size }: FilledStore): Promise<void> {
  const table = createSignedTable({ tableName: benchTable, access: { endpoint, ...credentials } });
  const members = { lob, clientId, otherClientId, count: size, memberIdOf, patientIdOf, bundleOf } as const;
  await printAnswerTimes(table, members, timedRequests);
}

const stores: FilledStore[] = [];
try {
  for (const size of sizes.length > 0 ? sizes : [1_000, 100_000]) stores.push(await fillStore(size));
  await compareMatching(stores);
  for (const store of stores) await printUnits(store, 'member-match', spread(unitMembers, store.size));
  for (const store of stores) await measureExport(store);
  for (const store of stores) await printTimesOf(store);
} finally {
  for (const store of stores) await store.stop();
  rmSync(folder, { recursive: true, force: true });
}
