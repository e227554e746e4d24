/**
 * The table of the saved queries of CloudWatch Logs Insights. The templates, docs/monitoring.md and the page of the local system are made
 * of it; docs/runbook.md names each query where its question arises.
 */

/** Logs that a query reads: the hosts' access logs, the functions behind the hosts, or all other functions. */
export type QueriedLogs = 'calls' | 'functions' | 'background';

export interface QueryRow {
  readonly name: string;
  readonly question: string;
  readonly logs: QueriedLogs;
  /** Fragment of the heading in docs/runbook.md at which the query is named. */
  readonly runbook: string;
  /** Whether the dashboard shows its result. */
  readonly onDashboard?: true;
  /** Commands of the query, joined by `|`. A value in capitals is to be replaced before it is run. */
  readonly commands: readonly string[];
}

export const queryTable: readonly QueryRow[] = [
  {
    name: 'Refusals by reason',
    question: 'Which calls does each host refuse, and why?',
    logs: 'calls',
    runbook: 'alarms',
    onDashboard: true,
    commands: [
      'filter status >= 400',
      'stats count(*) as calls by host, status, responseType, reason',
      'sort calls desc',
      'limit 50',
    ],
  },
  {
    name: 'Refused tokens by reason',
    question: 'Why are requests for tokens refused?',
    logs: 'functions',
    runbook: 'a-client-secret-or-a-subscription-key-has-leaked',
    onDashboard: true,
    commands: [
      'filter code like /^(token|revoke|introspect)_refused$/',
      'stats count(*) as requests by code, lob, reason',
      'sort requests desc',
      'limit 50',
    ],
  },
  {
    name: 'Cold starts',
    question: 'Which functions start cold, and how long do they take?',
    logs: 'functions',
    runbook: 'answers-slow',
    onDashboard: true,
    commands: [
      'filter @type = "REPORT" and ispresent(@initDuration)',
      'stats count(*) as starts, pct(@initDuration, 50) as medianMs, max(@initDuration) as longestMs by @log',
      'sort starts desc',
      'limit 50',
    ],
  },
  {
    name: 'Callers refused with 429',
    question: 'Who calls faster than allowed?',
    logs: 'calls',
    runbook: 'too-many-requests',
    commands: [
      'filter status = 429',
      'stats count(*) as calls by host, responseType, clientId, apiKeyId, sourceIp',
      'sort calls desc',
      'limit 50',
    ],
  },
  {
    name: 'Server errors by route',
    question: 'Which route answers with 5xx, and who caused it: the authorizer, the function or the gateway?',
    logs: 'calls',
    runbook: 'server-errors',
    commands: [
      'filter status >= 500',
      'stats count(*) as calls by host, method, route, status, responseType',
      'sort calls desc',
      'limit 50',
    ],
  },
  {
    name: 'Slow routes',
    question: 'Which routes are slow, and how much of it is the function?',
    logs: 'calls',
    runbook: 'answers-slow',
    commands: [
      'stats count(*) as calls, pct(latencyMs, 50) as median, pct(latencyMs, 99) as p99, pct(integrationMs, 99) as functionP99 by host, route',
      'sort p99 desc',
      'limit 50',
    ],
  },
  {
    name: 'Failures behind the hosts',
    question: 'Which defects and unavailable stores do functions behind hosts log?',
    logs: 'functions',
    runbook: 'functions-failed',
    commands: [
      'filter level = "error"',
      'stats count(*) as lines by @log, code, errorName',
      'sort lines desc',
      'limit 50',
    ],
  },
  {
    name: 'Failures in the background',
    question: 'Which failures do loads, jobs, schedules and operations log?',
    logs: 'background',
    runbook: 'functions-failed',
    commands: [
      'filter level = "error" or level = "warn"',
      'stats count(*) as lines by @log, code, errorName, reason',
      'sort lines desc',
      'limit 50',
    ],
  },
  {
    name: 'Codes not sent',
    question: 'By which channel could codes not be sent?',
    logs: 'functions',
    runbook: 'messages-not-sent',
    commands: [
      'filter code = "message_not_sent"',
      'stats count(*) as codes by @log, reason',
      'sort codes desc',
    ],
  },
  {
    name: 'Calls of one application',
    question: 'What does one application call, and with which outcome?',
    logs: 'calls',
    runbook: 'a-client-secret-or-a-subscription-key-has-leaked',
    commands: [
      'filter clientId = "CLIENT-ID"',
      'stats count(*) as calls by host, method, route, status, reason, sourceIp',
      'sort calls desc',
      'limit 100',
    ],
  },
  {
    name: 'One call in the access log',
    question: 'What became of the call with this request ID?',
    logs: 'calls',
    runbook: 'server-errors',
    commands: [
      'fields @timestamp, host, method, route, status, responseType, reason, clientId, latencyMs',
      'filter requestId = "REQUEST-ID"',
      'sort @timestamp asc',
      'limit 20',
    ],
  },
  {
    name: 'One call in the functions',
    question: 'What did the functions log about the call with this request ID, ours or the client’s?',
    logs: 'functions',
    runbook: 'server-errors',
    commands: [
      'fields @timestamp, @log, level, code, status, reason, errorName',
      'filter requestId = "REQUEST-ID" or clientRequestId = "REQUEST-ID"',
      'sort @timestamp asc',
      'limit 20',
    ],
  },
];
