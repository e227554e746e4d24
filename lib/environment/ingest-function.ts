/** Construct: the function `ingest`. */

import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  accountSessions,
  addActions,
  auditPatterns,
  itemStatement,
  lookUpActions,
  partitionPatterns,
  tableKeyStatement,
} from './data-access.ts';
import type { EnvironmentData, EnvironmentStackProps } from './environment-data.ts';
import { EnvironmentFunction } from './environment-function.ts';

export interface IngestProps extends EnvironmentStackProps {
  readonly data: Pick<
    EnvironmentData,
    'region' | 'table' | 'tableKey' | 'logKey' | 'memberPool' | 'contactKey'
  >;
}

/** The function that loads members and their resources; invoked by the plan's operators, never through a gateway. */
export function createIngest(scope: Stack, { configuration, bundles, data }: IngestProps): void {
  const lobs = configuration.linesOfBusiness;
  const { function: ingest } = new EnvironmentFunction(scope, 'Ingest', {
    name: 'ingest',
    bundles,
    logKey: data.logKey,
    reservedConcurrency: 10,
    // All of a member is in one partition, which takes a thousand writes a second: years of claims take a while.
    timeoutSeconds: 120,
    environment: {
      environment: configuration.environment,
      tableName: data.table.tableName,
      memberPoolId: data.memberPool.pool.userPoolId,
      contactKeyId: data.contactKey.keyArn,
    },
    statements: [
      itemStatement(
        data,
        [...lookUpActions, ...addActions],
        partitionPatterns(lobs, ['PATIENT#*', 'MEMBER#*', 'MEMBER-ID#*']),
      ),
      // Takes back what a feed withdraws, writes an entry anew while its resource stays, and asks what is about a resource whose label changes.
      itemStatement(
        data,
        ['dynamodb:Query', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'],
        partitionPatterns(lobs, ['PATIENT#*']),
      ),
      // New addresses of an account end its sessions.
      itemStatement(data, ['dynamodb:UpdateItem'], [accountSessions]),
      itemStatement(data, addActions, auditPatterns(lobs)),
      tableKeyStatement(data),
      // Seals contact data; it can't open what is sealed.
      new PolicyStatement({ actions: ['kms:GenerateDataKey'], resources: [data.contactKey.keyArn] }),
      data.memberPool.statement([
        'AdminCreateUser',
        'AdminGetUser',
        'AdminSetUserPassword',
        'AdminUpdateUserAttributes',
      ]),
    ],
  });
  new CfnOutput(scope, 'IngestFunctionName', { value: ingest.functionName });
  new CfnOutput(scope, 'MemberPoolId', { value: data.memberPool.pool.userPoolId });
}
