/** Local CloudWatch: reads the dashboards and saved queries of the templates. */

import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';
import { compileExpression, type Expression } from './expression.ts';
import { compileQuery, type QueriedEvent, type QueryResult } from './insights.ts';
import { type MetricQuery, type Metrics, statisticOf } from './metrics.ts';

/** Milliseconds that this machine keeps of each metric, and that its page shows. */
export const shownMs = 3_600_000;
const leastShownMs = 900_000;

/** A line of a graph: a metric, or metric math over those with an ID. */
interface Line {
  readonly id: string;
  readonly label: string;
  /** Whether the line is shown; the others are parts of expressions. */
  readonly isShown: boolean;
  readonly value: MetricQuery | Expression;
}

export interface Graph {
  readonly title: string;
  readonly unit: string;
  readonly periodSeconds: number;
  readonly lines: readonly Line[];
}

/** A query of Logs Insights over log groups. */
export interface LogQuery {
  readonly title: string;
  readonly text: string;
  readonly logGroups: readonly string[];
  readonly run: (events: readonly QueriedEvent[]) => QueryResult;
}

export interface Dashboard {
  readonly name: string;
  /** The environment (`sandbox`). */
  readonly environment: string;
  readonly graphs: readonly Graph[];
  /** The queries whose results it shows. */
  readonly tables: readonly LogQuery[];
  /** The saved queries of its environment. */
  readonly saved: readonly LogQuery[];
}

interface MetricOptions {
  readonly label?: string;
  readonly period?: number;
  readonly stat?: string;
  readonly id?: string;
  readonly visible?: boolean;
  readonly expression?: string;
}

interface Widget {
  readonly type: string;
  readonly properties: {
    readonly title?: string;
    readonly metrics?: readonly (readonly (string | MetricOptions)[])[];
    readonly period?: number;
    readonly stat?: string;
    readonly yAxis?: { readonly left?: { readonly label?: string } };
    readonly query?: string;
  };
}

/**
 * Reads the dashboards, in the order of their environments' stacks.
 *
 * @throws AssemblyError naming a dashboard or a query that can't be shown here.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */
export function readDashboards(assembly: Assembly): readonly Dashboard[] {
  const saved = assembly.ofType('AWS::Logs::QueryDefinition');
  return assembly.ofType('AWS::CloudWatch::Dashboard').map((resource) => {
    const { environment, properties } = resource;
    const { widgets } = JSON.parse(String(properties.DashboardBody)) as {
      readonly widgets: readonly Widget[];
    };
    return {
      name: String(properties.DashboardName),
      environment,
      graphs: widgets.filter(({ type }) => type === 'metric').map((each) => located(resource, graphOf, each)),
      tables: widgets.filter(({ type }) => type === 'log').map((each) => located(resource, tableOf, each)),
      saved: saved
        .filter((each) => each.environment === environment)
        .map((each) => located(each, savedQuery, each.properties)),
    };
  });
}

/** Adds the resource to an error. */
function located<Input, Output>(
  { stack, logicalId }: Resource,
  read: (input: Input) => Output,
  input: Input,
): Output {
  try {
    return read(input);
  } catch (error) {
    throw new AssemblyError(`stack ${stack}: ${logicalId}: ${(error as Error).message}`);
  }
}

function graphOf({ properties }: Widget): Graph {
  const { title = '', metrics = [], period = 300, stat = 'Average', yAxis } = properties;
  const lines = metrics.map((parts, at): Line => {
    const names = parts.filter((part) => typeof part === 'string');
    const options: MetricOptions = parts.find((part) => typeof part !== 'string') ?? {};
    const { id = `line${at}`, label = names[1] ?? id, visible = true, expression } = options;
    const line = { id, label, isShown: visible };
    if (expression !== undefined) return { ...line, value: compileExpression(expression) };
    const [namespace = '', name = '', ...pairs] = names;
    const dimensions = pairs.flatMap((key, index) => (index % 2 === 0 ? [[key, pairs[index + 1]]] : []));
    const statistic = options.stat ?? stat;
    statisticOf(statistic, [0]);
    return {
      ...line,
      value: {
        ...{ namespace, name, dimensions: Object.fromEntries(dimensions) },
        ...{ periodSeconds: options.period ?? period, statistic },
      },
    };
  });
  return { title, unit: yAxis?.left?.label ?? '', periodSeconds: period, lines };
}

const sourcesPattern = /^((?:\s*SOURCE\s+'[^']+'\s*\|)+)(.+)$/s;

function tableOf({ properties: { title = '', query = '' } }: Widget): LogQuery {
  const [, sources = '', text = ''] = sourcesPattern.exec(query) ?? [];
  const logGroups = [...sources.matchAll(/'([^']+)'/g)].map(([, group = '']) => group);
  return { title, text: text.trim(), logGroups, run: compileQuery(text) };
}

function savedQuery({ Name, QueryString, LogGroupNames }: Resource['properties']): LogQuery {
  const title = String(Name).split('/').at(-1) ?? '';
  const text = String(QueryString);
  return { title, text, logGroups: LogGroupNames as readonly string[], run: compileQuery(text) };
}

/** The values of a line of a graph, one for each period. */
export interface GraphValues {
  readonly label: string;
  readonly values: readonly (number | undefined)[];
}

/** A graph's shown lines with their values since `from`, in milliseconds since 1970. */
export interface DrawnGraph {
  readonly from: number;
  readonly lines: readonly GraphValues[];
}

/**
 * The values of a graph, at most of the last hour before `now`; one value if its period is longer. Of a machine that started less than an
 * hour ago, the time since then: a quarter of an hour at least.
 */
export function drawGraph(graph: Graph, metrics: Metrics, startedAt: number, now: number): DrawnGraph {
  const periodMs = graph.periodSeconds * 1_000;
  const since = Math.min(shownMs, Math.max(leastShownMs, now - startedAt));
  const periods = Math.max(1, Math.ceil(Math.min(since, shownMs) / periodMs));
  const from = now - periods * periodMs;
  const series = new Map(
    graph.lines.flatMap(({ id, value }) =>
      typeof value === 'function' ? [] : [[id, metrics.seriesFrom(value, from, periods)] as const],
    ),
  );
  const at = (line: Line, index: number): number | undefined =>
    typeof line.value === 'function'
      ? line.value((id) => series.get(id)?.[index])
      : series.get(line.id)?.[index];
  const lines = graph.lines
    .filter(({ isShown }) => isShown)
    .map((line) => ({
      label: line.label,
      values: Array.from({ length: periods }, (_, index) => at(line, index)),
    }));
  return { from, lines };
}
