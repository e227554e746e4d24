/** The scheduled function that finds disabled accounts in the members' user pool. */

import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';

/**
 * Interval of the sweep: the longest time until token refreshes notice that an account was disabled in the user pool. An operator can run
 * the sweep at once.
 */
const sweptEvery = Duration.minutes(15);

export interface AccountSweepProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'memberPool' | 'alarms'>;
}

/**
 * Creates the function that updates the table's list of disabled accounts from the user pool, so that a token refresh doesn't have to call
 * the pool (docs/decisions/0054). Of each member it reads only user name, subject and state.
 */
export function createAccountSweep(scope: Stack, { configuration, bundles, data }: AccountSweepProps): void {
  const { function: sweep } = new EnvironmentFunction(scope, 'AccountSweep', {
    name: 'account-sweep',
    bundles,
    logKey: data.logKey,
    // One for the scheduled run, and one for an operator's.
    reservedConcurrency: 2,
    // Enough for about 30,000 disabled users, at ten pages of 60 users a second.
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
