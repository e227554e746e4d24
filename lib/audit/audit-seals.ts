/** Construct: the functions and schedule that seal and verify the audit trail. */

import { ArnFormat, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, type GlobalSecondaryIndexPropsV2, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { LogGroup, LogStream, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction } from '../constructs/environment-function.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';
import { reachable, withResources } from '../rights/statements.ts';

/** Interval of the runs. A window is five minutes and is sealed two minutes after its end: a run seals one window, unless earlier runs failed. */
const sealedEvery = Duration.minutes(5);
/** Seconds until the next run, which continues what a run does not finish. */
const sealingSeconds = sealedEvery.toSeconds();
/** Memory for a page of verification: five thousand events, or the windows of a day with few events. */
const verificationSeconds = 60;

/** Index of audit events by the window they are sealed in: their keys and digests only. */
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
 * Seals over the audit trail (docs/decisions/0008): one function makes them, by a schedule, and another verifies them, for an
 * operator. Neither may change or delete anything; the function that makes seals reads no event, and the one that verifies them can make none.
 */
export function createAuditSeals(scope: Stack, { configuration, bundles, data }: AuditSealsProps): void {
  const key = new Key(scope, 'AuditSealKey', {
    description: 'Seals over the audit trail',
    keySpec: KeySpec.HMAC_256,
    keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  const anchor = createAnchor(scope, data.logKey);
  const common = {
    bundles,
    logKey: data.logKey,
    reach: withResources(data.reach, {
      auditSealKey: reachable(key.keyArn),
      auditHeads: reachable(anchor.log.logGroupArn),
      auditHeadStream: reachable(`${logArn(anchor.log)}:log-stream:${anchor.stream.logStreamName}`),
    }),
    environment: {
      environment: configuration.environment,
      tableName: data.table.tableName,
      auditSealKeyId: key.keyArn,
      auditHeadLog: anchor.log.logGroupName,
    },
  };
  const { function: seal } = new EnvironmentFunction(scope, 'AuditSeal', {
    ...common,
    name: 'audit-seal',
    environment: { ...common.environment, auditHeadStream: anchor.stream.logStreamName },
    reservedConcurrency: 2,
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
    reservedConcurrency: 2,
    timeoutSeconds: verificationSeconds,
  });
  new CfnOutput(scope, 'AuditVerifyFunctionName', { value: verify.functionName });
}

/**
 * Creates the log group that anchors the newest seals: no role that writes the table may write here, none may delete, and the group can't be
 * deleted until somebody lifts its protection, which CloudTrail records.
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

/** ARN of a log group without the `:*` at the end of CloudFormation's attribute. */
function logArn(log: LogGroup): string {
  const stack = Stack.of(log);
  return stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: log.logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}
