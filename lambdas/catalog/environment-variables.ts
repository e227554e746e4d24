/**
 * Names of the environment variables the stacks set and the functions read; both sides import this file, so that a
 * name can't drift. `lambdas/platform/runtime/environment.ts` parses the values, once per cold start.
 */
export const environmentVariables = {
  /** `sandbox` or `production`. */
  environment: 'ENVIRONMENT',
  /** Bucket of asynchronous jobs and groups. */
  jobBucket: 'JOB_BUCKET',
  /** ARN of the state machine of a LOB's asynchronous jobs. */
  jobStateMachine: 'JOB_STATE_MACHINE',
  /** ARN of the state machine of each LOB's jobs, by its template: `{lob}` is the code. */
  jobStateMachineTemplate: 'JOB_STATE_MACHINE_TEMPLATE',
  /** The environment's single table. */
  tableName: 'TABLE_NAME',
  /** The LOB a function of a LOB stack serves, uppercase. */
  lineOfBusiness: 'LINE_OF_BUSINESS',
  /** Whether a call with an access token needs a subscription key too: see `subscription-key-requirements.ts`. */
  subscriptionKey: 'SUBSCRIPTION_KEY',
  /** Origins: see `EnvironmentOrigins`. */
  authOrigin: 'AUTH_ORIGIN',
  tokenOrigin: 'TOKEN_ORIGIN',
  apiOriginTemplate: 'API_ORIGIN_TEMPLATE',
  /** The environment resource id: audience of client-credentials tokens, and `<id>/.default` their scope. */
  resourceId: 'RESOURCE_ID',
  /** JSON object: token issuer → ARN of the secret that holds its private signing keys. */
  signingSecrets: 'SIGNING_SECRETS',
  /** The token issuer a key rotation serves is found from the secret's ARN in `SIGNING_SECRETS`. */
  memberPoolId: 'MEMBER_POOL_ID',
  memberPoolClientId: 'MEMBER_POOL_CLIENT_ID',
  /** KMS key that encrypts the copy of a client secret shown by View Credentials. */
  credentialKeyId: 'CREDENTIAL_KEY_ID',
  /** KMS key that authenticates the seals over the audit trail. */
  auditSealKeyId: 'AUDIT_SEAL_KEY_ID',
  /** Log group the newest seals are anchored in, and its stream. */
  auditHeadLog: 'AUDIT_HEAD_LOG',
  auditHeadStream: 'AUDIT_HEAD_STREAM',
  /** Bucket that drops are uploaded to. */
  ingestBucket: 'INGEST_BUCKET',
  /** ARN of the state machine that loads drops. */
  loadStateMachine: 'LOAD_STATE_MACHINE',
  /** Bytes of a range of a file, at least: what one invocation loads. */
  loadRangeBytes: 'LOAD_RANGE_BYTES',
  loadRangesAtOnce: 'LOAD_RANGES_AT_ONCE',
  /** JSON object: LOB → percent of rejected rows that a load tolerates at most. */
  toleratedFailurePercent: 'TOLERATED_FAILURE_PERCENT',
  /** Bucket of the Provider Directory's publications. */
  publicationBucket: 'PUBLICATION_BUCKET',
  /** Percent of a type's resources that may be missing from a new publication of the directory, at most. */
  toleratedLossPercent: 'TOLERATED_LOSS_PERCENT',
  /** Name of the function that builds the directory. */
  directoryBuildFunction: 'DIRECTORY_BUILD_FUNCTION',
  /** Credentials of a call to the directory: see `directory-access.ts`. */
  directoryAccess: 'DIRECTORY_ACCESS',
  /** Policy for a member's second factor: see `member-verifications.ts`. */
  memberVerification: 'MEMBER_VERIFICATION',
  /** JSON array: the plan's identity providers with their LOBs (`identity-providers.ts`). */
  identityProviders: 'IDENTITY_PROVIDERS',
  /** JSON object: LOB → ARN of the secret of this client at its identity provider. */
  identityProviderSecrets: 'IDENTITY_PROVIDER_SECRETS',
  /** JSON array: what the sign-in page shows of identity providers, with their LOBs. */
  providerChoices: 'PROVIDER_CHOICES',
  /** KMS key of the codes' digests. */
  codeDigestKeyId: 'CODE_DIGEST_KEY_ID',
  /** KMS key of members' contact data. */
  contactKeyId: 'CONTACT_KEY_ID',
  /** Name of the function that activates members' accounts. */
  activationFunction: 'ACTIVATION_FUNCTION',
  /** JSON array: ISO 3166-1 codes of the countries whose numbers texts are sent to. */
  textMessageCountries: 'TEXT_MESSAGE_COUNTRIES',
  /** The sender of e-mail. */
  messageSender: 'MESSAGE_SENDER',
  /** JSON array: the log groups of the hosts' access logs. */
  accessLogs: 'ACCESS_LOGS',
  /** JSON object: usage-plan tier → usage plan id. */
  usagePlans: 'USAGE_PLANS',
  /** Lifetimes, whole seconds. */
  memberAccessTokenSeconds: 'MEMBER_ACCESS_TOKEN_SECONDS',
  clientAccessTokenSeconds: 'CLIENT_ACCESS_TOKEN_SECONDS',
  authorizationCodeSeconds: 'AUTHORIZATION_CODE_SECONDS',
  interactionSeconds: 'INTERACTION_SECONDS',
  /** Lifetime of a grant with offline access, at most, in whole days. */
  grantDays: 'GRANT_DAYS',
  /** Idle lifetime of a refresh token, in whole days. */
  refreshIdleDays: 'REFRESH_IDLE_DAYS',
  /** Token requests of one application in a minute, at each issuer. */
  tokenRequestsPerMinute: 'TOKEN_REQUESTS_PER_MINUTE',
  /** The portal's own origin. Its table is in `TABLE_NAME`. */
  portalOrigin: 'PORTAL_ORIGIN',
  developerPoolId: 'DEVELOPER_POOL_ID',
  developerPoolClientId: 'DEVELOPER_POOL_CLIENT_ID',
  /** ARN of the secret that signs the portal's own bot checks: a random string. */
  botCheckSecret: 'BOT_CHECK_SECRET',
  /** PBKDF2 iterations of each key that a browser tries for the portal's own bot check. */
  botCheckCost: 'BOT_CHECK_COST',
  /** reCAPTCHA, which checks for bots if both are set: its site key, and the ARN of the secret with its secret key. */
  recaptchaSiteKey: 'RECAPTCHA_SITE_KEY',
  recaptchaSecret: 'RECAPTCHA_SECRET',
  /** Policy for a developer's second factor: see `member-verifications.ts`. */
  signInVerification: 'SIGN_IN_VERIFICATION',
  /** Portal: a JSON object, environment → name or ARN of its `provisioning` function. */
  provisioningFunctions: 'PROVISIONING_FUNCTIONS',
  /** Portal: the same of its `job-operations` function. */
  jobFunctions: 'JOB_FUNCTIONS',
  /** Portal: JSON, the `AddressesView` of `portal/api/views.ts`, as the API gives it out. */
  environmentAddresses: 'ENVIRONMENT_ADDRESSES',
  /** Portal: a JSON object, environment → the usage-plan tier of its applications: name, requestsPerSecond, burst, requestsPerDay. */
  portalTiers: 'PORTAL_TIERS',
  /** Portal: `on` if two operators must approve, else `off`. */
  fourEyes: 'FOUR_EYES',
  /** Portal: `on` if a pre-flight may call the addresses of an application, else `off`. */
  networkChecks: 'NETWORK_CHECKS',
  /** Portal: `required` if operators decide only with an authenticator app, else `offered`. */
  operatorAuthenticator: 'OPERATOR_AUTHENTICATOR',
  /** ARN of the secret with the subscription keys of the page "Find a doctor": a JSON object, environment → key. */
  directoryKeysSecret: 'DIRECTORY_KEYS_SECRET',
  /** Portal: the environment that "Find a doctor" searches by itself. */
  doctorEnvironment: 'DOCTOR_ENVIRONMENT',
  /** Portal: a JSON array of names that an application’s own is compared with. */
  protectedNames: 'PROTECTED_NAMES',
} as const;
