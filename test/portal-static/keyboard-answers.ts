import { account, openedAccount } from './accounts.ts';
import { aConfiguration, anApplication } from './applications-fixtures.ts';
import {
  aDirectory,
  addresses,
  aJob,
  anAct,
  calls,
  credentials,
  members,
  organization,
  queued,
  submitted,
  usage,
} from './applications-fixtures-more.ts';
import type { SiteServer } from './site-server.ts';

/** The people who look at pages: an account for each. */
export const people = {
  nobody: undefined,
  developer: account(),
  /** An account whose owner entered the password recently. */
  opened: openedAccount(),
  operator: account({ role: 'operator', firstName: 'Olu', lastName: 'Adeyemi' }),
  awaitingEmail: account({ nextStep: 'verify_email', codeSentTo: 'd•••@example.org' }),
  awaitingPhone: account({ nextStep: 'verify_phone', codeSentTo: '•••• 0123' }),
  awaitingTerms: account({ nextStep: 'accept_terms' }),
  awaitingCheck: account({ nextStep: 'await_verification', developerType: 'payer' }),
} as const;
export type Who = keyof typeof people;

export const team = {
  teamId: 't-1',
  name: 'Riverside Health Apps',
  members: [
    {
      accountId: 'a-1',
      name: 'Dana Rivera',
      email: 'dana@example.org',
      role: 'owner',
      joinedAt: '2026-11-20T10:00:00Z',
    },
    {
      accountId: 'a-2',
      name: 'Sam Okafor',
      email: 'sam@example.org',
      role: 'member',
      joinedAt: '2026-11-20T10:00:00Z',
    },
  ],
  invitations: [],
};

/** Scripts the answers of all routes: every page gets what it requests, and every act succeeds. */
export function answerAll(site: SiteServer, who: Who): void {
  const person = people[who];
  if (person !== undefined) site.answer('account', { body: person });
  const application = anApplication({ allowed: ['promote', 'withdraw'] });
  const promoted = {
    ...application,
    state: 'promoted_to_production',
    production: { clientId: 'client-production-1', configuration: aConfiguration },
  };
  const bodies = {
    signUp: people.awaitingEmail,
    signIn: { next: 'signed_in', account: people.developer },
    updateAccount: people.developer,
    team,
    applications: { applications: [application] },
    drafts: { drafts: [] },
    saveDraft: {},
    application,
    registerApplication: application,
    updateSandbox: application,
    promote: promoted,
    withdraw: { ...application, state: 'withdrawn', allowed: [] },
    attest: { ...application, attested: true },
    preflight: { checks: [] },
    credentials,
    calls: { calls },
    usage,
    testMembers: { members },
    addresses: addresses(site.origin),
    queue: {
      items: [queued('app-1')],
    },
    ownActs: { acts: [anAct] },
    operatorApplications: { applications: [application] },
    operatorApplication: submitted(),
    decideApplication: submitted({ state: 'approved', allowed: [] }),
    verifiedOrganization: { environments: [] },
    operatorAccounts: { accounts: [organization] },
    operatorAccount: organization,
    decideAccount: { ...organization, state: 'active' },
    directoriesToFix: { directories: [aDirectory] },
    directoryFindings: { url: `${site.origin}/findings.csv` },
    operatorJobs: { jobs: [aJob()] },
    operatorJob: { ...aJob(), parts: [] },
    cancelJob: { ...aJob({ state: 'cancelled' }), parts: [] },
  } as const;
  for (const [route, body] of Object.entries(bodies)) site.answer(route as keyof typeof bodies, { body });
  for (const route of [
    'passwordAgain',
    'requestPasswordReset',
    'changeEmail',
    'changePhone',
    'changePassword',
    'closeAccount',
    'invite',
    'acceptInvitation',
    'acceptTerms',
    'verifyEmail',
    'verifyPhone',
  ] as const) {
    site.answer(route, { status: 204 });
  }
}
