/** Finds waiting and running jobs whose executions ended without completing them. */

import type { JobExecutions, JobFiles, JobStore } from './job-ports.ts';
import { isActive, type Job, jobFolder } from './payer-job.ts';

export interface SweepDependencies {
  readonly store: JobStore;
  readonly files: JobFiles;
  readonly executions: JobExecutions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Logs a line that an alarm counts. */
  readonly report: (code: 'job_without_execution', fields: { readonly jobId: string }) => void;
}

/** Most executions of a job; then the job fails. */
const mostAttempts = 3;

/**
 * Starts a new execution for each job whose execution was stopped, or ended at a limit of Step Functions. The new one continues, because
 * completed parts are recorded. After three executions, or when it has expired, the job fails.
 *
 * @returns IDs of the jobs whose executions had ended.
 * @throws StoreUnavailable
 */
export async function sweepJobs({
  store,
  files,
  executions,
  now,
  report,
}: SweepDependencies): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { jobId } of await store.line()) {
    const job = await store.job(jobId);
    if (job === undefined || !isActive(job.state)) continue;
    const isExpired = job.expiresAt <= now() / 1000;
    if (!isExpired && (await executions.isRunning(executionOf(job)))) continue;
    report('job_without_execution', { jobId });
    lost.push(jobId);
    if (isExpired || job.attempt >= mostAttempts) {
      await store.act(job, 'fail', new Date(now()).toISOString());
      await files.remove(await files.keys(jobFolder(jobId)));
      continue;
    }
    // The execution is started before its number is written; a repeat starts the same execution.
    const next = { ...job, attempt: job.attempt + 1 };
    await executions.start(jobId, job.expiresAt, executionOf(next));
    await store.startAgain(jobId, job.attempt);
  }
  return lost;
}

/** Name of a job's execution. */
function executionOf({ jobId, attempt }: Pick<Job, 'jobId' | 'attempt'>): string {
  return attempt === 1 ? jobId : `${jobId}.${attempt}`;
}
