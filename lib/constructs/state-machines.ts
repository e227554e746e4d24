/** Parts of the state machines of loads and jobs: a retry rule, and the right to deliver a log. */

import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

/**
 * Lambda's refusal because every concurrent execution is taken, which is no fault of the task: it waits its turn, up to a minute each time, for about
 * a day. Each try is three events of the 25,000 that an execution holds.
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
 * CloudWatch Logs takes no resource here.
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
