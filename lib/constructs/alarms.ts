/** The alarms of an environment or the portal, each with its paragraph of the runbook. */

import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { CfnRule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { pascalCase } from './pascal-case.ts';

/** A heading of docs/runbook.md, as its fragment. */
type Runbook =
  | 'accounts-not-swept'
  | 'answers-slow'
  | 'audit-seal-failed'
  | 'concurrency-used-up'
  | 'directory-build-refused'
  | 'job-failed'
  | 'key-rotation-failed'
  | 'load-failed'
  | 'load-late'
  | 'load-lost'
  | 'messages-not-sent'
  | 'portal-outbox-worker-failed'
  | 'server-errors'
  | 'table-throttled';

interface AlarmProps {
  readonly says: string;
  readonly runbook: Runbook;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Periods in a row that have to be bad. @default 1 */
  readonly periods?: number;
  /** Treats missing data as breaching, for functions that a schedule has to call. */
  readonly silence?: 'is trouble';
  readonly comparison?: ComparisonOperator;
}

const fiveMinutes = Duration.minutes(5);

export interface AlarmsProps {
  /** Encrypts the messages. */
  readonly key: Key;
  /** Address that is subscribed by e-mail; its owner confirms the topic's first message. */
  readonly email?: string | undefined;
}

/** The alarms, on one topic. Each message says what happened and links to the runbook. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { key, email }: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true });
    // @see https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html (compatibility between event sources)
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    });
    key.grant(cloudWatch, 'kms:Decrypt', 'kms:GenerateDataKey*');
    this.topic.grantPublish(cloudWatch);
    if (email !== undefined) this.topic.addSubscription(new EmailSubscription(email));
    new CfnOutput(Stack.of(this), 'AlarmTopicArn', { value: this.topic.topicArn });
  }

  /** Alarm, in this scope unless another is given, if the function throws, or its caller can't reach it. */
  failures(id: string, of: IFunction, says: string, runbook: Runbook, scope: Construct = this): void {
    const metric = of.metricErrors({ period: fiveMinutes, statistic: 'Sum' });
    this.alarm(id, { says, runbook, metric, threshold: 1 }, scope);
  }

  /** Alarm, in this scope unless another is given, if a scheduled function was not called for half an hour. */
  silence(id: string, of: IFunction, says: string, runbook: Runbook, scope: Construct = this): void {
    const metric = of.metricInvocations({ period: Duration.minutes(30), statistic: 'Sum' });
    const comparison = ComparisonOperator.LESS_THAN_THRESHOLD;
    this.alarm(id, { says, runbook, metric, threshold: 1, comparison, silence: 'is trouble' }, scope);
  }

  /**
   * Alarm if a function writes lines with this code to its log: a failure it survived.
   *
   * @param threshold lines within five minutes, in each of so many periods in a row.
   */
  logged(
    id: string,
    {
      log,
      code,
      ...alarm
    }: Pick<AlarmProps, 'says' | 'runbook' | 'threshold'> & {
      readonly log: LogGroup;
      readonly code: string;
      readonly periods: number;
    },
  ): void {
    // The log may be in another stack: the metric's name connects the two.
    const metric = { metricNamespace: `MemberData/${Stack.of(this).stackName}`, metricName: id };
    // Lambda prefixes each line with the time and the request id, so that it is text and not JSON.
    log.addMetricFilter(id, { ...metric, filterPattern: FilterPattern.allTerms(code), metricValue: '1' });
    this.alarm(id, {
      ...alarm,
      metric: new Metric({
        namespace: metric.metricNamespace,
        metricName: metric.metricName,
        period: fiveMinutes,
        statistic: 'Sum',
      }),
    });
  }

  /**
   * Alarm, in the machine's scope, if executions of a state machine run out of time, are stopped by hand or could not start because of throttles; that one
   * fails is told by its own step.
   */
  executions(scope: Construct, stateMachineArn: string, what: string, runbook: Runbook): void {
    for (const [metricName, says] of [
      ['ExecutionsTimedOut', 'ran out of time'],
      ['ExecutionsAborted', 'was stopped by hand'],
      ['ExecutionThrottled', 'was throttled by Step Functions'],
    ] as const) {
      this.alarm(
        metricName,
        {
          says: `${what} ${says}`,
          runbook,
          metric: new Metric({
            namespace: 'AWS/States',
            metricName,
            dimensionsMap: { StateMachineArn: stateMachineArn },
            period: fiveMinutes,
            statistic: 'Sum',
          }),
          threshold: 1,
        },
        scope,
      );
    }
  }

  /** Alarm, in the rule's scope, if EventBridge gave up delivering an event to a rule's target. */
  deliveries(scope: Construct, rule: CfnRule, what: string, runbook: Runbook): void {
    const alarm: AlarmProps = {
      says: `${what} was not delivered`,
      runbook,
      metric: new Metric({
        namespace: 'AWS/Events',
        metricName: 'FailedInvocations',
        dimensionsMap: { RuleName: rule.ref },
        period: fiveMinutes,
        statistic: 'Sum',
      }),
      threshold: 1,
    };
    this.alarm('FailedInvocations', alarm, scope);
  }

  /**
   * Alarms if Lambda throttled calls to any function of the account's Region, or four fifths of its concurrency are in use. Both metrics are the
   * account's: one alarm of each rings for every function, and its dashboard says for which.
   */
  concurrency(lambdaConcurrency: number | 'unreserved'): void {
    const metric = (metricName: string, statistic: string) =>
      new Metric({ namespace: 'AWS/Lambda', metricName, period: fiveMinutes, statistic });
    const runbook = 'concurrency-used-up';
    this.alarm('FunctionsThrottled', {
      says: 'Lambda throttles calls of functions',
      runbook,
      metric: metric('Throttles', 'Sum'),
      threshold: 10,
    });
    if (lambdaConcurrency === 'unreserved') return;
    this.alarm('ConcurrencyUsedUp', {
      says: `More than four fifths of the account's ${lambdaConcurrency} concurrent executions are in use`,
      runbook,
      metric: metric('ConcurrentExecutions', 'Maximum'),
      threshold: 0.8 * lambdaConcurrency,
    });
  }

  /** Alarm if one call in a hundred of a host took more than three seconds, a quarter of an hour long. */
  slowAnswers(id: string, apiName: string, stage: string): void {
    this.alarm(id, {
      says: `${apiName} answers slowly`,
      runbook: 'answers-slow',
      metric: new Metric({
        namespace: 'AWS/ApiGateway',
        metricName: 'Latency',
        dimensionsMap: { ApiName: apiName, Stage: stage },
        period: fiveMinutes,
        statistic: 'p99',
      }),
      threshold: 3_000,
      periods: 3,
    });
  }

  /** Alarm if codes could not be handed to SES or SNS. */
  messagesNotSent(id: string, log: LogGroup): void {
    this.logged(id, {
      log,
      code: 'message_not_sent',
      says: 'Verification codes could not be sent',
      runbook: 'messages-not-sent',
      threshold: 3,
      periods: 1,
    });
  }

  /** Alarm if, within five minutes, more than 5 calls and 1 in 100, or more than 1 and half of them, were answered with 5xx. */
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
        // API Gateway publishes both with every call, 0 included: neither is missing where the other isn't.
        expression: 'IF(errors > 5 OR (errors > 1 AND 2 * errors >= calls), 100 * errors / calls, 0)',
        usingMetrics: { errors: metric('5XXError'), calls: metric('Count') },
        period: fiveMinutes,
        label: 'server errors in a hundred calls',
      }),
      threshold: 1,
    });
  }

  /**
   * DynamoDB publishes these metrics only when it throttles, and a sum is missing if one of its metrics is:
   * so each has its own alarm. Throttles of an index are counted for the index alone.
   */
  throttledTable(id: string, tableName: string, indexes: readonly string[]): void {
    for (const index of [undefined, ...indexes]) {
      const of = index === undefined ? {} : { GlobalSecondaryIndexName: index };
      for (const kind of ['Read', 'Write']) {
        this.alarm(`${id}${pascalCase(index ?? '')}${kind}s`, {
          says: 'DynamoDB throttles calls',
          runbook: 'table-throttled',
          metric: new Metric({
            namespace: 'AWS/DynamoDB',
            metricName: `${kind}ThrottleEvents`,
            dimensionsMap: { TableName: tableName, ...of },
            period: fiveMinutes,
            statistic: 'Sum',
          }),
          threshold: 10,
        });
      }
    }
  }

  /** @param scope of the alarm: a metric that names a resource of another stack has its alarm there. */
  private alarm(id: string, props: AlarmProps, scope: Construct = this): void {
    const { says, runbook, metric, threshold, periods, silence, comparison } = props;
    const alarm = new Alarm(scope, id, {
      alarmDescription: `${says}. What to do: docs/runbook.md#${runbook}`,
      metric,
      threshold,
      evaluationPeriods: periods ?? 1,
      comparisonOperator: comparison ?? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: silence === undefined ? TreatMissingData.NOT_BREACHING : TreatMissingData.BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
