/** Sign-up: checks the form, creates the account with its user in the pool, and sends the first code. */

import * as z from 'zod/mini';
import { isKnownPassword } from '../../platform/kernel/known-passwords.ts';
import { type SignUp, signUpSchemas } from '../api/accounts.ts';
import { e164 } from '../api/fields.ts';
import {
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  type PortalSession,
  problem,
  publicRoute,
  response,
} from '../api/route-handler.ts';
import type { ProblemField } from '../api/views.ts';
import { hipaaAffirmation, termsOfUse } from '../catalog/agreements.ts';
import { type Account, accountView } from './account.ts';
import { accountEvent } from './account-event.ts';
import { addressInUseMail } from './account-messages.ts';
import type { AccountCreation } from './account-store-port.ts';
import type { DeveloperServices } from './developer-services.ts';
import { hasProvenAddress, isLapsed, signUpPlace } from './email-claims.ts';
import { knownPassword } from './known-password-problem.ts';
import { beginSession } from './sessions.ts';
import { type Person, personOf, phonesOf, recordOf } from './sign-up-fields.ts';
import type { Invitation } from './team-store-port.ts';
import { type SendCodeServices, sendCode } from './verification-codes.ts';

/** Limit of sign-ups from one network address, which may be that of a whole office. */
const signUpRate = { name: 'sign-up', limit: 100, periodSeconds: 3_600 };
/** The sign-up form of one of the developer types. */
export const signUpRequest = z.discriminatedUnion(
  'developerType',
  [signUpSchemas.individual, signUpSchemas.classic, signUpSchemas.payer, signUpSchemas.brokerage],
  { error: 'individual, payer, brokerage or classic' },
);

type Request = PortalRequest<SignUp, PortalSession | undefined>;

export function signUpRoute(services: DeveloperServices) {
  return publicRoute(signUpRequest, async (request) => await signUp(services, request));
}

/**
 * Signs a developer up. The answer to the bot check is used up only after the fields were found valid, so that correcting a field does not
 * require another check. A sign-up with a taken address gets the same answer after the same work, but creates a decoy.
 */
async function signUp(services: DeveloperServices, request: Request): Promise<PortalResult> {
  const { body } = request;
  const check = await services.botCheck.check(body.botCheck, request.ip);
  if (check.kind === 'unavailable') return problem('unavailable');
  if (check.kind === 'failed') return problem('bot_check_failed');
  const refused = fieldsRefused(services, body);
  if (refused !== undefined) return refused;
  if (!(await check.use())) return problem('bot_check_failed');
  const verdict = await services.limits.attempt(signUpRate, request.ip);
  if (verdict.kind === 'limited')
    return problem('too_many_requests', { retryAfter: verdict.retryAfterSeconds });
  const person = personOf(body);
  const invited = await invitationOf(services, body, person);
  if (invited.kind === 'problem') return invited;
  const { invitation } = invited;
  const name = await nameHolder(services, person);
  if (name.kind === 'taken') return taken('/username', 'this user name is taken; enter another one');
  return await create(services, request, {
    person,
    invitation,
    supersedes: name.kind === 'lapsed' ? [name.holder] : [],
  });
}

function fieldsRefused(
  { phoneKind }: Pick<DeveloperServices, 'phoneKind'>,
  body: SignUp,
): PortalProblem | undefined {
  const errors: ProblemField[] = phonesOf(body).flatMap(({ pointer, phone, texts }) => {
    const kind = phoneKind(e164(phone));
    const fits = kind === 'personal' || (kind === 'toll_free' && !texts);
    return fits ? [] : [{ pointer, code: 'not_us_number' as const, expected: 'a US phone number' }];
  });
  const { firstName, lastName, company, email } = personOf(body);
  if (isKnownPassword(body.password, [firstName, lastName, company, email, body.username ?? ''])) {
    errors.push(knownPassword('/password'));
  }
  if (errors.length > 0) return problem('invalid_request', { errors });
  const { version } = hipaaAffirmation;
  const isOrganization = body.developerType === 'payer' || body.developerType === 'brokerage';
  if (isOrganization && body.hipaaAffirmation.version !== version) {
    return problem('terms_outdated', { version });
  }
  return undefined;
}

function taken(pointer: string, expected: string): PortalProblem {
  return problem('invalid_request', { errors: [{ pointer, code: 'taken', expected }] });
}

async function invitationOf(
  services: Pick<DeveloperServices, 'teams' | 'sha256Hex' | 'now'>,
  { invitation: token }: SignUp,
  { email }: Person,
): Promise<{ readonly kind: 'invited'; readonly invitation: Invitation | undefined } | PortalProblem> {
  if (token === undefined) return { kind: 'invited', invitation: undefined };
  const invitation = await services.teams.invitation(services.sha256Hex(token));
  return isOpenFor(invitation, email, services.now())
    ? { kind: 'invited', invitation }
    : problem('invitation_invalid');
}

/**
 * Whether an invitation is to this address and has not expired.
 *
 * @param nowMs milliseconds since 1970
 */
