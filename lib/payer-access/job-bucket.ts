/** Construct: the S3 bucket of asynchronous jobs and of the groups they match. */

import { Duration, Stack } from 'aws-cdk-lib';
import { type Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { jobLimits } from '../../lambdas/catalog/payer/job-kinds.ts';
import { createKey } from '../constructs/encryption-keys.ts';
import { createAccessLogBucket, createKeptBucket } from '../constructs/kept-bucket.ts';
import { redirectedFiles } from '../constructs/redirected-files.ts';
import { type Reach, reachableBucket } from '../rights/statements.ts';

/**
 * The bucket of jobs, encrypted with a key of its own, and the log of who read it. Jobs remove their objects when they expire; the
 * lifecycle rules remove what a job has left.
 */
export class JobBucket extends Construct {
  readonly bucket: Bucket & IBucket;
  readonly resources: Reach['resources'];

  constructor(scope: Construct, id: string, lobs: readonly LineOfBusiness[]) {
    super(scope, id);
    const key = createKey(Stack.of(this), 'JobKey', 'Files of asynchronous jobs');
    const logs = createAccessLogBucket(this);
    const expiring = (prefix: string, seconds: number) => ({
      prefix,
      expiration: Duration.days(Math.ceil(seconds / 86_400) + 1),
      noncurrentVersionExpiration: Duration.days(1),
    });
    this.bucket = createKeptBucket(this, 'Bucket', {
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      bucketKeyEnabled: true,
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'jobs/',
      cors: [redirectedFiles],
      lifecycleRules: lobs.flatMap((lob) => [
        expiring(`${lob}/jobs/`, jobLimits.jobSeconds),
        expiring(`${lob}/groups/`, jobLimits.groupSeconds),
      ]),
    });
    this.resources = { jobBucket: reachableBucket(this.bucket, key) };
  }
}
