import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { redirectedFiles } from '../constructs/redirected-files.ts';
import { type Reach, reachableBucket } from '../rights/statements.ts';

/**
 * The bucket of the Provider Directory's publications, and the log of who read them. What a publication holds is public; the bucket is
 * not: functions read it. S3 encrypts it.
 */
export class PublicationStore extends Construct {
  readonly bucket: Bucket & IBucket;
  readonly resources: Reach['resources'];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const logs = this.create('Logs', {
      // S3 delivers its access logs by an access control list.
      objectOwnership: ObjectOwnership.OBJECT_WRITER,
      lifecycleRules: [{ expiration: Duration.days(365), noncurrentVersionExpiration: Duration.days(1) }],
    });
    this.bucket = this.create('Bucket', {
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'publications/',
      cors: [redirectedFiles],
      // A build removes the publication that is no longer kept; S3 keeps it for a week in case it was the wrong one.
      lifecycleRules: [
        {
          noncurrentVersionExpiration: Duration.days(7),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
    });
    this.resources = { publicationBucket: reachableBucket(this.bucket) };
  }

  private create(id: string, props: BucketProps): Bucket & IBucket {
    return new Bucket(this, id, {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN,
      ...props,
    }) as Bucket & IBucket;
  }
}
