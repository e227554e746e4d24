/** Operators' routes for accounts: lists, details, and the decisions to verify, refuse, suspend and resume. */

import * as z from 'zod/mini';
import { type AccountDecision, accountDecision } from '../api/operations.ts';
import type { OperatorAccountView } from '../api/operator-views.ts';
import {
  type PortalRequest,
  type PortalResult,
  type PortalSession,
  problem,
  response,
  sessionRead,
  sessionRoute,
} from '../api/route-handler.ts';
import { accountStateNames } from '../catalog/account-states.ts';
import { termsOfUse } from '../catalog/agreements.ts';
import { type Account, accountView } from './account.ts';
import { refusedMail, resumedMail, suspendedMail, verifiedMail } from './account-messages.ts';
import type { AccountStore } from './account-store-port.ts';
import { resetAuthenticator } from './authenticator-routes.ts';
import { type ChangeOptions, takeAct } from './change-account.ts';
import type { DeveloperServices } from './developer-services.ts';
import {
  selectSuspensions,
  type TeamApplication,
  type TeamServices,
  teamOf,
} from './suspend-team-applications.ts';

type DecisionServices = Pick<DeveloperServices, 'origin' | 'accounts' | 'directory' | 'random' | 'now'> &
  TeamServices;

const stateQuery = z.object({
  state: z._default(z.enum(accountStateNames, { error: 'a state of accounts' }), 'pending_verification'),
  after: z.optional(z.string().check(z.maxLength(200))),
});

/** Makes the operators' routes for accounts: lists, details and decisions. */
export function accountDecisionRoutes(services: DecisionServices) {
  return {
    operatorAccounts: sessionRead(async ({ query }) => await listAccounts(services, query)),
    operatorAccount: sessionRead(async ({ params }) => {
      const account = await services.accounts.find(params.accountId ?? '');
      if (account === undefined || account.decoy) return problem('not_found');
      return response(200, await shown(services, account));
    }),
    resetAuthenticator: sessionRead(async ({ session, params, requestId }) => {
      const account = await services.accounts.find(params.accountId ?? '');
      const done = await resetAuthenticator(services, account, { by: operatorOf(session), requestId });
      return done.kind === 'problem' ? done : response(200, await shown(services, done.account));
    }),
    decideAccount: sessionRoute(accountDecision, async (request) => await decide(services, request)),
  };
}

async function listAccounts(
  { accounts }: DecisionServices,
  query: Readonly<Record<string, string>>,
): Promise<PortalResult> {
  const parsed = stateQuery.safeParse(query);
  if (!parsed.success) {
    const expected = 'a state of accounts';
    return problem('invalid_request', { errors: [{ pointer: '/state', code: 'invalid', expected }] });
  }
  const page = await accounts.list(parsed.data.state, parsed.data.after);
  const shown = page.accounts.filter(({ decoy }) => !decoy);
  const body = { accounts: shown.map((account) => accountView(account, termsOfUse.version)) };
  return response(200, page.next === undefined ? body : { ...body, next: page.next });
}

/**
 * Notice to the operator. A suspension ends the account's sessions only: applications belong to the team, whose other members work on them
 * and whose users depend on them.
 */
const runOn =
  'The sessions of the account have ended. Its team’s applications keep running unless you suspend them. Suspend each application whose production calls must stop.';
const stayStopped =
  'Applications that were suspended with the account stay suspended. Reinstate each application that may call production again.';

export async function operatorAccountView(
  accounts: Pick<AccountStore, 'events'>,
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

/** Makes the operator's view of an account, with the team data that a decision about the account needs. */
async function shown(services: DecisionServices, account: Account): Promise<OperatorAccountView> {
  const view = await operatorAccountView(services.accounts, account);
  return account.role === 'operator' ? view : { ...view, team: await teamOf(services, account) };
}

/** Attempts of a suspension: the accounts and applications it is based on can change between reading and writing. */
const mostAttempts = 3;

async function decide(
  services: DecisionServices,
  request: PortalRequest<AccountDecision>,
): Promise<PortalResult> {
  for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
    const answer = await decideOnce(services, request);
    // `code_expired` for an unchanged account means that another member of its team changed: the next attempt reads the team again.
    if (answer.kind !== 'problem' || answer.problem !== 'code_expired') return answer;
  }
  return problem('unavailable');
}

async function decideOnce(
  services: DecisionServices,
  { session, params, body, requestId }: PortalRequest<AccountDecision>,
): Promise<PortalResult> {
  const account = await services.accounts.find(params.accountId ?? '');
  if (account === undefined || account.decoy) return problem('not_found');
  if (account.version !== body.version) {
    return problem('stale_version', { current: await shown(services, account), changed: [] });
  }
  const { fields, ...options } = consequences(services, account, body);
  const by = operatorOf(session);
  const words = body.act === 'refuse_organization' || body.act === 'suspend' ? { words: body.reason } : {};
  const along = await selectSuspensions(services, account, body, by);
  if (along.kind === 'problem') return along;
  const { kind: _, applications, ...change } = along;
  const done = await takeAct(services, account, body.act, fields, {
    requestId,
    by,
    ...words,
    ...options,
    ...change,
  });
  if (done.kind === 'problem') return done;
  if (done.account.state === 'closed') await services.directory.disable(account.accountId);
  return response(200, await decided(services, done.account, body.act, applications));
}

async function decided(
  services: DecisionServices,
  account: Account,
  act: AccountDecision['act'],
  applications: readonly TeamApplication[],
): Promise<OperatorAccountView> {
  const view = await shown(services, account);
  if (act === 'resume') return { ...view, notice: stayStopped };
  if (act !== 'suspend') return view;
  const stopped = await services.applications.stopped(applications.map(({ applicationId }) => applicationId));
  const suspended = applications.map((each) => {
    const outcome = stopped.has(each.applicationId) ? ('suspended' as const) : ('waiting' as const);
    return { ...each, outcome };
  });
  return { ...view, suspended };
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

/** Makes the field that ends every session of an account: the next session epoch. */
function ended({ sessionEpoch }: Account): Partial<Account> {
  return { sessionEpoch: sessionEpoch + 1 };
}
