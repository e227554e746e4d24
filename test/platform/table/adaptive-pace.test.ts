import { afterEach, describe, expect, it, vi } from 'vitest';
import { adaptivePace } from '../../../lambdas/platform/table/adaptive-pace.ts';
import { CallFailed, callWithRetries } from '../../../lambdas/platform/table/dynamodb-call.ts';
import { tableCapacity } from '../../../local/aws/dynamodb/capacity.ts';

/** Runs calls against a store that admits `capacity` calls in each tick and throttles the others, which are repeated in the next tick. */
async function ticks(capacity: number, count: number, most = 32) {
  let now = 0;
  const pace = adaptivePace(most, () => now);
  let done = 0;
  let underWay: (() => void)[] = [];
  const sent: number[] = [];
  let throttles = 0;
  const call = async () =>
    await pace.run(async () => {
      await new Promise<void>((resolve) => underWay.push(resolve));
      done += 1;
    });
  const all = Array.from({ length: 5_000 }, call);
  for (let tick = 0; tick < count; tick += 1) {
    // After a few turns of the event loop every call that the pace admits has been sent.
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    sent.push(underWay.length);
    const [taken, left] = [underWay.slice(0, capacity), underWay.slice(capacity)];
    if (left.length > 0) {
      throttles += left.length;
      pace.throttled();
    }
    underWay = left;
    for (const answer of taken) answer();
    now += 1_000;
  }
  return { sent, throttles, done: () => done, all };
}

describe('the pace of store calls', () => {
  it('is the most there may be while nothing is throttled', async () => {
    const { sent } = await ticks(1_000, 5);
    expect(sent).toEqual([32, 32, 32, 32, 32]);
  });

  it('is halved by throttles, grows by one in a round, and so stays near what the store takes', async () => {
    const { sent, done, throttles } = await ticks(10, 60);
    const later = sent.slice(10);
    expect(Math.max(...later)).toBeLessThanOrEqual(14);
    expect(done()).toBeGreaterThan(60 * 10 * 0.7);
    // Without a pace, 22 of 32 calls would be throttled in every tick.
    expect(throttles).toBeLessThan(60 * 22 * 0.25);
  });

  it('is one call at least', async () => {
    const { done } = await ticks(1, 40);
    expect(done()).toBeGreaterThan(25);
  });

  it('takes throttles of one second as one sign, and a clock that is set back as none to wait for', () => {
    let now = 100_000;
    const pace = adaptivePace(32, () => now);
    const begun = () => {
      let count = 0;
      for (let at = 0; at < 40; at += 1) void pace.run(() => new Promise(() => (count += 1)));
      return () => count;
    };
    pace.throttled();
    pace.throttled();
    now = 0;
    pace.throttled();
    const count = begun();
    return new Promise<void>((resolve) =>
      setImmediate(() => {
        expect(count()).toBe(8);
        resolve();
      }),
    );
  });
});

describe('a table of which one partition is throttled', () => {
  afterEach(() => void vi.useRealTimers());

  it('takes every write, and those of the others in the time of a few waits', async () => {
    vi.useFakeTimers({ now: 0 });
    const table = tableCapacity(new Map(), 1_800_000);
    const pace = adaptivePace(32, Date.now);
    const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const ended = new Map<string, number>();
    const write = async (partition: string, units: number) => {
      const call = async () => {
        await sleep(10);
        const inTheWay = table.take({ kind: 'write', index: '', partition, units }, Date.now());
        if (inTheWay !== undefined) throw new CallFailed('ThrottlingException', 400);
      };
      const patience = { random: () => 0.5, sleep, mayWait: () => true, pace };
      await callWithRetries(call, { ...patience, repeatable: true });
      ended.set(partition, Date.now());
    };
    // 40 writes of 100 units to one partition, which are four seconds of its capacity, among 200 writes of 10 units to other partitions.
    const writes = Array.from({ length: 240 }, (_, at) =>
      at % 6 === 0 ? write('hot', 100) : write(`member ${at}`, 10),
    );
    await vi.runAllTimersAsync();
    await Promise.all(writes);
    const hot = ended.get('hot') ?? 0;
    const others = Math.max(...[...ended].flatMap(([name, at]) => (name === 'hot' ? [] : [at])));
    expect(ended.size).toBe(201);
    expect(hot).toBeGreaterThan(3_000);
    expect(hot).toBeLessThan(6_000);
    expect(others).toBeLessThan(hot - 1_000);
  });
});
