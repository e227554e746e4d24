/**
 * The table of all alarms of an environment and the portal: the metric or log lines, the threshold, and the paragraph of docs/runbook.md
 * that says what to do.
 */

/** Namespace and name of a metric. */
type MetricName = `AWS/${string} ${string}`;

interface AlarmRow {
  /** Text of the alarm. `{}` stands for the name of the watched resource. */
  readonly says: string;
  /** Fragment of a heading in docs/runbook.md. */
  readonly runbook: string;
  /** The metric: log lines that match a metric filter's pattern, a metric of AWS, or an expression over several. */
  readonly counts:
    | { readonly lines: string }
    | { readonly metric: MetricName; readonly statistic: 'Sum' | 'Maximum' | 'p99' }
    | {
        readonly expression: string;
        readonly sums: Readonly<Record<string, MetricName>>;
        readonly label: string;
      };
  /** Threshold of a period. Values at or above it raise the alarm, or, with `below`, values under it. */
  readonly threshold: number;
  readonly below?: true;
  readonly minutes: number;
  /**
   * Number of consecutive periods that must reach the threshold.
   *
   * @default 1
   */
  readonly periods?: number;
  /**
   * Whether a period without data raises the alarm, for functions that a schedule must call.
   *
   * @default false
   */
  readonly silenceIsBad?: true;
}

/** Counts log lines with a code. The pattern is text and not JSON, because Lambda writes the time and the request ID before a line. */
const code = (name: string) => ({ counts: { lines: `"${name}"` }, minutes: 5 }) as const;

const sum = (metric: MetricName) => ({ counts: { metric, statistic: 'Sum' }, minutes: 5 }) as const;

const failed = { ...sum('AWS/Lambda Errors'), threshold: 1 } as const;

const silent = {
  ...sum('AWS/Lambda Invocations'),
  minutes: 30,
  threshold: 1,
  below: true,
  silenceIsBad: true,
} as const;

/**
 * Throttles that continue for five minutes. Short throttles are normal: a throttled call is repeated, and a load uses as much of a table as
 * it can get.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Best_Practice_Recommended_Alarms_AWS_Services.html
 */
const throttled = { minutes: 1, periods: 5, threshold: 10 } as const;

const once = { threshold: 1 } as const;

const released = { minutes: 1, threshold: 3 } as const;

