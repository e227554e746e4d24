/** Parts that the state machines of loads and jobs share: a retry rule, and the right to write a log. */

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
