import { beforeAll, describe, expect, it } from 'vitest';
import { type Resource, resources, synthesizeApp, type Template } from './synthesized-app.ts';

let templates: ReadonlyMap<string, Template>;
beforeAll(() => {
  templates = synthesizeApp();
});

/** Properties of the sandbox's alarms on a metric of this name. */
const alarmsOn = (metric: string): readonly Resource['Properties'][] =>
  [...templates]
    .filter(([stack]) => stack.startsWith('sandbox/'))
    .flatMap(([, each]) => resources(each, 'AWS::CloudWatch::Alarm'))
    .map(({ Properties }) => Properties)
    .filter(({ MetricName }) => MetricName === metric);

/** Whether an alarm on a plain metric rings for these values of its last periods. */
function rings({ Threshold, EvaluationPeriods }: Resource['Properties'], values: readonly number[]): boolean {
  const last = values.slice(-Number(EvaluationPeriods));
  return last.length === Number(EvaluationPeriods) && last.every((value) => value >= Number(Threshold));
}

describe('under load, an alarm', () => {
  it.each([
    ['Throttles', 'Sum', [99, 99, 99, 99, 9], [10, 10, 10, 10, 10]],
    ['WriteThrottleEvents', 'Sum', [9_999], [10, 10, 10, 10, 10]],
    ['Errors', 'Sum', [0], [3]],
    ['ConcurrentExecutions', 'Maximum', [799], [800]],
    ['Latency', 'p99', [9_000, 9_000, 2_999], [3_000, 3_000, 3_000]],
    ['ExecutionThrottled', 'Sum', [0], [1]],
  ])('on %s (%s) is silent at %j and rings at %j', (metric, statistic, silent, ringing) => {
    const found = alarmsOn(metric);
    expect(found.length).toBeGreaterThan(0);
    for (const alarm of found) {
      expect(alarm.ExtendedStatistic ?? alarm.Statistic).toBe(statistic);
      expect(alarm.ComparisonOperator).toBe('GreaterThanOrEqualToThreshold');
      expect([rings(alarm, silent), rings(alarm, ringing)]).toEqual([false, true]);
    }
  });

  it('watches the latency of sign-in and of tokens', () => {
    const hosts = alarmsOn('Latency').map(({ Dimensions }) => JSON.stringify(Dimensions));
    expect(hosts.some((each) => each.includes('auth.'))).toBe(true);
    expect(hosts.some((each) => each.includes('token.'))).toBe(true);
  });
});
