/** The steps of a job, as its state machine calls them: admit, carry out parts wave by wave, finish, fail, expire. */

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

/** The work of a kind of job. Each method may be called twice, and writes the same both times. */
export interface JobWork {
  /**
   * Carries out a part.
   *
   * @param members JSON of the part's members, from the request that began the job.
   */
  carryOut(job: Job, range: JobRange, members: readonly unknown[]): Promise<readonly JobFile[]>;
  /** Makes the files that need the results of all parts. */
  finish(job: Job): Promise<FinishedWork>;
}

export interface FinishedWork {
  readonly files: readonly JobFile[];
  /**
   * Called at most once, after the files are recorded.
   *
   * @throws StoreUnavailable
   */
  readonly recorded?: () => Promise<void>;
}

export interface JobStepsDependencies {
  readonly store: JobStore;
  readonly files: JobFiles;
  readonly works: Readonly<Record<JobKind, JobWork>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Logs a failed job. */
  readonly report: (code: 'job_failed', fields: { readonly kind: JobKind }) => void;
}

/**
 * Carries out one step. Every step is safe to repeat.
 *
 * @throws Error if the step must be repeated: the store or the bucket is unavailable, or the job isn't written yet.
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

/** Thrown for an execution whose job isn't written yet. The state machine tries the step again. */
class JobNotWritten extends Error {
  override readonly name = 'JobNotWritten';
}

async function admit(deps: JobStepsDependencies, job: Job | undefined): Promise<JobStepAnswer> {
  // The execution starts before the job is written. If the job is never written, the execution removes its objects after the last retry.
  if (job === undefined) throw new JobNotWritten('the execution began before its job was written');
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
    // The files are made once, because the inputs and results of the parts are removed afterwards. Part 0 records that they are made.
    if ((await store.part(jobId, 0)) === undefined) {
      const { files, recorded } = await works[job.kind].finish(job);
      if (await store.finishPart(job, { part: 0, members: 0, files })) await recorded?.();
    }
    await removeOthers(deps, jobId, await store.parts(jobId));
    await store.act(job, 'complete', timeOf(deps));
  }
  return await endUnlessComplete(deps, jobId);
}

/** Removes the objects that the manifest doesn't name: inputs, results of parts, and files of an interrupted invocation. */
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

/**
 * Removes the objects of a job, unless it is complete. A job may be complete although its last step failed: the write that completed it
 * succeeded, but its response was lost.
 */
async function endUnlessComplete(deps: JobStepsDependencies, jobId: string): Promise<JobStepAnswer> {
  const job = await deps.store.job(jobId);
  return job?.state === 'complete' ? { kind: 'ended' } : await end(deps, jobId);
}

/** Removes all objects of a job without a result. */
async function end({ files }: JobStepsDependencies, jobId: string): Promise<JobStepAnswer> {
  await files.remove(await files.keys(jobFolder(jobId)));
  return { kind: 'ended' };
}
