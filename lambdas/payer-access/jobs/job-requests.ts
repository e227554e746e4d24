/** Requests on asynchronous jobs (Bulk Data Access IG 2.0.0, "Asynchronous Request"): begin, status, files, cancel. */

import { type JobKind, jobKinds, jobLimits } from '../../catalog/payer/job-kinds.ts';
import { inGroupsOf } from '../../platform/kernel/in-groups-of.ts';
import type { PayerCall } from '../permission/member-match-port.ts';
import { placeInLine } from './job-admission.ts';
import type { JobExecutions, JobFiles, JobStore, MemberQuota, OperatorAct } from './job-ports.ts';
import { isActive, type Job, type JobFile, jobFolder, jobInputKey, rangesOf } from './payer-job.ts';
import { secondsLeft } from './seconds-left.ts';

export interface JobRequestDependencies {
  readonly store: JobStore;
  readonly files: JobFiles;
  readonly machine: Pick<JobExecutions, 'start'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
}

/** A request that begins a job. */
export interface JobBeginning extends PayerCall {
  /** The application's organization; payers take turns by organization. */
  readonly payer: string;
  readonly kind: JobKind;
  readonly request: string;
  readonly scope: string;
  readonly parameters: object;
  /** JSON of each member that the job is about. */
  readonly members: readonly unknown[];
  /**
   * The quota that all members count against until the job is complete.
   *
   * @default none
   */
  readonly quota?: MemberQuota;
}

export type JobBeginningAnswer =
  | { readonly kind: 'accepted'; readonly jobId: string }
  /** The application has as many jobs as it may have. */
  | { readonly kind: 'too-many-jobs'; readonly retryAfterSeconds: number }
  /** The request has more members than the quota has left. */
  | { readonly kind: 'quota-used'; readonly retryAfterSeconds: number };

/** Seconds after which an application with too many jobs may ask again. */
const quotaRetrySeconds = 60;
/** Number of objects that are written at once. */
const inputsAtOnce = 8;

/**
 * Begins a job. Its execution is started before the job is written: an execution without a job ends by itself, but a job without an
 * execution would never end.
 *
 * @throws StoreUnavailable; then no job was begun, or one whose ID nobody knows, and which expires.
 */
export async function beginJob(
  deps: JobRequestDependencies,
  beginning: JobBeginning,
): Promise<JobBeginningAnswer> {
  const { store, now } = deps;
  const { clientId, members, quota } = beginning;
  const active = await store.activeJobs(clientId);
  if (active >= jobLimits.activeJobs) return tooManyJobs;
  const acceptedAt = now();
  const reserved = await quota?.reserve(clientId, members.length);
  if (reserved?.kind === 'limited') {
    // While another job of the application runs, the quota may soon have room: a completed job gives its matched members back.
    const retryAfterSeconds = active > 0 ? quotaRetrySeconds : reserved.retryAfterSeconds;
    return { kind: 'quota-used', retryAfterSeconds };
  }
  const giveBack = async () => await quota?.giveBack(clientId, members.length, acceptedAt);
  let begun: JobBeginningAnswer;
  try {
    begun = await writeJob(deps, beginning, acceptedAt);
  } catch (error) {
    await giveBack();
    throw error;
  }
  if (begun.kind !== 'accepted') await giveBack();
  return begun;
}

const tooManyJobs = { kind: 'too-many-jobs', retryAfterSeconds: quotaRetrySeconds } as const;

async function writeJob(
  { store, files, machine, uuid }: JobRequestDependencies,
  { kind, request, scope, parameters, members, clientId, requestId, clientRequestId, payer }: JobBeginning,
  acceptedAt: number,
): Promise<JobBeginningAnswer> {
  const jobId = uuid();
  const expiresAt = Math.floor(acceptedAt / 1000) + jobLimits.jobSeconds;
  const ranges = rangesOf(members.length, jobKinds[kind].membersInPart);
  // Each part has an object with its own members.
  await inGroupsOf(inputsAtOnce, ranges, async ({ part, from, to }) => {
    await files.put(jobInputKey(jobId, part), JSON.stringify(members.slice(from, to)));
  });
  await machine.start(jobId, expiresAt, jobId);
  const job: Job = {
    jobId,
    kind,
    clientId,
    request,
    scope,
    requestId,
    expiresAt,
    members: members.length,
    ...(clientRequestId !== undefined && { clientRequestId }),
    parameters: JSON.stringify(parameters),
    state: 'accepted',
    attempt: 1,
    done: 0,
    acceptedAt: new Date(acceptedAt).toISOString(),
  };
  return (await store.accept(job, payer)) ? { kind: 'accepted', jobId } : tooManyJobs;
}

