import { CfnOutput } from 'aws-cdk-lib';
import { add, auditPartitions, items, lookUp, partitions, tableKey } from './data-access.ts';
import type { DataStack, EnvironmentStackProps } from './data-stack.ts';
import { EnvironmentFunction } from './environment-function.ts';

/** The function that loads members and their resources; invoked by the plan's operators, never through a gateway. */
export function createIngest(data: DataStack, { configuration, bundles }: EnvironmentStackProps): void {
  const lobs = configuration.linesOfBusiness;
  const { function: ingest } = new EnvironmentFunction(data, 'Ingest', {
    name: 'ingest',
    bundles,
    logKey: data.logKey,
    reservedConcurrency: 10,
    environment: {
      environment: configuration.environment,
      tableName: data.table.tableName,
      memberPoolId: data.memberPool.pool.userPoolId,
    },
    statements: [
      items(data, [...lookUp, ...add], partitions(lobs, ['PATIENT#*', 'MEMBER#*'])),
      // Takes back what a feed withdraws, and writes an entry anew while its resource stays.
      items(data, ['dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'], partitions(lobs, ['PATIENT#*'])),
      items(data, add, auditPartitions(lobs)),
      tableKey(data),
      data.memberPool.statement([
        'AdminCreateUser',
        'AdminGetUser',
        'AdminSetUserPassword',
        'AdminUpdateUserAttributes',
      ]),
    ],
  });
  new CfnOutput(data, 'IngestFunctionName', { value: ingest.functionName });
  new CfnOutput(data, 'MemberPoolId', { value: data.memberPool.pool.userPoolId });
}
