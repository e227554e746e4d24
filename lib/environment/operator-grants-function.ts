import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { itemStatement, partitionPatterns, patientAuditPatterns, tableKeyStatement } from './data-access.ts';
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
      itemStatement(data, ['dynamodb:GetItem'], ['CLIENT#*', ...partitionPatterns(lobs, ['MEMBER#*'])]),
      itemStatement(data, ['dynamodb:Query', 'dynamodb:UpdateItem'], partitionPatterns(lobs, ['GRANT#*'])),
      // The last access is read from the record, and each end of a grant added to it.
      itemStatement(data, ['dynamodb:Query', 'dynamodb:PutItem'], patientAuditPatterns(lobs)),
      tableKeyStatement(data),
      data.memberPool.statement(['AdminGetUser']),
    ],
  });
  new CfnOutput(scope, 'OperatorGrantsFunctionName', { value: operatorGrants.functionName });
}
