/** Stack of what all lines of business share for asynchronous jobs: the bucket, and the log of the state machines. */

import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { jobOperationsFunctionName } from '../../lambdas/catalog/environments.ts';
import { acknowledgeObjects } from '../constructs/cdk-nag-findings.ts';
import { admitPortal } from './admit-portal.ts';
import {
  addActions,
  clientAuditPatterns,
  itemStatement,
  lookUpActions,
  partitionPatterns,
  tableKeyStatement,
} from './data-access.ts';
import type { EnvironmentData, EnvironmentStackProps } from './environment-data.ts';
import { EnvironmentFunction } from './environment-function.ts';
import { tableValues } from './environment-variables.ts';
import { JobBucket } from './job-bucket.ts';

export interface JobsStackProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'region' | 'table' | 'tableKey' | 'logKey'>;
  /** The account the developer portal is in. */
  readonly portalAccount: string;
}

/** Asynchronous jobs of Payer Access (docs/decisions/0043). Each LOB's stack has its own function and state machine. */
export class JobsStack extends Stack {
  readonly files: JobBucket;
  readonly log: LogGroup;

  constructor(scope: Construct, id: string, props: JobsStackProps) {
    super(scope, id, props);
    this.files = new JobBucket(this, 'Files', props.configuration.linesOfBusiness);
    this.log = new LogGroup(this, 'Log', {
      encryptionKey: props.data.logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const operations = this.createOperations(props);
    admitPortal(operations.function, props.configuration, props.portalAccount);
    acknowledgeObjects(operations.policy, this.files.bucket, ['*/jobs/*']);
    new CfnOutput(this, 'JobOperationsFunctionName', { value: operations.function.functionName });
  }

  /** Answers the operator's CLI and the portal's console. It reads no file and no member's record. */
  private createOperations({ configuration, bundles, data }: JobsStackProps) {
    const lobs = configuration.linesOfBusiness;
    return new EnvironmentFunction(this, 'JobOperations', {
      name: 'job-operations',
      physicalName: jobOperationsFunctionName(configuration.environment),
      bundles,
      logKey: data.logKey,
      reservedConcurrency: 1,
      environment: {
        ...tableValues(data),
        environment: configuration.environment,
        jobBucket: this.files.bucket.bucketName,
      },
      statements: [
        itemStatement(data, [...lookUpActions, 'dynamodb:Query'], partitionPatterns(lobs, ['JOB#*', 'JOBS'])),
        itemStatement(data, ['dynamodb:UpdateItem'], partitionPatterns(lobs, ['JOB#*', 'JOB-QUOTA#*'])),
        itemStatement(data, addActions, clientAuditPatterns(lobs)),
        tableKeyStatement(data),
        ...this.files.removing(),
      ],
    });
  }
}
