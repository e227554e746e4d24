/** Construct of the Step Functions state machine that loads a drop: the plan's files of members, in S3, into the environment's table. */

import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledgeLoadMachine, acknowledgeObjects } from '../constructs/cdk-nag-findings.ts';
import { createServiceRole } from '../constructs/service-role.ts';
import { createStateMachine, logDelivery, traceDelivery } from '../constructs/state-machines.ts';
import { type Reach, reachable, reachableParts, statementsOf } from '../rights/statements.ts';
import type { IngestBucket } from './ingest-bucket.ts';
import { loadDefinition } from './load-definition.ts';

export interface LoadMachineProps {
  readonly ingest: IngestBucket;
  readonly steps: IFunction;
  readonly range: IFunction;
  /** The function that publishes a loaded directory. */
  readonly directoryBuild: IFunction;
  readonly logKey: IKey;
}

/** The state machine that loads a drop, and the EventBridge rule that starts it when a manifest arrives. */
export class LoadMachine extends Construct {
  readonly machine: CfnStateMachine;
  readonly arn: string;
  readonly resources: Reach['resources'];
  /** Starts the state machine when a manifest arrives. */
  readonly rule: CfnRule;

  constructor(scope: Construct, id: string, props: LoadMachineProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const { bucket } = props.ingest;
    const role = createServiceRole(this, 'Role', 'states');
    const log = new LogGroup(this, 'Log', {
      encryptionKey: props.logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const logging = new ManagedPolicy(this, 'LoggingPolicy', {
      roles: [role],
      statements: [logDelivery(), traceDelivery()],
    });
    const machine = createStateMachine(this, {
      definition: loadDefinition({
        steps: props.steps.functionArn,
        range: props.range.functionArn,
        directoryBuild: props.directoryBuild.functionArn,
        bucket: bucket.bucketName,
      }),
      role,
      policy: logging,
      log,
    });
    this.machine = machine;
    this.arn = machine.attrArn;
    this.resources = {
      loadMachine: reachable(machine.attrArn),
      loadExecutions: reachable(
        stack.formatArn({
          service: 'states',
          resource: 'execution',
          resourceName: `${machine.attrName}:*`,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      ),
    };
    const functions = reachableParts({
      'load-steps': props.steps.functionArn,
      'load-range': props.range.functionArn,
      'directory-build': props.directoryBuild.functionArn,
    });
    const reach = { names: {}, resources: { ...this.resources, ...props.ingest.resources, functions } };
    const policy = new ManagedPolicy(this, 'Policy', {
      roles: [role],
      statements: [...statementsOf(this, 'load-machine', reach).others],
    });
    this.rule = this.startOnManifest(bucket, reach);
    acknowledgeLoadMachine(machine, policy, logging);
    acknowledgeObjects(policy, bucket, ['*/report/*']);
  }

  private startOnManifest(bucket: IBucket, reach: Reach): CfnRule {
    const role = createServiceRole(this, 'RuleRole', 'events');
    new ManagedPolicy(this, 'RulePolicy', {
      roles: [role],
      statements: [...statementsOf(this, 'load-rule', reach).others],
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
