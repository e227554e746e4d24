import { describe, expect, it } from 'vitest';
import {
  type Account,
  accountView,
  edgeOf,
  maskedDestination,
  nextStepOf,
} from '../../../lambdas/portal/accounts/account.ts';
import {
  type AccountAct,
  accountStateNames,
  accountTransitions,
  developerTypeNames,
  developerTypes,
  type PortalTransition,
} from '../../../lambdas/portal/catalog/account-states.ts';

const acts = Object.entries(accountTransitions) as [AccountAct, PortalTransition<Account['state']>][];
/** Conditions of the state table that are about the kind of account, and whether they require an organization. */
const kinds: Record<string, boolean> = {
  'an individual developer, or the older form': false,
  'a payer or brokerage entity': true,
};

const cases = acts.flatMap(([act, edge]) =>
  accountStateNames.flatMap((state) =>
    developerTypeNames.map((developerType) => {
      const { organization } = developerTypes[developerType];
      // Acts with this ending apply to organizations only.
      const wanted = act.endsWith('_organization') ? true : kinds[edge.condition ?? ''];
      const open = edge.from.includes(state) && (wanted === undefined || wanted === organization);
      return { act, state, developerType, to: open ? edge.to : undefined };
    }),
  ),
);

describe('the table of account states', () => {
  it.each(cases.filter(({ to }) => to !== undefined))('lets $act lead a $developerType from $state to $to', ({
    act,
    state,
    developerType,
    to,
  }) => {
    expect(edgeOf(act, { state, developerType })).toEqual({ to });
  });

  it.each(
    cases.filter(({ to }) => to === undefined),
  )('has no edge $act for a $developerType that is $state', ({ act, state, developerType }) => {
    expect(edgeOf(act, { state, developerType })).toBeUndefined();
  });

  it('leads nowhere from closed', () => {
    expect(acts.filter(([, { from }]) => from.includes('closed'))).toEqual([]);
  });
});

const account: Account = {
  accountId: 'a1',
  version: 3,
  state: 'active',
  role: 'developer',
  developerType: 'individual',
  firstName: 'Dana',
  lastName: 'Okafor',
  email: 'dana@example.org',
  phone: '+12025550123',
  phoneVerified: true,
  company: 'Wellness Works',
  teamId: 't1',
  createdAt: '2026-11-21T10:00:00.000Z',
  termsVersion: '2026-11-20',
  signUp: { secret: 'never shown' },
  sessionEpoch: 2,
  decoy: false,
};

describe('what an account shows of itself', () => {
  it('is nothing of how it is kept', () => {
    const view = accountView(account, '2026-11-20');
    expect(Object.keys(view)).not.toEqual(expect.arrayContaining(['signUp']));
    expect(Object.keys(view)).not.toEqual(expect.arrayContaining(['decoy']));
    expect(JSON.stringify(view)).not.toContain('never shown');
  });

  it('is of the phone the last four digits until it is active', () => {
    expect(accountView({ ...account, state: 'pending_terms' }, '2026-11-20').phone).toBe('0123');
    expect(accountView(account, '2026-11-20').phone).toBe('+12025550123');
  });

  it('is a next step that asks for newer terms, of developers', () => {
    expect(nextStepOf(account, '2026-11-20')).toBe('none');
    expect(nextStepOf(account, '2027-01-01')).toBe('accept_terms');
    expect(nextStepOf({ ...account, role: 'operator' }, '2027-01-01')).toBe('none');
  });

  it('is a destination its owner knows and nobody else', () => {
    expect(maskedDestination({ channel: 'email', to: 'dana@example.org' })).toBe('d•••@example.org');
    expect(maskedDestination({ channel: 'sms', to: '+12025550123' })).toBe('•••• 0123');
  });
});
