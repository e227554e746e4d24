/** Stack of what all lines of business share for asynchronous jobs: the bucket, and the log of the state machines. */

import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { EnvironmentData, EnvironmentStackProps } from './environment-data.ts';
import { JobBucket } from './job-bucket.ts';

export interface JobsStackProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'region' | 'table' | 'tableKey' | 'logKey'>;
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
  }
}
