import { describe, expect, it } from 'vitest';
import { whenThereIsRoom } from '../../ops/command-line/invoke.ts';

const throttle = Object.assign(new Error('Rate Exceeded.'), { name: 'TooManyRequestsException' });

function throttled(times: number, error: Error = throttle) {
  let [now, calls] = [0, 0];
  const slept: number[] = [];
  const waiting = {
    now: () => now,
    random: () => 1,
    sleep: async (ms: number) => {
      slept.push(ms);
      now += ms;
    },
  };
  const call = async () => {
    calls += 1;
    if (calls <= times) throw error;
    return 'answer';
  };
  return { run: () => whenThereIsRoom(call, waiting), slept, calls: () => calls };
}

describe('a command whose function is at its reserved concurrency', () => {
  it('waits for room, ever longer', async () => {
    const { run, slept } = throttled(6);
    expect(await run()).toBe('answer');
    expect(slept).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('gives up after a minute', async () => {
    const { run, slept } = throttled(1_000);
    await expect(run()).rejects.toBe(throttle);
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(60_000);
  });

  it('tries nothing again that may have been carried out', async () => {
    const { run, calls } = throttled(1, new Error('socket hang up'));
    await expect(run()).rejects.toThrow('socket hang up');
    expect(calls()).toBe(1);
  });
});
