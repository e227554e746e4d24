/** Stack of the resources that all lines of business share for asynchronous jobs: the bucket, and the state machines' log group. */

import { ArnFormat, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { jobOperationsFunctionName, jobStateMachineName } from '../../lambdas/catalog/environments.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { admitPortal } from '../constructs/admit-portal.ts';
import { acknowledgeExecutionsNamed, acknowledgeObjects } from '../constructs/cdk-nag-findings.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { tableValues } from '../constructs/environment-variables.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';
import { reachableParts, withResources } from '../rights/statements.ts';
import { JobBucket } from './job-bucket.ts';

export interface JobsStackProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'alarms'>;
  /** AWS account of the developer portal. */
  readonly portalAwsAccount: string;
}

/** Asynchronous jobs of Payer Access (docs/decisions/0043). Each LOB's stack has its own function and state machine. */
export class JobsStack extends Stack {
  readonly files: JobBucket;
  readonly log: LogGroup;

  constructor(scope: Construct, id: string, props: JobsStackProps) {
    super(scope, id, props);
    this.files = new JobBucket(this, 'Files', props.configuration.linesOfBusiness);
    this.log = new LogGroup(this, 'Log', {
      encryptionKey: props.data.logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const operations = this.createOperations(props);
    this.sweep(operations, props);
    // Alarms on the LOBs' state machines, which have physical names, are in this stack, because the LOBs' stacks have nearly 500 resources
    // already.
    for (const lob of props.configuration.linesOfBusiness) {
      const machine = this.arnOf('stateMachine', jobStateMachineName(props.configuration.environment, lob));
      props.data.alarms.executions(new Construct(this, `${lob}Executions`), machine, `A job of ${lob}`);
    }
    admitPortal(operations.function, props.configuration, props.portalAwsAccount);
    acknowledgeObjects(operations.policy, this.files.bucket, ['*/jobs/*']);
    new CfnOutput(this, 'JobOperationsFunctionName', { value: operations.function.functionName });
  }

  /**
   * Creates the function that serves the operator's CLI and the portal's console, and sweeps the jobs. It reads no file and no member's
   * record.
   */
  private createOperations({ configuration, bundles, data }: JobsStackProps) {
    const lobs = configuration.linesOfBusiness;
    const name = (lob: LineOfBusiness) => jobStateMachineName(configuration.environment, lob);
    const machines = Object.fromEntries(lobs.map((lob) => [lob, this.arnOf('stateMachine', name(lob))]));
    const executions = Object.fromEntries(
      lobs.map((lob) => [lob, this.arnOf('execution', `${name(lob)}:*`)]),
    );
    return new EnvironmentFunction(this, 'JobOperations', {
      name: 'job-operations',
      physicalName: jobOperationsFunctionName(configuration.environment),
      bundles,
      logKey: data.logKey,
      reservedConcurrency: 1,
      timeoutSeconds: 60,
      environment: {
        ...tableValues(data),
        environment: configuration.environment,
        jobBucket: this.files.bucket.bucketName,
        jobStateMachineTemplate: this.arnOf(
          'stateMachine',
          `member-data-${configuration.environment}-jobs-{lob}`,
        ),
      },
      reach: withResources(data.reach, {
        ...this.files.resources,
        jobMachines: reachableParts(machines),
        jobExecutions: reachableParts(executions),
      }),
    });
  }

  private arnOf(resource: 'stateMachine' | 'execution', resourceName: string): string {
    return this.formatArn({
      service: 'states',
      ...{ resource, resourceName, arnFormat: ArnFormat.COLON_RESOURCE_NAME },
    });
  }

  /** Schedules the sweep that finds jobs whose executions ended without completing them. */
  private sweep(operations: EnvironmentFunction, { configuration, data }: JobsStackProps): void {
    callOnSchedule(this, 'SweepSchedule', {
      function: operations.function,
      description: 'Gives jobs without an execution a new one',
      every: Duration.minutes(5),
      action: 'sweep',
      maxEventAge: Duration.hours(1),
      alarms: data.alarms,
    });
    data.alarms.onFunction('JobSweepFailed', operations.function, this);
    data.alarms.onFunction('JobSweepSilent', operations.function, this);
    data.alarms.onLog('JobWithoutExecution', operations.log);
    acknowledgeExecutionsNamed(
      operations.policy,
      configuration.linesOfBusiness.map((lob) => jobStateMachineName(configuration.environment, lob)),
    );
  }
}
