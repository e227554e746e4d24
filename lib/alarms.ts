import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/** A heading of docs/runbook.md, as its fragment. */
type Runbook =
  | 'audit-seal-failed'
  | 'key-rotation-failed'
  | 'portal-upkeep-failed'
  | 'server-errors'
  | 'table-throttled';

interface AlarmProps {
  readonly says: string;
  readonly runbook: Runbook;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Whether silence is trouble too: of what has to happen again and again. */
  readonly silence?: 'is trouble';
  readonly comparison?: ComparisonOperator;
}

const fiveMinutes = Duration.minutes(5);

/** The alarms of an environment or the portal: each says what happened and where the runbook tells what to do. They go to one topic. */
export class Alarms extends Construct {
  readonly topic: Topic;

  /** @param key encrypts what is said. */
  constructor(scope: Construct, id: string, key: Key) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true });
    // @see https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html (compatibility between event sources)
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    key.grant(cloudWatch, 'kms:Decrypt', 'kms:GenerateDataKey*');
    this.topic.grantPublish(cloudWatch);
  }

  /** The function threw, or its caller could not reach it. */
  failures(id: string, of: IFunction, says: string, runbook: Runbook): void {
    this.alarm(id, {
      says,
      runbook,
      metric: of.metricErrors({ period: fiveMinutes, statistic: 'Sum' }),
      threshold: 1,
    });
  }

  /** What a schedule calls was not called for half an hour. */
  silence(id: string, of: IFunction, says: string, runbook: Runbook): void {
    this.alarm(id, {
      says,
      runbook,
      metric: of.metricInvocations({ period: Duration.minutes(30), statistic: 'Sum' }),
      threshold: 1,
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      silence: 'is trouble',
    });
  }

  /** More than one call in a hundred was answered with 5xx, and more than five in all. */
  serverErrors(id: string, apiName: string, stage: string): void {
    const metric = (metricName: string) =>
      new Metric({
        namespace: 'AWS/ApiGateway',
        metricName,
        dimensionsMap: { ApiName: apiName, Stage: stage },
        period: fiveMinutes,
        statistic: 'Sum',
      });
    this.alarm(id, {
      says: `${apiName} answers with server errors`,
      runbook: 'server-errors',
      metric: new MathExpression({
        expression: 'IF(errors > 5, 100 * errors / calls, 0)',
        usingMetrics: { errors: metric('5XXError'), calls: metric('Count') },
        period: fiveMinutes,
        label: 'server errors in a hundred calls',
      }),
      threshold: 1,
    });
  }

  throttledTable(id: string, tableName: string): void {
    const metric = (metricName: string) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { TableName: tableName },
        period: fiveMinutes,
        statistic: 'Sum',
      });
    this.alarm(id, {
      says: 'DynamoDB refuses calls for load',
      runbook: 'table-throttled',
      metric: new MathExpression({
        expression: 'reads + writes',
        usingMetrics: { reads: metric('ReadThrottleEvents'), writes: metric('WriteThrottleEvents') },
        period: fiveMinutes,
        label: 'throttled calls',
      }),
      threshold: 10,
    });
  }

  private alarm(id: string, { says, runbook, metric, threshold, silence, comparison }: AlarmProps): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: `${says}. What to do: docs/runbook.md#${runbook}`,
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: comparison ?? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: silence === undefined ? TreatMissingData.NOT_BREACHING : TreatMissingData.BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
