import { environmentVariables } from '../lambdas/catalog/environment-variables.ts';

const perEnvironment = (value: unknown) => JSON.stringify({ sandbox: value, production: value });
const addresses = {
  auth: 'https://auth.example.org',
  token: 'https://token.example.org',
  apiTemplate: 'https://{lob}.api.example.org',
  resourceId: 'resource',
};

/** A valid value of each environment variable, so that the cold start of every function parses its environment without an error. */
export const anyEnvironment: Record<string, string> = {
  ...Object.fromEntries(Object.values(environmentVariables).map((name) => [name, '60'])),
  ENVIRONMENT: 'sandbox',
  LINE_OF_BUSINESS: 'DSNP',
  SUBSCRIPTION_KEY: 'required',
  DIRECTORY_ACCESS: 'subscription',
  AUTH_ORIGIN: 'https://auth.example.org',
  TOKEN_ORIGIN: 'https://token.example.org',
  API_ORIGIN_TEMPLATE: 'https://{lob}.api.example.org',
  MEMBER_VERIFICATION: 'risk',
  MESSAGE_SENDER: 'no-reply@example.org',
  SIGNING_SECRETS: '{}',
  AUDIT_SIGNING_KEYS: '[]',
  USAGE_PLANS: '{}',
  CALL_LOGS: '[]',
  PORTAL_ORIGIN: 'https://developer.example.org',
  SIGN_IN_VERIFICATION: 'risk',
  PROVISIONING_FUNCTIONS: perEnvironment('provisioning'),
  JOB_FUNCTIONS: perEnvironment('job-operations'),
  DIRECTORY_FUNCTIONS: perEnvironment('directory-operations'),
  LOAD_FUNCTIONS: perEnvironment('load-operations'),
  ENVIRONMENT_ADDRESSES: JSON.stringify({
    environments: { sandbox: addresses, production: addresses },
    tryItRedirectUri: 'https://developer.example.org/try/callback',
  }),
  PORTAL_TIERS: perEnvironment({ name: 'standard', requestsPerSecond: 10, burst: 20, requestsPerDay: 1000 }),
  FOUR_EYES: 'off',
  OPERATOR_AUTHENTICATOR: 'required',
  DOCTOR_ENVIRONMENT: 'sandbox',
  PROTECTED_NAMES: '[]',
  TEXT_MESSAGE_COUNTRIES: '[]',
  TOLERATED_FAILURE_PERCENT: '{}',
  IDENTITY_PROVIDERS: '[]',
  PLAN_IDENTIFIERS: '{}',
  IDENTITY_PROVIDER_SECRETS: '{}',
  PROVIDER_CHOICES: '[]',
  NETWORK_CHECKS: 'off',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'AKIDBENCH',
  AWS_SECRET_ACCESS_KEY: 'bench',
};
