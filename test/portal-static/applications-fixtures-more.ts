import type { DirectoryToFixView } from '../../lambdas/portal/api/directory-views.ts';
import type { JobView } from '../../lambdas/portal/api/job-views.ts';
import type {
  OperatorAccountView,
  OperatorActView,
  OperatorApplicationView,
  QueueItem,
} from '../../lambdas/portal/api/operator-views.ts';
import type {
  AddressesView,
  CallView,
  CredentialsView,
  TestMemberView,
  UsageView,
} from '../../lambdas/portal/api/views.ts';
import { account } from './accounts.ts';
import { aConfiguration, anApplication } from './applications-fixtures.ts';

export const members: readonly TestMemberView[] = [
  {
    lob: 'DSNP',
    memberId: 'DSNP12345678',
    password: 'Marble-otter-canyon-4821',
    patientId: '5a2c8f0e-1b7d-4d67-9a53-0c3f1f0f6a01',
    name: 'Adaeze Sampleton',
    about: 'whole birth date; a former and a current address; one enrollment',
  },
  {
    lob: 'DSNP',
    memberId: 'DSNP87654321',
    password: 'Copper-maple-harbor-1170',
    patientId: '5a2c8f0e-1b7d-4d67-9a53-0c3f1f0f6a02',
    name: 'Felix Testwood',
    about: 'unknown birth month and day; one address; two enrollments',
  },
];

/** Addresses of an environment. Its hosts are the test's own site, where tests answer. */
export function addresses(origin: string): AddressesView {
  const sandbox = { auth: origin, token: origin, apiTemplate: `${origin}/{lob}`, resourceId: 'sandbox-data' };
  return {
    environments: { sandbox, production: { ...sandbox, resourceId: 'production-data' } },
    tryItRedirectUri: `${origin}/try/callback`,
  };
}

export const credentials: CredentialsView = {
  environment: 'sandbox',
  clientId: 'client-sandbox-1',
  secrets: [
    { value: 'new-secret-value', createdAt: '2026-11-20T09:00:00Z' },
    {
      value: 'old-secret-value',
      createdAt: '2026-11-01T09:00:00Z',
      expiresAt: '2026-11-27T09:00:00Z',
      lastUsedAt: '2026-11-20T00:00:00.000Z',
    },
  ],
  subscriptionKeys: [{ value: 'subscription-key-value', createdAt: '2026-11-01T09:00:00Z' }],
  state: 'active',
};

export const calls: readonly CallView[] = [
  {
    at: '2026-11-20T10:01:00Z',
    host: 'dsnp.api.sandbox.localhost',
    lob: 'DSNP',
    method: 'GET',
    route: '/extfhirpatientaccess/v1/Patient/{id}',
    status: 403,
    responseType: 'INVALID_API_KEY',
    requestId: 'request-refused',
  },
  {
    at: '2026-11-20T10:00:00Z',
    host: 'mapd.api.sandbox.localhost',
    lob: 'MAPD',
    method: 'GET',
    route: '/extfhirpatientaccess/v1/Patient/{id}',
    status: 200,
    requestId: 'request-good',
    latencyMs: 1_042,
  },
];

export const usage: UsageView = {
  quotaPerDay: 10_000,
  requestsPerSecond: 10,
  burst: 20,
  days: Array.from({ length: 7 }, (_, day) => ({
    date: `2026-11-${14 + day}`,
    used: 300 * (day + 1),
    remaining: 10_000 - 300 * (day + 1),
  })),
};

export const organization: OperatorAccountView = {
  ...account({ state: 'pending_verification', developerType: 'payer', company: 'Harbor Health Plan' }),
  accountId: 'account-2',
  signUp: {
    companyLegalName: 'Harbor Health Plan, Inc.',
    companyAddress: { street: '1 Main Street', city: 'Baltimore', state: 'MD', zipCode: '21201' },
  },
  timeline: [{ at: '2026-11-19T09:00:00Z', actor: 'Dana Rivera', act: 'sign_up' }],
};

