/** Construct: the Step Functions state machine that loads a drop. */

import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledgeLoadMachine, acknowledgeObjects } from '../constructs/cdk-nag-findings.ts';
import { keyStatement } from './data-access.ts';
import { loadDefinition } from './load-definition.ts';

export interface LoadStateMachineProps {
  readonly bucket: IBucket;
  /** Encrypts the bucket. */
  readonly key: IKey;
  readonly steps: IFunction;
  readonly range: IFunction;
  /** Publishes a directory that was loaded. */
  readonly directoryBuild: IFunction;
  readonly logKey: IKey;
}

/** The state machine that loads a drop, and the rule by which the arrival of a manifest starts it. */
export class LoadStateMachine extends Construct {
  readonly machine: CfnStateMachine;
  readonly arn: string;
  /** ARN of every execution of the machine. */
  readonly executions: string;
  /** Starts the machine when a manifest arrives. */
  readonly rule: CfnRule;

  constructor(scope: Construct, id: string, props: LoadStateMachineProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') });
    const log = new LogGroup(this, 'Log', {
      encryptionKey: props.logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const logging = new ManagedPolicy(this, 'LoggingPolicy', { roles: [role], statements: [logDelivery()] });
    const machine = new CfnStateMachine(this, 'Machine', {
      stateMachineType: 'STANDARD',
      roleArn: role.roleArn,
      definitionString: stack.toJsonString(
        loadDefinition({
          steps: props.steps.functionArn,
          range: props.range.functionArn,
          directoryBuild: props.directoryBuild.functionArn,
          bucket: props.bucket.bucketName,
        }),
      ),
      // Without the data: input and output name drops and members' files.
      loggingConfiguration: {
        level: 'ALL',
        includeExecutionData: false,
        destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: log.logGroupArn } }],
      },
    });
    machine.node.addDependency(logging);
    this.machine = machine;
    this.arn = machine.attrArn;
    this.executions = stack.formatArn({
      service: 'states',
      resource: 'execution',
      resourceName: `${machine.attrName}:*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const policy = new ManagedPolicy(this, 'Policy', {
      roles: [role],
      statements: this.rights(props, machine),
    });
    this.rule = this.startOnManifest(props.bucket);
    acknowledgeLoadMachine(machine, policy, logging);
    acknowledgeObjects(policy, props.bucket, ['*/report/*']);
  }

  /** @see https://docs.aws.amazon.com/step-functions/latest/dg/iam-policies-eg-dist-map.html */
  private rights(
    { bucket, key, steps, range, directoryBuild }: LoadStateMachineProps,
    machine: CfnStateMachine,
  ): PolicyStatement[] {
    const stack = Stack.of(this);
    return [
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: [steps.functionArn, range.functionArn, directoryBuild.functionArn],
      }),
      // Each range is an execution of its own.
      new PolicyStatement({ actions: ['states:StartExecution'], resources: [machine.attrArn] }),
      new PolicyStatement({
        actions: ['states:DescribeExecution', 'states:StopExecution'],
        resources: [this.executions],
      }),
      new PolicyStatement({
        actions: ['s3:GetObject'],
        resources: [bucket.arnForObjects('*/report/*')],
      }),
      keyStatement(stack, key, 's3', ['kms:Decrypt']),
    ];
  }

  private startOnManifest(bucket: IBucket): CfnRule {
    const role = new Role(this, 'RuleRole', { assumedBy: new ServicePrincipal('events.amazonaws.com') });
    new ManagedPolicy(this, 'RulePolicy', {
      roles: [role],
      statements: [new PolicyStatement({ actions: ['states:StartExecution'], resources: [this.arn] })],
    });
    return new CfnRule(this, 'ManifestRule', {
      description: 'Loads a drop when its manifest has arrived',
      eventPattern: {
        source: ['aws.s3'],
        'detail-type': ['Object Created'],
        detail: {
          bucket: { name: [bucket.bucketName] },
          object: { key: [{ suffix: '/manifest.json' }] },
        },
      },
      targets: [{ id: 'Loads', arn: this.arn, roleArn: role.roleArn }],
    });
  }
}

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
