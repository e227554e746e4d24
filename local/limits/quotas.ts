/** Quotas of the AWS services that this system uses: what each limits, its default, and AWS's documentation of it. */

/** A quota. Defaults are those of us-east-1, as AWS documented them in November 2026. */
export interface Quota {
  /** Name of the limited thing, for documents and refusals: `concurrent executions`. */
  readonly limits: string;
  readonly value: number;
  readonly unit: string;
  /** The scope that the quota applies to: an account and Region, a table, a partition key. */
  readonly per: string;
  /** Whether AWS raises the quota on request (Service Quotas or a support case). */
  readonly adjustable: boolean;
  /** URL of AWS's documentation. */
  readonly source: string;
}

const docs = 'https://docs.aws.amazon.com/';
const sources = {
  apiGateway: `${docs}apigateway/latest/developerguide/limits.html`,
  asynchronous: `${docs}lambda/latest/dg/invocation-async-error-handling.html`,
  cognito: `${docs}cognito/latest/developerguide/quotas.html`,
  dynamoDb: `${docs}amazondynamodb/latest/developerguide/ServiceQuotas.html`,
  dynamoDbNew: `${docs}amazondynamodb/latest/developerguide/on-demand-capacity-mode.html`,
  dynamoDbPartition: `${docs}amazondynamodb/latest/developerguide/bp-partition-key-design.html`,
  eventBridge: `${docs}eventbridge/latest/userguide/eb-rule-retry-policy.html`,
  kms: `${docs}kms/latest/developerguide/requests-per-second.html`,
  lambda: `${docs}lambda/latest/dg/gettingstarted-limits.html`,
  lambdaScaling: `${docs}lambda/latest/dg/scaling-behavior.html`,
  logs: `${docs}AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html`,
  s3: `${docs}AmazonS3/latest/userguide/optimizing-performance.html`,
  secrets: `${docs}secretsmanager/latest/userguide/reference_limits.html`,
  ses: `${docs}ses/latest/dg/quotas.html`,
  sns: `${docs}general/latest/gr/sns.html`,
  steps: `${docs}step-functions/latest/dg/service-quotas.html`,
} as const;

/** A row of the table: [what is limited, value, unit, scope, whether adjustable, source] */
type Row = readonly [string, number, string, string, boolean, keyof typeof sources];

