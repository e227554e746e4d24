import type { Configuration } from '../../../lib/config/configuration.ts';
import { prices, pricesOf } from '../../../lib/monitoring/prices.ts';
import { quota, quotas } from '../../../local/limits/quotas.ts';
import {
  costsOfMonth,
  dollarsOfAuditYear,
  dollarsOfMonth,
  type Limit,
  limitsOf,
  number,
  ownLimits,
  ownValue,
  plan,
  reachedAt,
  rowsOfNight,
  unitsOfRow,
} from './model.ts';

/** Renders docs/limits.md from the configuration, the quotas, the templates and the figures of docs/costs.md. */
export function limitsPage(
  configuration: Pick<Configuration, 'rates' | 'tiers' | 'loads'>,
  reserved: Readonly<Record<string, number>>,
): string {
  const limits = limitsOf(configuration, reserved).filter((limit) => reachedAt(limit) <= mostMembers);
  const costs = sizes.map(costsOfMonth);
  const audit = sizes.map((members) => number(dollarsOfAuditYear(members)));
  return `# Limits

The load at which each limit of AWS and of this system is reached, in which order, what to raise, and what a month costs. This page is generated (\`test/lib/limits-page/\`)
from \`lib/config/production.ts\`, the templates, the table of quotas that the local system enforces (\`local/limits/quotas.ts\`), and the counts in [costs.md](costs.md). A
test keeps it true; \`npx vitest run --project templates test/lib/limits-page.test.ts -u\` writes it again.

## The plan

For ${number(plan.members)} members. Everything but the number of applications grows with the members. The lines are assumptions: replace them in \`plan\` of
\`test/lib/limits-page/model.ts\` by your own, and generate the page again.

${table(
  ['Assumption', 'Value'],
  [
    ['Calls a month', `${number(plan.callsAMonth)}, of them ${percent(plan.searches)} searches`],
    ['Busiest second; busiest day', `${plan.peak} times the average one; ${plan.busiestDay} times`],
    ['Changed rows a night', `${number(plan.changedRowsANight)}, within ${plan.hoursOfANight} hours`],
    ['Members who sign in in a month', number(plan.activeMembers)],
    [
      'Largest line of business; largest application',
      `${percent(plan.largestLob)} of the members; ${percent(plan.largestApplication)} of the calls`,
    ],
    ['Members who sign in or make an account in the hour after a letter to all', percent(plan.letterHour)],
    ['Members whose new payer asks for their record, in the busiest month', percent(plan.leavingInAMonth)],
    ['Time of a call in its function', `${plan.secondsOfACall * 1_000} ms`],
    ['Calls that ask the authorizer', percent(plan.authorizerCalls)],
    [
      'Audit event of a read; of a search',
      `${plan.auditKilobytes.read} KB; ${plan.auditKilobytes.search} KB, kept for ten years`,
    ],
    ['Stored for a member', `${plan.storedKilobytes} KB`],
  ],
)}

## What is reached first

In the order in which a growing plan reaches them; limits beyond ${number(mostMembers)} members are left out. "At a million" is the demand of the plan above. Names in \`code\` are settings of \`lib/config/\`, changed by a deployment; "Service Quotas" is a request
to AWS, which can take days. A tier is a usage plan of API Gateway: an application beyond its rate or quota gets 429 with \`Retry-After\`. More words are in the [glossary](glossary.md).

${table(
  ['Reached at', 'Limit', 'Value', 'At a million', 'Raise', 'Price'],
  limits.map((limit) => [
    `${number(rounded(reachedAt(limit)))} members`,
    limit.name,
    `${number(limit.limit)} ${limit.unit}`,
    number(limit.demand),
    limit.raise,
    limit.price,
  ]),
)}

${sizes.map((members) => stepsFor(members, limits)).join('\n\n')}

## How long a night is

A changed row takes ${unitsOfRow('write')} write units (a Patient or a Coverage; a larger resource, such as a claim, takes two more for each further kilobyte). In ${plan.hoursOfANight} hours a table that takes
${number(quota('tableWrites'))} units a second stores ${millions(rowsOfNight(quota('tableWrites')))} million rows, one that takes ${number(quota('tableMostWrites'))} stores ${millions(rowsOfNight(quota('tableMostWrites')))} million. A new table grows while it is loaded, so that a night stores more: [costs.md](costs.md#a-night-at-awss-size-by-a-model)
has six first loads by a model. The table's write units are reached first; a night beyond them gets longer.

## Limits that don't grow with members

- **Applications**: API Gateway has ${number(quotas.apiKeys.value)} API keys for an account and Region. An application has two, and three during a rotation: ${number(quotas.apiKeys.value / 3)}
  to ${number(quotas.apiKeys.value / 2)} applications in an account. Separate accounts for sandbox and production double that.
- **Concurrency**: the functions of an environment reserve ${number(reserved.total ?? 0)} executions. Lambda keeps ${quotas.lambdaUnreserved.value} for others, and an
  account has ${number(quotas.lambdaConcurrency.value)} by default (a new one ${quotas.lambdaNewAccountConcurrency.value}). See the [runbook](runbook.md#before-the-first-deployment).
- **One member**: all of a member is in one partition, which takes ${number(quotas.partitionWrites.value)} write and ${number(quotas.partitionReads.value)} read units a second. A first load of a
  record with a thousand claims takes about fifteen seconds for that member alone.
- **Loads**: one load of a line of business at a time. Others wait in line, in the order of their arrival, and lose nothing.

## A month in dollars

One environment, by the [prices](#prices) below. "Reckoned with" is for ${number(plan.members)} members.

${table(
  ['', 'Reckoned with', ...sizes.map((members) => `${number(members)} members`)],
  [
    ...(costs[0] ?? []).map(({ what, reckoned }, at) => [
      what,
      reckoned,
      ...costs.map((cost) => number(cost[at]?.dollars ?? Number.NaN)),
    ]),
    [
      'Total, without the audit events of earlier years',
      '',
      ...sizes.map((members) => `**${number(dollarsOfMonth(members))}**`),
    ],
    ['Each year of audit events adds, a month', 'storage and recovery', ...audit],
  ],
)}

Not in it: texts and mails, data transfer, support, the portal, and the sandbox (its fixed costs are those of [costs.md](costs.md)).

## Limits of this system's own

${table(
  ['Limit', 'Value', 'Reason', 'In'],
  ownLimits.map((own) => [own.name, `${number(ownValue(own))} ${own.unit}`, own.reason, `\`${own.path}\``]),
)}

