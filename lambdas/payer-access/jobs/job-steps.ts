/** Steps of a job, as its state machine calls them: admit, carry out wave after wave of parts, finish, fail, expire. */

import { type JobKind, jobKinds } from '../../catalog/payer/job-kinds.ts';
import { jsonEntries } from '../../platform/kernel/json-members.ts';
import { admitJob, nextWave } from './job-admission.ts';
import type { JobFiles, JobStore } from './job-ports.ts';
import type { JobStep, JobStepAnswer } from './job-steps-contract.ts';
import {
  type Job,
  type JobFile,
  type JobPart,
  type JobRange,
  jobFileKey,
  jobFolder,
  jobInputKey,
  rangesOf,
} from './payer-job.ts';

/** The work of a kind of job. Each method may be called twice and then writes the same again. */
export interface JobWork {
  /** Carries out a part. @param members JSON of its members, as the job began with them. */
  carryOut(job: Job, range: JobRange, members: readonly unknown[]): Promise<readonly JobFile[]>;
  /** Makes the files of all parts together. */
  finish(job: Job): Promise<FinishedWork>;
}

export interface FinishedWork {
  readonly files: readonly JobFile[];
  /** Carried out at most once, when the files are on record. @throws StoreUnavailable */
  readonly recorded?: () => Promise<void>;
}

export interface JobStepsDependencies {
  readonly store: JobStore;
  readonly files: JobFiles;
  readonly works: Readonly<Record<JobKind, JobWork>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** One line for the log: a job failed. */
  readonly report: (code: 'job_failed', fields: { readonly kind: JobKind }) => void;
}

/**
 * Carries out one step. Each may come twice.
 *
 * @throws Error where the step has to be tried again: the store or the bucket is unavailable, or the job isn't written yet.
 */
export async function carryOutJobStep(deps: JobStepsDependencies, step: JobStep): Promise<JobStepAnswer> {
  const job = await deps.store.job(step.jobId);
  switch (step.step) {
    case 'admit':
      return await admit(deps, job);
    case 'next':
      return job?.state === 'running' ? await nextWave(deps.store, job) : { kind: 'ended' };
    case 'part':
      return await carryOutPart(deps, job, step.part);
    case 'finish':
      return await finish(deps, job, step.jobId);
    case 'fail':
      return await fail(deps, job, step.jobId);
    case 'expire':
      if (job !== undefined) await deps.store.act(job, 'expire', timeOf(deps));
      return await end(deps, step.jobId);
  }
}

function timeOf({ now }: JobStepsDependencies): string {
  return new Date(now()).toISOString();
}

async function admit(deps: JobStepsDependencies, job: Job | undefined): Promise<JobStepAnswer> {
  // The execution is started before the job is written. One whose job was never written removes its objects after the last retry.
  if (job === undefined) throw new Error('the job is not written yet');
  return await admitJob(deps.store, job, deps.now());
}

async function carryOutPart(
  deps: JobStepsDependencies,
  job: Job | undefined,
  part: number,
): Promise<JobStepAnswer> {
  if (job?.state !== 'running') return { kind: 'ended' };
  const range = rangesOf(job.members, jobKinds[job.kind].membersInPart)[part - 1];
  if (range === undefined) throw new Error('no such part');
  if ((await deps.store.part(job.jobId, part)) !== undefined) return { kind: 'done' };
  const input = await deps.files.readText(jobInputKey(job.jobId, part));
  if (input === undefined) throw new Error('the input of the part is gone');
  const files = await deps.works[job.kind].carryOut(job, range, jsonEntries(JSON.parse(input)));
  await deps.store.finishPart(job, { part, members: range.to - range.from, files });
  return { kind: 'done' };
}

async function finish(
  deps: JobStepsDependencies,
  job: Job | undefined,
  jobId: string,
): Promise<JobStepAnswer> {
  const { store, works } = deps;
  if (job?.state === 'running') {
    // The files are made once, because the input and the results of the parts are removed after it.
    if ((await store.part(jobId, 0)) === undefined) {
      const { files, recorded } = await works[job.kind].finish(job);
      if (await store.finishPart(job, { part: 0, members: 0, files })) await recorded?.();
    }
    await removeOthers(deps, jobId, await store.parts(jobId));
    await store.act(job, 'complete', timeOf(deps));
  }
  return await endUnlessComplete(deps, jobId);
}

/** Removes what the manifest doesn't name: the input, results of parts, and files of an invocation that was killed. */
async function removeOthers(
  { files }: JobStepsDependencies,
  jobId: string,
  parts: readonly JobPart[],
): Promise<void> {
  const named = parts.flatMap((part) => part.files).map(({ name }) => name);
  const output = new Set(named.map((name) => jobFileKey(jobId, name)));
  const folder = jobFolder(jobId);
  const keys = await files.keys(folder);
  await files.remove(keys.filter((key) => !output.has(key) && !key.startsWith(`${folder}members/`)));
}

async function fail(deps: JobStepsDependencies, job: Job | undefined, jobId: string): Promise<JobStepAnswer> {
  if (job !== undefined && (await deps.store.act(job, 'fail', timeOf(deps)))) {
    deps.report('job_failed', { kind: job.kind });
  }
  return await endUnlessComplete(deps, jobId);
}

/** A job may be complete although its last step failed, if the answer to the completing write was lost. Its files stay. */
async function endUnlessComplete(deps: JobStepsDependencies, jobId: string): Promise<JobStepAnswer> {
  const job = await deps.store.job(jobId);
  return job?.state === 'complete' ? { kind: 'ended' } : await end(deps, jobId);
}

/** Removes every object of a job that has no result. */
async function end({ files }: JobStepsDependencies, jobId: string): Promise<JobStepAnswer> {
  await files.remove(await files.keys(jobFolder(jobId)));
  return { kind: 'ended' };
}
