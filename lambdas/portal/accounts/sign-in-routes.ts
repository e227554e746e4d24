/** Routes of signing in: bot check, password and, where needed, the code of a second factor. */

import { codeRequest, signInRequest } from '../api/accounts.ts';
import {
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  type PortalSession,
  problem,
  publicRead,
  publicRoute,
  response,
} from '../api/route-handler.ts';
import type { SignInView } from '../api/views.ts';
import { termsOfUse } from '../catalog/agreements.ts';
import { portalLimits } from '../catalog/limits.ts';
import { type Account, accountView, type Destination, maskedDestination } from './account.ts';
import { lockedMail } from './account-messages.ts';
import { checkAuthenticator } from './authenticator-routes.ts';
import { takeAct } from './change-account.ts';
import { checkDecoyPasswords, checkSignInPassword } from './check-password.ts';
import type { DirectoryUser } from './developer-directory-port.ts';
import type { DeveloperServices } from './developer-services.ts';
import { decoysNamed } from './email-claims.ts';
import { passwordChangeRunning } from './reauthenticate.ts';
import type { StoredSession } from './session-store-port.ts';
import {
  beginSession,
  beginSignInCode,
  clearSessionCookie,
  knowBrowser,
  sessionSecretId,
} from './sessions.ts';
import { type CheckCodeServices, checkCode, sendCode } from './verification-codes.ts';

/** Limit of sign-ins from one network address, whatever the names. */
const signInRate = { name: 'sign-in-source', limit: 300, periodSeconds: 300 };
/** Number of failures since the last sign-in from which a code is needed. A person who forgot a password has one or two. */
const riskyFailures = 3;

export function signInRoutes(services: DeveloperServices) {
  return {
    botCheck: publicRead(async () => response(200, await services.botCheck.offer())),
    signIn: publicRoute(signInRequest, async (request) => await signIn(services, request)),
    signInCode: publicRoute(codeRequest, async (request) => await signInCode(services, request)),
    resendSignInCode: publicRead(async (request) => await resendSignInCode(services, request)),
  };
}

type Anybody<Body> = PortalRequest<Body, PortalSession | undefined>;
interface SignIn {
  readonly identifier: string;
  readonly password: string;
  readonly botCheck: string;
}

async function signIn(services: DeveloperServices, request: Anybody<SignIn>): Promise<PortalResult> {
  const { body } = request;
  const check = await services.botCheck.check(body.botCheck, request.ip);
  if (check.kind === 'unavailable') return problem('unavailable');
  if (check.kind === 'failed' || !(await check.use())) return problem('bot_check_failed');
  const source = await services.limits.attempt(signInRate, request.ip);
  if (source.kind === 'limited')
    return problem('too_many_requests', { retryAfter: source.retryAfterSeconds });
  const [known, decoys] = await Promise.all([
    accountNamed(services, body.identifier),
    decoysNamed(services, body.identifier),
  ]);
  const subject = known?.accountId ?? body.identifier.toLowerCase();
  const [result, others] = await Promise.all([
    // A name without an account is checked too: it may be an operator's, and the response must take equally long.
    checkSignInPassword(services, subject, known?.accountId ?? body.identifier, body.password),
    checkDecoyPasswords(services, decoys, body),
  ]);
  if (result.kind !== 'right') {
    for (const { decoy, result: right } of others) {
      if (right.kind !== 'right') continue;
      return await passwordWasRight(services, request, decoy, right.user, right.failures, decoy.accountId);
    }
    if (known !== undefined && result.kind === 'wrong')
      await lockAfter(services, known, result, request.requestId);
    // Returns the first decoy's delay, which is the delay of an unused address. The owner's delay would reveal that there is an owner.
    const told = others.find(({ decoy }) => decoy.firstDecoy === true)?.result ?? result;
    return told.kind === 'problem' ? told : problem('sign_in_refused');
  }
  const { user } = result;
  const account = known ?? (await accountOfUser(services, user, body.password));
  if (account === undefined || account.accountId !== user.accountId) return problem('sign_in_refused');
  const barred = stateRefusal(account);
  if (barred !== undefined) return barred;
  return await passwordWasRight(services, request, account, user, result.failures, subject);
}

async function accountNamed(
  { accounts }: Pick<DeveloperServices, 'accounts'>,
  identifier: string,
): Promise<Account | undefined> {
  if (identifier.includes('@')) return await accounts.findByEmail(identifier);
  // The name may be a user name or an account ID, which is the name in the user pool. The account is read before the password is checked.
  const [named, known] = await Promise.all([accounts.findByUsername(identifier), accounts.find(identifier)]);
  return named ?? known;
}

