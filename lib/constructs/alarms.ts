/** The alarms of an environment or the portal, on one topic. */

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
import { type AlarmName, alarmRow } from './alarm-table.ts';
import { pascalCase } from './pascal-case.ts';

export interface AlarmsProps {
  /** Encrypts the messages. */
  readonly key: Key;
  /** Address that is subscribed by e-mail; its owner confirms the topic's first message. */
  readonly email?: string | undefined;
}

interface AlarmOptions {
  /** @default the name of its row */
  readonly id?: string;
  /** The watched thing, where its row says `{}`. */
  readonly what?: string;
  /** Scope of the alarm: a metric that names a resource of another stack has its alarm there. @default this one */
  readonly scope?: Construct;
  readonly dimensions?: Readonly<Record<string, string>>;
  /** The value of which the row's threshold is a share. @default 1 */
  readonly of?: number;
}

/** The alarms, on one topic. Each is a row of the table: its message says what happened and links to the runbook. */
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

  /** Alarm on a metric of AWS. */
  on(name: AlarmName, options: AlarmOptions = {}): void {
    const { counts, minutes } = alarmRow(name);
    if ('lines' in counts) throw new Error(`${name} counts lines of a log`);
    const period = Duration.minutes(minutes);
    const metric = (metricName: string, statistic: string) => {
      const [namespace = '', ofNamespace = ''] = metricName.split(' ');
      const dimensionsMap = { ...options.dimensions };
      return new Metric({ namespace, metricName: ofNamespace, dimensionsMap, statistic, period });
    };
    if ('metric' in counts) {
      this.add(name, metric(counts.metric, counts.statistic), options);
      return;
    }
    const { expression, sums, label } = counts;
    const usingMetrics = Object.fromEntries(Object.entries(sums).map(([id, of]) => [id, metric(of, 'Sum')]));
    this.add(name, new MathExpression({ expression, usingMetrics, period, label }), options);
  }

  /** Alarm on lines of a log: failures that a function survived, or answers of a host. */
  onLog(name: AlarmName, log: LogGroup, options: Pick<AlarmOptions, 'id' | 'what'> = {}): void {
    const { counts, minutes } = alarmRow(name);
    if (!('lines' in counts)) throw new Error(`${name} counts no lines`);
    const id = options.id ?? name;
    // The log may be in another stack: the metric's name connects the two.
    const metric = { metricNamespace: `MemberData/${Stack.of(this).stackName}`, metricName: id };
    log.addMetricFilter(id, {
      ...metric,
      filterPattern: FilterPattern.literal(counts.lines),
      metricValue: '1',
    });
    this.add(
      name,
      new Metric({
        namespace: metric.metricNamespace,
        metricName: metric.metricName,
        period: Duration.minutes(minutes),
        statistic: 'Sum',
      }),
      options,
    );
  }

  /** Alarm on one function, in this scope unless another is given. */
  onFunction(name: AlarmName, { functionName }: IFunction, scope: Construct = this): void {
    this.on(name, { dimensions: { FunctionName: functionName }, scope });
  }

  /** Alarms, in the function's scope, if events that it is called with asynchronously wait, or are dropped after all tries. */
  events(of: IFunction): void {
    // The function of an `EnvironmentFunction` is called `Function`.
    const what = of.node.scope?.node.id ?? of.node.id;
    for (const name of ['EventsDropped', 'EventsLate'] as const) {
      if (of.node.tryFindChild(name) !== undefined) continue;
      this.on(name, { what, dimensions: { FunctionName: of.functionName }, scope: of });
    }
  }

  /** Alarm, in the rule's scope, if EventBridge gave up delivering an event to a rule's target. */
  deliveries(scope: Construct, rule: CfnRule, what: string): void {
    this.on('FailedInvocations', { what, dimensions: { RuleName: rule.ref }, scope });
  }

  /** Alarms, in the machine's scope, if executions fail, run out of time, are stopped by hand or could not start because of throttles. */
  executions(scope: Construct, StateMachineArn: string, what: string): void {
    const names = [
      'ExecutionsFailed',
      'ExecutionsTimedOut',
      'ExecutionsAborted',
      'ExecutionThrottled',
    ] as const;
    for (const name of names) this.on(name, { what, dimensions: { StateMachineArn }, scope });
  }

  /** Alarms on all functions of the account's Region, each on the account's own metric. */
  functions(lambdaConcurrency: number | 'unreserved'): void {
    this.on('FunctionsFailed');
    this.on('FunctionsThrottled');
    if (lambdaConcurrency === 'unreserved') return;
    this.on('ConcurrencyUsedUp', { what: `${lambdaConcurrency}`, of: lambdaConcurrency });
  }

  /** Alarms on one host: its server errors and its refusals with 429. */
  host(id: string, apiName: string, stage: string, accessLog: LogGroup): void {
    const dimensions = { ApiName: apiName, Stage: stage };
    this.on('ServerErrors', { id: `${id}ServerErrors`, what: apiName, dimensions });
    this.onLog('TooManyRequests', accessLog, { id: `${id}TooManyRequests`, what: apiName });
  }

  /**
   * Alarms on a table and its indexes. DynamoDB publishes these metrics only when it throttles, and a sum is missing if one of its metrics is:
   * so each has its own. Throttles of an index are counted for the index alone.
   */
  throttledTable(TableName: string, indexes: readonly string[]): void {
    for (const index of [undefined, ...indexes]) {
      const dimensions = index === undefined ? { TableName } : { TableName, GlobalSecondaryIndexName: index };
      const what = index === undefined ? 'the table' : `the index ${index}`;
      for (const kind of ['Reads', 'Writes'] as const) {
        const id = `TableThrottled${pascalCase(index ?? '')}${kind}`;
        this.on(`TableThrottled${kind}`, { id, what, dimensions });
      }
    }
  }

  private add(
    name: AlarmName,
    metric: IMetric,
    { id = name, what = '', scope = this, of = 1 }: AlarmOptions,
  ): void {
    const { says, runbook, threshold, below, periods = 1, silenceIsBad } = alarmRow(name);
    const { GREATER_THAN_OR_EQUAL_TO_THRESHOLD, LESS_THAN_THRESHOLD } = ComparisonOperator;
    const alarm = new Alarm(scope, id, {
      alarmDescription: `${says.replace('{}', what)}. What to do: docs/runbook.md#${runbook}`,
      metric,
      threshold: threshold * of,
      evaluationPeriods: periods,
      comparisonOperator: below === true ? LESS_THAN_THRESHOLD : GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: silenceIsBad === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
