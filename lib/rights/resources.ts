/** The resources that rows of the table of rights (`rights.ts`) name, and the placeholders in the names of their parts. */

interface ResourceKind {
  /** IAM's service prefix of the actions. */
  readonly service: string;
  readonly what: string;
  /** Whether the parts are partitions of a table: a right applies to the items of one partition. */
  readonly hasItems?: true;
}

/** Every resource that a row can name. */
export const resourceKinds = {
  table: { service: 'dynamodb', what: 'the table of the environment', hasItems: true },
  auditWindows: {
    service: 'dynamodb',
    what: 'the index of audit events by the window they are sealed in',
    hasItems: true,
  },
  itemKeys: {
    service: 'dynamodb',
    what: 'keys and seal window of every item of the table, no other attribute',
  },
  portalTable: { service: 'dynamodb', what: 'the table of the portal', hasItems: true },
  memberPool: { service: 'cognito-idp', what: 'the user pool of members' },
  developerPool: { service: 'cognito-idp', what: 'the user pool of developers and operators' },
  signingSecrets: { service: 'secretsmanager', what: 'secrets of the private signing keys' },
  providerSecrets: { service: 'secretsmanager', what: 'client secrets at identity providers of plans' },
  botCheckSecret: { service: 'secretsmanager', what: 'the secret that signs bot checks' },
  recaptchaSecret: { service: 'secretsmanager', what: 'the secret of reCAPTCHA, where it is configured' },
  directoryKeys: { service: 'secretsmanager', what: 'subscription keys of the page "Find a doctor"' },
  contactKey: { service: 'kms', what: 'the key of the data keys of contact data' },
  credentialKey: { service: 'kms', what: 'the key of the copies of client secrets for View Credentials' },
  payerCredentialKey: { service: 'kms', what: 'the key of further credentials of other payers' },
  codeDigestKey: { service: 'kms', what: 'the key of the digests of verification codes' },
  auditSigningKeys: {
    service: 'kms',
    what: 'the keys that sign the seals over the audit trail: the newest to sign, all to verify',
  },
  ingestBucket: { service: 's3', what: 'the bucket of drops' },
  jobBucket: { service: 's3', what: 'the bucket of asynchronous jobs' },
  publicationBucket: { service: 's3', what: 'the bucket of publications of the directory' },
  mail: { service: 'ses', what: 'e-mail from the configured sender' },
  texts: { service: 'sns', what: 'text messages to phone numbers, and no topic' },
  functions: { service: 'lambda', what: 'functions of the same environment' },
  environmentFunctions: {
    service: 'lambda',
    what: 'functions of every environment of the portal, by name',
  },
  loadMachine: { service: 'states', what: 'the state machine of loads' },
  loadExecutions: { service: 'states', what: 'executions of the state machine of loads' },
  exchangeMachine: { service: 'states', what: 'the state machine of runs with other payers' },
  jobMachines: { service: 'states', what: 'the state machines of jobs' },
  jobExecutions: { service: 'states', what: 'executions of the state machines of jobs' },
  auditArchive: { service: 's3', what: 'the bucket that keeps sealed audit events' },
  auditCopy: {
    service: 's3',
    what: 'the bucket of another account with a copy of them, where it is configured',
  },
  auditHeadStream: { service: 'logs', what: 'the log stream that anchors seals' },
  auditHeads: { service: 'logs', what: 'the log group that anchors seals' },
  callLogs: {
    service: 'logs',
    what: 'access logs of the metered hosts, and logs of the functions of the authorization host that name applications',
  },
  apiKeys: { service: 'apigateway', what: 'subscription keys in API Gateway' },
  taggedApiKeys: { service: 'apigateway', what: 'subscription keys with the tag of this environment' },
  apiKeyTags: {
    service: 'apigateway',
    what: 'tags of subscription keys, with the value of this environment',
  },
  usagePlans: { service: 'apigateway', what: 'usage plans of the tiers' },
} as const satisfies Readonly<Record<string, ResourceKind>>;

export type IamResource = keyof typeof resourceKinds;

/** Placeholders in the names of parts, each for several names. */
export const placeholders = {
  '<lob>': 'the line of business whose stack the function is in',
  '<each lob>': 'each line of business of the environment',
  '<any lob>': 'each line of business there is, also one the environment has given up',
  '<directory lob>': 'each line of business of the environment with a Provider Directory',
  '<issuer>': 'each line of business of the environment, and `M2M`',
  '<key owner>':
    'each issuer, `PAYERS`, and `FEDERATION` where the environment signs assertions for identity providers',
  '<signing client>': '`FEDERATION`, where the environment signs assertions for identity providers',
} as const;

export type Placeholder = keyof typeof placeholders;
