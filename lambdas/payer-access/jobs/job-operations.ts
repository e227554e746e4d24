/**
 * Carries out operators' requests on asynchronous jobs: list, show, cancel. Only cancellations are audited, since no request reads a
 * member's data.
 */

import type { Environment } from '../../catalog/environments.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import {
  type JobOperationAnswer,
  type JobSummary,
  type JobSweepAnswer,
  jobOperation,
  jobSweep,
} from './job-operations-contract.ts';
import type { JobExecutions, JobFiles, JobStore } from './job-ports.ts';
import { endJob } from './job-requests.ts';
import type { Job } from './payer-job.ts';
import { type SweepDependencies, sweepJobs } from './sweep-jobs.ts';

export interface JobOperationsDependencies {
  readonly storeOf: (lob: LineOfBusiness) => JobStore;
  readonly filesOf: (lob: LineOfBusiness) => JobFiles;
  readonly executionsOf: (lob: LineOfBusiness) => JobExecutions;
  readonly report: SweepDependencies['report'];
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
}

/**
 * Carries out an operator's request.
 *
 * @throws ZodError for an invalid payload; StoreUnavailable
 */
export async function carryOutJobOperation(
  { storeOf, filesOf, executionsOf, environment, now, uuid, report }: JobOperationsDependencies,
  payload: unknown,
): Promise<JobOperationAnswer | JobSweepAnswer> {
  if (jobSweep.safeParse(payload).success) {
    const lost: string[] = [];
    for (const lob of lineOfBusinessCodes) {
      const of = { store: storeOf(lob), files: filesOf(lob), executions: executionsOf(lob) };
      lost.push(...(await sweepJobs({ ...of, now, report })));
    }
    return { kind: 'swept', lost };
  }
  const request = jobOperation.parse(payload);
  const store = storeOf(request.lob);
  if (request.action === 'list') {
    const { jobs, ...more } = await store.jobs(request.limit, request.after);
    return { kind: 'list', jobs: jobs.map(summary), ...more };
  }
  const job = await store.job(request.jobId);
  if (job === undefined) return { kind: 'refused', reason: 'no_such_job' };
  if (request.action === 'show') {
    return { kind: 'show', job: summary(job), parts: await store.parts(job.jobId) };
  }
  const { requestId, operatorId } = request;
  const operator = { environment, eventId: uuid(), requestId, operatorId };
  const ended = await endJob({ store, files: filesOf(request.lob), now }, job, operator);
  return ended === undefined
    ? { kind: 'refused', reason: 'not_in_this_state' }
    : { kind: 'cancelled', job: summary(ended) };
}

function summary(job: Job): JobSummary {
  const { jobId, kind, clientId, state, members, done, acceptedAt, startedAt, endedAt, expiresAt } = job;
  return { jobId, kind, clientId, state, members, done, acceptedAt, startedAt, endedAt, expiresAt };
}
