import { afterAll, expect, it } from 'vitest';
import { jobStates } from '../../../lambdas/catalog/payer/job-states.ts';
import { type Job, type JobAct, jobTransitions } from '../../../lambdas/payer-access/jobs/payer-job.ts';
import { createJobStore } from '../../../lambdas/payer-access/store/job-store.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { jobKey, jobLineKey, jobQuotaKey } from '../../../lambdas/platform/table/table-keys.ts';
import { startTestEngine } from '../../support/engine.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());
const table = createSignedTable(engine);
const store = createJobStore(table, 'DSNP');

const at = '2026-11-23T10:00:00.000Z';
const job: Job = {
  ...{
    jobId: 'job-1',
    kind: 'member-match',
    clientId: 'payer-1',
    state: 'accepted',
    request: 'r',
    scope: 's',
    attempt: 1,
  },
  ...{ requestId: 'q', parameters: '{}', members: 3, done: 0, acceptedAt: at, expiresAt: 4_000_000_000 },
};

it('lets each act begin in the states of the table, and in no other; an act that ends a job frees its place', async () => {
  const acts = (Object.keys(jobTransitions) as JobAct[]).filter((act) => act !== 'start');
  for (const act of acts) {
    for (const state of jobStates) {
      await table.put({ ...jobKey('DSNP', job.jobId), ...job, state });
      await table.put({ ...jobQuotaKey('DSNP', job.clientId), active: 1 });
      await table.put({ ...jobLineKey('DSNP', at, job.jobId), jobId: job.jobId, payer: 'p', acceptedAt: at });
      const { from, to } = jobTransitions[act];
      const isAllowed = (from as readonly string[]).includes(state);
      expect(await store.act(job, act, at), `${act} in ${state}`).toBe(isAllowed);
      expect((await store.job(job.jobId))?.state).toBe(isAllowed ? to : state);
      const ends = isAllowed && ['complete', 'fail', 'cancel'].includes(act);
      expect((await table.get(jobQuotaKey('DSNP', job.clientId)))?.active).toBe(ends ? 0 : 1);
      expect((await store.line()).map(({ jobId }) => jobId)).toEqual(ends ? [] : [job.jobId]);
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

it('starts one of those who saw the same turn, and remembers whose turn it was', async () => {
  const jobs = ['a', 'b'].map((jobId, index) => ({
    ...job,
    jobId,
    acceptedAt: `2026-11-23T11:00:0${index}.000Z`,
  }));
  for (const each of jobs) expect(await store.accept(each, `payer ${each.jobId}`)).toBe(true);
  const turn = await store.turn();
  const line = (await store.line()).filter(({ jobId }) => jobId !== job.jobId);
  expect(line.map(({ payer }) => payer)).toEqual(['payer a', 'payer b']);
  const started = await Promise.all(line.map((each) => store.start(each, turn, at)));
  expect(started.filter(Boolean)).toHaveLength(1);
  const left = line[started.indexOf(false)];
  expect(left && (await store.start(left, await store.turn(), at))).toBe(true);
  expect(await store.turn()).toMatchObject({ number: 2 });
  expect(new Set((await store.turn()).recent)).toEqual(new Set(['payer a', 'payer b']));
  for (const each of line) expect(await store.start(each, await store.turn(), at)).toBe(false);
});
