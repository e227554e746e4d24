/** Construct of the S3 bucket for drops. */

import { Duration, Stack } from 'aws-cdk-lib';
import { type Bucket, BucketEncryption, type CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { createKey } from '../constructs/encryption-keys.ts';
import { createAccessLogBucket, createKeptBucket } from '../constructs/kept-bucket.ts';
import { type Reach, reachableBucket } from '../rights/statements.ts';

/** Time for which a drop and its report are kept. The loaded rows are in the table. */
const kept = Duration.days(35);

/** The bucket to which a plan uploads its drops, encrypted with a key of its own, and the log of its accesses. */
export class IngestBucket extends Construct {
  readonly bucket: Bucket & IBucket;
  readonly resources: Reach['resources'];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const key = createKey(Stack.of(this), 'IngestKey', 'Drops of member data');
    const logs = createAccessLogBucket(this);
    this.bucket = createKeptBucket(this, 'Bucket', {
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      bucketKeyEnabled: true,
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'ingest/',
      lifecycleRules: [
        {
          expiration: kept,
          noncurrentVersionExpiration: Duration.days(7),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
    });
    // CDK's own method would add a function that only sets this property.
    (this.bucket.node.defaultChild as CfnBucket).notificationConfiguration = {
      eventBridgeConfiguration: { eventBridgeEnabled: true },
    };
    this.resources = { ingestBucket: reachableBucket(this.bucket, key) };
  }
}