/** Finds one of the application's jobs that has not expired; undefined for another application's job, as for one that doesn't exist. */
export async function ownJob(
  { store, now }: Pick<JobRequestDependencies, 'store' | 'now'>,
  clientId: string,
  jobId: string,
): Promise<Job | undefined> {
  const job = await store.job(jobId);
  return job?.clientId === clientId && job.expiresAt > now() / 1000 ? job : undefined;
}

export type JobStatus =
  | { readonly kind: 'running'; readonly progress: string; readonly retryAfterSeconds: number }
  | { readonly kind: 'complete'; readonly manifest: JobManifest; readonly expiresAt: number }
  | { readonly kind: 'failed' }
  | { readonly kind: 'none' };

/** @throws StoreUnavailable */
export async function jobStatus(
  deps: JobRequestDependencies,
  clientId: string,
  jobId: string,
  /** Makes the URL of a file from its name. */
  addressOf: (name: string) => string,
): Promise<JobStatus> {
  const job = await ownJob(deps, clientId, jobId);
  if (job === undefined || job.state === 'cancelled' || job.state === 'expired') return { kind: 'none' };
  if (isActive(job.state)) return { kind: 'running', ...(await progressOf(deps, job)) };
  if (job.state === 'failed') return { kind: 'failed' };
  const parts = await deps.store.parts(jobId);
  const files = parts.flatMap((part) => part.files);
  return { kind: 'complete', manifest: manifestOf(job, files, addressOf), expiresAt: job.expiresAt };
}

async function progressOf(
  { store, now }: Pick<JobRequestDependencies, 'store' | 'now'>,
  job: Job,
): Promise<{ readonly progress: string; readonly retryAfterSeconds: number }> {
  const { title } = jobKinds[job.kind];
  if (job.state === 'running') {
    const progress = `${title}: ${job.done} of ${job.members} members`;
    return { progress, retryAfterSeconds: secondsLeft(job, now()) };
  }
  const { place = 'accepted', retryAfterSeconds = 2 } = (await placeInLine(store, job, now())) ?? {};
  return { progress: `${title}: ${place}`, retryAfterSeconds };
}

interface ManifestFile {
  readonly type: string;
  readonly url: string;
  readonly count: number;
}

/** Manifest of a job (Bulk Data Access IG 2.0.0, "Response - Complete Status"). */
export interface JobManifest {
  readonly transactionTime: string;
  readonly request: string;
  readonly requiresAccessToken: true;
  readonly output: readonly ManifestFile[];
  readonly error: readonly ManifestFile[];
  readonly deleted: readonly ManifestFile[];
}

function manifestOf(job: Job, files: readonly JobFile[], addressOf: (name: string) => string): JobManifest {
  const listed = (list: JobFile['list']) =>
    files
      .filter((file) => file.list === list)
      .map(({ name, type, count }) => ({ type, url: addressOf(name), count }));
  return {
    transactionTime: job.acceptedAt,
    request: job.request,
    requiresAccessToken: true,
    output: listed('output'),
    error: listed('error'),
    deleted: [],
  };
}

/**
 * Cancels a job, or removes the files of a job that has ended.
 *
 * @returns false if there is no such job.
 * @throws StoreUnavailable
 */
export async function cancelJob(
  deps: JobRequestDependencies,
  clientId: string,
  jobId: string,
): Promise<boolean> {
  const job = await ownJob(deps, clientId, jobId);
  if (job === undefined || job.state === 'expired') return false;
  return (await endJob(deps, job)) !== undefined;
}

/**
 * Cancels a job of any application, or removes the files of a job that has ended.
 *
 * @param operator the acting operator, if it is not the application.
 * @returns the cancelled job; undefined if it was cancelled before or has expired.
 */
export async function endJob(
  { store, files, now }: Pick<JobRequestDependencies, 'store' | 'files' | 'now'>,
  job: Job,
  operator?: OperatorAct,
): Promise<Job | undefined> {
  const at = new Date(now()).toISOString();
  const wasCancelled = job.state === 'cancelled';
  const isEnded =
    !wasCancelled &&
    ((await store.act(job, 'cancel', at, operator)) || (await store.act(job, 'remove', at, operator)));
  // Files are removed for a cancelled job too, because an earlier request may have failed before this line. A part in progress may still
  // write files; the state machine removes them when it sees the job's state.
  if (isEnded || wasCancelled) await files.remove(await files.keys(jobFolder(job.jobId)));
  return isEnded ? { ...job, state: 'cancelled', endedAt: at } : undefined;
}
