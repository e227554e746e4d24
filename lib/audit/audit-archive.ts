/** Construct of the S3 bucket that keeps sealed audit events, also after the account is gone. */

import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  type Bucket,
  BucketEncryption,
  type CfnBucket,
  type IBucket,
  ObjectLockRetention,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Configuration } from '../config/configuration.ts';
import { acknowledgeObjects, acknowledgeReplicas } from '../constructs/cdk-nag-findings.ts';
import { createAccessLogBucket, createKeptBucket } from '../constructs/kept-bucket.ts';
import { createServiceRole } from '../constructs/service-role.ts';
import { reachableBucket, statementsOf } from '../rights/statements.ts';

/**
 * The bucket of the audit archive. Object Lock keeps each file for the configured years. S3's own key encrypts it: with a key of the account,
 * an administrator of keys could make a locked archive unreadable (docs/decisions/0072).
 */
export class AuditArchive extends Construct {
  readonly bucket: Bucket & IBucket;

  constructor(scope: Construct, id: string, { lock, years, replicateTo }: Configuration['auditArchive']) {
    super(scope, id);
    const retained = Duration.days(Math.ceil(years * 365.25));
    this.bucket = createKeptBucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      objectLockEnabled: true,
      objectLockDefaultRetention:
        lock === 'compliance'
          ? ObjectLockRetention.compliance(retained)
          : ObjectLockRetention.governance(retained),
      serverAccessLogsBucket: createAccessLogBucket(this),
      serverAccessLogsPrefix: 'audit/',
    });
    this.refuseChanges();
    if (replicateTo !== undefined) this.replicate(replicateTo);
  }

  /**
   * Refuses deletions and second versions of a file to everyone. Object Lock alone would keep the version, behind a delete marker or another
   * version.
   *
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
   */
  private refuseChanges(): void {
    const denied = (actions: readonly string[], conditions: object) =>
      this.bucket.addToResourcePolicy(
        new PolicyStatement({
          effect: Effect.DENY,
          principals: [new AnyPrincipal()],
          actions: [...actions],
          resources: [this.bucket.arnForObjects('*')],
          conditions: { ...conditions },
        }),
      );
    denied(['s3:DeleteObject', 's3:DeleteObjectVersion', 's3:BypassGovernanceRetention'], {});
    denied(['s3:PutObject'], { Null: { 's3:if-none-match': 'true' } });
  }

  /**
   * Copies each file, with its retention, to a bucket of another account. That bucket must exist, be versioned, have Object Lock and allow
   * this role (docs/audit.md).
   *
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html#object-lock-managing-replication
   */
  private replicate({ bucketArn, account }: NonNullable<Configuration['auditArchive']['replicateTo']>): void {
    const stack = Stack.of(this);
    const role = createServiceRole(this, 'ReplicationRole', 's3');
    const resources = {
      auditArchive: reachableBucket(this.bucket),
      auditCopy: { arns: (objects: string) => [`${bucketArn}/${objects}`] },
    };
    const policy = new ManagedPolicy(this, 'ReplicationPolicy', {
      roles: [role],
      statements: [...statementsOf(this, 'audit-replication', { names: {}, resources }).others],
    });
    new CfnOutput(stack, 'AuditReplicationRoleArn', { value: role.roleArn });
    acknowledgeObjects(policy, this.bucket, ['*']);
    acknowledgeReplicas(policy, bucketArn);
    (this.bucket.node.defaultChild as CfnBucket).replicationConfiguration = {
      role: role.roleArn,
      rules: [
        {
          status: 'Enabled',
          priority: 1,
          filter: { prefix: '' },
          deleteMarkerReplication: { status: 'Disabled' },
          destination: {
            bucket: bucketArn,
            account,
            accessControlTranslation: { owner: 'Destination' },
          },
        },
      ],
    };
  }
}
