/** Construct: the functions and schedule that seal and verify the audit trail. */

import { ArnFormat, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, type GlobalSecondaryIndexPropsV2, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { LogGroup, LogStream, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { callOnSchedule } from '../constructs/scheduled-call.ts';
import { itemStatement, patientAuditPatterns, type TableOwner, tableKeyStatement } from './data-access.ts';
import type { EnvironmentData, EnvironmentStackProps } from './environment-data.ts';
import { EnvironmentFunction } from './environment-function.ts';

/** Interval of the runs. A window is five minutes and is sealed two minutes after its end: a run seals one window, unless earlier runs failed. */
const sealedEvery = Duration.minutes(5);
/** The time until the next run, which continues what a run doesn't finish. */
const sealingSeconds = sealedEvery.toSeconds();
/** Enough for a page of verification: five thousand events, or the windows of a day with few events. */
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
  readonly data: Pick<EnvironmentData, 'region' | 'table' | 'tableKey' | 'logKey' | 'alarms'>;
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
    statements: [
      windowRights(data),
      itemStatement(data, ['dynamodb:Query', 'dynamodb:PutItem'], ['SEAL#*']),
      tableKeyStatement(data),
      new PolicyStatement({ actions: ['kms:GenerateMac'], resources: [key.keyArn] }),
      new PolicyStatement({
        actions: ['logs:PutLogEvents'],
        resources: [`${logArn(anchor.log)}:log-stream:${anchor.stream.logStreamName}`],
      }),
    ],
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
    statements: [
      windowRights(data),
      itemStatement(data, ['dynamodb:Query', 'dynamodb:GetItem'], ['SEAL#*']),
      itemStatement(data, ['dynamodb:BatchGetItem'], ['AUDIT#*']),
      eventPlaces(data),
      itemStatement(data, ['dynamodb:Query'], patientAuditPatterns(lineOfBusinessCodes)),
      tableKeyStatement(data),
      new PolicyStatement({ actions: ['kms:VerifyMac'], resources: [key.keyArn] }),
      new PolicyStatement({ actions: ['logs:FilterLogEvents'], resources: [anchor.log.logGroupArn] }),
    ],
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

/**
 * The right to read the keys and the seal window of every item, and no other attribute. A Scan has no leading keys:
 * the attributes are the limit.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
function eventPlaces(data: TableOwner): PolicyStatement {
  return new PolicyStatement({
    actions: ['dynamodb:Scan'],
    resources: [data.table.tableArn],
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'sealWindow'] },
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    },
  });
}

/** The right to query the events of a window. */
function windowRights(data: TableOwner): PolicyStatement {
  return new PolicyStatement({
    actions: ['dynamodb:Query'],
    resources: [`${data.table.tableArn}/index/${auditWindowIndex.indexName}`],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['WINDOW#*'] } },
  });
}
