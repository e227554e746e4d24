import type { Configuration } from '../../../lib/config/configuration.ts';
import { prices } from '../../../lib/monitoring/prices.ts';
import { quota } from '../../../local/limits/quotas.ts';
import { constantIn, rowOfCosts } from './counts.ts';

/** The model behind docs/limits.md: the demand of a plan, the limits, and the number of members at which each limit is reached. */

/** Assumptions for a million members. All of them except the applications' grow with the number of members. */
export const plan = {
  members: 1_000_000,
  callsAMonth: 50_000_000,
  /** Fraction of the calls that are searches; all other calls read one resource. */
  searches: 0.4,
  changedRowsANight: 2_000_000,
  hoursOfANight: 4,
  /** Members who use an application and sign in during a month. */
  activeMembers: 90_000,
  /** Calls in the busiest second, and in the busiest day, as multiples of the average. */
  peak: 10,
  busiestDay: 2,
  /** The largest line of business and the users of the largest application, as fractions of all members. */
  largestLob: 0.4,
  largestApplication: 0.3,
  /** Fraction of the members who sign in or activate an account within an hour after a letter to all members. */
  letterHour: 0.01,
  /** Fraction of the members whose record a new payer requests in the busiest month. */
  leavingInAMonth: 0.05,
  secondsOfACall: 0.03,
  /** Calls of the authorizer for each call of an API: the gateway caches its answers for 30 s. */
  authorizerCalls: 0.2,
  storedKilobytes: 250,
  /** Size of the audit event of a read and of a search, including its index entry. */
  auditKilobytes: { read: 0.6, search: 1.7 },
} as const;

const secondsInMonth = 30 * 86_400;

export interface Limit {
  readonly name: string;
  readonly unit: string;
  /** Demand of a million members. */
  readonly demand: number;
  readonly limit: number;
  readonly raise: string;
  readonly price: string;
}

/** Number of members at which a limit is reached. */
export function reachedAt({ demand, limit }: Limit): number {
  return (plan.members * limit) / demand;
}

/** Write or read units of one changed row, from docs/costs.md's units of a million new resources. */
export function unitsOfRow(kind: 'read' | 'write'): number {
  return (rowOfCosts(`DynamoDB ${kind} units`)[0] ?? 0) / 1e6;
}

/** Write or read units of an average call. */
function unitsOfCall(kind: 'read' | 'write'): number {
  const column = { read: 3, write: 4 }[kind];
  const [one, search] = ['Read of one resource, later calls', 'Search: 20 of 50 claims, later calls'].map(
    (row) => rowOfCosts(row)[column] ?? 0,
  );
  return (1 - plan.searches) * (one ?? 0) + plan.searches * (search ?? 0);
}

/** Rows that can change in a night with this many write units a second. */
export function rowsOfNight(writeUnits: number): number {
  return (writeUnits * plan.hoursOfANight * 3_600) / unitsOfRow('write');
}

/** Resources of a member, and the resources that an export writes a second, both measured by `npm run bench:payer`. */
const resourcesOfMember = 53;
const exportedASecond = 806;

const busiestCalls = (plan.peak * plan.callsAMonth) / secondsInMonth;
const signInsASecond = (plan.members * plan.letterHour) / 3_600;

/** One-time cost of warming the table and its index to this many write units. */
export function warmDollars(writeUnits: number): number {
  return 2 * (writeUnits - quota('tableWrites')) * prices.warmWrites.dollars;
}

/** One-time cost of warming the table and its index to this many read units. */
export function warmReadDollars(readUnits: number): number {
  return 2 * (readUnits - quota('tableReads')) * prices.warmReads.dollars;
}

/**
 * Lists the limits, each with the demand of a million members.
 *
 * @param reserved concurrency of each function, from the templates.
 */
