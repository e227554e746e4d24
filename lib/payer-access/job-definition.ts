/** Definition of the state machine of asynchronous jobs. */

import { throttledRetry } from '../constructs/state-machines.ts';

/** Retries throttled and interrupted calls; every step is safe to repeat. */
const retry = [
  throttledRetry,
  {
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 1,
    MaxAttempts: 6,
    BackoffRate: 2,
    MaxDelaySeconds: 60,
    JitterStrategy: 'FULL',
  },
];

/** Retries the end of a job for hours, because until then it counts against its application's quota and keeps its objects. */
const patientRetry = retry.map((rule) => ({ ...rule, MaxAttempts: 3_000, MaxDelaySeconds: 300 }));

const failed = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Fail' }];

/**
 * The state machine of an asynchronous job (docs/decisions/0043 and 0048), in the Amazon States Language: wait until the job may start,
 * carry out the parts wave by wave, finish, wait until the job expires, and remove its objects. Its input is the job's ID and expiry time.
 *
 * @param steps ARN of the function `payer-jobs`.
 * @see https://states-language.net/spec.html
 */
export function jobDefinition(steps: string): object {
  const step = (name: string, more: object = {}) => ({
    Type: 'Task',
    Resource: steps,
    Parameters: { step: name, 'jobId.$': '$.jobId', ...more },
    Retry: retry,
  });
  return {
    StartAt: 'Ask for turn',
    States: {
      'Ask for turn': { ...step('admit'), ResultPath: '$.turn', Catch: failed, Next: 'Has turn' },
      'Has turn': {
        Type: 'Choice',
        Choices: [
          { Variable: '$.turn.kind', StringEquals: 'admitted', Next: 'Next wave' },
          { Variable: '$.turn.kind', StringEquals: 'waiting', Next: 'Wait for turn' },
        ],
        Default: 'Wait until it expires',
      },
      'Wait for turn': { Type: 'Wait', SecondsPath: '$.turn.seconds', Next: 'Ask for turn' },
      'Next wave': { ...step('next'), ResultPath: '$.wave', Catch: failed, Next: 'Has wave' },
      'Has wave': {
        Type: 'Choice',
        Choices: [
          { Variable: '$.wave.kind', StringEquals: 'wave', Next: 'Carry out parts' },
          { Variable: '$.wave.kind', StringEquals: 'carried-out', Next: 'Finish' },
        ],
        Default: 'Wait until it expires',
      },
      'Carry out parts': {
        Type: 'Map',
        ItemsPath: '$.wave.parts',
        MaxConcurrencyPath: '$.wave.partsAtOnce',
        ItemProcessor: {
          ProcessorConfig: { Mode: 'INLINE' },
          StartAt: 'Carry out part',
          States: { 'Carry out part': { ...step('part', { 'part.$': '$.part' }), End: true } },
        },
        ResultPath: null,
        Catch: failed,
        Next: 'Next wave',
      },
      Finish: { ...step('finish'), ResultPath: null, Catch: failed, Next: 'Wait until it expires' },
      Fail: { ...step('fail'), Retry: patientRetry, ResultPath: null, Next: 'Wait until it expires' },
      'Wait until it expires': { Type: 'Wait', TimestampPath: '$.expiresAt', Next: 'Expire' },
      Expire: { ...step('expire'), Retry: patientRetry, End: true },
    },
  };
}
