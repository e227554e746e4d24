import { describe, expect, it } from 'vitest';
import {
  backoffMs,
  CallFailed,
  callWithRetries,
  classifyFailure,
} from '../../../lambdas/platform/table/dynamodb-call.ts';
import { ConditionFailed, StoreDenied, StoreUnavailable } from '../../../lambdas/platform/table/table.ts';

function script(...failures: readonly Error[]) {
  const left = [...failures];
  const slept: number[] = [];
  let calls = 0;
  const call = async () => {
    calls += 1;
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return 'answer';
  };
  const patience = {
    random: () => 1,
    sleep: async (ms: number) => {
      slept.push(ms);
    },
  };
  return { call, slept, calls: () => calls, patience };
}

const noAnswer = new CallFailed('NoAnswer', 0);
const conflict = new CallFailed('TransactionCanceledException', 400, ['None', 'TransactionConflict']);
const condition = new CallFailed('ConditionalCheckFailedException', 400);

describe('attempts at a store call', () => {
  it('waits twice as long before each further attempt, within a random part of it', async () => {
    const { call, slept, patience } = script(noAnswer, noAnswer);
    expect(await callWithRetries(call, { ...patience, repeatable: true })).toBe('answer');
    expect(slept).toEqual([50, 100]);
    expect(backoffMs(9, () => 0.5)).toBe(200);
    expect(backoffMs(3, () => 0)).toBe(0);
  });

  it('gives a conflict eight attempts and a fault three', async () => {
    const conflicts = script(...Array.from({ length: 7 }, () => conflict));
    expect(await callWithRetries(conflicts.call, { ...conflicts.patience, repeatable: true })).toBe('answer');
    const faults = script(noAnswer, noAnswer, noAnswer);
    await expect(callWithRetries(faults.call, { ...faults.patience, repeatable: true })).rejects.toThrow(
      StoreUnavailable,
    );
    expect(faults.calls()).toBe(3);
  });

  it('waits out throttles for as long as the caller says, before they count as faults', async () => {
    const throttle = new CallFailed('ThrottlingException', 400);
    const patient = script(...Array.from({ length: 12 }, () => throttle));
    let waits = 0;
    const mayWait = () => {
      waits += 1;
      return waits <= 10;
    };
    const options = { ...patient.patience, mayWait, repeatable: true };
    // Ten waits of two seconds, and the waits between the three attempts.
    expect(await callWithRetries(patient.call, options)).toBe('answer');
    expect(patient.slept).toEqual([...Array.from({ length: 10 }, () => 2_000), 50, 100]);
    waits = 0;
    const lost = script(...Array.from({ length: 13 }, () => throttle));
    await expect(callWithRetries(lost.call, { ...options, ...lost.patience })).rejects.toThrow(
      StoreUnavailable,
    );
  });

  it('tells the pace of every throttle and of calls without an answer, and of nothing else', async () => {
    const cancelled = new CallFailed('TransactionCanceledException', 400, ['None', 'ThrottlingError']);
    const { call, patience } = script(cancelled, conflict, noAnswer);
    let told = 0;
    const throttled = () => {
      told += 1;
    };
    const pace = { run: <T>(work: () => Promise<T>) => work(), throttled };
    expect(await callWithRetries(call, { ...patience, pace, repeatable: true })).toBe('answer');
    expect(told).toBe(2);
  });

  it('waits likewise for a store that does not answer, and remembers that a write may have been carried out', async () => {
    const silent = script(...Array.from({ length: 9 }, () => noAnswer), condition);
    const options = { ...silent.patience, mayWait: () => true, repeatable: false };
    await expect(callWithRetries(silent.call, options)).rejects.toThrow(StoreUnavailable);
    expect(silent.calls()).toBe(10);
  });

  it('calls a single write’s outcome unknown when its condition fails after an attempt without answer', async () => {
    const single = script(noAnswer, condition);
    await expect(callWithRetries(single.call, { ...single.patience, repeatable: false })).rejects.toThrow(
      StoreUnavailable,
    );
    const tokened = script(noAnswer, condition);
    await expect(callWithRetries(tokened.call, { ...tokened.patience, repeatable: true })).rejects.toThrow(
      ConditionFailed,
    );
  });

  it('does not repeat a call that is denied: nothing was written, and one may come again', async () => {
    const { call, calls, patience } = script(new CallFailed('AccessDeniedException', 400));
    await expect(callWithRetries(call, { ...patience, repeatable: false })).rejects.toThrow(StoreDenied);
    expect(calls()).toBe(1);
  });

  it('does not repeat what is a defect', async () => {
    const defect = new CallFailed('ValidationException', 400);
    const { call, calls, patience } = script(defect);
    await expect(callWithRetries(call, { ...patience, repeatable: true })).rejects.toBe(defect);
    expect(calls()).toBe(1);
  });

  it.each([
    ['an access refusal', new CallFailed('AccessDeniedException', 400), 'denied'],
    ['credentials that ran out', new CallFailed('ExpiredTokenException', 400), 'denied'],
    [
      'a cancelled transaction without a known reason',
      new CallFailed('TransactionCanceledException', 400, ['ValidationError']),
      'defect',
    ],
    [
      'a throttled part of a transaction',
      new CallFailed('TransactionCanceledException', 400, ['ThrottlingError']),
      'fault',
    ],
    ['a fault of the service', new CallFailed('InternalServerError', 500), 'fault'],
    [
      'a failed condition beside a conflict',
      new CallFailed('TransactionCanceledException', 400, ['TransactionConflict', 'ConditionalCheckFailed']),
      'condition',
    ],
    ['anything that is no failed call', new TypeError('defect'), 'defect'],
  ])('judges %s', (_what, error, kind) => {
    expect(classifyFailure(error).kind).toBe(kind);
  });
});
