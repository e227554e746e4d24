/** Local CloudWatch: metrics of the stand-ins, metric filters of log groups, and the alarms of the templates over them. */

import type { Assembly } from '../assembly/resources.ts';
import { compileLogFilter } from '../aws/logs/log-filter.ts';
import { type Alarm, readAlarms } from './alarms.ts';
import { openMetrics, type PublishMetric } from './metrics.ts';

/** An alarm as the page of the local system shows it. */
export interface AlarmState {
  readonly name: string;
  readonly description: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  /** The time at which it came into this state: ISO 8601. */
  readonly since: string;
}

export interface CloudWatch {
  readonly publish: PublishMetric;
  /** Counts a line by the metric filters of its log group. */
  logged(logGroup: string, line: string): void;
  /** Counts a line of a function's log. */
  functionLogged(functionName: string, line: string): void;
  /** Evaluates each alarm, and tells of those that begin to ring or fall silent. */
  evaluate(): void;
  alarms(): readonly AlarmState[];
}

interface Watched {
  readonly alarm: Alarm;
  state: AlarmState['state'];
  since: number;
}

/**
 * CloudWatch on one machine. Its memory begins with the process: an alarm that rings where a metric is missing does so only when the machine has run for as
 * long as the alarm looks back, while AWS rings for a new alarm at once. The accounts of the environments are one account here, as they are for the concurrency of
 * functions. A period ends now, where AWS's ends with the minute.
 *
 * @param tell takes one line for an alarm that rings or falls silent.
 * @throws AssemblyError for an alarm or a metric filter that this machine can't evaluate.
 */
export function cloudWatch(deps: {
  readonly assembly: Assembly;
  readonly now: () => number;
  readonly tell: (line: string) => void;
}): CloudWatch {
  const { assembly, now, tell } = deps;
  const startedAt = now();
  const metrics = openMetrics(now);
  const filters = readMetricFilters(assembly);
  const logGroups = new Map(
    assembly
      .ofType('AWS::Lambda::Function')
      .map(({ physicalId, properties }) => [
        physicalId,
        String((properties.LoggingConfig as { readonly LogGroup?: unknown })?.LogGroup),
      ]),
  );
  const watched = readAlarms(assembly).map(
    (alarm): Watched => ({ alarm, state: 'INSUFFICIENT_DATA', since: startedAt }),
  );
  const longestMs = Math.max(0, ...watched.map(({ alarm }) => lookBackMs(alarm)));

  function stateOf(alarm: Alarm, at: number): AlarmState['state'] {
    const { periodSeconds, evaluationPeriods } = alarm;
    const values = Array.from({ length: evaluationPeriods }, (_, index) => {
      const end = at - (evaluationPeriods - 1 - index) * periodSeconds * 1_000;
      return alarm.valueAt((metric) => metrics.valueAt(metric, end));
    });
    const isNew = at - startedAt < lookBackMs(alarm);
    if (isNew && values.every((value) => value === undefined)) return 'INSUFFICIENT_DATA';
    const rings = alarm.rings(values);
    if (rings === undefined) return 'INSUFFICIENT_DATA';
    return rings ? 'ALARM' : 'OK';
  }

  function logged(logGroup: string, line: string): void {
    for (const { matches, namespace, name, value } of filters.get(logGroup) ?? []) {
      if (matches(line)) metrics.publish(namespace, name, {}, value);
    }
  }

  return {
    publish: metrics.publish,
    logged,
    functionLogged: (functionName, line) => logged(logGroups.get(functionName) ?? '', line),
    evaluate() {
      const at = now();
      for (const each of watched) {
        const state = stateOf(each.alarm, at);
        if (state === each.state) continue;
        const { name, description } = each.alarm;
        if (state === 'ALARM') tell(`alarm: ${name} rings: ${description}`);
        else if (each.state === 'ALARM') tell(`alarm: ${name} is silent again`);
        Object.assign(each, { state, since: at });
      }
      metrics.forgetBefore(at - longestMs);
    },
    alarms: () =>
      watched.map(({ alarm: { name, description }, state, since }) => ({
        name,
        description,
        state,
        since: new Date(since).toISOString(),
      })),
  };
}

function lookBackMs({ periodSeconds, evaluationPeriods }: Alarm): number {
  return periodSeconds * evaluationPeriods * 1_000;
}

interface MetricFilter {
  readonly matches: (line: string) => boolean;
  readonly namespace: string;
  readonly name: string;
  readonly value: number;
}

interface Transformation {
  readonly MetricNamespace: string;
  readonly MetricName: string;
  readonly MetricValue: string;
}

/** Metric filters of the templates, by the name of their log group. */
function readMetricFilters(assembly: Assembly): ReadonlyMap<string, readonly MetricFilter[]> {
  const filters = assembly.ofType('AWS::Logs::MetricFilter').map(({ properties }) => {
    const { MetricNamespace, MetricName, MetricValue } = (
      properties.MetricTransformations as readonly [Transformation]
    )[0];
    return {
      group: String(properties.LogGroupName),
      matches: filterOf(String(properties.FilterPattern)),
      namespace: MetricNamespace,
      name: MetricName,
      value: Number(MetricValue),
    };
  });
  return Map.groupBy(filters, ({ group }) => group);
}

/** A pattern of one term in quotes matches any line that has it; the others are patterns for JSON. */
function filterOf(pattern: string): (line: string) => boolean {
  const [, term] = /^"([^"\\]+)"$/.exec(pattern) ?? [];
  return term === undefined ? compileLogFilter(pattern) : (line) => line.includes(term);
}