/** Makes the refusal of an account's state; called once the password was right. */
function stateRefusal({ state }: Account): PortalProblem | undefined {
  if (state === 'closed') return problem('sign_in_refused');
  if (state === 'suspended') return problem('account_suspended');
  return state === 'locked' ? problem('account_locked') : undefined;
}

async function lockAfter(
  services: Pick<DeveloperServices, 'origin' | 'accounts' | 'random' | 'now'>,
  account: Account,
  { failures }: { readonly failures: number },
  requestId: string,
): Promise<void> {
  if (account.state !== 'active' || failures + 1 < portalLimits.signInFailuresToLock) return;
  const mails = [lockedMail(account.email, services.origin)];
  const by = { kind: 'service', id: 'sign-in', name: 'The portal' } as const;
  // The first of several concurrent failures locks the account; for the others this act does nothing.
  await takeAct(services, account, 'lock', {}, { requestId, by, mails });
}

/**
 * Finds the account of an operator, or makes it at the first sign-in of an operator who was made in the user pool. If the account exists,
 * the password is checked once more: the operator may have been removed between the first check and the reading of the account.
 */
async function accountOfUser(
  services: Pick<DeveloperServices, 'accounts' | 'directory' | 'now'>,
  { accountId, operator }: DirectoryUser,
  password: string,
): Promise<Account | undefined> {
  const known = await services.accounts.find(accountId);
  if (known !== undefined) {
    const again = await services.directory.signIn(accountId, password);
    return again.kind === 'signed_in' ? known : undefined;
  }
  if (!operator) return undefined;
  const person = await services.directory.describe(accountId);
  if (person === undefined) return undefined;
  const account: Account = {
    accountId,
    version: 1,
    state: 'active',
    role: 'operator',
    ...person,
    phoneVerified: false,
    company: '',
    teamId: accountId,
    createdAt: new Date(services.now()).toISOString(),
    signUp: {},
    sessionEpoch: 0,
    decoy: false,
  };
  await services.accounts.ensureOperator(account);
  return account;
}

async function passwordWasRight(
  services: DeveloperServices,
  request: Anybody<SignIn>,
  account: Account,
  user: DirectoryUser,
  failures: number,
  subject: string,
): Promise<PortalResult> {
  const waits = passwordChangeRunning(services, account);
  if (waits !== undefined) return waits;
  const role = user.operator ? 'operator' : 'developer';
  if (await needsCode(services, request, account, role, failures)) {
    return await requestCode(services, account, role);
  }
  await services.limits.signInSucceeded(subject);
  return await signedIn(services, request, account, role, []);
}

/** Whether a sign-in needs a code. An operator's always does; an account that has proven neither address nor phone never does. */
async function needsCode(
  services: Pick<DeveloperServices, 'signInVerification' | 'sessions' | 'sha256Hex' | 'now'>,
  { cookies }: Anybody<SignIn>,
  account: Account,
  role: Account['role'],
  failures: number,
): Promise<boolean> {
  if (role === 'operator') return true;
  if (account.state === 'pending_email' || account.state === 'pending_phone') return false;
  const setting = services.signInVerification;
  if (setting !== 'risk') return setting === 'always';
  if (failures >= riskyFailures) return true;
  const browser = sessionSecretId(services, cookies, '__Host-browser');
  const { accountId } = account;
  if (browser === undefined) return true;
  return !(await services.sessions.isKnownBrowser(accountId, browser, services.now() / 1000));
}

async function requestCode(
  services: DeveloperServices,
  account: Account,
  role: Account['role'],
): Promise<PortalResult> {
  if (authenticatorOf(account) !== undefined) {
    const cookie = await beginSignInCode(services, account, role);
    return response(200, authenticatorAsked, { cookies: [cookie] });
  }
  const destination = signInDestination(account);
  const sent = await sendCode(services, { owner: account.accountId, purpose: 'sign_in', destination });
  // No new code is sent within a minute of the last one, which is still valid.
  if (sent.kind === 'problem' && !(await hasLiveCode(services, account.accountId))) return sent;
  const cookie = await beginSignInCode(services, account, role);
  return response(200, codeAsked(destination), { cookies: [cookie] });
}

/** The authenticator app of an operator's account. With an app no code is sent. */
function authenticatorOf({ role, authenticator }: Account): Account['authenticator'] {
  return role === 'operator' ? authenticator : undefined;
}