export function isOpenFor(
  invitation: Invitation | undefined,
  email: string,
  nowMs: number,
): invitation is Invitation {
  if (invitation === undefined || invitation.expiresAt <= nowMs / 1000) return false;
  return invitation.email.toLowerCase() === email.toLowerCase();
}

/** The holder of a user name. `lapsed`: an account that never proved its address, so that the new sign-up may take the name. */
type NameHolder =
  | { readonly kind: 'free' }
  | { readonly kind: 'lapsed'; readonly holder: Account }
  | { readonly kind: 'taken' };

async function nameHolder(
  services: Pick<DeveloperServices, 'accounts' | 'now'>,
  { username }: Person,
): Promise<NameHolder> {
  const holder = username === undefined ? undefined : await services.accounts.findByUsername(username);
  if (holder === undefined) return { kind: 'free' };
  return isLapsed(holder, services.now()) ? { kind: 'lapsed', holder } : { kind: 'taken' };
}

interface CheckedSignUp {
  readonly person: Person;
  readonly invitation: Invitation | undefined;
  readonly supersedes: readonly Account[];
}

async function create(
  services: DeveloperServices,
  request: Request,
  checked: CheckedSignUp,
): Promise<PortalResult> {
  const { body } = request;
  const { supersedes, follows = [], ...place } = await signUpPlace(services, checked.person.email);
  let account: Account = { ...newAccount(services, body, checked, place.decoy), ...place };
  // Schedules the removal of the user, which is made before the account: if the sign-up fails in between, the user is removed later.
  const user = await services.accounts.awaitUser(account.accountId);
  if (!(await services.directory.create(account.accountId, body.password))) {
    return problem('invalid_request', { errors: [knownPassword('/password')] });
  }
  const ended = [...checked.supersedes, ...supersedes];
  const made = { ...creation(services, request, account, checked, ended), user, follows };
  let result = await services.accounts.create(made);
  if (result === 'taken') {
    // Another sign-up took the address or the user name first.
    const name = await nameHolder(services, checked.person);
    if (name.kind !== 'free') return taken('/username', 'this user name is taken; enter another one');
    const { firstDecoy: _, ...rest } = account;
    account = { ...rest, decoy: true };
    const decoy = { ...creation(services, request, account, checked, checked.supersedes), user };
    result = await services.accounts.create(decoy);
  }
  if (result === 'invitation_invalid') return problem('invitation_invalid');
  if (result === 'taken') return taken('/username', 'this user name is taken; enter another one');
  const sent = await sendSignUpCode(services, account);
  const cookies = await beginSession(services, account, {
    role: 'developer',
    replaces: request.session?.sessionId,
  });
  const late =
    sent.kind === 'problem' && sent.retryAfter !== undefined
      ? { 'Retry-After': String(sent.retryAfter) }
      : {};
  return response(201, accountView(account, termsOfUse.version), { cookies, headers: late });
}

/** Sends the code that proves a new account's address. If the address has a proven owner, sends the owner a mail without a code instead. */
export async function sendSignUpCode(
  services: SendCodeServices & Pick<DeveloperServices, 'accounts'>,
  account: Account,
) {
  const destination = { channel: 'email', to: account.email } as const;
  const code = { owner: account.accountId, purpose: 'sign_up_email', destination } as const;
  // Read for every account, so that the response takes equally long.
  const holder = await services.accounts.findByEmail(account.email);
  if (!hasProvenAddress(holder)) return await sendCode(services, code);
  const deliver = async () => await services.messages.mail(addressInUseMail(account.email, services.origin));
  return await sendCode(services, code, { decoy: true, deliver });
}

function newAccount(
  { random, now }: Pick<DeveloperServices, 'random' | 'now'>,
  body: SignUp,
  { person, invitation }: CheckedSignUp,
  decoy: boolean,
): Account {
  const { username, ...rest } = person;
  return {
    accountId: random.uuid(),
    version: 1,
    state: 'pending_email',
    role: 'developer',
    developerType: body.developerType,
    ...rest,
    ...(username === undefined ? {} : { username }),
    phoneVerified: false,
    teamId: invitation === undefined || decoy ? random.uuid() : invitation.teamId,
    createdAt: new Date(now()).toISOString(),
    signUp: recordOf(body),
    sessionEpoch: 0,
    decoy,
  };
}

function creation(
  services: Pick<DeveloperServices, 'random' | 'now'>,
  { requestId }: Request,
  account: Account,
  { invitation }: CheckedSignUp,
  supersedes: readonly Account[],
): AccountCreation {
  const event = accountEvent(services, account, 'sign_up', { requestId });
  if (account.decoy) return { account, event, joins: undefined, supersedes };
  const team = { teamId: account.teamId, name: account.company, members: 1, applications: 0, invited: 0 };
  return {
    account,
    event,
    joins: invitation === undefined ? { kind: 'own_team', team } : { kind: 'invitation', invitation },
    supersedes,
  };
}
