import type { AccountView } from '../../lambdas/portal/api/views.ts';

/** An account in whose session the password was entered recently. */
export function openedAccount(more: Partial<AccountView> = {}): AccountView {
  return account({ secretsOpenUntil: new Date(Date.now() + 300_000).toISOString(), ...more });
}

/** An account as the API returns it, with the changes of the test. */
export function account(more: Partial<AccountView> = {}): AccountView {
  return {
    accountId: 'a-1',
    version: 1,
    state: 'active',
    nextStep: 'none',
    role: 'developer',
    developerType: 'individual',
    firstName: 'Dana',
    lastName: 'Rivera',
    email: 'dana@example.org',
    phone: '+12025550123',
    company: 'Riverside Health Apps',
    teamId: 't-1',
    createdAt: '2026-11-20T10:00:00Z',
    ...more,
  };
}
