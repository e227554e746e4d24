import { type GraphRow, graphTable } from '../../lib/monitoring/graph-table.ts';
import { type QueriedLogs, queryTable } from '../../lib/monitoring/query-table.ts';

const logs: Readonly<Record<QueriedLogs, string>> = {
  calls: 'access logs of all hosts',
  functions: 'functions behind the hosts',
  background: 'all other functions',
};

const periods = (minutes: number) =>
  ({ 1: 'a minute', 5: '5 minutes', [24 * 60]: 'a day' })[minutes] ?? `${minutes} minutes`;

const link = (runbook: string | undefined) =>
  runbook === undefined ? '–' : `[${runbook.replaceAll('-', ' ')}](runbook.md#${runbook})`;

function lines({ lines: all }: GraphRow): string {
  const texts = all.map((line) => {
    if ('filter' in line) return `lines counted by \`${line.filter}\``;
    if ('charged' in line) {
      const units = [...new Set(line.charged.map(({ metric }) => `\`${metric}\``))];
      return `${units.join(', ')} × ${line.dollarsPerMillion} dollars a million`;
    }
    return `\`${line.metric}\` (${line.statistic})`;
  });
  return [...new Set(texts)].join('<br>');
}

/** docs/monitoring.md, made of the tables of graphs and queries. */
export function monitoringPage(): string {
  return `# Monitoring

Made from \`lib/monitoring/graph-table.ts\` and \`lib/monitoring/query-table.ts\`, of which the templates are made too. What to do about an alarm, a graph or a
query's result is in the [runbook](runbook.md).

Each environment has a stack \`Monitoring\` with one dashboard, \`member-data-<environment>\`, in which every line of business has its line, and the saved
queries. Nothing depends on the stack. **On one machine** \`http://localhost:8080/metrics\` reads the same dashboard and queries from the templates and shows
the last hour.

**Costs.** None, as long as the account has at most three dashboards: AWS charges 3 dollars a month for each further one, and for one with more than 50 metrics,
which the dashboard does not have. All metrics are those that AWS publishes by itself or that alarms count anyway; none is by route, application or member. A
query costs 0.005 dollars for each GB that it reads; the dashboard's tables are queries, and read the shown time range whenever they are refreshed. Saved queries cost nothing.

**Budget.** With \`monthlyBudgetDollars\` in \`lib/config/\` AWS Budgets mails to \`alarmEmail\` when the account has cost 80 % of it in a month, and when the forecast
exceeds it. The graph of costs reckons with list prices of us-east-1 and leaves out storage, logs and the fixed costs ([costs](costs.md)); the bill is in AWS Billing.

## Graphs

| Graph | Question | Metrics | Period | What to do |
|---|---|---|---|---|
${graphTable
  .map(
    (row) =>
      `| ${row.title} | ${row.question} | ${lines(row)} | ${periods(row.minutes)} | ${link(row.runbook)} |`,
  )
  .join('\n')}

## Saved queries

They are in CloudWatch, *Logs Insights*, *Saved queries*, folder \`member-data-<environment>\`. Replace \`CLIENT-ID\` and \`REQUEST-ID\` before you run one. Results name
applications by client ID and callers by address, and never a member.

${queryTable
  .map(
    ({ name, question, logs: read, runbook, onDashboard, commands }) =>
      `### ${name}

${question} Reads the ${logs[read]}${onDashboard === true ? '; also on the dashboard' : ''}. What to do: ${link(runbook)}.

\`\`\`
${commands.join('\n| ')}
\`\`\``,
  )
  .join('\n\n')}
`;
}
