/** Portal routes that complete a sign-up: code by e-mail, code by phone, Terms of Use. */

import { codeRequest, termsRequest } from '../api/accounts.ts';
import {
  type PortalRequest,
  type PortalResult,
  problem,
  response,
  sessionRead,
  sessionRoute,
} from '../api/route-handler.ts';
import type { AccountAct } from '../catalog/account-states.ts';
import { termsOfUse } from '../catalog/agreements.ts';
import { type Account, accountView, codeDestination, isOrganization } from './account.ts';
import type { AccountChange } from './account-store-port.ts';
import { type AccountFields, accountOf, concurrentChange, editAccount, takeAct } from './change-account.ts';
import type { CodePurpose } from './code-store-port.ts';
import type { DeveloperServices } from './developer-services.ts';
import { hasProvenAddress } from './email-claims.ts';
import { endedSessionCookies, knowBrowser, rotateSession } from './sessions.ts';
import { sendSignUpCode } from './sign-up-route.ts';
import { type CheckCodeServices, checkCode, type SendCodeServices, sendCode } from './verification-codes.ts';

/** Makes the routes that complete a sign-up: e-mail address, phone, terms. */
export function verificationRoutes(services: DeveloperServices) {
  return {
    verifyEmail: sessionRoute(codeRequest, async (request) => await verifyEmail(services, request)),
    verifyPhone: sessionRoute(codeRequest, async (request) => await verifyPhone(services, request)),
    resendEmailCode: sessionRead(async (request) => await resend(services, request, 'pending_email')),
    resendPhoneCode: sessionRead(async (request) => await resend(services, request, 'pending_phone')),
    acceptTerms: sessionRoute(termsRequest, async (request) => await acceptTerms(services, request)),
  };
}

type CodeRequest = PortalRequest<{ readonly code: string }>;

async function verifyEmail(services: DeveloperServices, request: CodeRequest): Promise<PortalResult> {
  const account = await accountOf(services, request.session);
  if (account === undefined) return problem('signed_out');
  if (account.state !== 'pending_email') return problem('account_state', { state: account.state });
  const checked = await checkSignUpCode(services, account, 'sign_up_email', request.body.code);
  if (checked.kind === 'problem') return checked;
  const proven = await addressClaim(services, account);
  if (proven === undefined) return problem('code_expired');
  const act: AccountAct = isOrganization(account) ? 'verify_organization_email' : 'verify_email';
  const { fields, ...options } = proven;
  const { requestId } = request;
  const done = await takeAct(services, account, act, fields, { requestId, code: checked.use, ...options });
  if (done.kind === 'problem') return done;
  // A text message that could not be sent is no error here: the page offers to send another.
  if (done.account.state === 'pending_phone') await sendPhoneCode(services, done.account);
  return response(200, accountView(done.account, termsOfUse.version));
}

/**
 * Finds the accounts that an account replaces when it proves its address: whoever signed up with the address before without proving it.
 *
 * @returns undefined where another account has proven the address since the code was sent.
 */
async function addressClaim(
  { accounts }: Pick<DeveloperServices, 'accounts'>,
  account: Account,
): Promise<(Pick<AccountChange, 'supersedes' | 'team'> & { readonly fields: AccountFields }) | undefined> {
  const holder = await accounts.findByEmail(account.email);
  if (holder?.accountId === account.accountId) return { fields: {} };
  if (hasProvenAddress(holder)) return undefined;
  const { teamId, company } = account;
  return {
    fields: { decoy: false, firstDecoy: undefined },
    supersedes: holder === undefined ? [] : [holder],
    team: { kind: 'founded', founds: { teamId, name: company, members: 1, applications: 0, invited: 0 } },
  };
}

async function verifyPhone(
  services: CheckCodeServices & Pick<DeveloperServices, 'accounts' | 'random'>,
  request: CodeRequest,
): Promise<PortalResult> {
  const account = await accountOf(services, request.session);
  if (account === undefined) return problem('signed_out');
  if (account.state !== 'pending_phone') return problem('account_state', { state: account.state });
  const checked = await checkSignUpCode(services, account, 'sign_up_phone', request.body.code);
  if (checked.kind === 'problem') return checked;
  const done = await takeAct(
    services,
    account,
    'verify_phone',
    { phoneVerified: true },
    { requestId: request.requestId, code: checked.use },
  );
  if (done.kind === 'problem') return done;
  return response(200, accountView(done.account, termsOfUse.version));
}

/**
 * Checks a code of the sign-up ({@link checkCode}). If the code is gone, the same person may have used it meanwhile, by a second click or
 * in another tab: the refusal then has the account's present state.
 */
async function checkSignUpCode(
  services: CheckCodeServices & Pick<DeveloperServices, 'accounts'>,
  account: Account,
  purpose: CodePurpose,
  typed: string,
): ReturnType<typeof checkCode> {
  const checked = await checkCode(services, account.accountId, purpose, typed);
  const gone = checked.kind === 'problem' && checked.problem === 'code_expired';
  return gone ? await concurrentChange(services, account) : checked;
}

async function resend(
  services: SendCodeServices & Pick<DeveloperServices, 'accounts'>,
  request: PortalRequest,
  state: 'pending_email' | 'pending_phone',
): Promise<PortalResult> {
  const account = await accountOf(services, request.session);
  if (account === undefined) return problem('signed_out');
  if (account.state !== state) return problem('account_state', { state: account.state });
  const sent =
    state === 'pending_email'
      ? await sendSignUpCode(services, account)
      : await sendPhoneCode(services, account);
  if (sent.kind === 'problem') return sent;
  return response(202, accountView(account, termsOfUse.version));
}

async function sendPhoneCode(services: SendCodeServices, account: Account) {
  const destination = codeDestination(account);
  if (destination === undefined) throw new Error('the account awaits no code by phone');
  return await sendCode(services, { owner: account.accountId, purpose: 'sign_up_phone', destination });
}

async function acceptTerms(
  services: Pick<DeveloperServices, 'accounts' | 'sessions' | 'sha256Hex' | 'random' | 'now'>,
  request: PortalRequest<{ readonly version: string }>,
): Promise<PortalResult> {
  const account = await accountOf(services, request.session);
  if (account === undefined) return problem('signed_out');
  const { version } = termsOfUse;
  if (request.body.version !== version) return problem('terms_outdated', { version });
  const termsAcceptedAt = new Date(services.now()).toISOString();
  const fields = { termsVersion: version, termsAcceptedAt };
  const { requestId } = request;
  if (account.state === 'active') {
    const done = await editAccount(services, account, 'accept_new_terms', fields, { requestId });
    return done.kind === 'problem' ? done : response(200, accountView(done.account, version));
  }
  const organization = isOrganization(account);
  const done = organization
    ? await takeAct(
        services,
        account,
        'accept_organization_terms',
        { ...fields, queuedSince: termsAcceptedAt },
        { requestId, queue: 'enter' },
      )
    : await takeAct(services, account, 'accept_terms', fields, { requestId });
  if (done.kind === 'problem') return done;
  // The session gets more rights, so it gets a new cookie. The browser is remembered, because a right code was entered in it.
  const cookies = [
    ...((await rotateSession(services, request.session)) ?? endedSessionCookies),
    await knowBrowser(services, account.accountId),
  ];
  return response(200, accountView(done.account, version), { cookies });
}
