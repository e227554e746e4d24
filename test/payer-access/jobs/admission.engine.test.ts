import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { sweepJobs } from '../../../lambdas/payer-access/jobs/sweep-jobs.ts';
import { createJobStore } from '../../../lambdas/payer-access/store/job-store.ts';
import { asynchronous, relative } from './jobs-client.ts';
import { startJobsWorld } from './jobs-world.ts';
import { bulkOf, memberBundle } from './member-bundles.ts';

/**
 * The line in which a LOB's jobs wait: over HTTP, with the state machine's definition, and with a function that refuses invocations beyond
 * its concurrency.
 */

const world = await startJobsWorld();
afterAll(() => world.stop());
afterEach(async () => {
  vi.useRealTimers();
  await world.runAtOnce();
});

type Payer = 'payer-1' | 'payer-2';
const as = (clientId: Payer) => ({ authorizer: { clientId } });

/**
 * Sends a match whose members nobody is.
 *
 * @returns the address of the job's status, or the status code of a refusal
 */
async function send(clientId: Payer, name: string, members = 1): Promise<string> {
  const bundles = Array.from({ length: members }, (_, at) => memberBundle(`NOBODY-${name}-${at}`));
  const asked = { method: 'POST', path: 'Group/$bulk-member-match', body: bulkOf(...bundles) };
  const answer = await world.call({ ...asked, headers: asynchronous, ...as(clientId) });
  return answer.statusCode === 202
    ? relative(String(answer.headers?.['Content-Location']))
    : `${answer.statusCode}`;
}

async function poll(job: string, clientId: Payer) {
  const { statusCode, headers } = await world.call({ path: job, ...as(clientId) });
  const progress = String(headers?.['X-Progress']).replace('match of members: ', '');
  return { statusCode, progress, retryAfter: Number(headers?.['Retry-After']) };
}

const idOf = (job: string) => job.replace('jobs/', '');
const step = async (name: string, job: string) => await world.steps({ step: name, jobId: idOf(job) });

describe('the line of jobs', () => {
  it('has an execution whose job is not written yet try again, and logs it by name', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue();
    await expect(step('admit', 'jobs/unwritten')).rejects.toThrow('repeating the same request is safe');
    const logged = log.mock.calls.map(([line]) => JSON.parse(String(line)));
    log.mockRestore();
    expect(logged).toMatchObject([{ code: 'defect', route: 'payer-jobs', errorName: 'JobNotWritten' }]);
  });

  it('completes five jobs each of two payers that begin at once: an invocation too many waits and fails nothing', async () => {
    const jobs: (readonly [string, Payer])[] = [];
    for (const at of [0, 1, 2, 3, 4]) {
      for (const payer of ['payer-1', 'payer-2'] as const) {
        jobs.push([await send(payer, `${payer}-${at}`, at === 0 ? 101 : 2), payer]);
      }
    }
    await world.runAtOnce();
    for (const [job, payer] of jobs) expect((await poll(job, payer)).statusCode, job).toBe(200);
  });

  it('says the place of each that waits: first come first served within a payer, and payers in turn', async () => {
    const own: string[] = [];
    for (const at of [0, 1, 2, 3, 4]) own.push(await send('payer-1', `B${at}`));
    const [a1 = '', a2 = '', a3 = '', a4 = '', a5 = ''] = own;
    expect((await poll(a4, 'payer-1')).progress).toBe('first in line');
    for (const job of [a1, a2, a3]) {
      expect((await poll(job, 'payer-1')).progress).toBe('accepted');
      expect(await step('admit', job)).toEqual({ kind: 'admitted' });
      expect(await step('admit', job)).toEqual({ kind: 'admitted' });
      expect((await poll(job, 'payer-1')).progress).toBe('0 of 1 members');
    }
    expect(await step('admit', a4)).toEqual({ kind: 'waiting', seconds: 5 });
    const b1 = await send('payer-2', 'C1');
    const b2 = await send('payer-2', 'C2');
    const places = async () => [
      ...(await Promise.all([a4, a5].map(async (job) => (await poll(job, 'payer-1')).progress))),
      ...(await Promise.all([b1, b2].map(async (job) => (await poll(job, 'payer-2')).progress))),
    ];
    expect(await places()).toEqual(['third in line', 'fourth in line', 'first in line', 'second in line']);
    // When a job ends, its turn goes to the payer who is next in line, whichever job asks first.
    await world.call({ method: 'DELETE', path: a2, ...as('payer-1') });
    expect(await step('admit', a4)).toMatchObject({ kind: 'waiting' });
    expect(await step('admit', b1)).toEqual({ kind: 'admitted' });
    expect(await step('admit', a2)).toEqual({ kind: 'ended' });
  });

  it('refuses the sixth job of an application, and the fifty of one hold up another by one turn', async () => {
    const answers: string[] = [];
    for (let at = 0; at < 50; at += 1) answers.push(await send('payer-1', `D${at}`));
    expect(answers.filter((answer) => answer === '429')).toHaveLength(45);
    for (const job of answers.slice(0, 3)) await step('admit', job);
    const other = await send('payer-2', 'E');
    expect((await poll(other, 'payer-2')).progress).toBe('first in line');
  });

  it('estimates when the turn comes by what the running jobs still take', async () => {
    const running = [
      await send('payer-1', 'F1', 200),
      await send('payer-1', 'F2', 200),
      await send('payer-1', 'F3'),
    ];
    for (const job of running) await step('admit', job);
    const [first, second] = [await send('payer-2', 'F4'), await send('payer-2', 'F5')];
    const minutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000);
    vi.useFakeTimers({ toFake: ['Date'] });
    minutes(1);
    // Two jobs have done half of their parts in a minute; the third gives no estimate.
    for (const job of running.slice(0, 2)) await world.steps({ step: 'part', jobId: idOf(job), part: 1 });
    const retryAfter = [await poll(first, 'payer-2'), await poll(second, 'payer-2')].map(
      (each) => each.retryAfter,
    );
    expect(retryAfter[0]).toBe(5);
    expect(retryAfter[1]).toBeGreaterThanOrEqual(59);
    expect(retryAfter[1]).toBeLessThanOrEqual(63);
  });

  it('divides the parts among the jobs that run, wave by wave', async () => {
    const one = await send('payer-1', 'G1', 1_300);
    await step('admit', one);
    const wave = async (job: string) =>
      (await step('next', job)) as { parts: readonly object[]; partsAtOnce: number };
    expect(await wave(one)).toMatchObject({ kind: 'wave', partsAtOnce: 3 });
    expect((await wave(one)).parts).toHaveLength(12);
    const two = await send('payer-2', 'G2');
    await step('admit', two);
    expect(await wave(one)).toMatchObject({ kind: 'wave', partsAtOnce: 1 });
    expect((await wave(one)).parts).toHaveLength(4);
    await world.call({ method: 'DELETE', path: one, ...as('payer-1') });
    expect(await step('next', one)).toEqual({ kind: 'ended' });
    expect(await wave(two)).toMatchObject({ parts: [{ part: 1 }], partsAtOnce: 3 });
  });
});

