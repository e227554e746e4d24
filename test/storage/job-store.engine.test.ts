import { afterAll, beforeAll, expect, it } from 'vitest';
import { jobStates } from '../../lambdas/catalog/payer/job-states.ts';
import { type Job, type JobAct, jobTransitions } from '../../lambdas/fhir/jobs/job.ts';
import type { JobStore } from '../../lambdas/fhir/jobs/job-ports.ts';
import { createJobStore } from '../../lambdas/storage/payer/job-store.ts';
import { jobKey, jobQuotaKey } from '../../lambdas/storage/table-keys.ts';
import { createSignedTable } from '../../lambdas/table/signed-table.ts';
import type { Table } from '../../lambdas/table/table.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';

let engine: TestEngine;
let table: Table;
let store: JobStore;
beforeAll(async () => {
  engine = await startTestEngine();
  table = createSignedTable(engine);
  store = createJobStore(table, 'DSNP');
});
afterAll(() => engine.stop());

const at = '2026-11-23T10:00:00.000Z';
const job: Job = {
  ...{
    jobId: 'job-1',
    kind: 'member-match',
    clientId: 'payer-1',
    state: 'accepted',
    request: 'r',
    scope: 's',
  },
  ...{ requestId: 'q', parameters: '{}', members: 3, done: 0, acceptedAt: at, expiresAt: 4_000_000_000 },
};

it('lets each act begin in the states of the table, and in no other; an act that ends a job frees its place', async () => {
  for (const act of Object.keys(jobTransitions) as JobAct[]) {
    for (const state of jobStates) {
      await table.put({ ...jobKey('DSNP', job.jobId), ...job, state });
      await table.put({ ...jobQuotaKey('DSNP', job.clientId), active: 1 });
      const { from, to } = jobTransitions[act];
      const isAllowed = (from as readonly string[]).includes(state);
      expect(await store.act(job, act, at), `${act} in ${state}`).toBe(isAllowed);
      expect((await store.job(job.jobId))?.state).toBe(isAllowed ? to : state);
      const ends = isAllowed && ['complete', 'fail', 'cancel'].includes(act);
      expect((await table.get(jobQuotaKey('DSNP', job.clientId)))?.active).toBe(ends ? 0 : 1);
    }
  }
});

it('counts a part once, and only while the job is running', async () => {
  await table.put({ ...jobKey('DSNP', job.jobId), ...job, state: 'running' });
  const part = { part: 1, members: 2, files: [] };
  expect(await store.finishPart(job, part)).toBe(true);
  expect(await store.finishPart(job, part)).toBe(false);
  expect((await store.job(job.jobId))?.done).toBe(2);
  await store.act(job, 'cancel', at);
  expect(await store.finishPart(job, { ...part, part: 2 })).toBe(false);
  expect(await store.parts(job.jobId)).toEqual([part]);
});
