/** Construct of the S3 bucket for asynchronous jobs and groups. */

import { Duration, Stack } from 'aws-cdk-lib';
import { type Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { jobLimits } from '../../lambdas/catalog/payer/job-kinds.ts';
import { acknowledgeUnversioned } from '../constructs/cdk-nag-findings.ts';
import { createKey } from '../constructs/encryption-keys.ts';
import { createAccessLogBucket, createKeptBucket } from '../constructs/kept-bucket.ts';
import { redirectedFiles } from '../constructs/redirected-files.ts';
import { type Reach, reachableBucket } from '../rights/statements.ts';

/** Seconds for which rejected rows of runs with other payers are kept. A run removes its other objects when it ends. */
const keptRunSeconds = 30 * 24 * 60 * 60;

/**
 * The bucket for jobs, encrypted with a key of its own, and the log of its accesses. A job removes its objects when it expires; lifecycle
 * rules remove what is left over. It keeps no versions, so that a deleted file is gone.
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
      // Versions remain in a bucket that had them before.
      noncurrentVersionExpiration: Duration.days(1),
    });
    this.bucket = createKeptBucket(this, 'Bucket', {
      versioned: false,
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      bucketKeyEnabled: true,
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'jobs/',
      cors: [redirectedFiles],
      lifecycleRules: lobs.flatMap((lob) => [
        expiring(`${lob}/jobs/`, jobLimits.jobSeconds),
        expiring(`${lob}/groups/`, jobLimits.groupSeconds),
        expiring(`${lob}/exchanges/`, keptRunSeconds),
      ]),
    });
    acknowledgeUnversioned(this.bucket.node.defaultChild ?? this.bucket);
    this.resources = { jobBucket: reachableBucket(this.bucket, key) };
  }
}