const authenticatorAsked: SignInView = {
  next: 'code',
  sentTo: 'your authenticator app',
  channel: 'authenticator',
};

function codeAsked(destination: Destination): SignInView {
  return { next: 'code', sentTo: maskedDestination(destination), channel: destination.channel };
}

async function hasLiveCode(
  { codes, now }: Pick<DeveloperServices, 'codes' | 'now'>,
  accountId: string,
): Promise<boolean> {
  const code = await codes.find(accountId, 'sign_in');
  return code !== undefined && code.expiresAt > now() / 1000 && code.tries < portalLimits.codeTries;
}

function signInDestination({ phone, phoneVerified, email }: Account): Destination {
  return phoneVerified && phone !== undefined
    ? { channel: 'sms', to: phone }
    : { channel: 'email', to: email };
}

async function signInCode(
  services: DeveloperServices,
  request: Anybody<{ readonly code: string }>,
): Promise<PortalResult> {
  const awaited = await awaitedSignIn(services, request.cookies);
  if (awaited.kind === 'problem') return awaited;
  const { account, waiting } = awaited;
  const refused = await checkSignInCode(services, account, request.body.code);
  if (refused !== undefined) return refused;
  await services.sessions.end(waiting.sessionId);
  await services.limits.signInSucceeded(account.accountId);
  const cookies = [clearSessionCookie('__Host-sign-in'), await knowBrowser(services, account.accountId)];
  return await signedIn(services, request, account, waiting.role, cookies);
}

/**
 * Checks and uses up the code of a sign-in, sent or from the account's authenticator app.
 *
 * @returns the refusal; undefined if the code is right.
 */
async function checkSignInCode(
  services: CheckCodeServices & Pick<DeveloperServices, 'totp'>,
  account: Account,
  typed: string,
): Promise<PortalProblem | undefined> {
  const authenticator = authenticatorOf(account);
  if (authenticator !== undefined) {
    return await checkAuthenticator(services, account.accountId, authenticator.enrollment, typed);
  }
  const checked = await checkCode(services, account.accountId, 'sign_in', typed);
  if (checked.kind === 'problem') return checked;
  const isUsed = await services.codes.use(checked.use, services.now() / 1000);
  return isUsed ? undefined : problem('code_expired');
}

async function resendSignInCode(
  services: DeveloperServices,
  request: Anybody<undefined>,
): Promise<PortalResult> {
  const awaited = await awaitedSignIn(services, request.cookies);
  if (awaited.kind === 'problem') return awaited;
  if (authenticatorOf(awaited.account) !== undefined) return response(202, authenticatorAsked);
  const destination = signInDestination(awaited.account);
  const owner = awaited.account.accountId;
  const sent = await sendCode(services, { owner, purpose: 'sign_in', destination });
  if (sent.kind === 'problem') return sent;
  const cookie = await beginSignInCode(services, awaited.account, awaited.waiting.role);
  await services.sessions.end(awaited.waiting.sessionId);
  return response(202, codeAsked(destination), { cookies: [cookie] });
}

/** Finds this browser's sign-in whose password was right and whose code can still be entered. */
async function awaitedSignIn(
  services: Pick<DeveloperServices, 'accounts' | 'sessions' | 'sha256Hex' | 'now'>,
  cookies: ReadonlyMap<string, string>,
): Promise<
  { readonly kind: 'awaited'; readonly account: Account; readonly waiting: StoredSession } | PortalProblem
> {
  const id = sessionSecretId(services, cookies, '__Host-sign-in');
  const waiting = id === undefined ? undefined : await services.sessions.get(id);
  if (waiting?.kind !== 'code') return problem('signed_out');
  if (waiting.startedAt + portalLimits.codeSeconds <= services.now() / 1000) return problem('signed_out');
  const account = await services.accounts.find(waiting.accountId);
  // A change of password or a suspension has ended the sign-in.
  if (account === undefined || account.sessionEpoch !== waiting.epoch) return problem('signed_out');
  return stateRefusal(account) ?? { kind: 'awaited', account, waiting };
}

async function signedIn(
  services: Pick<DeveloperServices, 'sessions' | 'sha256Hex' | 'random' | 'now'>,
  request: Anybody<unknown>,
  account: Account,
  role: Account['role'],
  cookies: readonly string[],
): Promise<PortalResult> {
  const session = await beginSession(services, account, { role, replaces: request.session?.sessionId });
  const body: SignInView = { next: 'signed_in', account: accountView(account, termsOfUse.version, role) };
  return response(200, body, { cookies: [...session, ...cookies] });
}
