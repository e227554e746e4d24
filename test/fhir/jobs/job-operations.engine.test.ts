import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobSummary } from '../../../lambdas/fhir/jobs/job-operations-contract.ts';
import { jobQuotaKey } from '../../../lambdas/storage/table-keys.ts';
import { createJobsClient } from './jobs-client.ts';
import { type JobsWorld, startJobsWorld } from './jobs-world.ts';
import { bulkOf, memberBundle } from './member-bundles.ts';

/** Operators' requests on jobs, beside payers' clients. */

let world: JobsWorld;
let operate: (request: object) => Promise<unknown>;
const { begin } = createJobsClient(() => world);
beforeAll(async () => {
  world = await startJobsWorld();
  ({ handler: operate } = await import('../../../lambdas/functions/job-operations.handler.ts'));
});
afterAll(() => world.stop());

const idOf = (job: string) => job.replace('jobs/', '');

it('list, show and cancel jobs, and tell nothing of members', async () => {
  const lob = 'DSNP';
  const complete = await begin(bulkOf(memberBundle('NOBODY-1')));
  await world.run();
  const accepted = await begin(bulkOf(memberBundle('NOBODY-2'), memberBundle('NOBODY-3')));
  const listed = (await operate({ action: 'list', lob })) as { readonly jobs: readonly JobSummary[] };
  expect(listed.jobs.map(({ jobId, state, members }) => [jobId, state, members])).toEqual([
    [idOf(accepted), 'accepted', 2],
    [idOf(complete), 'complete', 1],
  ]);
  expect(JSON.stringify(listed)).not.toContain('NOBODY');
  const shown = await operate({ action: 'show', lob, jobId: idOf(complete) });
  expect(shown).toMatchObject({ kind: 'show', parts: [{ part: 0 }, { part: 1, members: 1 }] });
  for (const job of [accepted, complete]) {
    const request = { action: 'cancel', lob, jobId: idOf(job) };
    expect(await operate(request)).toEqual({ kind: 'cancelled' });
    expect(await operate(request)).toEqual({ kind: 'refused', reason: 'not_in_this_state' });
    expect((await world.call({ path: job })).statusCode).toBe(404);
    expect(world.keys(`DSNP/${job}/`)).toEqual([]);
  }
  expect(await world.table.get(jobQuotaKey(lob, 'payer-1'))).toMatchObject({ active: 0 });
  const elsewhere = { action: 'show', lob: 'MAPD', jobId: idOf(complete) };
  expect(await operate(elsewhere)).toEqual({ kind: 'refused', reason: 'no_such_job' });
});
