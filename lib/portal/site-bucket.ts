/** The bucket of the portal's pages, and their deployment. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, type ISource, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct, type IConstruct } from 'constructs';
import { acknowledgeBucketDeployment } from '../constructs/cdk-nag-findings.ts';
import { MissingBuildError } from '../constructs/missing-build.ts';

export interface SiteBucketProps {
  /** Encrypts the log of the deployment function. */
  readonly logKey: IKey;
  /** Folder with the pages. */
  readonly site: string;
}

/** The bucket of the portal's pages, which only CloudFront may read, and of their access logs. */
export class SiteBucket extends Construct {
  readonly bucket: Bucket & IBucket;
  readonly logs: Bucket & IBucket;

  constructor(scope: Construct, id: string, { logKey, site }: SiteBucketProps) {
    super(scope, id);
    this.logs = this.create('Logs', {
      // CloudFront writes its logs by means of an access control list.
      objectOwnership: ObjectOwnership.OBJECT_WRITER,
      lifecycleRules: [{ expiration: Duration.days(365), noncurrentVersionExpiration: Duration.days(1) }],
    });
    this.bucket = this.create('Pages', {
      serverAccessLogsBucket: this.logs,
      serverAccessLogsPrefix: 'pages/',
      lifecycleRules: [{ noncurrentVersionExpiration: Duration.days(90) }],
    });
    this.deploy(logKey, sourceOf(site));
  }

  private create(id: string, props: BucketProps): Bucket & IBucket {
    return new Bucket(this, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN,
      ...props,
    }) as Bucket & IBucket;
  }

  /**
   * Deploys the files. Names in `assets/` contain a hash, so their content never changes; old assets are kept for pages that are still
   * open.
   */
  private deploy(encryptionKey: IKey, source: ISource): void {
    const logGroup = new LogGroup(this, 'DeploymentLog', {
      encryptionKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const common = { sources: [source], destinationBucket: this.bucket, logGroup };
    const assets = new BucketDeployment(this, 'Assets', {
      ...common,
      exclude: ['*'],
      include: ['assets/*'],
      prune: false,
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const pages = new BucketDeployment(this, 'Html', {
      ...common,
      exclude: ['assets/*'],
      prune: true,
      cacheControl: [CacheControl.fromString('no-cache')],
    });
    // Assets are deployed before the pages that refer to them.
    pages.node.addDependency(assets);
    acknowledgeBucketDeployment(deployerOf(pages), this.bucket);
  }
}

/** Finds the function that CDK creates in the stack for all its bucket deployments. */
function deployerOf(deployment: BucketDeployment): IConstruct {
  const found = Stack.of(deployment).node.children.find(({ node }) =>
    node.id.startsWith('Custom::CDKBucketDeployment'),
  );
  if (found === undefined) throw new Error('CDK made no function for the bucket deployment');
  return found;
}

function sourceOf(site: string): ISource {
  if (!existsSync(join(site, 'index.html')))
    throw new MissingBuildError(`${site} has none of the portal's pages`);
  // Excludes esbuild's metadata.
  return Source.asset(site, { exclude: ['assets/meta.json'] });
}
