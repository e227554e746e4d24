/** Local CloudWatch: the values of metrics, in memory. */

/** Publishes one value of a metric under AWS's namespace, name and dimensions. */
export type PublishMetric = (
  namespace: string,
  name: string,
  dimensions: Readonly<Record<string, string>>,
  value: number,
) => void;

/** A metric, and the statistic that reduces the values of a period to one. */
export interface MetricQuery {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly periodSeconds: number;
  /** `Sum`, `Maximum`, `Minimum`, `Average`, `SampleCount`, or a percentile like `p99`. */
  readonly statistic: string;
}

export interface Metrics {
  readonly publish: PublishMetric;
  /** The value of the period that ends at `end` (milliseconds since 1970); undefined if nothing was published in it. */
  valueAt(query: MetricQuery, end: number): number | undefined;
  /** The values of so many periods one after the other, the first of which begins after `from`. */
  seriesFrom(query: MetricQuery, from: number, periods: number): readonly (number | undefined)[];
  /** Drops values that are older than the range of every alarm and of the dashboards. */
  forgetBefore(time: number): void;
}

interface Sample {
  readonly at: number;
  readonly value: number;
}

/** Most samples of one metric; the oldest are dropped, so that a flood of calls takes no memory. */
const mostSamples = 50_000;

export function openMetrics(now: () => number): Metrics {
  const samples = new Map<string, Sample[]>();
  return {
    publish(namespace, name, dimensions, value) {
      const key = keyOf(namespace, name, dimensions);
      const of = samples.get(key) ?? [];
      samples.set(key, of);
      of.push({ at: now(), value });
      if (of.length > 2 * mostSamples) of.splice(0, mostSamples);
    },
    valueAt({ namespace, name, dimensions, periodSeconds, statistic }, end) {
      const from = end - periodSeconds * 1_000;
      const values = (samples.get(keyOf(namespace, name, dimensions)) ?? [])
        .filter(({ at }) => at > from && at <= end)
        .map(({ value }) => value);
      return values.length === 0 ? undefined : statisticOf(statistic, values);
    },
    seriesFrom({ namespace, name, dimensions, periodSeconds, statistic }, from, periods) {
      const values = Array.from({ length: periods }, (): number[] => []);
      for (const { at, value } of samples.get(keyOf(namespace, name, dimensions)) ?? [])
        values[Math.ceil((at - from) / (periodSeconds * 1_000)) - 1]?.push(value);
      return values.map((of) => (of.length === 0 ? undefined : statisticOf(statistic, of)));
    },
    forgetBefore(time) {
      for (const [key, of] of samples) {
        const kept = of.findIndex(({ at }) => at >= time);
        if (kept === -1) samples.delete(key);
        else of.splice(0, kept);
      }
    },
  };
}

function keyOf(namespace: string, name: string, dimensions: Readonly<Record<string, string>>): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);
}

/**
 * Computes a statistic.
 *
 * @throws for a statistic that is not supported here; `readAlarms` checks this before any value is published.
 */
export function statisticOf(statistic: string, values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  const [, percentile] = /^p(\d+(?:\.\d+)?)$/.exec(statistic) ?? [];
  if (percentile !== undefined) {
    const sorted = values.toSorted((left, right) => left - right);
    return sorted[Math.max(0, Math.ceil((Number(percentile) / 100) * sorted.length) - 1)] ?? 0;
  }
  const highest = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const lowest = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const known: Readonly<Record<string, number>> = {
    Sum: sum,
    Average: sum / values.length,
    Maximum: highest,
    Minimum: lowest,
    SampleCount: values.length,
  };
  const value = known[statistic];
  if (value === undefined) throw new Error(`the statistic ${statistic} is not known on one machine`);
  return value;
}
