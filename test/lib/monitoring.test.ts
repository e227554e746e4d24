import { describe, expect, it } from 'vitest';
import { graphTable } from '../../lib/monitoring/graph-table.ts';
import { queryTable } from '../../lib/monitoring/query-table.ts';
import { deployTemplates } from '../../local/assembly/deployment.ts';
import { assemblyOf } from '../../local/assembly/resources.ts';
import { configuredApp } from './configured-app.ts';
import { resources, synthesizeApp, template } from './synthesized-app.ts';

const templates = synthesizeApp();
const stacks = [...templates].map(([path, each]) => ({
  name: path.replace('/', '-'),
  environment: path.split('/')[0] ?? '',
  account: '123456789012',
  region: 'us-east-1',
  template: each,
}));
const deployed = deployTemplates(stacks);
const assembly = assemblyOf(deployed.resources, deployed.outputs);

interface Widget {
  readonly type: string;
  readonly properties: {
    readonly title?: string;
    readonly metrics?: readonly (readonly unknown[])[];
    readonly query?: string;
  };
}

const widgetsOf = (environment: string): readonly Widget[] => {
  const [dashboard] = assembly
    .ofType('AWS::CloudWatch::Dashboard')
    .filter((each) => each.environment === environment);
  return JSON.parse(String(dashboard?.properties.DashboardBody)).widgets;
};

/** A metric of a graph: namespace, name and dimensions. */
interface GraphMetric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

function metricsIn(environment: string): readonly GraphMetric[] {
  const metrics = widgetsOf(environment).flatMap(({ properties }) => properties.metrics ?? []);
  return metrics
    .filter(([first]) => typeof first === 'string')
    .map((metric) => {
      const [namespace = '', name = '', ...pairs] = metric.filter((part) => typeof part === 'string');
      const dimensions = pairs.flatMap((key, at) => (at % 2 === 0 ? [[key, pairs[at + 1] ?? '']] : []));
      return { namespace, name, dimensions: Object.fromEntries(dimensions) };
    });
}

/**
 * The metrics that AWS publishes, by namespace and by the dimensions that it publishes them with.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/procedure-cw-metrics.html
 * @see https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-cloudwatch.html
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-monitoring-using-cloudwatch.html
 */
const publishedByAws: Readonly<Record<string, readonly string[]>> = {
  'AWS/ApiGateway ApiName Stage': ['Count', 'Latency', '5XXError'],
  'AWS/Lambda': ['ConcurrentExecutions', 'Duration', 'Invocations', 'Throttles'],
  'AWS/DynamoDB TableName': [
    'ReadThrottleEvents',
    'WriteThrottleEvents',
    'ConsumedReadCapacityUnits',
    'ConsumedWriteCapacityUnits',
  ],
  'AWS/DynamoDB GlobalSecondaryIndexName TableName': ['ConsumedWriteCapacityUnits'],
  'AWS/States StateMachineArn': ['ExecutionsStarted', 'ExecutionsSucceeded', 'ExecutionsFailed'],
  'AWS/SES': ['Send', 'Delivery'],
  'AWS/SNS PhoneNumber': ['NumberOfMessagesPublished', 'NumberOfNotificationsDelivered'],
};

/** Names that dimensions may have as their value: those of the templates' resources. */
const resourceNames = new Set([
  'PhoneNumberDirect',
  ...assembly.resources.flatMap(({ physicalId, properties }) => [
    physicalId,
    ...[properties.Name, properties.StageName, properties.StateMachineName].map(String),
  ]),
  ...assembly
    .ofType('AWS::DynamoDB::GlobalTable')
    .flatMap(
      ({ properties }) => (properties.GlobalSecondaryIndexes ?? []) as readonly { IndexName: string }[],
    )
    .map(({ IndexName }) => IndexName),
]);

describe('the dashboard of an environment', () => {
  it('has each graph and query of the tables', () => {
    const titles = widgetsOf('production').flatMap(({ properties: { title } }) => title ?? []);
    expect(titles).toEqual([
      ...graphTable.map(({ title, question }) => `${title}: ${question}`),
      ...queryTable
        .filter(({ onDashboard }) => onDashboard)
        .map(({ name, question }) => `${name}: ${question}`),
    ]);
  });

  it.each([
    'sandbox',
    'production',
  ])('shows only metrics of %s that AWS publishes, or that a filter counts', (environment) => {
    const filters = new Set(
      assembly
        .ofType('AWS::Logs::MetricFilter')
        .filter((each) => each.environment === environment)
        .map(({ properties }) => {
          const [made] = properties.MetricTransformations as readonly Readonly<Record<string, string>>[];
          return `${made?.MetricNamespace} ${made?.MetricName}`;
        }),
    );
    const never = metricsIn(environment).filter(({ namespace, name, dimensions }) => {
      const written = namespace.startsWith('MemberData/')
        ? filters.has(`${namespace} ${name}`)
        : publishedByAws[[namespace, ...Object.keys(dimensions).sort()].join(' ')]?.includes(name);
      const isOurs = Object.values(dimensions).every(
        (value) => resourceNames.has(value) || resourceNames.has(value.split(':stateMachine:')[1] ?? ''),
      );
      return !written || !isOurs;
    });
    expect(never).toEqual([]);
  });

  it('costs nothing: AWS charges for the fourth dashboard of an account, and for more than 50 metrics', () => {
    const distinct = (environment: string) =>
      new Set(metricsIn(environment).map((metric) => JSON.stringify(metric))).size;
    expect(assembly.ofType('AWS::CloudWatch::Dashboard')).toHaveLength(2);
    expect(Math.max(distinct('sandbox'), distinct('production'))).toBeLessThanOrEqual(50);
  });
});

describe('the saved queries', () => {
  const saved = assembly.ofType('AWS::Logs::QueryDefinition');

  it('are in each environment, and read at most the 50 log groups that a query may read', () => {
    const names = saved.map(({ properties }) => String(properties.Name));
    expect(names).toEqual(
      ['production', 'sandbox']
        .flatMap((environment) => queryTable.map(({ name }) => `member-data-${environment}/${name}`))
        .sort((left, right) => names.indexOf(left) - names.indexOf(right)),
    );
    for (const { properties } of saved)
      expect((properties.LogGroupNames as readonly string[]).length, String(properties.Name)).toBeLessThan(
        51,
      );
  });

  it('read log groups of the environment', () => {
    const groups = assembly.ofType('AWS::Logs::LogGroup');
    for (const { properties, environment } of saved) {
      const own = groups
        .filter((each) => each.environment === environment)
        .map(({ physicalId }) => physicalId);
      expect(own).toEqual(expect.arrayContaining(properties.LogGroupNames as string[]));
    }
  });
});

describe('the budget', () => {
  it('is there only if it is configured, and mails to the address of the alarms', () => {
    expect(resources(template(templates, 'production/Monitoring'), 'AWS::Budgets::Budget')).toEqual([]);
    const { templates: configured } = configuredApp();
    const [budget] = resources(template(configured, 'sandbox/Monitoring'), 'AWS::Budgets::Budget');
    expect(budget?.Properties).toMatchObject({
      Budget: { BudgetLimit: { Amount: 4_000, Unit: 'USD' }, TimeUnit: 'MONTHLY' },
      NotificationsWithSubscribers: [
        {
          Notification: { NotificationType: 'ACTUAL', Threshold: 80 },
          Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'on-call@plan.org' }],
        },
        { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
      ],
    });
  });
});
