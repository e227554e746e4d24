import * as z from 'zod/mini';
import { termsOfUse } from '../catalog/agreements.ts';
import { accountStateNames } from '../catalog/portal-accounts.ts';
import {
  type PortalAnswer,
  type PortalRequest,
  type PortalSession,
  sessionRead,
  sessionRoute,
} from '../portal-api/exchange.ts';
import { type AccountDecision, accountDecision } from '../portal-api/operations.ts';
import type { OperatorAccountView } from '../portal-api/views.ts';
import { type Account, accountView } from './account.ts';
import { type ChangeOptions, take } from './change.ts';
import { refusedMail, resumedMail, suspendedMail, verifiedMail } from './messages.ts';
import type { DeveloperServices } from './ports.ts';

type DecisionServices = Pick<DeveloperServices, 'origin' | 'accounts' | 'directory' | 'random' | 'now'>;

const stateQuery = z.object({
  state: z._default(z.enum(accountStateNames, { error: 'a state of accounts' }), 'pending_verification'),
  after: z.optional(z.string().check(z.maxLength(200))),
});

/** What operators see of accounts and decide about them; for the function of the operators' routes. */
export function accountDecisionRoutes(services: DecisionServices) {
  return {
    operatorAccounts: sessionRead(async ({ query }) => await listAccounts(services, query)),
    operatorAccount: sessionRead(async ({ params }) => {
      const account = await services.accounts.find(params.accountId ?? '');
      if (account === undefined || account.decoy) return { problem: 'not_found' };
      return { status: 200, body: await operatorAccountView(services, account) };
    }),
    decideAccount: sessionRoute(accountDecision, async (request) => await decide(services, request)),
  };
}

async function listAccounts(
  { accounts }: DecisionServices,
  query: Readonly<Record<string, string>>,
): Promise<PortalAnswer> {
  const parsed = stateQuery.safeParse(query);
  if (!parsed.success) {
    const expected = 'a state of accounts';
    return { problem: 'invalid_request', errors: [{ pointer: '/state', code: 'invalid', expected }] };
  }
  const page = await accounts.list(parsed.data.state, parsed.data.after);
  const shown = page.accounts.filter(({ decoy }) => !decoy);
  const body = { accounts: shown.map((account) => accountView(account, termsOfUse.version)) };
  return { status: 200, body: page.next === undefined ? body : { ...body, next: page.next } };
}

/** A suspension ends sessions. Applications are the team's: others work on them, and members use them. */
const runOn =
  'Its sessions have ended. The applications of its team run on; suspend each one whose production calls must stop.';

export async function operatorAccountView(
  { accounts }: Pick<DeveloperServices, 'accounts'>,
  account: Account,
): Promise<OperatorAccountView> {
  const events = await accounts.events(account.accountId);
  return {
    ...accountView(account, termsOfUse.version),
    signUp: account.signUp,
    timeline: events.map(({ at, actor, act, words }) => ({
      at,
      actor: actor.name,
      act,
      ...(words === undefined ? {} : { words }),
    })),
    ...(account.state === 'suspended' ? { notice: runOn } : {}),
  };
}

async function decide(
  services: DecisionServices,
  { session, params, body, requestId }: PortalRequest<AccountDecision>,
): Promise<PortalAnswer> {
  const account = await services.accounts.find(params.accountId ?? '');
  if (account === undefined || account.decoy) return { problem: 'not_found' };
  if (account.version !== body.version) {
    return { problem: 'stale_version', current: await operatorAccountView(services, account), changed: [] };
  }
  const { fields, ...options } = consequences(services, account, body);
  const by = operatorOf(session);
  const words = 'reason' in body ? { words: body.reason } : {};
  const done = await take(services, account, body.act, fields, { requestId, by, ...words, ...options });
  if ('problem' in done) return done;
  if (done.account.state === 'closed') await services.directory.disable(account.accountId);
  return { status: 200, body: await operatorAccountView(services, done.account) };
}

function operatorOf({ accountId, name }: PortalSession) {
  return { kind: 'operator', id: accountId, name } as const;
}

function consequences(
  { origin }: DecisionServices,
  account: Account,
  decision: AccountDecision,
): Pick<ChangeOptions, 'queue' | 'mails'> & { readonly fields: Partial<Account> } {
  const { email } = account;
  switch (decision.act) {
    case 'verify_organization':
      return { fields: {}, queue: 'leave', mails: [verifiedMail(email, origin)] };
    case 'refuse_organization':
      return { fields: ended(account), queue: 'leave', mails: [refusedMail(email, decision.reason)] };
    case 'suspend':
      return { fields: ended(account), mails: [suspendedMail(email, decision.reason)] };
    case 'resume':
      return { fields: {}, mails: [resumedMail(email, origin)] };
  }
}

/** Every session ends with it. */
function ended({ sessionEpoch }: Account): Partial<Account> {
  return { sessionEpoch: sessionEpoch + 1 };
}
