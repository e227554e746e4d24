/** Construct of the function and the state machine that ask other payers. */

import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { exchangeStateMachineName } from '../../lambdas/catalog/environments.ts';
import { planIdentifiersOf } from '../config/plan-identifiers.ts';
import { acknowledgeJobMachine, acknowledgeObjects } from '../constructs/cdk-nag-findings.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { addressValues, tableValues } from '../constructs/environment-variables.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';
import { createServiceRole } from '../constructs/service-role.ts';
import { createStateMachine, logDelivery, traceDelivery } from '../constructs/state-machines.ts';
import { type Reach, reachable, reachableParts, statementsOf, withResources } from '../rights/statements.ts';
import { runDefinition } from './run-definition.ts';

export interface ExchangeMachineProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'alarms' | 'signingSecretArns'>;
  /** The bucket of jobs, which has the objects of runs too, and the ingest bucket. */
  readonly jobs: { readonly bucket: IBucket; readonly resources: Reach['resources'] };
  readonly ingest: { readonly bucket: IBucket; readonly resources: Reach['resources'] };
  readonly payerCredentialKey: IKey;
}

/** Time for a file of some gigabytes to be translated. */
const stepSeconds = 900;

/** Asks other payers about members, run by run. */
export class ExchangeMachine extends Construct {
  readonly steps: EnvironmentFunction;

  constructor(scope: Construct, id: string, props: ExchangeMachineProps) {
    super(scope, id);
    const { configuration, data } = props;
    const stack = Stack.of(this);
    // Known by name, because the function that starts the state machine is also the one that it calls.
    const name = exchangeStateMachineName(configuration.environment);
    const arn = stack.formatArn({
      service: 'states',
      resource: 'stateMachine',
      resourceName: name,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.steps = this.createSteps(props, arn);
    this.createMachine(name, arn, props);
    callOnSchedule(this, 'RunSchedule', {
      function: this.steps.function,
      description: 'Begins to ask other payers about members whose time has come',
      every: Duration.minutes(15),
      action: 'begin',
      alarms: data.alarms,
    });
    data.alarms.onFunction('ExchangeStepsFailed', this.steps.function, this);
    data.alarms.onLog('ExchangeRunFailed', this.steps.log);
  }

  private createSteps(props: ExchangeMachineProps, machine: string): EnvironmentFunction {
    const { configuration, bundles, data, jobs, ingest, payerCredentialKey } = props;
    const steps = new EnvironmentFunction(this, 'ExchangeSteps', {
      name: 'exchange-steps',
      bundles,
      logKey: data.logKey,
      reservedConcurrency: 4,
      timeoutSeconds: stepSeconds,
      memoryMegabytes: 1769,
      environment: {
        ...tableValues(data),
        ...addressValues(configuration),
        jobBucket: jobs.bucket.bucketName,
        ingestBucket: ingest.bucket.bucketName,
        exchangeStateMachine: machine,
        payerCredentialKeyId: payerCredentialKey.keyArn,
        planIdentifiers: JSON.stringify(planIdentifiersOf(configuration)),
        signingSecrets: data.signingSecretArns(['PAYERS']),
      },
      reach: withResources(data.reach, {
        ...jobs.resources,
        ...ingest.resources,
        exchangeMachine: reachable(machine),
        payerCredentialKey: reachable(payerCredentialKey.keyArn),
      }),
    });
    acknowledgeObjects(steps.policy, jobs.bucket, ['*/exchanges/*']);
    acknowledgeObjects(steps.policy, ingest.bucket, [
      '*/payer-*',
      '*/payer-*/report.json',
      '*/payer-*/manifest.json',
    ]);
    return steps;
  }

  private createMachine(name: string, arn: string, { data }: ExchangeMachineProps): void {
    const { function: steps } = this.steps;
    const log = new LogGroup(this, 'Log', {
      encryptionKey: data.logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = createServiceRole(this, 'Role', 'states');
    const { others } = statementsOf(this, 'exchange-machine', {
      names: {},
      resources: { functions: reachableParts({ 'exchange-steps': steps.functionArn }) },
    });
    const policy = new ManagedPolicy(this, 'ExchangeMachinePolicy', {
      roles: [role],
      statements: [logDelivery(), traceDelivery(), ...others],
    });
    createStateMachine(this, {
      name,
      definition: runDefinition(steps.functionArn),
      role,
      policy,
      log,
    });
    data.alarms.executions(this, arn, 'A run with another payer');
    acknowledgeJobMachine(policy);
  }
}
