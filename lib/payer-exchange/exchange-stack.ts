/** Stack of the exchange with other payers, whom this plan asks for members' data. */

import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { exchangeOperationsFunctionName } from '../../lambdas/catalog/environments.ts';
import { admitPortal } from '../constructs/admit-portal.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { tableValues } from '../constructs/environment-variables.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';

export interface ExchangeStackProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'alarms'>;
  /** AWS account of the developer portal. */
  readonly portalAwsAccount: string;
}

/** Asks other payers for members' data (docs/decisions/0073). */
export class ExchangeStack extends Stack {
  constructor(scope: Construct, id: string, props: ExchangeStackProps) {
    super(scope, id, props);
    const { data, configuration } = props;
    const operations = this.createOperations(props);
    callOnSchedule(this, 'SweepSchedule', {
      function: operations.function,
      description: 'Moves exchanges with other payers on whose time has come',
      every: Duration.minutes(15),
      action: 'sweep',
      alarms: data.alarms,
    });
    data.alarms.onFunction('ExchangeSweepFailed', operations.function, this);
    data.alarms.onLog('ExchangeDue', operations.log);
    admitPortal(operations.function, configuration, props.portalAwsAccount);
    new CfnOutput(this, 'ExchangeOperationsFunctionName', { value: operations.function.functionName });
  }

  /** Creates the function that serves the operator's CLI and moves exchanges on. It reads no member's record. */
  private createOperations({ configuration, bundles, data }: ExchangeStackProps): EnvironmentFunction {
    return new EnvironmentFunction(this, 'ExchangeOperations', {
      name: 'exchange-operations',
      physicalName: exchangeOperationsFunctionName(configuration.environment),
      bundles,
      logKey: data.logKey,
      reservedConcurrency: 1,
      timeoutSeconds: 300,
      environment: { ...tableValues(data), environment: configuration.environment },
      reach: data.reach,
    });
  }
}
