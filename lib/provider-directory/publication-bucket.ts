import { Duration } from 'aws-cdk-lib';
import { type Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { createAccessLogBucket, createKeptBucket } from '../constructs/kept-bucket.ts';
import { redirectedFiles } from '../constructs/redirected-files.ts';
import { type Reach, reachableBucket } from '../rights/statements.ts';

/**
 * The bucket of the Provider Directory's publications, and the log of its accesses. The content of a publication is public, but only
 * functions read the bucket. It is encrypted with S3's own keys.
 */
export class PublicationStore extends Construct {
  readonly bucket: Bucket & IBucket;
  readonly resources: Reach['resources'];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const logs = createAccessLogBucket(this);
    this.bucket = createKeptBucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'publications/',
      cors: [redirectedFiles],
      // A build removes publications that are no longer kept; S3 keeps their versions for a week, in case of a mistake.
      lifecycleRules: [
        {
          noncurrentVersionExpiration: Duration.days(7),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
    });
    this.resources = { publicationBucket: reachableBucket(this.bucket) };
  }
}