export function limitsOf(
  { rates, tiers, loads }: Pick<Configuration, 'rates' | 'tiers' | 'loads'>,
  reserved: Readonly<Record<string, number>>,
): readonly Limit[] {
  const nightRows = plan.changedRowsANight / (plan.hoursOfANight * 3_600);
  const writes = busiestCalls * unitsOfCall('write') + nightRows * unitsOfRow('write');
  const reads = busiestCalls * unitsOfCall('read') + nightRows * unitsOfRow('read');
  const lobCalls = busiestCalls * plan.largestLob;
  const callsOf = (name: string) => (reserved[name] ?? 0) / plan.secondsOfACall;
  const standard = tiers.standard ?? { requestsPerSecond: 0, requestsPerDay: 0 };
  const partsAtOnce = reserved['payer-jobs'] ?? 0;
  const rangeRows = (rowOfCosts('Resources a second')[0] ?? 0) / 2;
  const code = 'nothing but the function’s time';
  const ownTier =
    '[a tier of its own](runbook.md#give-an-application-a-higher-rate) for that application; the web ACL then allows each address the rate of the fastest tier';
  return [
    {
      name: 'Requests a day of the largest application (`tiers.requestsPerDay`)',
      unit: 'requests a day',
      demand: (plan.callsAMonth / 30) * plan.busiestDay * plan.largestApplication,
      limit: standard.requestsPerDay,
      raise: ownTier,
      price: 'nothing',
    },
    {
      name: 'Requests a second of the largest application (`tiers.requestsPerSecond`)',
      unit: 'requests a second',
      demand: busiestCalls * plan.largestApplication,
      limit: standard.requestsPerSecond,
      raise: ownTier,
      price: 'nothing',
    },
    {
      name: 'Write units of a table that has not grown, in the busiest second of a night of loads',
      unit: 'units a second',
      demand: writes,
      limit: quota('tableWrites'),
      raise:
        '[`warmThroughput`](runbook.md#prepare-the-table-for-a-first-load), up to 40,000 write units. A table grows by its own nights too, to twice its busiest second; until then the night is longer, some sign-ins are answered 503 with `Retry-After`, and nothing is lost',
      price: `$${warmDollars(quota('tableMostWrites')).toFixed(0)} once for 40,000, of table and index`,
    },
    {
      name: 'Read units of a table that has not grown, in the busiest second of a night of loads',
      unit: 'units a second',
      demand: reads,
      limit: quota('tableReads'),
      raise:
        '[`warmThroughput`](runbook.md#prepare-the-table-for-a-first-load), up to 40,000 read units. A table grows by its own reads too',
      price: `$${warmReadDollars(quota('tableMostReads')).toFixed(0)} once for 40,000, of table and index`,
    },
    {
      name: 'Read units of a table, the account’s quota',
      unit: 'units a second',
      demand: reads,
      limit: quota('tableMostReads'),
      raise: 'Service Quotas, DynamoDB, table-level read throughput; then `warmThroughput`',
      price: 'as above, for each unit',
    },
    {
      name: 'Write units of a table, the account’s quota',
      unit: 'units a second',
      demand: writes,
      limit: quota('tableMostWrites'),
      raise: 'Service Quotas, DynamoDB, table-level write throughput; then `warmThroughput`',
      price: 'as above, for each unit',
    },
    {
      name: `Ranges loaded at once (\`loads.maxConcurrency\`, ${loads.maxConcurrency}), by the loader’s rate in [costs.md](costs.md#rates-and-memory)`,
      unit: 'rows a second',
      demand: nightRows,
      limit: loads.maxConcurrency * rangeRows,
      raise: '`loads.maxConcurrency` in `lib/config/`, after the table takes more',
      price: code,
    },
    {
      name: 'Calls of one method of the largest line of business (`rates.hostRequestsPerSecond` in `lib/config/`)',
      unit: 'calls a second',
      demand: lobCalls,
      limit: rates.hostRequestsPerSecond,
      raise: '`rates.hostRequestsPerSecond` in `lib/config/`',
      price: 'nothing',
    },
    {
      name: 'Reserved concurrency of `patient-access` of the largest line of business',
      unit: 'calls a second',
      demand: lobCalls,
      limit: callsOf('patient-access'),
      raise: '`concurrency` in `lib/environment/lob-functions.ts`, and the account’s concurrency',
      price: code,
    },
    {
      name: 'Calls of all APIs of the account, API Gateway',
      unit: 'calls a second',
      demand: busiestCalls,
      limit: quota('apiCalls'),
      raise: 'Service Quotas, API Gateway, throttle rate',
      price: 'nothing',
    },
    {
      name: 'E-mails with codes, SES, in the hour after a letter to all members',
      unit: 'messages a second',
      demand: signInsASecond,
      limit: quota('sesSending'),
      raise: 'SES, sending rate; or send the letter in parts',
      price: 'nothing',
    },
    {
      name: 'Texts with codes, SNS, in that hour',
      unit: 'messages a second',
      demand: signInsASecond,
      limit: quota('snsTexts'),
      raise: 'Service Quotas, SNS, SMS messages a second, and the origination number’s throughput',
      price: 'a month’s for the number, by its kind',
    },
    {
      name: 'New accounts, Cognito, in that hour',
      unit: 'accounts a second',
      demand: signInsASecond,
      limit: quota('userCreation'),
      raise: 'Service Quotas, Cognito, UserCreation',
      price: '$20 a month for each call a second',
    },
    {
      name: 'Sign-ins, Cognito, in that hour',
      unit: 'sign-ins a second',
      demand: signInsASecond,
      limit: quota('userAuthentication'),
      raise: 'Service Quotas, Cognito, UserAuthentication',
      price: '$20 a month for each call a second',
    },
    {
      name: 'Parts of jobs at once, of the largest line of business',
      unit: 'members exported a day',
      demand: (plan.members * plan.leavingInAMonth * plan.largestLob) / 30,
      limit: (partsAtOnce * exportedASecond * 86_400) / resourcesOfMember,
      raise: '`jobLimits.partsAtOnce` in `lib/config/`',
      price: code,
    },
    {
      name: 'Audit events of the largest line of business in the index for its seals',
      unit: 'events a second',
      demand: lobCalls + nightRows * plan.largestLob,
      limit: quota('partitionWrites') * 16,
      raise: '`windowShards` in `lambdas/audit/trail/windows.ts`',
      price: 'nothing',
    },
  ].sort((a, b) => reachedAt(a) - reachedAt(b));
}

