/** Construct: a private bucket of plan data, and the bucket of its access log. */

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

/** A bucket that only roles reach, by TLS, with versions. It stays when its stack is deleted. */
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

/** The access log of a bucket, kept for a year. */
export function createAccessLogBucket(scope: Construct): Bucket & IBucket {
  return createKeptBucket(scope, 'Logs', {
    encryption: BucketEncryption.S3_MANAGED,
    // S3 delivers its access logs by an access control list.
    objectOwnership: ObjectOwnership.OBJECT_WRITER,
    lifecycleRules: [{ expiration: Duration.days(365), noncurrentVersionExpiration: Duration.days(1) }],
  });
}
