/** Local CloudWatch: reads the alarms of the templates, and decides when each is raised. */

import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';
import { compileExpression, type Expression } from './expression.ts';
import { type MetricQuery, statisticOf } from './metrics.ts';

/** An `AWS::CloudWatch::Alarm` that can be evaluated here. */
export interface Alarm {
  /** Stack and logical ID: `sandbox-Data/TableThrottledReads…`. */
  readonly name: string;
  readonly description: string;
  /** All properties, as JSON: another text is another alarm of the same name. */
  readonly definition: string;
  readonly periodSeconds: number;
  readonly evaluationPeriods: number;
  /** Whether the values of the latest periods, oldest first, raise the alarm; undefined if there are too few values to decide. */
  rings(values: readonly (number | undefined)[]): boolean | undefined;
  /** The metric's value in the period that ends at `end`. */
  valueAt(query: (metric: MetricQuery) => number | undefined): number | undefined;
}

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
};

interface Dimension {
  readonly Name: string;
  readonly Value: unknown;
}

interface MetricDataQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly ReturnData?: boolean;
  readonly MetricStat?: {
    readonly Metric: {
      readonly Namespace: string;
      readonly MetricName: string;
      readonly Dimensions?: readonly Dimension[];
    };
    readonly Period: number;
    readonly Stat: string;
  };
}

/**
 * Reads the alarms.
 *
 * @throws AssemblyError naming an alarm that can't be evaluated here.
 */
export function readAlarms(assembly: Assembly): readonly Alarm[] {
  return assembly.ofType('AWS::CloudWatch::Alarm').map((resource) => {
    try {
      return readAlarm(resource);
    } catch (error) {
      throw new AssemblyError(`stack ${resource.stack}: ${resource.logicalId}: ${(error as Error).message}`);
    }
  });
}

function readAlarm({ stack, logicalId, properties }: Resource): Alarm {
  const compare = comparisons[String(properties.ComparisonOperator)];
  if (compare === undefined)
    throw new Error(`${String(properties.ComparisonOperator)} is not known on one machine`);
  const threshold = Number(properties.Threshold);
  const evaluationPeriods = Number(properties.EvaluationPeriods);
  const needed = Number(properties.DatapointsToAlarm ?? evaluationPeriods);
  const missing = String(properties.TreatMissingData ?? 'missing');
  if (!['breaching', 'notBreaching', 'missing'].includes(missing))
    throw new Error(`TreatMissingData ${missing} is not known on one machine`);
  return {
    name: `${stack}/${logicalId}`,
    description: String(properties.AlarmDescription ?? ''),
    definition: JSON.stringify(properties),
    ...readValue(properties),
    evaluationPeriods,
    rings(values) {
      if (missing === 'missing' && values.every((value) => value === undefined)) return undefined;
      const breaching = values.filter((value) =>
        value === undefined ? missing === 'breaching' : compare(value, threshold),
      );
      return breaching.length >= needed;
    },
  };
}

/** The alarm's single metric, or its metric math. */
function readValue(properties: Resource['properties']): Pick<Alarm, 'periodSeconds' | 'valueAt'> {
  if (properties.Metrics === undefined) {
    const metric = metricQuery(
      {
        Namespace: String(properties.Namespace),
        MetricName: String(properties.MetricName),
        Dimensions: (properties.Dimensions ?? []) as readonly Dimension[],
      },
      Number(properties.Period),
      String(properties.ExtendedStatistic ?? properties.Statistic),
    );
    return { periodSeconds: metric.periodSeconds, valueAt: (query) => query(metric) };
  }
  const queries = properties.Metrics as readonly MetricDataQuery[];
  const metrics = new Map<string, MetricQuery>();
  const expressions = new Map<string, Expression>();
  for (const { Id, Expression, MetricStat } of queries) {
    if (MetricStat !== undefined)
      metrics.set(Id, metricQuery(MetricStat.Metric, MetricStat.Period, MetricStat.Stat));
    else if (Expression !== undefined) expressions.set(Id, compileExpression(Expression));
  }
  const [first] = metrics.values();
  const returned = queries.find(({ ReturnData }) => ReturnData !== false);
  if (first === undefined || returned === undefined)
    throw new Error('its metrics are not known on one machine');
  return {
    periodSeconds: first.periodSeconds,
    valueAt(query) {
      const value = (id: string): number | undefined => {
        const metric = metrics.get(id);
        return metric === undefined ? expressions.get(id)?.(value) : query(metric);
      };
      return value(returned.Id);
    },
  };
}

type NamedMetric = NonNullable<MetricDataQuery['MetricStat']>['Metric'];

function metricQuery(
  { Namespace, MetricName, Dimensions = [] }: NamedMetric,
  periodSeconds: number,
  statistic: string,
): MetricQuery {
  statisticOf(statistic, [0]);
  return {
    namespace: Namespace,
    name: MetricName,
    dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, String(Value)])),
    periodSeconds,
    statistic,
  };
}
