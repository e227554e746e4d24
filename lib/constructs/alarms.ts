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
import type { IFunction, Version } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type AlarmName, alarmRow } from './alarm-table.ts';
import { pascalCase } from './pascal-case.ts';

export interface AlarmsProps {
  /** Encrypts the topic's messages. */
  readonly key: Key;
  /** Address to subscribe by e-mail; its owner must confirm the topic's first message. */
  readonly email?: string | undefined;
}

interface AlarmOptions {
  /**
   * Construct ID of the alarm.
   *
   * @default the name of its row
   */
  readonly id?: string;
  /** Name of the watched resource, which replaces `{}` in the row's text. */
  readonly what?: string;
  /**
   * Scope of the alarm: an alarm on a resource of another stack is created in that stack.
   *
   * @default this construct
   */
  readonly scope?: Construct;
  readonly dimensions?: Readonly<Record<string, string>>;
  /**
   * The value of which the row's threshold is a fraction.
   *
   * @default 1
   */
  readonly of?: number;
}

/** A version of a function that gets calls by an alias. */
export interface Released {
  readonly id: string;
  readonly version: Version;
  /** Name of the alias. */
  readonly alias: string;
  /** Log of the function. */
  readonly log: LogGroup;
}

/** The alarms of a stage, on one topic. Each is a row of the table: its message says what happened and links to the runbook. */
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

  /** Creates an alarm on a metric of AWS. */
  on(name: AlarmName, options: AlarmOptions = {}): Alarm {
    const { counts, minutes } = alarmRow(name);
    if ('lines' in counts) throw new Error(`${name} counts lines of a log`);
    const period = Duration.minutes(minutes);
    const metric = (metricName: string, statistic: string) => {
      const [namespace = '', ofNamespace = ''] = metricName.split(' ');
      const dimensionsMap = { ...options.dimensions };
      return new Metric({ namespace, metricName: ofNamespace, dimensionsMap, statistic, period });
    };
    if ('metric' in counts) return this.add(name, metric(counts.metric, counts.statistic), options);
    const { expression, sums, label } = counts;
    const usingMetrics = Object.fromEntries(Object.entries(sums).map(([id, of]) => [id, metric(of, 'Sum')]));
    return this.add(name, new MathExpression({ expression, usingMetrics, period, label }), options);
  }

  /** Creates an alarm on lines of a log: failures that a function handled, or responses of a host. */
  onLog(name: AlarmName, log: LogGroup, options: Pick<AlarmOptions, 'id' | 'what'> = {}): void {
    const { counts, minutes } = alarmRow(name);
    if (!('lines' in counts)) throw new Error(`${name} counts no lines`);
    const id = options.id ?? name;
    const metric = this.linesMetric(id, { period: Duration.minutes(minutes) });
    // The log group may be in another stack; metric filter and alarm are connected only by the metric's name.
    log.addMetricFilter(id, {
      metricNamespace: metric.namespace,
      metricName: metric.metricName,
      filterPattern: FilterPattern.literal(counts.lines),
      metricValue: '1',
    });
    this.add(name, metric, options);
  }

  /** The metric of the lines that the metric filter of an alarm on a log counts, by the construct ID of the alarm. */
  linesMetric(id: string, options: { readonly period: Duration; readonly label?: string }): Metric {
    const namespace = `MemberData/${Stack.of(this).stackName}`;
    return new Metric({ namespace, metricName: id, statistic: 'Sum', ...options });
  }

  /** Creates an alarm on one function, in this scope by default. */
  onFunction(name: AlarmName, { functionName }: IFunction, scope: Construct = this): void {
    this.on(name, { dimensions: { FunctionName: functionName }, scope });
  }

  /** Creates alarms, in the function's scope, on asynchronous events that wait too long, or are dropped after all attempts. */
  events(of: IFunction): void {
    // The function of an `EnvironmentFunction` has the ID `Function`, so the name of its parent is shown.
    const what = of.node.scope?.node.id ?? of.node.id;
    for (const name of ['EventsDropped', 'EventsLate'] as const) {
      if (of.node.tryFindChild(name) !== undefined) continue;
      this.on(name, { what, dimensions: { FunctionName: of.functionName }, scope: of });
    }
  }

  /** Creates an alarm, in the rule's scope, on events that EventBridge could not deliver to a rule's target. */
  deliveries(scope: Construct, rule: CfnRule, what: string): void {
    this.on('FailedInvocations', { what, dimensions: { RuleName: rule.ref }, scope });
  }

  /**
   * Creates alarms, in the state machine's scope, on executions that fail, time out, are stopped by hand, or can't start because of
   * throttling.
   */
  executions(scope: Construct, StateMachineArn: string, what: string): void {
    const names = [
      'ExecutionsFailed',
      'ExecutionsTimedOut',
      'ExecutionsAborted',
      'ExecutionThrottled',
    ] as const;
    for (const name of names) this.on(name, { what, dimensions: { StateMachineArn }, scope });
  }

  /**
   * Creates alarms, in this scope, on versions that get their first calls by an alias: on calls of each that end with an error, and on
   * defects that they answered. Errors of the versions before them don't count, so that a fix can be released while those fail.
   *
   * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html (dimension ExecutedVersion)
   */
  release(scope: Construct, what: string, released: readonly Released[]): readonly Alarm[] {
    const defects = `${Stack.of(scope).node.id}ReleaseDefects`;
    const { counts, minutes } = alarmRow('ReleaseDefects');
    if (!('lines' in counts)) throw new Error('ReleaseDefects counts no lines');
    const metric = this.linesMetric(defects, { period: Duration.minutes(minutes) });
    for (const { log, version } of released) {
      log.addMetricFilter('ReleaseDefects', {
        metricNamespace: metric.namespace,
        metricName: metric.metricName,
        filterPattern: FilterPattern.literal(counts.lines.replace('{}', version.version)),
        metricValue: '1',
      });
    }
    return [
      this.add('ReleaseDefects', metric, { what, scope }),
      ...released.map(({ id, version, alias }) => {
        const { functionName } = version.lambda;
        return this.on('ReleaseFailed', {
          id: `${id}ReleaseFailed`,
          what: `${id} of ${what}`,
          scope,
          dimensions: {
            FunctionName: functionName,
            Resource: `${functionName}:${alias}`,
            ExecutedVersion: version.version,
          },
        });
      }),
    ];
  }

  /** Creates alarms on all functions of the account in the Region together, from the account's metrics. */
  functions(lambdaConcurrency: number | 'unreserved'): void {
    this.on('FunctionsFailed');
    this.on('FunctionsThrottled');
    if (lambdaConcurrency === 'unreserved') return;
    this.on('ConcurrencyUsedUp', { what: `${lambdaConcurrency}`, of: lambdaConcurrency });
  }

  /** Creates alarms on one host: its server errors, and its refusals with status 429. */
  host(id: string, apiName: string, stage: string, accessLog: LogGroup): void {
    const dimensions = { ApiName: apiName, Stage: stage };
    this.on('ServerErrors', { id: `${id}ServerErrors`, what: apiName, dimensions });
    this.onLog('TooManyRequests', accessLog, { id: `${id}TooManyRequests`, what: apiName });
  }

  /**
   * Creates alarms on the throttling of a table and its indexes, one for each metric: DynamoDB publishes these metrics only when it
   * throttles, and a sum would be missing if one of them is. Throttles of an index count for the index only.
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
  ): Alarm {
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
    return alarm;
  }
}
