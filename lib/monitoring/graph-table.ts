/**
 * The table of the graphs on an environment's dashboard. The dashboard's template, docs/monitoring.md and the page of the local system are
 * made of it. Every metric is one that AWS publishes without a charge, or one of the alarms' metric filters.
 */

import type { AlarmName } from '../constructs/alarm-table.ts';
import { prices } from './prices.ts';

/** Resources of the environment that a metric has a line for, each with the dimensions by which AWS names it. */
export type MetricScope = 'account' | 'host' | 'jobs' | 'loads' | 'table' | 'tableIndex' | 'texts';

/** A metric of AWS: namespace and name, and the resources that it is shown for. */
export interface MetricOf {
  readonly metric: `AWS/${string} ${string}`;
  readonly each: MetricScope;
}

type Line =
  /** A metric; a line for each resource, labeled by the resource's name if there is no label. */
  | (MetricOf & { readonly statistic: 'Sum' | 'Maximum' | 'p50' | 'p99'; readonly label?: string })
  /** Log lines that the metric filter of an alarm counts. */
  | { readonly filter: AlarmName | 'ActivationsNotReached' | 'MembersNotReached'; readonly label: string }
  /** Units that AWS charges for, times their price. */
  | { readonly charged: readonly MetricOf[]; readonly dollarsPerMillion: number; readonly label: string };

export interface GraphRow {
  readonly title: string;
  readonly question: string;
  /** Unit of the axis. */
  readonly unit: string;
  /** Period of one point, in minutes. */
  readonly minutes: number;
  /** Fragment of a heading in docs/runbook.md. */
  readonly runbook?: string;
  readonly lines: readonly Line[];
}

const millisecondsPerSecond = 1_000;

const graphs = [
  {
    title: 'Calls',
    question: 'How many calls does each host answer?',
    unit: 'calls a minute',
    minutes: 1,
    lines: [{ metric: 'AWS/ApiGateway Count', each: 'host', statistic: 'Sum' }],
  },
  {
    title: 'Server errors',
    question: 'Which host answers with 5xx?',
    unit: 'answers a minute',
    minutes: 1,
    runbook: 'server-errors',
    lines: [{ metric: 'AWS/ApiGateway 5XXError', each: 'host', statistic: 'Sum' }],
  },
  {
    title: 'Latency, median',
    question: 'How long does half of the calls take at most?',
    unit: 'ms',
    minutes: 1,
    lines: [{ metric: 'AWS/ApiGateway Latency', each: 'host', statistic: 'p50' }],
  },
  {
    title: 'Latency, p99',
    question: 'How long does one call in a hundred take at least?',
    unit: 'ms',
    minutes: 1,
    runbook: 'answers-slow',
    lines: [{ metric: 'AWS/ApiGateway Latency', each: 'host', statistic: 'p99' }],
  },
  {
    title: 'Codes delivered',
    question: 'Do members get the codes that they sign in with?',
    unit: 'messages a minute',
    minutes: 1,
    runbook: 'messages-not-sent',
    lines: [
      { metric: 'AWS/SES Send', each: 'account', statistic: 'Sum', label: 'E-mails sent' },
      { metric: 'AWS/SES Delivery', each: 'account', statistic: 'Sum', label: 'E-mails delivered' },
      { metric: 'AWS/SNS NumberOfMessagesPublished', each: 'texts', statistic: 'Sum', label: 'Texts sent' },
      {
        metric: 'AWS/SNS NumberOfNotificationsDelivered',
        each: 'texts',
        statistic: 'Sum',
        label: 'Texts delivered',
      },
      { filter: 'MembersNotReached', label: 'Sign-in codes not sent' },
      { filter: 'ActivationsNotReached', label: 'Activation codes not sent' },
    ],
  },
  {
    title: 'Loads and freshness',
    question: 'Are drops loaded, and are all sources in time?',
    unit: 'in 5 minutes',
    minutes: 5,
    runbook: 'load-failed',
    lines: [
      { metric: 'AWS/States ExecutionsStarted', each: 'loads', statistic: 'Sum', label: 'Loads started' },
      { metric: 'AWS/States ExecutionsSucceeded', each: 'loads', statistic: 'Sum', label: 'Loads ended' },
      { metric: 'AWS/States ExecutionsFailed', each: 'loads', statistic: 'Sum', label: 'Executions failed' },
      { filter: 'LoadNotReconciled', label: 'Not reconciled' },
      { filter: 'LoadLate', label: 'Sources late' },
    ],
  },
  {
    title: 'Jobs',
    question: 'How many jobs of other payers begin in each line of business?',
    unit: 'in 5 minutes',
    minutes: 5,
    runbook: 'job-failed',
    lines: [{ metric: 'AWS/States ExecutionsStarted', each: 'jobs', statistic: 'Sum' }],
  },
  {
    title: 'Throttles',
    question: 'Does Lambda or DynamoDB refuse work?',
    unit: 'refusals a minute',
    minutes: 1,
    runbook: 'concurrency-used-up',
    lines: [
      { metric: 'AWS/Lambda Throttles', each: 'account', statistic: 'Sum', label: 'Calls of functions' },
      { metric: 'AWS/DynamoDB ReadThrottleEvents', each: 'table', statistic: 'Sum', label: 'Reads' },
      { metric: 'AWS/DynamoDB WriteThrottleEvents', each: 'table', statistic: 'Sum', label: 'Writes' },
    ],
  },
  {
    title: 'Concurrent executions',
    question: "How much of the account's concurrency is in use?",
    unit: 'executions',
    minutes: 1,
    runbook: 'concurrency-used-up',
    lines: [
      { metric: 'AWS/Lambda ConcurrentExecutions', each: 'account', statistic: 'Maximum', label: 'In use' },
    ],
  },
  {
    title: 'Cost of calls',
    question: 'What do the calls, functions and units of the table cost in a day?',
    unit: 'dollars a day',
    minutes: 24 * 60,
    lines: [
      {
        label: 'API Gateway and AWS WAF',
        charged: [{ metric: 'AWS/ApiGateway Count', each: 'host' }],
        dollarsPerMillion: prices.apiCalls.dollars + prices.firewall.dollars,
      },
      {
        label: 'Lambda, invocations',
        charged: [{ metric: 'AWS/Lambda Invocations', each: 'account' }],
        dollarsPerMillion: prices.invocations.dollars,
      },
      {
        // Duration is in milliseconds; nearly all functions have 1 GB.
        label: 'Lambda, time at 1 GB',
        charged: [{ metric: 'AWS/Lambda Duration', each: 'account' }],
        dollarsPerMillion: prices.compute.dollars / millisecondsPerSecond,
      },
      {
        label: 'DynamoDB, reads',
        charged: [{ metric: 'AWS/DynamoDB ConsumedReadCapacityUnits', each: 'table' }],
        dollarsPerMillion: prices.readUnits.dollars,
      },
      {
        label: 'DynamoDB, writes',
        charged: [
          { metric: 'AWS/DynamoDB ConsumedWriteCapacityUnits', each: 'table' },
          { metric: 'AWS/DynamoDB ConsumedWriteCapacityUnits', each: 'tableIndex' },
        ],
        dollarsPerMillion: prices.writeUnits.dollars,
      },
    ],
  },
] as const satisfies readonly GraphRow[];

/** The graphs, in the order of the dashboard. */
export const graphTable: readonly GraphRow[] = graphs;
