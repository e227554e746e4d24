/** Stack of the exchange with other payers, whom this plan asks for members' data. */

import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { exchangeOperationsFunctionName } from '../../lambdas/catalog/environments.ts';
import { planIdentifiersOf } from '../config/plan-identifiers.ts';
import { admitPortal } from '../constructs/admit-portal.ts';
import { createKey } from '../constructs/encryption-keys.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { addressValues, tableValues } from '../constructs/environment-variables.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';
import { reachable, withResources } from '../rights/statements.ts';
import { ExchangeMachine, type ExchangeMachineProps } from './exchange-machine.ts';

export interface ExchangeStackProps extends Omit<ExchangeMachineProps, 'payerCredentialKey'> {
  /** AWS account of the developer portal. */
  readonly portalAwsAccount: string;
}

/** Asks other payers for members' data (docs/decisions/0073). */
export class ExchangeStack extends Stack {
  constructor(scope: Construct, id: string, props: ExchangeStackProps) {
    super(scope, id, props);
    const { data, configuration } = props;
    const credentialKey = createKey(this, 'PayerCredentialKey', 'Further credentials of other payers');
    const operations = this.createOperations(props, credentialKey);
    const { steps } = new ExchangeMachine(this, 'Functions', { ...props, payerCredentialKey: credentialKey });
    callOnSchedule(this, 'SweepSchedule', {
      function: operations.function,
      description: 'Moves exchanges with other payers on whose time has come',
      every: Duration.minutes(15),
      action: 'sweep',
      alarms: data.alarms,
    });
    data.alarms.onFunction('ExchangeSweepFailed', operations.function, this);
    data.alarms.onLog('ExchangeDue', operations.log);
    data.alarms.onLog('PayerFailing', operations.log);
    admitPortal(operations.function, configuration, props.portalAwsAccount);
    new CfnOutput(this, 'ExchangeStepsFunctionName', { value: steps.function.functionName });
    new CfnOutput(this, 'ExchangeOperationsFunctionName', { value: operations.function.functionName });
  }

  /** Creates the function that serves the operator's CLI and moves exchanges on. It reads no member's record. */
  private createOperations(
    { configuration, bundles, data }: ExchangeStackProps,
    credentialKey: IKey,
  ): EnvironmentFunction {
    return new EnvironmentFunction(this, 'ExchangeOperations', {
      name: 'exchange-operations',
      physicalName: exchangeOperationsFunctionName(configuration.environment),
      bundles,
      logKey: data.logKey,
      reservedConcurrency: 1,
      timeoutSeconds: 300,
      environment: {
        ...tableValues(data),
        ...addressValues(configuration),
        planIdentifiers: JSON.stringify(planIdentifiersOf(configuration)),
        payerCredentialKeyId: credentialKey.keyArn,
        signingSecrets: data.signingSecretArns(['PAYERS']),
      },
      reach: withResources(data.reach, { payerCredentialKey: reachable(credentialKey.keyArn) }),
    });
  }
}
