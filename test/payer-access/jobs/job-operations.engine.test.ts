import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobSummary } from '../../../lambdas/payer-access/jobs/job-operations-contract.ts';
import { jobQuotaKey } from '../../../lambdas/platform/table/table-keys.ts';
import { createJobsClient } from './jobs-client.ts';
import { type JobsWorld, startJobsWorld } from './jobs-world.ts';
import { bulkOf, memberBundle } from './member-bundles.ts';

/** Operators' requests on jobs, beside the clients of payers. */

let world: JobsWorld;
let operate: (request: object) => Promise<unknown>;
type JobPage = { readonly jobs: readonly JobSummary[]; readonly next?: string };
const { begin } = createJobsClient(() => world);
beforeAll(async () => {
  world = await startJobsWorld();
  ({ handler: operate } = await import('../../../lambdas/payer-access/job-operations.handler.ts'));
});
afterAll(() => world.stop());

const eventsOf = async (requestId: string) => {
  const { items } = await world.table.query({ pk: 'AUDIT#DSNP#CLIENT#payer-1' });
  return items.filter((event) => event.requestId === requestId);
};
const idOf = (job: string) => job.replace('jobs/', '');

it('list, show and cancel jobs, and tell nothing of members', async () => {
  const lob = 'DSNP';
  const complete = await begin(bulkOf(memberBundle('NOBODY-1')));
  await world.run();
  const accepted = await begin(bulkOf(memberBundle('NOBODY-2'), memberBundle('NOBODY-3')));
  // The sweep finds no running execution for the accepted job.
  expect(await operate({ action: 'sweep' })).toEqual({ kind: 'swept', lost: [idOf(accepted)] });
  expect(world.executions.filter((jobId) => jobId === idOf(accepted))).toHaveLength(2);
  const listed = (await operate({ action: 'list', lob })) as JobPage;
  expect(listed.jobs.map(({ jobId, state, members }) => [jobId, state, members])).toEqual([
    [idOf(accepted), 'accepted', 2],
    [idOf(complete), 'complete', 1],
  ]);
  expect(JSON.stringify(listed)).not.toContain('NOBODY');
  const shown = await operate({ action: 'show', lob, jobId: idOf(complete) });
  expect(shown).toMatchObject({ kind: 'show', parts: [{ part: 0 }, { part: 1, members: 1 }] });
  for (const [at, job] of [accepted, complete].entries()) {
    const by = at === 0 ? {} : { operatorId: randomUUID() };
    const request = { action: 'cancel', lob, jobId: idOf(job), requestId: randomUUID(), ...by };
    const ended = { jobId: idOf(job), state: 'cancelled', endedAt: expect.any(String) };
    expect(await operate(request)).toMatchObject({ kind: 'cancelled', job: ended });
    expect(await operate(request)).toEqual({ kind: 'refused', reason: 'not_in_this_state' });
    const { requestId } = request;
    const events = await eventsOf(requestId);
    const event = {
      action: 'job.cancel',
      actor: 'operator',
      outcome: 'succeeded',
      resource: `job/${idOf(job)}`,
    };
    expect(events).toEqual([expect.objectContaining({ ...event, environment: 'sandbox', lob, ...by })]);
    expect((await world.call({ path: job })).statusCode).toBe(404);
    expect(world.keys(`DSNP/${job}/`)).toEqual([]);
  }
  expect(await world.table.get(jobQuotaKey(lob, 'payer-1'))).toMatchObject({ active: 0 });
  const elsewhere = { action: 'show', lob: 'MAPD', jobId: idOf(complete) };
  expect(await operate(elsewhere)).toEqual({ kind: 'refused', reason: 'no_such_job' });
});

it('list older jobs from where the page before ended, each once', async () => {
  const lob = 'DSNP';
  const before = (await operate({ action: 'list', lob, limit: 50 })) as JobPage;
  const more = await begin(bulkOf(memberBundle('NOBODY-4')));
  const all = [idOf(more), ...before.jobs.map(({ jobId }) => jobId)];
  const paged: string[] = [];
  let after: string | undefined;
  do {
    const page = (await operate({ action: 'list', lob, limit: 1, after })) as JobPage;
    paged.push(...page.jobs.map(({ jobId }) => jobId));
    after = page.next;
  } while (after !== undefined);
  expect(paged).toEqual(all);
  await expect(operate({ action: 'list', lob, after: 'JOB' })).rejects.toThrow();
});