export interface Cost {
  readonly what: string;
  readonly reckoned: string;
  readonly dollars: number;
}

/** Monthly costs of one environment with this many members, in whole dollars. */
export function costsOfMonth(members: number): readonly Cost[] {
  const million = 1e6;
  const grown = members / plan.members;
  const calls = plan.callsAMonth * grown;
  const rows = 30 * plan.changedRowsANight * grown;
  const active = plan.activeMembers * grown;
  const [reads, writes] = [calls * unitsOfCall('read'), calls * unitsOfCall('write')];
  const gigabytes = (members * plan.storedKilobytes) / million;
  const fixed = (name: string) => rowOfCosts(name)[0] ?? 0;
  const perMillion = (row: string) => (rowOfCosts(row)[0] ?? 0) / million;
  const invocations = (1 + plan.authorizerCalls) * calls;
  const seconds = plan.secondsOfACall * invocations;
  const kept = prices.storage.dollars + prices.recovery.dollars;
  return [
    {
      what: 'Active members, Cognito',
      reckoned: `${number(active)} members`,
      dollars: active * prices.activeUsers.dollars,
    },
    {
      what: 'Loads: write and read units',
      reckoned: `${number(rows)} rows, ${unitsOfRow('write')} write and ${unitsOfRow('read')} read units each`,
      dollars:
        (rows / million) *
        (unitsOfRow('write') * prices.writeUnits.dollars + unitsOfRow('read') * prices.readUnits.dollars),
    },
    {
      what: 'API: read and write units',
      reckoned: `${number(reads)} read and ${number(writes)} write units`,
      dollars: (reads * prices.readUnits.dollars + writes * prices.writeUnits.dollars) / million,
    },
    {
      what: 'API Gateway',
      reckoned: `${number(calls)} calls`,
      dollars: (calls * prices.apiCalls.dollars) / million,
    },
    {
      what: 'Table: storage and recovery',
      reckoned: `${number(gigabytes)} GB`,
      dollars: gigabytes * kept,
    },
    {
      what: 'Lambda',
      reckoned: `${number(seconds)} GB-seconds of calls and of the authorizer, and those of loads`,
      dollars:
        (invocations * prices.invocations.dollars +
          (seconds + rows * perMillion('Lambda GB-seconds, at least')) * prices.compute.dollars) /
        million,
    },
    {
      what: 'AWS WAF',
      reckoned: `${number(calls)} requests, ${fixed('Web ACLs')} web ACL, ${fixed('Rules and rule groups in them')} rules`,
      dollars:
        (calls * prices.firewall.dollars) / million +
        fixed('Web ACLs') * prices.firewallRules.dollars +
        fixed('Rules and rule groups in them'),
    },
    {
      what: 'Logs',
      reckoned: 'a kilobyte a call',
      dollars: (calls / million) * prices.logs.dollars,
    },
    {
      what: 'State transitions, alarms, metrics, keys, secrets',
      reckoned: `${fixed('CloudWatch alarms')} alarms, ${fixed('KMS keys')} keys, ${fixed('Secrets of Secrets Manager')} secrets`,
      dollars:
        (rows * perMillion('State transitions') * prices.transitions.dollars) / million +
        fixed('CloudWatch alarms') * prices.alarms.dollars +
        fixed('Metrics of metric filters') * prices.metrics.dollars +
        fixed('KMS keys') * prices.keys.dollars +
        fixed('Secrets of Secrets Manager') * prices.secrets.dollars,
    },
  ].map((cost) => ({ ...cost, dollars: Math.round(cost.dollars) }));
}

