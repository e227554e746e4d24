/**
 * Names of the environment variables that the stacks set and the functions read. Both import this file, so the names always agree.
 * `lambdas/platform/runtime/environment.ts` parses the values, once per cold start.
 */
export const environmentVariables = {
  /** `sandbox` or `production`. */
  environment: 'ENVIRONMENT',
  /** Bucket of asynchronous jobs and groups. */
  jobBucket: 'JOB_BUCKET',
  /** ARN of the state machine of a LOB's asynchronous jobs. */
  jobStateMachine: 'JOB_STATE_MACHINE',
  /** ARN of the state machine of each LOB's jobs, with `{lob}` in the place of the LOB's code. */
  jobStateMachineTemplate: 'JOB_STATE_MACHINE_TEMPLATE',
  /** The environment's single table. */
  tableName: 'TABLE_NAME',
  /** LOB of a function in a LOB's stack, uppercase. */
  lineOfBusiness: 'LINE_OF_BUSINESS',
  /** Whether a call with an access token needs a subscription key too: see `subscription-key-requirements.ts`. */
  subscriptionKey: 'SUBSCRIPTION_KEY',
  /** Origins: see `EnvironmentOrigins`. */
  authOrigin: 'AUTH_ORIGIN',
  tokenOrigin: 'TOKEN_ORIGIN',
  apiOriginTemplate: 'API_ORIGIN_TEMPLATE',
  /** The environment's resource ID: the audience of client-credentials tokens, whose scope is `<id>/.default`. */
  resourceId: 'RESOURCE_ID',
  /** JSON object: token issuer → ARN of the secret that holds its private signing keys. */
  signingSecrets: 'SIGNING_SECRETS',
  /** JSON object: LOB → identifiers of the plan as an organization (`payer/published-payer.ts`). */
  planIdentifiers: 'PLAN_IDENTIFIERS',
  /** ID of the Cognito user pool of members. */
  memberPoolId: 'MEMBER_POOL_ID',
  memberPoolClientId: 'MEMBER_POOL_CLIENT_ID',
  /** KMS key that encrypts client secrets for View Credentials. */
  credentialKeyId: 'CREDENTIAL_KEY_ID',
  /** ARN of the KMS key that signs the seals of the audit trail. */
  auditSigningKey: 'AUDIT_SIGNING_KEY',
  /** JSON array: ARNs of all keys that have signed seals, oldest first. */
  auditSigningKeys: 'AUDIT_SIGNING_KEYS',
  /** Bucket that sealed audit events are copied to. */
  auditArchiveBucket: 'AUDIT_ARCHIVE_BUCKET',
  /** Log group in which the newest seals are anchored, and its log stream. */
  auditHeadLog: 'AUDIT_HEAD_LOG',
  auditHeadStream: 'AUDIT_HEAD_STREAM',
  /** Bucket that drops are uploaded to. */
  ingestBucket: 'INGEST_BUCKET',
  /** ARN of the state machine that loads drops. */
  loadStateMachine: 'LOAD_STATE_MACHINE',
  /** Minimum bytes of a range of a file; one invocation loads one range. */
  loadRangeBytes: 'LOAD_RANGE_BYTES',
  loadRangesAtOnce: 'LOAD_RANGES_AT_ONCE',
  /** ARN of the state machine that asks other payers. */
  exchangeStateMachine: 'EXCHANGE_STATE_MACHINE',
  /** JSON object: LOB → maximum percentage of rejected rows in a load. */
  toleratedFailurePercent: 'TOLERATED_FAILURE_PERCENT',
  /** Bucket of the Provider Directory's publications. */
  publicationBucket: 'PUBLICATION_BUCKET',
  /** Maximum percentage of a type's resources that may be missing from a new publication of the directory. */
  toleratedLossPercent: 'TOLERATED_LOSS_PERCENT',
  /** Name of the function that builds the directory. */
  directoryBuildFunction: 'DIRECTORY_BUILD_FUNCTION',
  /** Credentials of a call to the directory: see `directory-access.ts`. */
  directoryAccess: 'DIRECTORY_ACCESS',
  /** Policy for a member's second factor: see `member-verifications.ts`. */
  memberVerification: 'MEMBER_VERIFICATION',
  /** JSON array: the plan's identity providers with their LOBs (`identity-providers.ts`). */
  identityProviders: 'IDENTITY_PROVIDERS',
  /** JSON object: LOB → ARN of this service's client secret at the LOB's identity provider. */
  identityProviderSecrets: 'IDENTITY_PROVIDER_SECRETS',
  /** JSON array: the parts of identity providers that the sign-in page shows, with their LOBs. */
  providerChoices: 'PROVIDER_CHOICES',
  /** KMS key that encrypts further credentials of other payers. */
  payerCredentialKeyId: 'PAYER_CREDENTIAL_KEY_ID',
  /** KMS key that makes the digests of verification codes. */
  codeDigestKeyId: 'CODE_DIGEST_KEY_ID',
  /** KMS key that encrypts members' contact data. */
  contactKeyId: 'CONTACT_KEY_ID',
  /** Name of the function that activates members' accounts. */
  activationFunction: 'ACTIVATION_FUNCTION',
  /** JSON array: ISO 3166-1 codes of the countries to whose numbers text messages are sent. */
  textMessageCountries: 'TEXT_MESSAGE_COUNTRIES',
  /** E-mail address that messages are sent from. */
  messageSender: 'MESSAGE_SENDER',
  /** JSON array: log groups of the hosts' access logs. */
  callLogs: 'CALL_LOGS',
  /** JSON object: tier → usage plan ID. */
  usagePlans: 'USAGE_PLANS',
  /** Lifetimes of tokens, codes and interactions, whole seconds. */
  memberAccessTokenSeconds: 'MEMBER_ACCESS_TOKEN_SECONDS',
  clientAccessTokenSeconds: 'CLIENT_ACCESS_TOKEN_SECONDS',
  authorizationCodeSeconds: 'AUTHORIZATION_CODE_SECONDS',
  interactionSeconds: 'INTERACTION_SECONDS',
  /** Maximum lifetime of a grant with offline access, whole days. */
  grantDays: 'GRANT_DAYS',
  /** Whole days after which an unused refresh token expires. */
  refreshIdleDays: 'REFRESH_IDLE_DAYS',
  /** Maximum token requests of one application in a minute, at each issuer. */
  tokenRequestsPerMinute: 'TOKEN_REQUESTS_PER_MINUTE',
  /** The portal's origin. The portal's table is in `TABLE_NAME`. */
  portalOrigin: 'PORTAL_ORIGIN',
  developerPoolId: 'DEVELOPER_POOL_ID',
  developerPoolClientId: 'DEVELOPER_POOL_CLIENT_ID',
  /** ARN of the secret that signs the portal's own bot check: a random string. */
  botCheckSecret: 'BOT_CHECK_SECRET',
  /** PBKDF2 iterations of each key that a browser tries in the portal's own bot check. */
  botCheckCost: 'BOT_CHECK_COST',
  /**
   * Site key of reCAPTCHA, and the ARN of the secret with its secret key. If both are set, reCAPTCHA replaces the portal's own bot check.
   */
  recaptchaSiteKey: 'RECAPTCHA_SITE_KEY',
  recaptchaSecret: 'RECAPTCHA_SECRET',
  /** Policy for a developer's second factor: see `member-verifications.ts`. */
  signInVerification: 'SIGN_IN_VERIFICATION',
  /** Portal: a JSON object, environment → name or ARN of its `provisioning` function. */
  provisioningFunctions: 'PROVISIONING_FUNCTIONS',
  /** Portal: a JSON object, environment → name or ARN of its `job-operations` function. */
  jobFunctions: 'JOB_FUNCTIONS',
  /** Portal: the same of its `directory-operations` function. */
  directoryFunctions: 'DIRECTORY_FUNCTIONS',
  /** Portal: the same of its `load-operations` function. */
  loadFunctions: 'LOAD_FUNCTIONS',
  /** Portal: JSON, the `AddressesView` of `portal/api/views.ts`, which the portal's API returns. */
  environmentAddresses: 'ENVIRONMENT_ADDRESSES',
  /** Portal: a JSON object, environment → tier of its applications: name, requestsPerSecond, burst, requestsPerDay. */
  portalTiers: 'PORTAL_TIERS',
  /** Portal: `on` if two operators must approve, `off` otherwise. */
  fourEyes: 'FOUR_EYES',
  /** Portal: `on` if a pre-flight may call the addresses of an application, `off` otherwise. */
  networkChecks: 'NETWORK_CHECKS',
  /** Portal: `required` if operators may decide only with an authenticator app, `offered` otherwise. */
  operatorAuthenticator: 'OPERATOR_AUTHENTICATOR',
  /** ARN of the secret with the subscription keys of the page "Find a doctor": a JSON object, environment → key. */
  directoryKeysSecret: 'DIRECTORY_KEYS_SECRET',
  /** Portal: the environment that "Find a doctor" searches. */
  doctorEnvironment: 'DOCTOR_ENVIRONMENT',
  /** Portal: a JSON array of names that an application's name must not resemble. */
  protectedNames: 'PROTECTED_NAMES',
} as const;