## Quotas of AWS

Defaults, enforced on one machine too ([decision 61](decisions/0061-keep-the-limits-of-aws-on-one-machine.md)).

${table(
  ['Quota', 'Default', 'For each', 'Can be raised'],
  Object.values(quotas).map(({ limits: what, value, unit, per, adjustable, source }) => [
    `[${what}](${source})`,
    `${number(value)} ${unit}`,
    per,
    adjustable ? 'yes' : 'no',
  ]),
)}

## Prices

us-east-1, on demand, as of ${pricesOf}, without free tiers. Check them before you plan with them.

${table(
  ['', 'Dollars', 'Per'],
  Object.values(prices).map(({ what, dollars, per }) => [what, String(dollars), per]),
)}
`;
}

/** More members than any plan has. */
const mostMembers = 50_000_000;

/** Numbers of members for which the page says which limits to raise. */
const sizes = [1_000_000, 3_000_000, 10_000_000];

function stepsFor(members: number, limits: readonly Limit[]): string {
  const reached = limits.filter((limit) => reachedAt(limit) < members);
  const title = `### For ${number(members / 1e6)} million members`;
  if (reached.length === 0) return `${title}\n\nNothing has to be raised.`;
  const steps = reached.map(
    ({ name, raise, limit, demand, unit, price }, at) =>
      `${at + 1}. ${name}: from ${number(limit)} to ${number((demand * members) / plan.members)} ${unit} or more. Raise: ${raise}. Price: ${price}.`,
  );
  return `${title}\n\n${steps.join('\n')}`;
}

const millions = (value: number) => (value / 1e6).toFixed(1);

const percent = (part: number) => `${Math.round(part * 1_000) / 10} %`;

/** Rounds to two significant digits, as exact as the assumptions are. */
function rounded(value: number): number {
  return Number(value.toPrecision(2));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