export function dollarsOfMonth(members: number): number {
  return costsOfMonth(members).reduce((sum, { dollars }) => sum + dollars, 0);
}

/** Dollars that a year of audit events adds to the cost of each later month; events are kept for ten years. */
export function dollarsOfAuditYear(members: number): number {
  const calls = (12 * plan.callsAMonth * members) / plan.members;
  const { read, search } = plan.auditKilobytes;
  const gigabytes = (calls * ((1 - plan.searches) * read + plan.searches * search)) / 1e6;
  return gigabytes * (prices.storage.dollars + prices.recovery.dollars);
}

/** A limit that this system sets itself, with its place in the code and its reason. */
interface OwnLimit {
  readonly name: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly unit: string;
  readonly reason: string;
}

export const ownLimits: readonly OwnLimit[] = [
  {
    name: 'Attempts of a store call that a caller waits for',
    path: 'lambdas/platform/table/dynamodb-call.ts',
    pattern: /const faultAttempts = (\d+)/,
    unit: 'attempts',
    reason:
      'with a second each, the answer is 503 before an application gives up; background work waits until its own time ends',
  },
  {
    name: 'Time of one attempt',
    path: 'lambdas/platform/table/dynamodb-call.ts',
    pattern: /attemptTimeoutMs = ([\d_]+)/,
    unit: 'ms',
    reason: 'a hundred times what DynamoDB takes',
  },
  {
    name: 'Longest wait between two tries of a throttled call in the background',
    path: 'lambdas/platform/table/dynamodb-call.ts',
    pattern: /longestThrottledBackoffMs = ([\d_]+)/,
    unit: 'ms',
    reason: 'a throttled partition has room again in the next second',
  },
  {
    name: 'Store calls at once of one background function, at most',
    path: 'lambdas/platform/table/background-patience.ts',
    pattern: /callsAtOnce = (\d+)/,
    unit: 'calls',
    reason:
      'hides the store’s round trips on one processor; halved by throttles, and one more after each round without',
  },
  {
    name: 'Writes to one member that `ingest` sends',
    path: 'lambdas/fhir/store/partition-pace.ts',
    pattern: /unitsASecond = (\d+)/,
    unit: 'units/s',
    reason: 'a partition takes 1,000; the rest is for calls that come closer together than they were sent',
  },
  {
    name: 'Time at the end of an invocation in which nothing is waited for',
    path: 'lambdas/platform/runtime/invocation-deadline.ts',
    pattern: /longestEndingMs = ([\d_]+)/,
    unit: 'ms',
    reason: 'what was begun is ended or told as failed; of a short invocation, its last fifth',
  },
  {
    name: 'Tries of a step that Lambda throttles',
    path: 'lib/constructs/state-machines.ts',
    pattern: /MaxAttempts: ([\d_]+),\n {2}BackoffRate: 2,\n {2}MaxDelaySeconds: 60/,
    unit: 'tries',
    reason: 'about a day at a minute each, and fewer events than an execution may have',
  },
  {
    name: 'Duration of a range',
    path: 'lib/loads/loads-stack.ts',
    pattern: /rangeSeconds = (\d+)/,
    unit: 's',
    reason: 'a range of 8 MB takes some seconds; the rest is for a table that has to grow',
  },
];

export function ownValue({ path, pattern }: OwnLimit): number {
  return constantIn(path, pattern);
}

export function number(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
