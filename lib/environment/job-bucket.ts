/** Construct: the S3 bucket of asynchronous jobs and of the groups they match. */

import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { jobLimits } from '../../lambdas/catalog/payer/job-kinds.ts';
import { createKey } from '../constructs/encryption-keys.ts';
import { keyStatement } from './data-access.ts';
import { redirectedFiles } from './redirected-files.ts';

/**
 * The bucket of jobs, encrypted with a key of its own, and the log of who read it. Jobs remove their objects when they expire; the
 * lifecycle rules remove what a job has left.
 */
export class JobBucket extends Construct {
  readonly bucket: Bucket & IBucket;
  readonly key: Key;

  constructor(scope: Construct, id: string, lobs: readonly LineOfBusiness[]) {
    super(scope, id);
    this.key = createKey(Stack.of(this), 'JobKey', 'Files of asynchronous jobs');
    const logs = this.create('Logs', {
      encryption: BucketEncryption.S3_MANAGED,
      // S3 delivers its access logs by an access control list.
      objectOwnership: ObjectOwnership.OBJECT_WRITER,
      lifecycleRules: [{ expiration: Duration.days(365), noncurrentVersionExpiration: Duration.days(1) }],
    });
    const expiring = (prefix: string, seconds: number) => ({
      prefix,
      expiration: Duration.days(Math.ceil(seconds / 86_400) + 1),
      noncurrentVersionExpiration: Duration.days(1),
    });
    this.bucket = this.create('Bucket', {
      encryption: BucketEncryption.KMS,
      encryptionKey: this.key,
      bucketKeyEnabled: true,
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'jobs/',
      cors: [redirectedFiles],
      lifecycleRules: lobs.flatMap((lob) => [
        expiring(`${lob}/jobs/`, jobLimits.jobSeconds),
        expiring(`${lob}/groups/`, jobLimits.groupSeconds),
      ]),
    });
  }

  /** Reading, writing, listing and removing of one LOB's objects. */
  using(lob: LineOfBusiness): PolicyStatement[] {
    return [
      new PolicyStatement({
        actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
        resources: [this.bucket.arnForObjects(`${lob}/*`)],
      }),
      // Without it S3 says "forbidden" of an object that is missing.
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [this.bucket.bucketArn] }),
      keyStatement(Stack.of(this), this.key, 's3', ['kms:Decrypt', 'kms:GenerateDataKey']),
    ];
  }

  /** Listing and removing of the jobs of every LOB. */
  removing(): PolicyStatement[] {
    return [
      new PolicyStatement({
        actions: ['s3:DeleteObject'],
        resources: [this.bucket.arnForObjects('*/jobs/*')],
      }),
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [this.bucket.bucketArn] }),
    ];
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
