/** Parts that the state machines of loads and jobs share: a retry rule, and the rights to write logs and traces. */

import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

/**
 * Retries a call that Lambda refused because all concurrent executions are in use, which is no fault of the task: for about a day, up to a
 * minute apart. Each attempt adds three events to the execution, which may have 25,000.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html
 */
export const throttledRetry = {
  ErrorEquals: ['Lambda.TooManyRequestsException'],
  IntervalSeconds: 1,
  MaxAttempts: 3_000,
  BackoffRate: 2,
  MaxDelaySeconds: 60,
  JitterStrategy: 'FULL',
};

/** Traces of all executions in X-Ray, with the time and error of each state. */
export const tracing = { enabled: true };

/**
 * The right to write a state machine's traces; IAM allows no narrower resource.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/concepts-xray-tracing.html
 */
export function traceDelivery(): PolicyStatement {
  const actions = ['PutTraceSegments', 'PutTelemetryRecords', 'GetSamplingRules', 'GetSamplingTargets'];
  return new PolicyStatement({ actions: actions.map((action) => `xray:${action}`), resources: ['*'] });
}

/**
 * The right to deliver a state machine's log; IAM allows no narrower resource.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html#cloudwatch-iam-policy
 */
export function logDelivery(): PolicyStatement {
  const actions = ['CreateLogDelivery', 'GetLogDelivery', 'UpdateLogDelivery', 'DeleteLogDelivery'];
  const more = ['ListLogDeliveries', 'PutResourcePolicy', 'DescribeResourcePolicies', 'DescribeLogGroups'];
  return new PolicyStatement({
    actions: [...actions, ...more].map((action) => `logs:${action}`),
    resources: ['*'],
  });
}
