import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { alarmTable } from '../../../lib/constructs/alarm-table.ts';
import { repositoryRoot } from '../../architecture/imports.ts';
import { synthesizePortal } from '../portal/synthesized-portal.ts';
import { type Resource, resources, synthesizeApp, type Template, template } from '../synthesized-app.ts';

let templates: ReadonlyMap<string, Template>;
beforeAll(() => {
  templates = synthesizeApp();
});

const alarms = () => [...templates.values()].flatMap((each) => resources(each, 'AWS::CloudWatch::Alarm'));

/** The fragment that GitHub makes of a heading. */
const fragment = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');

describe('an alarm', () => {
  it('names the paragraph of the runbook that says what to do', () => {
    const text = readFileSync(join(repositoryRoot, 'docs', 'runbook.md'), 'utf8');
    const [, paragraphs = ''] = text.split('## Alarms');
    const known = [...paragraphs.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => fragment(heading));
    const named = alarms().map(
      ({ Properties: { AlarmDescription } }) =>
        /docs\/runbook\.md#(\S+)$/.exec(String(AlarmDescription))?.[1],
    );
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) expect(known).toContain(name);
    // `audit verify` reports a trail that is not whole; there is no metric for it.
    expect([...new Set(named)].sort()).toEqual(
      known.filter((each) => each !== 'audit-trail-not-whole').sort(),
    );
  });

  it('reaches somebody, by a topic that is encrypted', () => {
    for (const { Properties: properties } of alarms()) expect(properties.AlarmActions).toHaveLength(1);
    for (const [stack, each] of templates) {
      if (!stack.endsWith('/Data')) continue;
      const [topic] = resources(each, 'AWS::SNS::Topic');
      expect(topic?.Properties.KmsMasterKeyId).toBeDefined();
    }
  });

  it('is a row of one table, and each row is one', () => {
    const says = (row: { readonly says: string }) =>
      new RegExp(`^${row.says.replaceAll(/[.(){}]/g, '.').replace('..', '.+')}\\. What to do: `);
    const made = alarms().map(({ Properties: { AlarmDescription } }) => String(AlarmDescription));
    const rows = Object.values(alarmTable).map(says);
    expect(made.filter((each) => !rows.some((row) => row.test(each)))).toEqual([]);
    expect(rows.filter((row) => !made.some((each) => row.test(each)))).toEqual([]);
  });

  it.each([
    ['server-errors', 'AWS::ApiGateway::RestApi'],
    ['too-many-requests', 'AWS::ApiGateway::RestApi'],
    ['execution-failed', 'AWS::StepFunctions::StateMachine', 4],
  ])('(%s) watches every %s', (paragraph, type, alarmsOfEach = 1) => {
    const watched = alarms().filter(({ Properties: { AlarmDescription } }) =>
      String(AlarmDescription).endsWith(`#${paragraph}`),
    );
    const watching = [...templates.values()].flatMap((each) => resources(each, type));
    expect(watched).toHaveLength(alarmsOfEach * watching.length);
  });

  it('watches every rule, and every function that a schedule calls', () => {
    const rules = [...templates.values()].flatMap((each) => resources(each, 'AWS::Events::Rule'));
    const on = (metric: string) => alarms().filter(({ Properties: { MetricName } }) => MetricName === metric);
    expect(on('FailedInvocations')).toHaveLength(rules.length);
    const watched = (metric: string) =>
      new Set(on(metric).map(({ Properties: { Dimensions } }) => JSON.stringify(Dimensions)));
    const functions = new Set(
      rules.flatMap(({ Properties: { Targets } }) =>
        (
          Targets as readonly { readonly Arn: { readonly 'Fn::GetAtt'?: readonly [string, string] } }[]
        ).flatMap(({ Arn }) => Arn['Fn::GetAtt']?.[0] ?? []),
      ),
    );
    for (const metric of ['AsyncEventsDropped', 'AsyncEventAge']) {
      const found = [...watched(metric)].join();
      for (const name of functions)
        if (name.includes('Function')) expect(found).toContain(`{"Ref":"${name}"}`);
    }
  });

  it('is told by e-mail to whom the configuration names, and to nobody else', () => {
    const told = (of: Template) =>
      resources(of, 'AWS::SNS::Subscription').map(({ Properties: { Protocol, Endpoint } }) => [
        Protocol,
        Endpoint,
      ]);
    expect(told(synthesizePortal({ alarmEmail: 'on-call@example.org' }).data)).toEqual([
      ['email', 'on-call@example.org'],
    ]);
    expect(told(synthesizePortal().data)).toEqual([]);
    for (const stack of ['sandbox/Data', 'production/Data', 'portal/Data']) {
      expect(Object.keys(template(templates, stack).Outputs), stack).toContain('AlarmTopicArn');
    }
  });

  it('reckons only with metrics that are published together, because a sum with one that is missing is missing', () => {
    const inMath = alarms().flatMap(({ Properties: { Metrics } }) =>
      ((Metrics ?? []) as readonly MetricData[]).flatMap(({ MetricStat }) =>
        MetricStat === undefined ? [] : [`${MetricStat.Metric.Namespace} ${MetricStat.Metric.MetricName}`],
      ),
    );
    expect([...new Set(inMath)].sort()).toEqual(['AWS/ApiGateway 5XXError', 'AWS/ApiGateway Count']);
  });

  it('watches reads and writes, of the table and of each index, for what DynamoDB refuses', () => {
    const data = template(templates, 'sandbox/Data');
    const watched = resources(data, 'AWS::CloudWatch::Alarm')
      .filter(({ Properties: { Namespace } }) => Namespace === 'AWS/DynamoDB')
      .map(({ Properties: { MetricName, Dimensions } }) => {
        const dimensions = Dimensions as readonly { readonly Name: string; readonly Value: unknown }[];
        const index = dimensions.find(({ Name }) => Name === 'GlobalSecondaryIndexName')?.Value;
        return `${index ?? 'table'} ${MetricName}`;
      });
    const [table] = resources(data, 'AWS::DynamoDB::GlobalTable');
    const indexes = (
      table?.Properties.GlobalSecondaryIndexes as readonly { readonly IndexName: string }[]
    ).map(({ IndexName }) => IndexName);
    expect(indexes.length).toBeGreaterThan(0);
    expect(watched.sort()).toEqual(
      ['table', ...indexes].flatMap((of) => [`${of} ReadThrottleEvents`, `${of} WriteThrottleEvents`]).sort(),
    );
  });

  it.each([
    [0, 1_000, false],
    [1, 1, false],
    [2, 3, true],
    [2, 100, false],
    [5, 400, false],
    [6, 601, false],
    [6, 600, true],
  ])('of %i server errors in %i calls fires: %s', (errors, calls, fires) => {
    const [alarm] = alarms().filter(({ Properties: { AlarmDescription } }) =>
      /server-errors$/.test(String(AlarmDescription)),
    );
    expect(valueWhere(alarm, { errors, calls }) >= Number(alarm?.Properties.Threshold)).toBe(fires);
  });

  it.each([
    ['sandbox/Data', 'MembersNotReached', 'sandbox/Authorization', 'message_not_sent'],
    ['portal/Data', 'DevelopersNotReached', 'portal/Site', 'message_not_sent'],
    ['portal/Data', 'OutboxEntriesLeft', 'portal/Data', 'outbox_entries_left'],
  ])('in %s hears of %s what a function in %s writes into its log', (of, name, stack, code) => {
    const [filter] = resources(template(templates, stack), 'AWS::Logs::MetricFilter').filter(
      ({ Properties: { MetricTransformations } }) => JSON.stringify(MetricTransformations).includes(name),
    );
    expect(filter?.Properties.FilterPattern).toBe(`"${code}"`);
    const [{ MetricNamespace, MetricName } = { MetricNamespace: '', MetricName: '' }] = filter?.Properties
      .MetricTransformations as readonly { readonly MetricNamespace: string; readonly MetricName: string }[];
    const heard = resources(template(templates, of), 'AWS::CloudWatch::Alarm').map(
      ({ Properties: properties }) => `${properties.Namespace} ${properties.MetricName}`,
    );
    expect(heard).toContain(`${MetricNamespace} ${MetricName}`);
    expect(sources).toMatch(new RegExp(`'${code}'`));
  });
});

interface MetricData {
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: { readonly Namespace: string; readonly MetricName: string } };
}

/** Sources of the functions, with the codes that they log. */
const sources = globSync('lambdas/**/*.ts', { cwd: repositoryRoot })
  .map((path) => readFileSync(join(repositoryRoot, path), 'utf8'))
  .join('\n');

/** Evaluates an alarm's expression `IF(when, value, 0)` for these metrics. */
function valueWhere(alarm: Resource | undefined, metrics: Readonly<Record<string, number>>): number {
  const [expression = ''] = (alarm?.Properties.Metrics as readonly MetricData[]).flatMap(
    ({ Expression }) => Expression ?? [],
  );
  const [, when = '', value = ''] = /^IF\((.+), (.+), 0\)$/.exec(expression) ?? [];
  const condition = when.replaceAll(' OR ', ' || ').replaceAll(' AND ', ' && ');
  const names = Object.keys(metrics);
  return new Function(...names, `return (${condition}) ? ${value} : 0`)(...Object.values(metrics));
}
