/** Construct: the S3 bucket of drops. */

import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type CfnBucket,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { createKey } from '../constructs/encryption-keys.ts';
import { type Reach, reachableBucket } from '../rights/statements.ts';

/** Time a drop and its report are kept; the loaded rows are in the table. */
const kept = Duration.days(35);

/** The bucket a plan uploads its drops to, encrypted with a key of its own; and the log of who uploaded and read them. */
export class IngestBucket extends Construct {
  readonly bucket: Bucket & IBucket;
  readonly resources: Reach['resources'];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const key = createKey(Stack.of(this), 'IngestKey', 'Drops of member data');
    const logs = this.create('Logs', {
      encryption: BucketEncryption.S3_MANAGED,
      // S3 delivers its access logs by an access control list.
      objectOwnership: ObjectOwnership.OBJECT_WRITER,
      lifecycleRules: [{ expiration: Duration.days(365), noncurrentVersionExpiration: Duration.days(1) }],
    });
    this.bucket = this.create('Bucket', {
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
    // The construct's own way would add a function of CDK's that sets this one property.
    (this.bucket.node.defaultChild as CfnBucket).notificationConfiguration = {
      eventBridgeConfiguration: { eventBridgeEnabled: true },
    };
    this.resources = { ingestBucket: reachableBucket(this.bucket, key) };
  }

  private create(id: string, props: BucketProps): Bucket & IBucket {
    return new Bucket(this, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN,
      ...props,
    }) as Bucket & IBucket;
  }
}