export const alarmTable = {
  AccountSweepFailed: {
    says: 'Disabled accounts were not looked for',
    runbook: 'accounts-not-swept',
    ...failed,
  },
  AccountSweepSilent: {
    says: 'Disabled accounts were not looked for',
    runbook: 'accounts-not-swept',
    ...silent,
  },
  AuditArchiveFailed: {
    says: 'The audit trail was not archived',
    runbook: 'audit-not-archived',
    ...failed,
  },
  AuditSealFailed: { says: 'Sealing the audit trail failed', runbook: 'audit-seal-failed', ...failed },
  AuditSealSilent: { says: 'The audit trail was not sealed', runbook: 'audit-seal-failed', ...silent },
  BackupFailed: {
    says: 'A backup of the table failed',
    runbook: 'backup-failed',
    ...sum('AWS/Backup NumberOfBackupJobsFailed'),
    ...once,
  },
  DirectoryBuildFailed: {
    says: 'A build of the Provider Directory failed',
    runbook: 'directory-build-refused',
    ...code('defect'),
    ...once,
  },
  DirectoryBuildRefused: {
    says: 'A build of the Provider Directory was refused',
    runbook: 'directory-build-refused',
    ...code('directory_build_refused'),
    ...once,
  },
  KeyRotationFailed: {
    says: 'The rotation of a signing key failed',
    runbook: 'key-rotation-failed',
    ...failed,
  },

  // A failed step is tried four more times.
  LoadStepFailed: {
    says: 'A load could not be carried out',
    runbook: 'load-failed',
    ...code('defect'),
    threshold: 5,
  },
  LoadRefused: {
    says: 'A drop has a manifest that can not be read',
    runbook: 'load-failed',
    ...code('load_refused'),
    ...once,
  },
  LoadFailed: { says: 'A load failed', runbook: 'load-failed', ...code('load_failed'), ...once },
  LoadNotReconciled: {
    says: 'A load does not reconcile',
    runbook: 'load-failed',
    ...code('load_not_reconciled'),
    ...once,
  },
  DropWithoutLoad: {
    says: 'A drop had no load after 15 minutes; its load was started',
    runbook: 'load-lost',
    ...code('drop_without_load'),
    ...once,
  },
  LoadWithoutExecution: {
    says: 'The execution of a load ended without it',
    runbook: 'load-lost',
    ...code('load_without_execution'),
    ...once,
  },
  FileWithoutManifest: {
    says: 'A file has lain in the ingest bucket for a day, and no manifest names it',
    runbook: 'load-lost',
    ...code('file_without_manifest'),
    ...once,
  },
  // The sweep finds drops whose event was lost; no other alarm would notice them.
  LoadSweepFailed: { says: 'The sweep of loads failed', runbook: 'load-lost', ...failed },
  LoadSweepSilent: { says: 'Loads were not swept', runbook: 'load-lost', ...silent },
  LoadLate: { says: 'A source of data is late', runbook: 'load-late', ...code('load_late'), ...once },

  JobFailed: { says: 'A job of {} failed', runbook: 'job-failed', ...code('job_failed'), ...once },
  JobSweepFailed: { says: 'The sweep of jobs failed', runbook: 'job-failed', ...failed },
  JobSweepSilent: { says: 'Jobs were not swept', runbook: 'job-failed', ...silent },
  JobWithoutExecution: {
    says: 'The execution of a job of Payer Access ended without it',
    runbook: 'job-failed',
    ...code('job_without_execution'),
    ...once,
  },

  ExchangeSweepFailed: {
    says: 'The sweep of exchanges with other payers failed',
    runbook: 'exchange-due',
    ...failed,
  },
  ExchangeStepsFailed: {
    says: 'A step of a run with another payer failed',
    runbook: 'exchange-run-failed',
    ...failed,
  },
  ExchangeRunFailed: {
    says: 'A run with another payer failed',
    runbook: 'exchange-run-failed',
    ...code('exchange_run_failed'),
    ...once,
  },
  ExchangeDue: {
    says: 'Other payers must be asked within two days, or were not asked in time',
    runbook: 'exchange-due',
    ...code('exchange_due'),
    ...once,
  },
  PayerFailing: {
    says: 'Another payer failed three tests in a row',
    runbook: 'payer-failing',
    ...code('payer_failing'),
    ...once,
  },

  ExecutionsFailed: {
    says: '{} failed',
    runbook: 'execution-failed',
    ...sum('AWS/States ExecutionsFailed'),
    ...once,
  },
  ExecutionsTimedOut: {
    says: '{} ran out of time',
    runbook: 'execution-failed',
    ...sum('AWS/States ExecutionsTimedOut'),
    ...once,
  },
  ExecutionsAborted: {
    says: '{} was stopped by hand',
    runbook: 'execution-failed',
    ...sum('AWS/States ExecutionsAborted'),
    ...once,
  },
  ExecutionThrottled: {
    says: '{} was throttled by Step Functions',
    runbook: 'execution-failed',
    ...sum('AWS/States ExecutionThrottled'),
    ...once,
  },

  FailedInvocations: {
    says: 'EventBridge gave up an event: {}',
    runbook: 'event-lost',
    ...sum('AWS/Events FailedInvocations'),
    ...once,
  },
  EventsDropped: {
    says: 'Lambda dropped an event for {}',
    runbook: 'event-lost',
    ...sum('AWS/Lambda AsyncEventsDropped'),
    ...once,
  },
  EventsLate: {
    says: 'An event waited a quarter of an hour for {}',
    runbook: 'event-lost',
    counts: { metric: 'AWS/Lambda AsyncEventAge', statistic: 'Maximum' },
    minutes: 5,
    threshold: 900_000,
  },

  // Both metrics exist for the whole account, so that one alarm covers all functions; the dashboard shows which function it is.
  FunctionsFailed: {
    says: 'Functions end with errors, or run out of time',
    runbook: 'functions-failed',
    ...sum('AWS/Lambda Errors'),
    threshold: 3,
  },
  FunctionsThrottled: {
    says: 'Lambda throttles calls of functions',
    runbook: 'concurrency-used-up',
    ...sum('AWS/Lambda Throttles'),
    ...throttled,
  },
  /** The threshold is a fraction of the account's quota. */
  ConcurrencyUsedUp: {
    says: "More than four fifths of the account's {} concurrent executions are in use",
    runbook: 'concurrency-used-up',
    counts: { metric: 'AWS/Lambda ConcurrentExecutions', statistic: 'Maximum' },
    minutes: 5,
    threshold: 0.8,
  },
  TableThrottledReads: {
    says: 'DynamoDB throttles reads of {}',
    runbook: 'table-throttled',
    ...sum('AWS/DynamoDB ReadThrottleEvents'),
    ...throttled,
  },
  TableThrottledWrites: {
    says: 'DynamoDB throttles writes of {}',
    runbook: 'table-throttled',
    ...sum('AWS/DynamoDB WriteThrottleEvents'),
    ...throttled,
  },

  // Both end a release within a minute: CodeDeploy watches them while a new version gets a tenth of the calls.
  ReleaseDefects: {
    says: 'The current release of {} answers with defects',
    runbook: 'release-rolled-back',
    counts: { lines: '"defect" "version {} of"' },
    ...released,
  },
  ReleaseFailed: {
    says: 'The current release of {} fails',
    runbook: 'release-rolled-back',
    ...sum('AWS/Lambda Errors'),
    ...released,
  },

  MessagesNotSent: {
    says: 'Verification codes could not be sent',
    runbook: 'messages-not-sent',
    ...code('message_not_sent'),
    threshold: 3,
  },
  OutboxEntriesLeft: {
    says: 'Decisions of the portal have not been carried out for half an hour',
    runbook: 'portal-outbox-worker-failed',
    ...code('outbox_entries_left'),
    ...once,
    periods: 6,
  },
  PortalOutboxWorkerFailed: {
    says: 'The portal outbox worker failed',
    runbook: 'portal-outbox-worker-failed',
    ...failed,
  },
  PortalOutboxWorkerSilent: {
    says: 'The portal outbox worker did not run',
    runbook: 'portal-outbox-worker-failed',
    ...silent,
  },

  /** Raised by more than 5 errors if they are 1 in 100 calls, or by more than 1 error if they are half of the calls. */
  ServerErrors: {
    says: '{} answers with server errors',
    runbook: 'server-errors',
    counts: {
      // API Gateway publishes both metrics with every call, even if the value is 0, so that neither is ever missing alone.
      expression: 'IF(errors > 5 OR (errors > 1 AND 2 * errors >= calls), 100 * errors / calls, 0)',
      sums: { errors: 'AWS/ApiGateway 5XXError', calls: 'AWS/ApiGateway Count' },
      label: 'server errors in a hundred calls',
    },
    minutes: 5,
    threshold: 1,
  },
  /** The metric comes from the access log, because AWS/ApiGateway counts all 4xx statuses together. */
  TooManyRequests: {
    says: '{} refuses calls with 429',
    runbook: 'too-many-requests',
    counts: { lines: '{ $.status = "429" }' },
    minutes: 5,
    periods: 3,
    threshold: 100,
  },
  /** The threshold is in milliseconds, exceeded by one call in a hundred. */
  AnswersSlow: {
    says: '{} answers slowly',
    runbook: 'answers-slow',
    counts: { metric: 'AWS/ApiGateway Latency', statistic: 'p99' },
    minutes: 5,
    periods: 3,
    threshold: 3_000,
  },
} as const satisfies Readonly<Record<string, AlarmRow>>;

export type AlarmName = keyof typeof alarmTable;

/** A row of the table, with the optional members that only some rows have. */
export const alarmRow = (name: AlarmName): AlarmRow => alarmTable[name];
