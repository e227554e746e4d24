/** Local CloudWatch: metrics of the stand-ins, metric filters of log groups, and the alarms of the templates. */

import type { Assembly } from '../assembly/resources.ts';
import { compileLogFilter } from '../aws/logs/log-filter.ts';
import { type Alarm, readAlarms } from './alarms.ts';
import {
  type Dashboard,
  type DrawnGraph,
  drawGraph,
  type Graph,
  readDashboards,
  shownMs,
} from './dashboards.ts';
import { openMetrics, type PublishMetric } from './metrics.ts';

/** An alarm, as the local system's page shows it. */
export interface AlarmState {
  readonly name: string;
  readonly description: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  /** Time of the last change of state, ISO 8601. */
  readonly since: string;
}

export interface CloudWatch {
  readonly publish: PublishMetric;
  /** Counts a line of a log group by the group's metric filters. */
  logged(logGroup: string, line: string): void;
  /** Name of the log group that a function writes to. */
  logGroupOf(functionName: string): string;
  /** The graphs and queries of the templates' dashboards. */
  readonly dashboards: readonly Dashboard[];
  /** The values of a graph's lines in the last hour. */
  drawn(graph: Graph): DrawnGraph;
  /** Takes over the alarms and metric filters of changed templates. A changed alarm begins anew; the others keep their state. */
  deploy(assembly: Assembly): void;
  /** Evaluates each alarm, and logs those that change their state. */
  evaluate(): void;
  alarms(): readonly AlarmState[];
}

interface Watched {
  readonly alarm: Alarm;
  state: AlarmState['state'];
  since: number;
}

/**
 * Makes CloudWatch for one machine. Metrics are in memory only: an alarm on missing data is raised only after the system has run for the
 * alarm's whole evaluation range, while AWS raises it for a new alarm at once. The environments' accounts count as one account, as they do
 * for the functions' concurrency. A period ends at the time of the evaluation; in AWS it ends with the minute.
 *
 * @param tell logs a change of an alarm's state.
 * @throws AssemblyError for an alarm or a metric filter that can't be evaluated here.
 */
export function cloudWatch(deps: {
  readonly assembly: Assembly;
  readonly now: () => number;
  readonly tell: (line: string) => void;
}): CloudWatch {
  const { assembly, now, tell } = deps;
  const startedAt = now();
  const metrics = openMetrics(now);
  let filters = readMetricFilters(assembly);
  const logGroups = new Map(
    assembly
      .ofType('AWS::Lambda::Function')
      .map(({ physicalId, properties }) => [
        physicalId,
        String((properties.LoggingConfig as { readonly LogGroup?: unknown })?.LogGroup),
      ]),
  );
  let watched = readAlarms(assembly).map(begun);
  const longestMs = Math.max(shownMs, ...watched.map(({ alarm }) => lookBackMs(alarm)));

  function begun(alarm: Alarm): Watched {
    return { alarm, state: 'INSUFFICIENT_DATA', since: now() };
  }

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
    dashboards: readDashboards(assembly),
    drawn: (graph) => drawGraph(graph, metrics, startedAt, now()),
    logged,
    logGroupOf: (functionName) => logGroups.get(functionName) ?? '',
    deploy(changed) {
      const before = new Map(watched.map((each) => [each.alarm.name, each]));
      watched = readAlarms(changed).map((alarm) => {
        const known = before.get(alarm.name);
        return known?.alarm.definition === alarm.definition ? known : begun(alarm);
      });
      filters = readMetricFilters(changed);
    },
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

/** The metric filters of the templates, by the name of their log group. */
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

/** Compiles a filter pattern. Quoted terms match lines that contain all of them; other patterns are for JSON. */
function filterOf(pattern: string): (line: string) => boolean {
  if (!/^"[^"\\]+"( "[^"\\]+")*$/.test(pattern)) return compileLogFilter(pattern);
  const terms = pattern.slice(1, -1).split('" "');
  return (line) => terms.every((term) => line.includes(term));
}
