/** Construct: the functions and schedules that seal, verify and archive the audit trail. */

import { ArnFormat, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, type GlobalSecondaryIndexPropsV2, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { LogGroup, LogStream, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { acknowledgeObjects } from '../constructs/cdk-nag-findings.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction, type EnvironmentFunctionProps } from '../constructs/environment-function.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';
import { reachable, reachableBucket, withResources } from '../rights/statements.ts';
import { AuditArchive } from './audit-archive.ts';

/**
 * Interval of the sealing runs. A seal covers five minutes of events (a window), and is made two minutes after their end, so that each run
 * makes one seal, or more if earlier runs failed.
 */
const sealedEvery = Duration.minutes(5);
/** Timeout of a run: the time until the next one, which continues its work. */
const sealingSeconds = sealedEvery.toSeconds();
/** Timeout for verifying one page of seals: five thousand events, or a day with few events. */
const verificationSeconds = 60;
/** Memory of a file in the archive with its events and its compressed form. */
const archivingMegabytes = 1_024;
/** Memory of nine files of the archive, uncompressed, and one vCPU to uncompress them. */
const readingMegabytes = 1_769;

/** Index of audit events by the window in which they are sealed, with their keys and digests only. */
export const auditWindowIndex: GlobalSecondaryIndexPropsV2 = {
  indexName: 'audit-window',
  partitionKey: { name: 'sealWindow', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
  projectionType: ProjectionType.INCLUDE,
  nonKeyAttributes: ['digest'],
};

export interface AuditSealsProps extends EnvironmentStackProps {
  readonly data: Pick<EnvironmentData, 'table' | 'reach' | 'logKey' | 'alarms'>;
}

/**
 * Creates the functions for seals over the audit trail (docs/decisions/0008): a scheduled one that makes them, one that verifies them
 * for an operator, and a scheduled one that copies them with their events to the archive (docs/decisions/0072). None may change or delete
 * anything. The first may not read events, and the others may not make seals.
 */
export function createAuditSeals(scope: Stack, { configuration, bundles, data }: AuditSealsProps): void {
  const { newest, keyArns } = createSigningKeys(scope, configuration.auditSigningKeys);
  const anchor = createAnchor(scope, data.logKey);
  const common = {
    bundles,
    logKey: data.logKey,
    reach: withResources(data.reach, {
      auditSigningKeys: { arns: () => keyArns },
      auditHeads: reachable(anchor.log.logGroupArn),
      auditHeadStream: reachable(`${logArn(anchor.log)}:log-stream:${anchor.stream.logStreamName}`),
    }),
    environment: {
      environment: configuration.environment,
      tableName: data.table.tableName,
      auditHeadLog: anchor.log.logGroupName,
    },
  };
  const { function: seal } = new EnvironmentFunction(scope, 'AuditSeal', {
    ...common,
    name: 'audit-seal',
    reach: withResources(common.reach, { auditSigningKeys: reachable(newest.keyArn) }),
    environment: {
      ...common.environment,
      auditSigningKey: newest.keyArn,
      auditHeadStream: anchor.stream.logStreamName,
    },
    reservedConcurrency: 1,
    timeoutSeconds: sealingSeconds,
    // Hashing and compressing five thousand events a second takes one vCPU, which comes with this much memory.
    memoryMegabytes: 1769,
  });
  callOnSchedule(scope, 'AuditSealSchedule', {
    function: seal,
    description: 'Seals the audit trail',
    every: sealedEvery,
    alarms: data.alarms,
  });
  data.alarms.onFunction('AuditSealFailed', seal);
  data.alarms.onFunction('AuditSealSilent', seal);
  const { function: verify } = new EnvironmentFunction(scope, 'AuditVerify', {
    ...common,
    name: 'audit-verify',
    environment: { ...common.environment, auditSigningKeys: scope.toJsonString(keyArns) },
    reservedConcurrency: 1,
    timeoutSeconds: verificationSeconds,
  });
  new CfnOutput(scope, 'AuditVerifyFunctionName', { value: verify.functionName });
  const { bucket } = new AuditArchive(scope, 'AuditFiles', configuration.auditArchive);
  const archive = new EnvironmentFunction(scope, 'AuditArchive', {
    ...common,
    name: 'audit-archive',
    reach: withResources(common.reach, { auditArchive: reachableBucket(bucket) }),
    environment: {
      ...common.environment,
      auditSigningKeys: scope.toJsonString(keyArns),
      auditArchiveBucket: bucket.bucketName,
    },
    reservedConcurrency: 1,
    timeoutSeconds: sealingSeconds,
    memoryMegabytes: archivingMegabytes,
  });
  acknowledgeObjects(archive.policy, bucket, ['*']);
  createRecords(scope, common, bucket);
  callOnSchedule(scope, 'AuditArchiveSchedule', {
    function: archive.function,
    description: 'Copies sealed audit events to the archive',
    every: sealedEvery,
    alarms: data.alarms,
  });
  data.alarms.onFunction('AuditArchiveFailed', archive.function);
  new CfnOutput(scope, 'AuditArchiveBucketName', { value: bucket.bucketName });
}

/** Creates the functions for operators' questions about records: one for each question, so that a role reads what one question needs. */
function createRecords(
  scope: Stack,
  common: Pick<EnvironmentFunctionProps, 'bundles' | 'logKey' | 'reach' | 'environment'>,
  archive: IBucket,
): void {
  const patient = new EnvironmentFunction(scope, 'AuditPatientRecord', {
    ...common,
    name: 'audit-patient-record',
    reservedConcurrency: 1,
  });
  const application = new EnvironmentFunction(scope, 'AuditApplicationRecord', {
    ...common,
    name: 'audit-application-record',
    reach: withResources(common.reach, { auditArchive: reachableBucket(archive) }),
    environment: { ...common.environment, auditArchiveBucket: archive.bucketName },
    reservedConcurrency: 1,
    memoryMegabytes: readingMegabytes,
  });
  acknowledgeObjects(
    application.policy,
    archive,
    lineOfBusinessCodes.map((lob) => `*/${lob}/*`),
  );
  new CfnOutput(scope, 'AuditPatientRecordFunctionName', { value: patient.function.functionName });
  new CfnOutput(scope, 'AuditApplicationRecordFunctionName', { value: application.function.functionName });
}

/**
 * Creates the keys that sign seals. KMS does not rotate asymmetric keys, so that the configuration counts them: a new key is added, and
 * those before it stay, for their seals to be verified.
 *
 * @returns the newest key, which signs, and the ARNs of all of them, oldest first
 */
function createSigningKeys(
  scope: Stack,
  count: number,
): { readonly newest: IKey; readonly keyArns: readonly string[] } {
  const keyAt = (number: number) =>
    new Key(scope, number === 1 ? 'AuditSigningKey' : `AuditSigningKey${number}`, {
      description: `Signs the seals over the audit trail, key ${number}`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  const first = keyAt(1);
  const keys = [first, ...Array.from({ length: count - 1 }, (_, at) => keyAt(at + 2))];
  return { newest: keys.at(-1) ?? first, keyArns: keys.map(({ keyArn }) => keyArn) };
}

/**
 * Creates the log group that anchors the newest seals. No role that writes the table may write here, and none may delete. The group itself
 * can't be deleted until its protection is removed, which CloudTrail records.
 */
function createAnchor(
  scope: Stack,
  encryptionKey: IKey,
): { readonly log: LogGroup; readonly stream: LogStream } {
  const log = new LogGroup(scope, 'AuditHeads', {
    encryptionKey,
    retention: RetentionDays.TEN_YEARS,
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtectionEnabled: true,
  });
  const stream = new LogStream(scope, 'AuditHeadsStream', {
    logGroup: log,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  return { log, stream };
}

/** ARN of a log group without the `:*` that CloudFormation's attribute ends with. */
function logArn(log: LogGroup): string {
  const stack = Stack.of(log);
  return stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: log.logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}
