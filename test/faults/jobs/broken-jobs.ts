/** A payer's match and export with a fault at one call, repeated until it succeeds; returns the state at the end. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { payerToPayer } from '../../../lambdas/catalog/payer/export-parameters.ts';
import { queryAll } from '../../../lambdas/platform/table/query-all.ts';
import type { Item } from '../../../lambdas/platform/table/table.ts';
import {
  applicationKey,
  grantPartition,
  jobQuotaKey,
  patientAuditPartition,
} from '../../../lambdas/platform/table/table-keys.ts';
import type { SyntheticMember } from '../../../ops/generator/members.ts';
import { asynchronous, type Manifest, relative } from '../../payer-access/jobs/jobs-client.ts';
import type { Asked, JobsWorld } from '../../payer-access/jobs/jobs-world.ts';
import {
  bulkOf,
  matchingBundle,
  memberBundle,
  validConsent,
} from '../../payer-access/jobs/member-bundles.ts';
import { organization } from '../../payer-access/match-samples.ts';
import type { FaultyProxy } from '../../support/faulty-proxy.ts';
import { durations, cases as storeCases } from '../faults.ts';

/** A fault of consecutive calls: the service, the first call, and the kind of fault. */
export interface JobFault {
  readonly service: 'dynamodb' | 's3' | 'start' | 'step';
  readonly at: number;
  readonly fault: string;
  readonly calls: number;
}

export interface JobMachine {
  readonly world: JobsWorld;
  readonly proxy: FaultyProxy;
  /** Members who are matched and exported. */
  readonly members: readonly SyntheticMember[];
}

/** One run of match and export. Its audit events are those of its application since it started. */
interface JobRun {
  readonly world: JobsWorld;
  readonly clientId: string;
  /** Start of the run, ISO 8601. */
  readonly startedAt: string;
}

type CallsMade = Readonly<Record<JobFault['service'], number>>;

/** Calls that an outage breaks: more than all attempts of a request and of a state. */
const outage = 60;
const callFaults = ['lost', 'answer-lost'] as const;

/** Lists every fault of every call, given the number of calls in an undisturbed run. */
export function everyJobFault(made: CallsMade): readonly JobFault[] {
  const each = (service: JobFault['service'], fault: string, lengths: readonly number[]) =>
    Array.from({ length: made[service] }, (_, at) =>
      lengths.map((calls) => ({ service, at, fault, calls })),
    ).flat();
  const inTable = storeCases.flatMap(({ fault, met, duration }) => [
    ...each('dynamodb', fault, [durations[duration]]),
    ...((met === 'drop' || met === 'answer-lost') && duration === 'once'
      ? each('dynamodb', fault, [outage])
      : []),
  ]);
  const others = callFaults.flatMap((fault) => [
    ...each('s3', fault, [1, outage]),
    ...each('start', fault, [1]),
    ...each('step', fault, [1, outage]),
  ]);
  return [...inTable, ...others];
}

/** State after match and export, without IDs and times: what the payer received, and what is stored. */
export interface JobsState {
  readonly groups: unknown;
  readonly faults: unknown;
  readonly files: unknown;
  readonly grants: unknown;
  readonly audited: unknown;
  /** Objects of both jobs that no manifest names, and objects left after the jobs were deleted or have expired. */
  readonly orphans: readonly string[];
  readonly activeJobs: unknown;
}

/**
 * Matches members, exports them, downloads the files and deletes the jobs, as a new application.
 *
 * @param round differs for each run.
 */
