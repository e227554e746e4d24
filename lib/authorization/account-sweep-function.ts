/** The function and schedule that look for disabled accounts in the members' user pool. */

import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';

/** Interval of the sweep, and so the time until a refresh notices a change made in the user pool. An operator can run the sweep at once. */
const sweptEvery = Duration.minutes(15);

export interface AccountSweepProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'memberPool' | 'alarms'>;
}

/**
 * The function that brings the table's list of disabled accounts to what the user pool says, so that a refresh asks no pool
 * (docs/decisions/0054). It reads nothing of a member but user name, subject and state.
 */
export function createAccountSweep(scope: Stack, { configuration, bundles, data }: AccountSweepProps): void {
  const { function: sweep } = new EnvironmentFunction(scope, 'AccountSweep', {
    name: 'account-sweep',
    bundles,
    logKey: data.logKey,
    // One scheduled run at a time, and one for an operator.
    reservedConcurrency: 2,
    // Some 30,000 disabled users, at ten pages of 60 a second.
    timeoutSeconds: 60,
    environment: {
      environment: configuration.environment,
      tableName: data.table.tableName,
      memberPoolId: data.memberPool.pool.userPoolId,
    },
    reach: data.reach,
  });
  callOnSchedule(scope, 'AccountSweepSchedule', {
    function: sweep,
    description: 'Looks which accounts were disabled or enabled in the user pool',
    every: sweptEvery,
    action: 'sweep',
    alarms: data.alarms,
  });
  data.alarms.onFunction('AccountSweepFailed', sweep);
  data.alarms.onFunction('AccountSweepSilent', sweep);
  new CfnOutput(scope, 'AccountSweepFunctionName', { value: sweep.functionName });
}
