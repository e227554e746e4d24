import { beforeAll, describe, expect, it } from 'vitest';
import type {
  JobOperation,
  JobOperationAnswer,
  JobSummary,
} from '../../../lambdas/payer-access/jobs/job-operations-contract.ts';
import type { JobDetailView, JobListView } from '../../../lambdas/portal/api/job-views.ts';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import {
  bodyOf,
  call,
  operator,
  portalWorld,
  problemOf,
  registered,
  shown,
} from '../applications/portal-world.ts';

/** Operators' routes for asynchronous jobs, over the portal's table and a mock of `job-operations`. */

const jobId = '11111111-2222-4333-8444-555555555555';
const place = { environment: 'sandbox', lob: 'DSNP' };
const next = `2026-11-23T10:00:00.000Z#${jobId}`;

/** A job of a client, as `job-operations` describes it. */
function aJob(clientId: string) {
  const job: JobSummary = {
    ...{ jobId, kind: 'export', state: 'running', clientId, members: 3, done: 1 },
    ...{ acceptedAt: '2026-11-23T10:00:00.000Z', expiresAt: 1_795_600_000 },
  };
  const files = [{ name: '000001.Patient.1.ndjson', list: 'output', count: 3, hasMembers: true }];
  const asked: JobOperation[] = [];
  let isCancelled = false;
  return {
    asked,
    async send(environment: string, request: JobOperation): Promise<JobOperationAnswer> {
      asked.push(request);
      const isThere = environment === 'sandbox' && request.lob === 'DSNP';
      if (request.action === 'list') return { kind: 'list', jobs: isThere ? [job, job] : [], next };
      if (!isThere || request.jobId !== jobId) return { kind: 'refused', reason: 'no_such_job' };
      if (request.action === 'show') {
        const state = isCancelled ? 'cancelled' : 'running';
        return { kind: 'show', job: { ...job, state }, parts: [{ part: 1, files }] };
      }
      if (isCancelled) return { kind: 'refused', reason: 'not_in_this_state' };
      isCancelled = true;
      return { kind: 'cancelled', job: { ...job, state: 'cancelled' } };
    },
  };
}

const world = portalWorld(await createEmptyTable());
let view: ApplicationView;
beforeAll(async () => {
  view = await registered(world);
});
/**
 * Adds a job.
 *
 * @param clientId the client of the application registered in the portal, or another one
 */
function startJob(clientId = view.sandbox.clientId) {
  const environment = aJob(clientId);
  world.jobs.send = environment.send;
  return environment;
}
const ask = async (
  name: 'operatorJobs' | 'operatorJob' | 'cancelJob',
  params: object,
  query: Readonly<Record<string, string>> = {},
) => await call(world, name, { session: operator, params: { ...place, ...params }, query });

describe('an operator', () => {
  it('lists jobs with the application and company of each, from where the page before ended', async () => {
    const environment = startJob();
    const { applicationId, name } = view;
    const application = { applicationId, name, company: 'Sunrise Inc.' };
    const listed = bodyOf<JobListView>(await ask('operatorJobs', {}, { after: next }));
    const job = { jobId, state: 'running', application, expiresAt: '2026-11-25T09:46:40.000Z' };
    expect(listed).toMatchObject({ jobs: [job, job], next });
    expect(environment.asked).toMatchObject([{ action: 'list', lob: 'DSNP', after: next }]);
  });

  it('sees a client that is not registered in the portal by its ID alone', async () => {
    startJob('by-command-line');
    const { jobs } = bodyOf<JobListView>(await ask('operatorJobs', {}));
    expect(jobs[0]).toMatchObject({ clientId: 'by-command-line' });
    expect(jobs[0]).not.toHaveProperty('application');
    expect(bodyOf(await ask('cancelJob', { jobId }))).toMatchObject({ state: 'cancelled' });
  });

  it('cancels a job once; the environment gets the account, and the timeline the name', async () => {
    const environment = startJob();
    const shownJob = bodyOf<JobDetailView>(await ask('operatorJob', { jobId }));
    const files = [{ name: '000001.Patient.1.ndjson', list: 'output', count: 3 }];
    expect(shownJob.parts).toEqual([{ part: 1, files }]);
    const cancelled = bodyOf<JobDetailView>(await ask('cancelJob', { jobId }));
    expect(cancelled.state).toBe('cancelled');
    const act = environment.asked.find(({ action }) => action === 'cancel');
    expect(act).toMatchObject({ lob: 'DSNP', jobId, operatorId: operator.accountId });
    expect((await shown(world, view)).timeline.at(-1)).toMatchObject({
      ...{ act: 'cancel_job', words: `sandbox, DSNP, ${jobId}` },
      actor: { kind: 'operator', name: operator.name },
    });
    expect(problemOf(await ask('cancelJob', { jobId })).problem).toBe('job_ended');
    expect((await shown(world, view)).timeline).toHaveLength(2);
  });

  it('finds no job under another environment, LOB or ID, and is told when the environment does not answer', async () => {
    startJob();
    for (const params of [
      { jobId: 'job' },
      { jobId: '00000000-0000-4000-8000-000000000000' },
      { jobId, lob: 'MAPD' },
      { jobId, lob: 'dsnp' },
      { jobId, environment: 'production' },
      { jobId, environment: 'elsewhere' },
    ]) {
      for (const name of ['operatorJob', 'cancelJob'] as const) {
        const { problem } = problemOf(await ask(name, params));
        expect(problem, JSON.stringify(params)).toBe('not_found');
      }
    }
    expect(bodyOf<JobDetailView>(await ask('operatorJob', { jobId })).state).toBe('running');
    const wrong = problemOf(await ask('operatorJobs', {}, { after: 'JOB' }));
    expect(wrong).toMatchObject({ problem: 'invalid_request', errors: [{ pointer: '/after' }] });
    world.jobs.send = async () => ({ kind: 'refusal', refusal: { code: 'environment_unavailable' } });
    for (const name of ['operatorJobs', 'operatorJob', 'cancelJob'] as const) {
      const params = name === 'operatorJobs' ? {} : { jobId };
      expect(problemOf(await ask(name, params)).problem).toBe('environment_unavailable');
    }
  });
});