/** A submission as the API returns it to an operator. */
export function submitted(overrides: Partial<OperatorApplicationView> = {}): OperatorApplicationView {
  return {
    ...anApplication({
      state: 'awaiting_operator_approval',
      version: 4,
      production: {
        clientId: 'client-production-1',
        configuration: { ...aConfiguration, tosUri: 'https://companion.example.org/terms-2' },
      },
      allowed: ['approve', 'request_changes', 'reject'],
    }),
    developer: { ...organization, state: 'active', accountId: 'account-1' },
    preflight: [
      {
        id: 'production-values',
        title: 'Production values are complete',
        result: 'pass',
        detail: 'All values are valid.',
      },
      {
        id: 'address-privacyUri',
        title: 'The privacy policy answers',
        result: 'warn',
        detail: 'The privacy policy answered with `404`.',
        field: 'privacyUri',
      },
    ],
    sandboxDifference: [
      { field: 'tosUri', before: aConfiguration.tosUri, after: 'https://companion.example.org/terms-2' },
    ],
    sandboxCalls: calls,
    ...overrides,
  };
}

/** An application in the operators' queue, with the changes of the test. */
export function queued(id: string, changed: Partial<QueueItem> = {}): QueueItem {
  return {
    kind: 'application',
    id,
    name: 'Claims Companion',
    company: 'Riverside',
    since: '2026-11-20T10:00:00Z',
    expectedBy: '2099-12-04',
    products: ['patient-access'],
    verdict: { fix: 0, check: 0, open: 0, passed: 11 },
    ...changed,
  };
}

/** A decision of the signed-in operator, as the API returns it. */
export const anAct: OperatorActView = {
  at: '2026-11-20T10:00:00Z',
  kind: 'application',
  id: 'app-2',
  name: 'Steps',
  act: 'request_changes',
  criterion: 'privacy-policy',
  words: 'It names no one.',
};

/** An export that is running. */
export function aJob(changed: Partial<JobView> = {}): JobView {
  return {
    jobId: '11111111-2222-4333-8444-555555555555',
    kind: 'export',
    state: 'running',
    clientId: 'client-production-1',
    application: { applicationId: 'app-1', name: 'Claims Companion', company: 'Harbor Health Plan' },
    members: 1200,
    done: 300,
    acceptedAt: '2026-11-20T10:00:00Z',
    startedAt: '2026-11-20T10:00:01Z',
    expiresAt: '2026-11-22T10:00:00Z',
    ...changed,
  };
}

/** A directory with faults, and a load that left rows out. */
export const aDirectory: DirectoryToFixView = {
  lob: 'DSNP',
  lastBuild: { state: 'published', startedAt: '2026-11-20T09:00:00Z', reasons: [] },
  publication: {
    publishedAt: '2026-11-20T09:00:00Z',
    records: 2140,
    clean: 1900,
    comparedWithNppes: false,
  },
  findings: [
    {
      type: 'Practitioner',
      code: 'npi_check_digit',
      records: 3,
      examples: [
        {
          resource: 'Practitioner/p-17',
          message: '1234567890 is no NPI: its check digit or length is wrong.',
        },
      ],
    },
    {
      type: 'Location',
      code: 'phone_missing',
      records: 237,
      examples: [{ resource: 'Location/l-1', message: 'It has no telephone number.' }],
    },
  ],
  load: {
    jobId: 'daily.0a0b0c0d',
    source: 'directory',
    state: 'reconciled',
    acceptedAt: '2026-11-20T08:00:00Z',
    rows: 2150,
    rejected: 10,
    refusedFiles: [],
    rejects: [
      {
        code: 'missing_element',
        problem: 'An element is missing that FHIR R4 or the claimed profile requires.',
        fix: 'Set the named element, or claim a profile that does without it.',
        rows: 10,
        examples: [
          { file: 'Organization.ndjson', line: 1003, resource: 'Organization/o-3', element: 'name' },
        ],
      },
    ],
  },
};
