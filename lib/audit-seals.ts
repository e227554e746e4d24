import { CfnOutput, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, type GlobalSecondaryIndexPropsV2, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { lineOfBusinessCodes } from '../lambdas/catalog/lines-of-business.ts';
import { items, patientAuditPartitions, tableKey } from './data-access.ts';
import type { DataStack, EnvironmentStackProps } from './data-stack.ts';
import { EnvironmentFunction } from './environment-function.ts';

/** A sealed window is five minutes, and settles for two: no run finds more than one of them. */
const sealedEvery = Duration.minutes(5);

/** Audit events by the window they are sealed in: keys and digests, nothing of what happened. */
export const auditWindowIndex: GlobalSecondaryIndexPropsV2 = {
  indexName: 'audit-window',
  partitionKey: { name: 'sealWindow', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
  projectionType: ProjectionType.INCLUDE,
  nonKeyAttributes: ['digest'],
};

/**
 * Seals over the audit trail (docs/decisions/0008): one function makes them, by a schedule, and another verifies them, for an
 * operator. Neither may change or delete anything; who makes a seal reads no event, and who verifies one can make none.
 */
export function createAuditSeals(data: DataStack, { configuration, bundles }: EnvironmentStackProps): void {
  const key = new Key(data, 'AuditSealKey', {
    description: 'Seals over the audit trail',
    keySpec: KeySpec.HMAC_256,
    keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  const common = {
    bundles,
    logKey: data.logKey,
    environment: {
      environment: configuration.environment,
      tableName: data.table.tableName,
      auditSealKeyId: key.keyArn,
    },
  };
  const { function: seal } = new EnvironmentFunction(data, 'AuditSeal', {
    ...common,
    name: 'audit-seal',
    reservedConcurrency: 2,
    statements: [
      windowRights(data),
      items(data, ['dynamodb:Query', 'dynamodb:PutItem'], ['SEAL#*']),
      tableKey(data),
      new PolicyStatement({ actions: ['kms:GenerateMac'], resources: [key.keyArn] }),
    ],
  });
  new Rule(data, 'AuditSealSchedule', {
    description: 'Seals the audit trail',
    schedule: Schedule.rate(sealedEvery),
    targets: [new FunctionTarget(seal, { retryAttempts: 2, maxEventAge: sealedEvery })],
  });
  data.alarms.failures('AuditSealFailed', seal, 'The audit trail could not be sealed', 'audit-seal-failed');
  data.alarms.silence('AuditSealSilent', seal, 'Nobody seals the audit trail', 'audit-seal-failed');
  const { function: verify } = new EnvironmentFunction(data, 'AuditVerify', {
    ...common,
    name: 'audit-verify',
    reservedConcurrency: 2,
    statements: [
      windowRights(data),
      items(data, ['dynamodb:Query'], ['SEAL#*']),
      items(data, ['dynamodb:BatchGetItem'], ['AUDIT#*']),
      items(data, ['dynamodb:Query'], patientAuditPartitions(lineOfBusinessCodes)),
      tableKey(data),
      new PolicyStatement({ actions: ['kms:VerifyMac'], resources: [key.keyArn] }),
    ],
  });
  new CfnOutput(data, 'AuditVerifyFunctionName', { value: verify.functionName });
}

/** Asking which events a window has. */
function windowRights(data: DataStack): PolicyStatement {
  return new PolicyStatement({
    actions: ['dynamodb:Query'],
    resources: [`${data.table.tableArn}/index/${auditWindowIndex.indexName}`],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['WINDOW#*'] } },
  });
}
