/** Constructs of a private bucket for plan data, and of its access-log bucket. */

import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** Creates a bucket that only roles can access, and only by TLS; versioned by default. It is retained when its stack is deleted. */
export function createKeptBucket(scope: Construct, id: string, props: BucketProps): Bucket & IBucket {
  return new Bucket(scope, id, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    versioned: true,
    removalPolicy: RemovalPolicy.RETAIN,
    ...props,
  }) as Bucket & IBucket;
}

/** Creates the bucket for another bucket's access log, which is kept for a year. */
export function createAccessLogBucket(scope: Construct): Bucket & IBucket {
  return createKeptBucket(scope, 'Logs', {
    encryption: BucketEncryption.S3_MANAGED,
    // S3 delivers access logs by means of an access control list.
    objectOwnership: ObjectOwnership.OBJECT_WRITER,
    lifecycleRules: [{ expiration: Duration.days(365), noncurrentVersionExpiration: Duration.days(1) }],
  });
}