describe('the sweep', () => {
  const sweep = async (isRunning: (name: string) => boolean, now = Date.now()) => {
    const [started, reported]: [string[], string[]] = [[], []];
    await sweepJobs({
      store: createJobStore(world.table, 'DSNP'),
      files: {
        put: async () => {},
        readText: async () => undefined,
        keys: async () => [],
        remove: async () => {},
        signedUrl: async () => '',
      },
      executions: {
        start: async (_jobId, _expiresAt, name) => void started.push(name),
        isRunning: async (name) => isRunning(name),
      },
      now: () => now,
      report: (_code, { jobId }) => void reported.push(jobId),
    });
    return { started, reported };
  };

  it('gives a job whose execution ended a new one twice, then fails it; one that runs stays as it is', async () => {
    const [lost, kept] = [await send('payer-1', 'H1'), await send('payer-2', 'H2')];
    const [lostId, keptId] = [idOf(lost), idOf(kept)];
    await step('admit', lost);
    const running = (name: string) => name === keptId;
    expect(await sweep(() => true)).toEqual({ started: [], reported: [] });
    expect(await sweep(running)).toEqual({ started: [`${lostId}.2`], reported: [lostId] });
    // A new execution continues where the last one stopped.
    expect(await step('admit', lost)).toEqual({ kind: 'admitted' });
    expect(await sweep(running)).toEqual({ started: [`${lostId}.3`], reported: [lostId] });
    expect(await sweep(running)).toEqual({ started: [], reported: [lostId] });
    expect((await poll(lost, 'payer-1')).statusCode).toBe(500);
    expect(await sweep(running)).toEqual({ started: [], reported: [] });
    expect((await poll(kept, 'payer-2')).progress).toBe('accepted');
  });

  it('fails a job that has waited until it expired', async () => {
    const job = await send('payer-1', 'I1');
    const later = Date.now() + 49 * 3_600_000;
    expect((await sweep(() => true, later)).reported).toContain(idOf(job));
    expect(await step('admit', job)).toEqual({ kind: 'ended' });
  });
});
