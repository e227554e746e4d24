/** Definition of the state machine of runs, each of which asks another payer about many members. */

import { throttledRetry } from '../constructs/state-machines.ts';

/** Retries interrupted calls for hours: a run is at work with another payer for a day, and every step is safe to repeat. */
const retry = [
  throttledRetry,
  {
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 1,
    MaxAttempts: 200,
    BackoffRate: 2,
    MaxDelaySeconds: 60,
    JitterStrategy: 'FULL',
  },
];

/**
 * The state machine of a run (docs/decisions/0073), in the Amazon States Language: carry out the next step, wait as long as it says, until
 * the run has ended. Its input is the LOB and the run's ID.
 *
 * @param steps ARN of the function `exchange-steps`.
 * @see https://states-language.net/spec.html
 */
export function runDefinition(steps: string): object {
  const step = (name: string) => ({
    Type: 'Task',
    Resource: steps,
    Parameters: { step: name, 'lob.$': '$.lob', 'runId.$': '$.runId' },
    Retry: retry,
  });
  return {
    StartAt: 'Carry out step',
    States: {
      'Carry out step': {
        ...step('next'),
        ResultPath: '$.answer',
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Fail' }],
        Next: 'Has ended',
      },
      'Has ended': {
        Type: 'Choice',
        Choices: [
          { Variable: '$.answer.kind', StringEquals: 'again', Next: 'Carry out step' },
          { Variable: '$.answer.kind', StringEquals: 'wait', Next: 'Wait' },
        ],
        Default: 'Ended',
      },
      Wait: { Type: 'Wait', SecondsPath: '$.answer.seconds', Next: 'Carry out step' },
      Fail: { ...step('fail'), ResultPath: null, Next: 'Ended' },
      Ended: { Type: 'Succeed' },
    },
  };
}
