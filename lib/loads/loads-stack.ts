/** Stack of an environment's loads: the bucket for drops, the functions and the state machine. */

import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { loadOperationsFunctionName } from '../../lambdas/catalog/environments.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { admitPortal } from '../constructs/admit-portal.ts';
import { acknowledgeExecutions, acknowledgeObjects } from '../constructs/cdk-nag-findings.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';
import { statementsOf, withResources } from '../rights/statements.ts';
import { IngestBucket } from './ingest-bucket.ts';
import { LoadMachine } from './load-machine.ts';

export interface LoadsStackProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'alarms' | 'contactKey'>;
  /** AWS account of the developer portal. */
  readonly portalAwsAccount: string;
  /** The function that publishes a loaded directory. */
  readonly directoryBuild: IFunction;
}

/** Lambda's longest timeout. One invocation reads a whole file, at about 100 MB a second: enough for 50 GB. */
const stepSeconds = 900;
/** A range is loaded in seconds, but takes longer while the table's capacity grows. */
const rangeSeconds = 300;

/** Loads drops (docs/decisions/0022): the ingest bucket, the state machine that starts with a manifest, and its functions. */
export class LoadsStack extends Stack {
  /** ARN of the state machine. */
  readonly machineArn: string;
  readonly ingest: IngestBucket;

  constructor(scope: Construct, id: string, props: LoadsStackProps) {
    super(scope, id, props);
    const { data } = props;
    const ingest = new IngestBucket(this, 'Ingest');
    this.ingest = ingest;
    const steps = this.createSteps(props, ingest);
    const range = this.createRange(props, ingest);
    acknowledgeObjects(steps.policy, ingest.bucket, ['*', '*/report.json', '*/report/*']);
    acknowledgeObjects(range.policy, ingest.bucket, ['*', '*/report/*']);
    const machine = new LoadMachine(this, 'Loads', {
      ingest,
      steps: steps.function,
      range: range.function,
      directoryBuild: props.directoryBuild,
      logKey: data.logKey,
    });
    this.machineArn = machine.arn;
    const operations = this.createOperations(props, ingest, machine);
    acknowledgeObjects(operations.policy, ingest.bucket, ['*/report/*', '*/manifest.json', '*/report.json']);
    acknowledgeExecutions(operations.policy, machine.machine);
    this.watch(props, operations, steps, machine);
    for (const lob of props.configuration.linesOfBusiness) this.createUploaderPolicy(ingest, lob);
    new CfnOutput(this, 'IngestBucketName', { value: ingest.bucket.bucketName });
    admitPortal(operations.function, props.configuration, props.portalAwsAccount);
    new CfnOutput(this, 'LoadOperationsFunctionName', { value: operations.function.functionName });
  }

  /** Creates the function that accepts a drop, plans its ranges, and reports. It reads files and the ledger, but no member's record. */
  private createSteps({ configuration, bundles, data }: LoadsStackProps, ingest: IngestBucket) {
    const { linesOfBusiness: lobs, loads } = configuration;
    return new EnvironmentFunction(this, 'LoadSteps', {
      name: 'load-steps',
      bundles,
      logKey: data.logKey,
      reservedConcurrency: 5,
      timeoutSeconds: stepSeconds,
      environment: {
        tableName: data.table.tableName,
        ingestBucket: ingest.bucket.bucketName,
        loadRangesAtOnce: `${loads.maxConcurrency}`,
        loadRangeBytes: `${loads.rangeMegabytes * 1024 * 1024}`,
        toleratedFailurePercent: JSON.stringify(
          Object.fromEntries(lobs.map((lob) => [lob, loads.toleratedFailurePercent[lob] ?? 1])),
        ),
      },
      reach: withResources(data.reach, ingest.resources),
    });
  }

  /**
   * Creates the function that loads the rows of one range. It has no right to the user pool, because loads create and change no accounts.
   */
  private createRange({ configuration, bundles, data }: LoadsStackProps, ingest: IngestBucket) {
    return new EnvironmentFunction(this, 'LoadRange', {
      name: 'load-range',
      bundles,
      logKey: data.logKey,
      reservedConcurrency: configuration.loads.maxConcurrency,
      timeoutSeconds: rangeSeconds,
      // Parsing, hashing and compressing need one vCPU, which comes with this much memory.
      memoryMegabytes: 1769,
      environment: {
        environment: configuration.environment,
        tableName: data.table.tableName,
        ingestBucket: ingest.bucket.bucketName,
        contactKeyId: data.contactKey.keyArn,
      },
      reach: withResources(data.reach, ingest.resources),
    });
  }

  /** Creates the function that serves the operator's CLI, and checks every hour which sources are late. */
  private createOperations(
    { configuration, bundles, data }: LoadsStackProps,
    ingest: IngestBucket,
    machine: LoadMachine,
  ) {
    const operations = new EnvironmentFunction(this, 'LoadOperations', {
      name: 'load-operations',
      physicalName: loadOperationsFunctionName(configuration.environment),
      bundles,
      logKey: data.logKey,
      reservedConcurrency: 2,
      timeoutSeconds: 60,
      environment: {
        tableName: data.table.tableName,
        ingestBucket: ingest.bucket.bucketName,
        loadStateMachine: machine.arn,
      },
      reach: withResources(data.reach, { ...ingest.resources, ...machine.resources }),
    });
    callOnSchedule(this, 'SweepSchedule', {
      function: operations.function,
      description: 'Starts drops without a load, and ends loads without an execution',
      every: Duration.minutes(5),
      action: 'sweep',
      maxEventAge: Duration.hours(1),
      alarms: data.alarms,
    });
    callOnSchedule(this, 'FreshnessSchedule', {
      function: operations.function,
      description: 'Looks which source of data is late',
      every: Duration.hours(1),
      alarms: data.alarms,
    });
    return operations;
  }

  /** Creates the policy of the plan's role that uploads a line of business's drops (docs/drops.md). The plan attaches it to a role of its own. */
  private createUploaderPolicy({ bucket, resources }: IngestBucket, lob: LineOfBusiness): void {
    const { others } = statementsOf(this, 'uploader', { names: { '<each lob>': [lob] }, resources });
    const policy = new ManagedPolicy(this, `Uploader${lob}Policy`, { statements: others });
    acknowledgeObjects(policy, bucket, [`${lob}/*`]);
    new CfnOutput(this, `Uploader${lob}PolicyArn`, { value: policy.managedPolicyArn });
  }

  private watch(
    { data }: LoadsStackProps,
    operations: EnvironmentFunction,
    steps: EnvironmentFunction,
    machine: LoadMachine,
  ): void {
    for (const name of ['LoadStepFailed', 'LoadRefused', 'LoadFailed', 'LoadNotReconciled'] as const)
      data.alarms.onLog(name, steps.log);
    for (const name of [
      'DropWithoutLoad',
      'LoadWithoutExecution',
      'FileWithoutManifest',
      'LoadLate',
    ] as const)
      data.alarms.onLog(name, operations.log);
    data.alarms.onFunction('LoadSweepFailed', operations.function, this);
    data.alarms.onFunction('LoadSweepSilent', operations.function, this);
    data.alarms.executions(machine, machine.arn, 'A state machine of loads');
    data.alarms.deliveries(machine, machine.rule, 'a manifest has arrived');
  }
}