const rows = {
  lambdaConcurrency: ['concurrent executions', 1_000, 'executions', 'account and Region', true, 'lambda'],
  lambdaNewAccountConcurrency: [
    'concurrent executions of a new account',
    10,
    'executions',
    'account and Region',
    true,
    'lambda',
  ],
  lambdaUnreserved: [
    'concurrency that no function may reserve',
    100,
    'executions',
    'account and Region',
    false,
    'lambda',
  ],
  lambdaScaling: ['growth of concurrency', 1_000, 'executions in 10 s', 'function', false, 'lambdaScaling'],
  lambdaPayload: ['synchronous payload', 6_291_456, 'bytes', 'request', false, 'lambda'],
  lambdaEvent: ['asynchronous payload', 1_048_576, 'bytes', 'request', false, 'lambda'],
  lambdaTimeout: ['duration', 900, 'seconds', 'invocation', false, 'lambda'],
  lambdaEventAge: ['age of an event that waits', 21_600, 'seconds', 'event', false, 'asynchronous'],
  lambdaEventRetries: [
    'retries of an event whose function fails',
    2,
    'tries',
    'event',
    false,
    'asynchronous',
  ],

  tableWrites: ['writes of a new table', 4_000, 'units a second', 'table or index', true, 'dynamoDbNew'],
  tableReads: ['reads of a new table', 12_000, 'units a second', 'table or index', true, 'dynamoDbNew'],
  tableGrowth: [
    'time in which a table grows to twice its last peak',
    1_800,
    'seconds',
    'table or index',
    false,
    'dynamoDbNew',
  ],
  tableMostWrites: ['writes of a table', 40_000, 'units a second', 'table or index', true, 'dynamoDb'],
  tableMostReads: ['reads of a table', 40_000, 'units a second', 'table or index', true, 'dynamoDb'],
  partitionWrites: [
    'writes of a partition',
    1_000,
    'units a second',
    'partition key',
    false,
    'dynamoDbPartition',
  ],
  partitionReads: [
    'reads of a partition',
    3_000,
    'units a second',
    'partition key',
    false,
    'dynamoDbPartition',
  ],

  userAuthentication: ['sign-ins', 120, 'calls a second', 'account and Region', true, 'cognito'],
  userCreation: ['new users', 50, 'calls a second', 'account and Region', true, 'cognito'],
  userRead: ['AdminGetUser', 120, 'calls a second', 'account and Region', true, 'cognito'],
  userUpdate: ['changes of users', 25, 'calls a second', 'account and Region', true, 'cognito'],
  userAccountRecovery: [
    'recoveries of accounts',
    30,
    'calls a second',
    'account and Region',
    true,
    'cognito',
  ],
  userList: ['ListUsers', 30, 'calls a second', 'account and Region', true, 'cognito'],
  userResourceRead: ['reads of groups', 50, 'calls a second', 'account and Region', true, 'cognito'],
  userResourceUpdate: ['changes of groups', 25, 'calls a second', 'account and Region', true, 'cognito'],
  userPoolRead: ['reads of a pool', 15, 'calls a second', 'account and Region', false, 'cognito'],

  sesSending: ['e-mails', 14, 'messages a second', 'account and Region', true, 'ses'],
  snsTexts: ['text messages', 20, 'messages a second', 'account and Region', true, 'sns'],
  kmsSymmetric: [
    'cryptographic operations with symmetric and HMAC keys, in the smallest Regions',
    5_500,
    'calls a second',
    'account and Region',
    true,
    'kms',
  ],
  kmsSigning: [
    'operations with keys on elliptic curves',
    1_000,
    'calls a second',
    'account and Region',
    true,
    'kms',
  ],
  secretReads: ['GetSecretValue', 10_000, 'calls a second', 'account and Region', false, 'secrets'],
  logFilters: ['FilterLogEvents', 10, 'calls a second', 'account and Region', false, 'logs'],

  apiCalls: ['calls of all REST APIs', 10_000, 'calls a second', 'account and Region', true, 'apiGateway'],
  apiBurst: ['calls at once', 5_000, 'calls', 'account and Region', false, 'apiGateway'],
  apiTimeout: ['duration of an integration', 29, 'seconds', 'call', true, 'apiGateway'],
  apiPayload: ['payload of a call', 10_485_760, 'bytes', 'call', false, 'apiGateway'],
  apiKeys: ['API keys', 10_000, 'keys', 'account and Region', false, 'apiGateway'],
  apiKeyCreation: ['CreateApiKey', 5, 'calls a second', 'account and Region', false, 'apiGateway'],

  executionStarts: [
    'StartExecution, of a standard machine',
    300,
    'calls a second',
    'account and Region',
    true,
    'steps',
  ],
  executionBurst: ['StartExecution at once', 1_300, 'calls', 'account and Region', true, 'steps'],
  executionDescriptions: ['DescribeExecution', 15, 'calls a second', 'account and Region', true, 'steps'],
  executionDescriptionBurst: ['DescribeExecution at once', 300, 'calls', 'account and Region', true, 'steps'],
  executionEvents: ['events of an execution', 25_000, 'events', 'execution', false, 'steps'],
  executionState: ['input or output of a state', 262_144, 'bytes', 'state', false, 'steps'],
  mapChildren: ['child executions of a distributed map', 10_000, 'at once', 'map', false, 'steps'],

  eventAge: ['age of an event that is delivered', 86_400, 'seconds', 'event', false, 'eventBridge'],
  eventTries: ['tries of a delivery', 185, 'tries', 'event', false, 'eventBridge'],

  objectWrites: ['PUT, COPY, POST and DELETE', 3_500, 'calls a second', 'prefix', false, 's3'],
  objectReads: ['GET and HEAD', 5_500, 'calls a second', 'prefix', false, 's3'],
} as const satisfies Readonly<Record<string, Row>>;

export type QuotaName = keyof typeof rows;

/** Every quota, by its name. */
export const quotas = Object.fromEntries(
  Object.entries<Row>(rows).map(([name, [limits, value, unit, per, adjustable, source]]) => [
    name,
    { limits, value, unit, per, adjustable, source: sources[source] },
  ]),
) as Readonly<Record<QuotaName, Quota>>;

/** A quota's default. */
export function quota(name: QuotaName): number {
  return quotas[name].value;
}