export async function runJobs(
  { world, proxy, members }: JobMachine,
  round: number,
  fault?: JobFault,
): Promise<{ readonly state: JobsState; readonly made: CallsMade }> {
  const clientId = `payer-r${round}`;
  const run = { world, clientId, startedAt: new Date().toISOString() };
  await world.table.put({
    ...applicationKey('DSNP', clientId),
    ...{ clientId, state: 'active', products: ['payer-access'], meteringKey: 'm', organization },
  });
  const constrained = await world.member();
  const expired = { ...validConsent.provision, period: { start: '2020-01-01', end: '2020-12-31' } };
  const request = bulkOf(
    ...members.map(matchingBundle),
    memberBundle(`NOBODY-R${round}`),
    memberBundle(constrained.memberId, { consent: { ...validConsent, provision: expired } }),
    { name: 'MemberBundle', part: [] },
  );
  const firstExecution = world.executions.length;
  const count = plan(world, proxy, fault);
  const payer = createPayer(world, clientId);

  const match = await payer.complete({ path: 'Group/$bulk-member-match', body: request });
  const [groups = ''] = await payer.downloads(match.manifest.output, 'Group');
  const [faults = ''] = await payer.downloads(match.manifest.error, 'OperationOutcome');
  const [matched] = linesOf(groups).map((group) => String(group.id));
  const asked = {
    resourceType: 'Parameters',
    parameter: [
      { name: 'exportType', valueString: payerToPayer },
      { name: '_type', valueString: 'Patient,Coverage,ExplanationOfBenefit' },
    ],
  };
  const exportOf = { path: `Group/${matched}/$davinci-data-export`, body: JSON.stringify(asked) };
  const exported = await payer.complete(exportOf);
  const files = [];
  const handedOut: string[] = [];
  for (const { type, count: lines } of exported.manifest.output) {
    const texts = await payer.downloads(exported.manifest.output, type);
    files.push({ type, lines, names: texts.map((text) => linesOf(text).map(({ id }) => id)) });
    handedOut.push(new Date().toISOString());
  }
  const kept = [match, exported].flatMap(({ job, manifest }) => {
    const named = [...manifest.output, ...manifest.error].map(({ url }) => url.split('/').at(-1));
    return world.keys(`DSNP/${job}/`).filter((key) => !named.some((name) => key.includes(`/${name}`)));
  });
  await payer.remove(exported.job);
  const left = world.keys(`DSNP/${exported.job}/`);
  const made = count();
  plan(world, proxy, undefined);

  for (const { patientId } of members) await expectAudited(run, patientId, handedOut);
  const audited = await Promise.all(
    [...members.map(({ patientId }) => patientId), undefined].map((id) => auditedOf(run, id)),
  );
  const grants = await Promise.all(
    members.map(async ({ patientId }) =>
      (await queryAll(world.table, grantPartition('DSNP', patientId)))
        .filter((grant) => grant.clientId === clientId)
        .map(({ state, scope }) => ({ state, scope })),
    ),
  );
  for (const jobId of world.executions.slice(firstExecution)) await world.expire(jobId);
  const jobs = world.executions.slice(firstExecution).flatMap((jobId) => world.keys(`DSNP/jobs/${jobId}/`));
  const plain = (text: string) =>
    linesOf(text.replaceAll(match.job.replace('jobs/', ''), 'job')).map(({ meta: _meta, ...line }) => {
      const { characteristic: _characteristic, ...rest } = line;
      return JSON.parse(
        JSON.stringify(rest).replaceAll(constrained.memberId, 'M').replaceAll(`R${round}`, 'R'),
      );
    });
  return {
    made,
    state: {
      groups: {
        listed: match.manifest.output.map(({ type, count: of }) => [type, of]),
        groups: plain(groups),
      },
      faults: plain(faults),
      files,
      grants,
      audited,
      orphans: [...kept, ...left, ...jobs],
      activeJobs: (await world.table.get(jobQuotaKey('DSNP', clientId)))?.active,
    },
  };
}

type Line = Readonly<Record<string, unknown>>;
const linesOf = (text: string): readonly Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/**
 * Plans the fault.
 *
 * @returns a function that counts the calls of each service since then.
 */
function plan(world: JobsWorld, proxy: FaultyProxy, fault: JobFault | undefined): () => CallsMade {
  const made = { s3: 0, start: 0, step: 0 };
  const next = (service: keyof typeof made) => {
    const call = made[service]++;
    if (fault?.service !== service || call < fault.at || call >= fault.at + fault.calls) return undefined;
    if (fault.fault === 'lost') throw new Error('the call is lost');
    return 'answer-lost' as const;
  };
  world.bucket.fault = () => next('s3');
  world.fault = next;
  const met = storeCases.find((each) => each.fault === fault?.fault)?.met;
  if (fault?.service !== 'dynamodb' || met === undefined) proxy.plan();
  else {
    const before = Array.from({ length: fault.at }, () => 'none' as const);
    proxy.plan(...before, ...Array.from({ length: fault.calls }, () => met));
  }
  return () => ({ ...made, dynamodb: proxy.calls.length });
}

