import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSchedules, startSchedules } from '../../../local/schedules/schedules.ts';
import { assembly as assemblyWith, resource } from '../aws/declarations.ts';

const sealing = resource('AWS::Lambda::Function', 'Sealing', {});

function rule(changes: Readonly<Record<string, unknown>> = {}) {
  return resource('AWS::Events::Rule', 'EveryFive', {
    ScheduleExpression: 'rate(5 minutes)',
    State: 'ENABLED',
    Targets: [{ Arn: sealing.arn, Id: 'Target0' }],
    ...changes,
  });
}

const permission = resource('AWS::Lambda::Permission', 'MayInvoke', {
  Action: 'lambda:InvokeFunction',
  FunctionName: sealing.arn,
  Principal: 'events.amazonaws.com',
  SourceArn: rule().arn,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a rule with a rate', () => {
  it('calls its function after each period, with what EventBridge would say', async () => {
    const calls: [string, Record<string, unknown>][] = [];
    const stop = startSchedules({
      assembly: assemblyWith(sealing, rule(), permission),
      invoke: async (arn, payload) => {
        calls.push([arn, JSON.parse(payload)]);
        return { payload: 'null' };
      },
      log: () => {},
    });
    await vi.advanceTimersByTimeAsync(299_999);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(300_001);
    expect(calls).toHaveLength(2);
    expect(calls[0]).toMatchObject([
      sealing.arn,
      { source: 'aws.events', 'detail-type': 'Scheduled Event', resources: [rule().arn] },
    ]);
    stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(calls).toHaveLength(2);
  });

  it('says that its function failed, tries it twice again, and goes on', async () => {
    const lines: string[] = [];
    const times: number[] = [];
    const begun = Date.now();
    const stop = startSchedules({
      assembly: assemblyWith(sealing, rule(), permission),
      invoke: async () => {
        times.push((Date.now() - begun) / 60_000);
        return times.length < 4 ? { payload: '{}', functionError: 'Unhandled' } : { payload: 'null' };
      },
      log: (line) => lines.push(line),
    });
    await vi.advanceTimersByTimeAsync(900_000);
    stop();
    expect(times).toEqual([5, 6, 8, 10, 15]);
    const failed = `event for ${sealing.arn}: the function failed (Unhandled)`;
    expect(lines).toEqual([
      `${failed}; it is tried again in 1 min`,
      `${failed}; it is tried again in 2 min`,
      `warning: ${failed}; after three tries it is dropped, and the next call of its schedule takes up the work`,
    ]);
  });

  it('tries nothing again once it is stopped', async () => {
    let calls = 0;
    const stop = startSchedules({
      assembly: assemblyWith(sealing, rule(), permission),
      invoke: async () => {
        calls += 1;
        throw new Error('throttled');
      },
      log: () => {},
    });
    await vi.advanceTimersByTimeAsync(300_000);
    stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(calls).toBe(1);
  });

  it('calls nothing while it is disabled', () => {
    expect(readSchedules(assemblyWith(sealing, rule({ State: 'DISABLED' }), permission))).toEqual([]);
  });

  it.each([
    ['a permission for it is missing', assemblyWith(sealing, rule()), /may not invoke/],
    [
      'its schedule is a cron expression',
      assemblyWith(sealing, rule({ ScheduleExpression: 'cron(0 12 * * ? *)' }), permission),
      /is not known/,
    ],
    [
      'its target is no function here',
      assemblyWith(rule({ Targets: [{ Arn: 'arn:aws:sqs:us-east-1:123456789012:q' }] }), permission),
      /no function/,
    ],
    [
      'its target changes the event',
      assemblyWith(sealing, rule({ Targets: [{ Arn: sealing.arn, InputPath: '$.time' }] }), permission),
      /InputPath/,
    ],
  ])('keeps the system from starting where %s', (_what, assembly, message) => {
    expect(() => readSchedules(assembly)).toThrow(message);
  });
});
