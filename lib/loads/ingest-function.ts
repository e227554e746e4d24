/** Construct of the function `ingest`. */

import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';

export interface IngestProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'memberPool' | 'contactKey'>;
}

/** Creates the function that loads members and their resources. It is invoked by the plan's operators, never through a gateway. */
export function createIngest(scope: Stack, { configuration, bundles, data }: IngestProps): void {
  const { function: ingest } = new EnvironmentFunction(scope, 'Ingest', {
    name: 'ingest',
    bundles,
    logKey: data.logKey,
    reservedConcurrency: 10,
    // A member's data is one partition, which takes 1,000 write units a second, so that years of claims take some time.
    timeoutSeconds: 120,
    environment: {
      environment: configuration.environment,
      tableName: data.table.tableName,
      memberPoolId: data.memberPool.pool.userPoolId,
      contactKeyId: data.contactKey.keyArn,
    },
    reach: data.reach,
  });
  new CfnOutput(scope, 'IngestFunctionName', { value: ingest.functionName });
  new CfnOutput(scope, 'MemberPoolId', { value: data.memberPool.pool.userPoolId });
}