const mostCalls = 100;

/** A payer's client that repeats a request when it is told to, and begins a new job after a failed one. */
function createPayer(world: JobsWorld, clientId: string) {
  async function call(asked: Asked): Promise<APIGatewayProxyResult> {
    for (let calls = 0; calls < mostCalls; calls += 1) {
      const answer = await world.call({ ...asked, authorizer: { clientId } });
      if (answer.statusCode !== 503) return answer;
      if (/"(name|birthDate|identifier)"/.test(answer.body)) throw new Error('an error tells of a member');
    }
    throw new Error(`${asked.path} is never answered`);
  }

  return {
    /** Begins a job and follows it to its manifest. */
    async complete(asked: Asked): Promise<{ readonly job: string; readonly manifest: Manifest }> {
      for (let begun = 0; begun < mostCalls; begun += 1) {
        const accepted = await call({ method: 'POST', ...asked, headers: asynchronous });
        if (accepted.statusCode !== 202) throw new Error(`${accepted.statusCode} ${accepted.body}`);
        const job = relative(String(accepted.headers?.['Content-Location']));
        await world.run();
        const status = await call({ path: job });
        if (status.statusCode === 200) return { job, manifest: JSON.parse(status.body) };
        if (status.statusCode !== 500) throw new Error(`the job has ended and answers ${status.statusCode}`);
      }
      throw new Error('no job completes');
    },
    async downloads(files: Manifest['output'], type: string): Promise<readonly string[]> {
      const texts = [];
      for (const { url } of files.filter((each) => each.type === type)) {
        const answer = await call({ path: relative(url) });
        if (answer.statusCode !== 307) throw new Error(`${answer.statusCode} ${answer.body}`);
        const { pathname } = new URL(String(answer.headers?.Location));
        texts.push(world.text(pathname.replace(/^\/(jobs\/)?/, '')));
      }
      return texts;
    },
    async remove(job: string): Promise<void> {
      const { statusCode } = await call({ method: 'DELETE', path: job });
      // 404 if the answer to the first DELETE was lost.
      if (statusCode !== 202 && statusCode !== 404) throw new Error(`DELETE answers ${statusCode}`);
    },
  };
}

/** Expects an audit event of the member before each of these times, at which files were handed out. */
async function expectAudited(run: JobRun, patientId: string, handedOut: readonly string[]): Promise<void> {
  const events = await eventsOf(run, patientId);
  const times = events.filter(({ action }) => action === 'job.file').map(({ time }) => String(time));
  for (const [at, handed] of handedOut.entries()) {
    if (times.filter((time) => time <= handed).length > at) continue;
    throw new Error(`${patientId} was disclosed without an audit event`);
  }
}

/** The audit events of one run; the partitions also have those of other runs. */
async function eventsOf(
  { world, clientId, startedAt }: JobRun,
  patientId: string | undefined,
): Promise<readonly Item[]> {
  const pk =
    patientId === undefined ? `AUDIT#DSNP#CLIENT#${clientId}` : patientAuditPartition('DSNP', patientId);
  const { items, next } = await world.table.query({ pk, skFrom: startedAt });
  if (next !== undefined) throw new Error('a run leaves fewer events than a page holds');
  return items.filter((event) => event.clientId === clientId);
}

/**
 * Distinct audit events of a patient and an application: a repeated download is recorded again. A match has one event for each member, even
 * if its part was repeated.
 */
async function auditedOf(run: JobRun, patientId: string | undefined) {
  const events = await eventsOf(run, patientId);
  const matches = events.filter(({ action }) => action === 'Group.bulk-member-match');
  const distinct = new Set(matches.map(({ requestId, reason }) => `${requestId} ${reason}`));
  if (distinct.size !== matches.length) throw new Error('a member of a match has two audit events');
  const told = events.map(({ action, outcome, reason, resource, resources }) =>
    JSON.stringify([action, outcome, reason, patientId === undefined ? undefined : (resource ?? resources)]),
  );
  return [...new Set(told)].sort();
}
