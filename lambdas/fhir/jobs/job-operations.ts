/** Operators' requests on asynchronous jobs: list, show, cancel. Only an act on a job is audited: no member's data is read. */

import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Job } from './job.ts';
import { type JobOperationAnswer, type JobSummary, jobOperation } from './job-operations-contract.ts';
import type { JobFiles, JobStore } from './job-ports.ts';
import { endJob } from './job-requests.ts';

export interface JobOperationsDependencies {
  readonly storeOf: (lob: LineOfBusiness) => JobStore;
  readonly filesOf: (lob: LineOfBusiness) => JobFiles;
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
}

/** Carries out an operator's request. @throws what the schema says of another payload; StoreUnavailable */
export async function carryOutJobOperation(
  { storeOf, filesOf, environment, now, uuid }: JobOperationsDependencies,
  payload: unknown,
): Promise<JobOperationAnswer> {
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
