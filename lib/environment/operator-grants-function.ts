import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { items, partitions, patientAuditPartitions, tableKey } from './data-access.ts';
import type { EnvironmentData, EnvironmentStackProps } from './environment-data.ts';
import { EnvironmentFunction } from './environment-function.ts';

export interface OperatorGrantsProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'region' | 'table' | 'tableKey' | 'logKey' | 'memberPool'>;
}

/**
 * The function by which an operator sees and ends what a member shares, for a member who can't do it themselves; invoked by the
 * plan's operators, never through a gateway. It is one of its own because its right to end grants goes with none of the others that
 * operators invoke: `ingest` loads members and ends nothing, `audit-verify` changes nothing, `provisioning` knows no member.
 */
export function createOperatorGrantsFunction(
  scope: Stack,
  { configuration, bundles, data }: OperatorGrantsProps,
): void {
  const lobs = configuration.linesOfBusiness;
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
    statements: [
      items(data, ['dynamodb:GetItem'], ['CLIENT#*', ...partitions(lobs, ['MEMBER#*'])]),
      items(data, ['dynamodb:Query', 'dynamodb:UpdateItem'], partitions(lobs, ['GRANT#*'])),
      // The last access is read from the record, and each end of a grant added to it.
      items(data, ['dynamodb:Query', 'dynamodb:PutItem'], patientAuditPartitions(lobs)),
      tableKey(data),
      data.memberPool.statement(['AdminGetUser']),
    ],
  });
  new CfnOutput(scope, 'OperatorGrantsFunctionName', { value: operatorGrants.functionName });
}
