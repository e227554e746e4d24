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

  it('says that its function failed, and goes on', async () => {
    const lines: string[] = [];
    let calls = 0;
    const stop = startSchedules({
      assembly: assemblyWith(sealing, rule(), permission),
      invoke: async () => {
        calls += 1;
        return { payload: '{}', functionError: 'Unhandled' };
      },
      log: (line) => lines.push(line),
    });
    await vi.advanceTimersByTimeAsync(600_000);
    stop();
    expect(calls).toBe(2);
    expect(lines).toEqual(Array(2).fill('schedule EveryFive: the function failed (Unhandled)'));
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
