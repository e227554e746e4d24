/** Parts that the state machines share: the resource with its log and traces, the rights to write these, and a retry rule. */

import { Stack } from 'aws-cdk-lib';
import { type IRole, type ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

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
 * Creates the state machine of a construct, with a log and traces of all executions. The log has no inputs and outputs, because they name
 * members' files.
 *
 * @param props.definition in the Amazon States Language
 * @param props.policy has the rights to write log and traces; the state machine is created after it
 */
export function createStateMachine(
  scope: Construct,
  props: {
    /** Physical name, for callers that know the state machine by name. @default a name by CloudFormation */
    readonly name?: string;
    readonly definition: object;
    readonly role: IRole;
    readonly policy: ManagedPolicy;
    readonly log: ILogGroup;
  },
): CfnStateMachine {
  const { name, definition, role, policy, log } = props;
  const machine = new CfnStateMachine(scope, 'Machine', {
    ...(name !== undefined && { stateMachineName: name }),
    stateMachineType: 'STANDARD',
    roleArn: role.roleArn,
    definitionString: Stack.of(scope).toJsonString(definition),
    tracingConfiguration: { enabled: true },
    loggingConfiguration: {
      level: 'ALL',
      includeExecutionData: false,
      destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: log.logGroupArn } }],
    },
  });
  machine.node.addDependency(policy);
  return machine;
}

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
