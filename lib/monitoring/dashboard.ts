/** Construct of an environment's dashboard, made of the tables of graphs and queries. */

import { Duration } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Alarms } from '../constructs/alarms.ts';
import { type GraphRow, graphTable, type MetricOf, type MetricScope } from './graph-table.ts';
import { type QueriedLogs, queryTable } from './query-table.ts';

/** A resource that graphs have a line for. */
interface Watched {
  /** Label of its line. */
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

export type WatchedResources = Readonly<Record<MetricScope, readonly Watched[]>>;

export interface DashboardProps {
  readonly name: string;
  readonly title: string;
  readonly resources: WatchedResources;
  readonly alarms: Alarms;
  /** Names of the log groups that a query reads. */
  readonly logsOf: (which: QueriedLogs) => string[];
}

/** Width of a dashboard in CloudWatch's grid. */
const gridWidth = 24;
const widget = { width: gridWidth / 2, height: 6 };

/** Creates the dashboard. */
export function createDashboard(
  scope: Construct,
  id: string,
  { name, title, resources, alarms, logsOf }: DashboardProps,
): void {
  const dashboard = new Dashboard(scope, id, { dashboardName: name, defaultInterval: Duration.hours(3) });
  const markdown = `# ${title}\nGraphs and queries: docs/monitoring.md. What to do: docs/runbook.md.`;
  dashboard.addWidgets(new TextWidget({ markdown, width: gridWidth, height: 2 }));
  const graphs = graphTable.map(
    (row) =>
      new GraphWidget({
        ...widget,
        title: `${row.title}: ${row.question}`,
        left: metricsOf(row, resources, alarms),
        leftYAxis: { label: row.unit, showUnits: false, min: 0 },
        period: Duration.minutes(row.minutes),
      }),
  );
  const tables = queryTable
    .filter(({ onDashboard }) => onDashboard)
    .map(
      (row) =>
        new LogQueryWidget({
          ...widget,
          width: gridWidth,
          title: `${row.name}: ${row.question}`,
          logGroupNames: logsOf(row.logs),
          queryLines: [...row.commands],
          view: LogQueryVisualizationType.TABLE,
        }),
    );
  for (let at = 0; at < graphs.length; at += 2) dashboard.addWidgets(...graphs.slice(at, at + 2));
  for (const table of tables) dashboard.addWidgets(table);
}

function metricsOf({ lines, minutes }: GraphRow, resources: WatchedResources, alarms: Alarms): IMetric[] {
  const period = Duration.minutes(minutes);
  return lines.flatMap((line, index): IMetric[] => {
    if ('filter' in line) return [alarms.linesMetric(line.filter, { period, label: line.label })];
    if ('charged' in line) {
      const usingMetrics = Object.fromEntries(
        line.charged
          .flatMap((each) => of(each, resources, { period, statistic: 'Sum' }))
          .map((metric, at) => [`m${index}x${at}`, metric]),
      );
      // A host without calls has no data, and a sum with a missing value is missing.
      const units = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
      const expression = `(${units.join(' + ')}) * ${line.dollarsPerMillion} / 1000000`;
      return [new MathExpression({ expression, usingMetrics, period, label: line.label })];
    }
    const { statistic, label } = line;
    return of(line, resources, { period, statistic, ...(label === undefined ? {} : { label }) });
  });
}

function of(
  { metric, each }: MetricOf,
  resources: WatchedResources,
  options: { readonly period: Duration; readonly statistic: string; readonly label?: string },
): Metric[] {
  const [namespace = '', metricName = ''] = metric.split(' ');
  return resources[each].map(
    ({ name, dimensions }) =>
      new Metric({ namespace, metricName, dimensionsMap: { ...dimensions }, label: name, ...options }),
  );
}
