import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';

export interface OperatorGrantsProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'memberPool'>;
}

/**
 * Creates the function with which operators list and end a member's grants, for a member who can't do it themselves. It is invoked by the
 * plan's operators, never through a gateway. A function of its own, because no other function that operators invoke may end grants:
 * `ingest` loads members, `audit-verify` changes nothing, and `provisioning` has no access to members.
 */
export function createOperatorGrantsFunction(
  scope: Stack,
  { configuration, bundles, data }: OperatorGrantsProps,
): void {
  const { function: operatorGrants } = new EnvironmentFunction(scope, 'OperatorGrants', {
    name: 'operator-grants',
    bundles,
    logKey: data.logKey,
    reservedConcurrency: 2,
    environment: {
      environment: configuration.environment,
      tableName: data.table.tableName,
      memberPoolId: data.memberPool.pool.userPoolId,
    },
    reach: data.reach,
  });
  new CfnOutput(scope, 'OperatorGrantsFunctionName', { value: operatorGrants.functionName });
}
