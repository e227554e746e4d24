/** Routes for a person's own account: name, address, phone, password, closing, and signing out. */

import {
  changeEmailRequest,
  changePasswordRequest,
  changePhoneRequest,
  codeRequest,
  passwordRequest,
  updateAccountRequest,
} from '../api/accounts.ts';
import { e164 } from '../api/fields.ts';
import {
  noContent,
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  problem,
  publicRead,
  response,
  sessionRead,
  sessionRoute,
} from '../api/route-handler.ts';
import type { AccountView } from '../api/views.ts';
import { termsOfUse } from '../catalog/agreements.ts';
import { type Account, accountView, type Destination, maskedDestination } from './account.ts';
import { addressInUseMail, closedMail, emailChangedMail, phoneChangedMail } from './account-messages.ts';
import { type AccountChanged, accountOf, editAccount, takeAct } from './change-account.ts';
import { changePassword } from './change-password.ts';
import type { DeveloperServices } from './developer-services.ts';
import { hasProvenAddress } from './email-claims.ts';
import { openSecrets, reauthenticate } from './reauthenticate.ts';
import { endedSessionCookies, sessionSecretId } from './sessions.ts';
import { membershipOf } from './team-routes.ts';
import { checkCode, sendCode } from './verification-codes.ts';

/** Makes the routes for a person's own account and session. */
export function ownAccountRoutes(services: DeveloperServices) {
  return {
    account: sessionRead(async (request) => {
      const account = await accountOf(services, request.session);
      if (account === undefined) return problem('signed_out');
      const { role, secretsOpenUntil = 0 } = request.session;
      const open = secretsOpenUntil * 1000 > services.now();
      const body: AccountView = {
        ...accountView(account, termsOfUse.version, role),
        ...(open ? { secretsOpenUntil: new Date(secretsOpenUntil * 1000).toISOString() } : {}),
      };
      return response(200, body);
    }),
    updateAccount: sessionRoute(updateAccountRequest, async (request) => {
      const account = await accountOf(services, request.session);
      if (account === undefined) return problem('signed_out');
      const { body, requestId } = request;
      return answer(await editAccount(services, account, 'change_name', body, { requestId }), request);
    }),
    changeEmail: sessionRoute(changeEmailRequest, async (request) => await changeEmail(services, request)),
    confirmEmail: sessionRoute(codeRequest, async (request) => await confirmEmail(services, request)),
    changePhone: sessionRoute(changePhoneRequest, async (request) => await changePhone(services, request)),
    confirmPhone: sessionRoute(codeRequest, async (request) => await confirmPhone(services, request)),
    changePassword: sessionRoute(
      changePasswordRequest,
      async (request) => await changePassword(services, request),
    ),
    closeAccount: sessionRoute(passwordRequest, async (request) => await closeAccount(services, request)),
    passwordAgain: sessionRoute(passwordRequest, async (request) => await passwordAgain(services, request)),
    // Accepts the cookie of a session that has ended or was rotated, so that signing out always succeeds.
    signOut: publicRead(async ({ cookies }) => {
      const id = sessionSecretId(services, cookies, '__Host-session');
      if (id !== undefined) await services.sessions.end(id);
      return noContent({ cookies: endedSessionCookies });
    }),
    signOutEverywhere: sessionRead(async (request) => await signOutEverywhere(services, request)),
  };
}

function answer(
  done: AccountChanged | PortalProblem,
  { session }: PortalRequest<unknown>,
  cookies: readonly string[] = [],
): PortalResult {
  if (done.kind === 'problem') return done;
  return response(200, accountView(done.account, termsOfUse.version, session.role), { cookies });
}

/**
 * Begins a change of the account's e-mail address. The answer is the same whether or not another account has the new address; the owner of
 * that account gets a mail.
 */
async function changeEmail(
  services: DeveloperServices,
  request: PortalRequest<{ readonly email: string; readonly password: string }>,
): Promise<PortalResult> {
  // An operator's address can be changed in the user pool only.
  if (request.session.role === 'operator') return problem('not_found');
  const checked = await reauthenticate(services, request, request.body.password);
  if (checked.kind === 'problem') return checked;
  const { email } = request.body;
  const domain = checked.account.signUp.companyEmailDomain;
  if (typeof domain === 'string' && !email.toLowerCase().endsWith(`@${domain}`)) {
    const expected = 'an e-mail address at the company’s domain';
    return problem('invalid_request', { errors: [{ pointer: '/email', code: 'invalid', expected }] });
  }
  const holder = await services.accounts.findByEmail(email);
  const destination = { channel: 'email', to: email } as const;
  const code = { owner: checked.account.accountId, purpose: 'change_email', destination } as const;
  const isTaken = hasProvenAddress(holder) && holder.accountId !== checked.account.accountId;
  const deliver = async () => await services.messages.mail(addressInUseMail(email, services.origin));
  const sent = await sendCode(services, code, isTaken ? { decoy: true, deliver } : {});
  return sent.kind === 'problem' ? sent : awaited(destination);
}

function awaited(destination: Destination): PortalResult {
  return response(202, { codeSentTo: maskedDestination(destination) });
}

async function confirmEmail(
  services: DeveloperServices,
  request: PortalRequest<{ readonly code: string }>,
): Promise<PortalResult> {
  const account = await accountOf(services, request.session);
  if (account === undefined) return problem('signed_out');
  const checked = await checkCode(services, account.accountId, 'change_email', request.body.code);
  if (checked.kind === 'problem') return checked;
  const { to: email } = checked.use.code.destination;
  const holder = await services.accounts.findByEmail(email);
  const isUnproven = holder !== undefined && !hasProvenAddress(holder);
  const options = {
    requestId: request.requestId,
    code: checked.use,
    mails: [emailChangedMail(account.email, services.origin)],
    ...(isUnproven ? { supersedes: [holder] } : {}),
  };
  return answer(await editAccount(services, account, 'change_email', { email }, options), request);
}

async function changePhone(
  services: DeveloperServices,
  request: PortalRequest<{ readonly phone: string; readonly password: string }>,
): Promise<PortalResult> {
  const phone = e164(request.body.phone);
  if (services.phoneKind(phone) !== 'personal') {
    const expected = 'a US number that can receive text messages';
    return problem('invalid_request', { errors: [{ pointer: '/phone', code: 'not_us_number', expected }] });
  }
  const checked = await reauthenticate(services, request, request.body.password);
  if (checked.kind === 'problem') return checked;
  const { state } = checked.account;
  if (!phoneMayChange(state)) return problem('account_state', { state });
  const destination = { channel: 'sms', to: phone } as const;
  const owner = checked.account.accountId;
  const sent = await sendCode(services, { owner, purpose: 'change_phone', destination });
  return sent.kind === 'problem' ? sent : awaited(destination);
}

/** Whether the phone number can change: also in a sign-up that waits for the code to a number that may be wrong. */
const phoneMayChange = (state: Account['state']) => state === 'active' || state === 'pending_phone';

async function confirmPhone(
  services: DeveloperServices,
  request: PortalRequest<{ readonly code: string }>,
): Promise<PortalResult> {
  const account = await accountOf(services, request.session);
  if (account === undefined) return problem('signed_out');
  const { state } = account;
  if (!phoneMayChange(state)) return problem('account_state', { state });
  const checked = await checkCode(services, account.accountId, 'change_phone', request.body.code);
  if (checked.kind === 'problem') return checked;
  const fields = { phone: checked.use.code.destination.to, phoneVerified: true };
  const options = { requestId: request.requestId, code: checked.use };
  const mails = [phoneChangedMail(account.email, services.origin)];
  return answer(
    state === 'pending_phone'
      ? await takeAct(services, account, 'verify_phone', fields, options)
      : await editAccount(services, account, 'change_phone', fields, { ...options, mails }),
    request,
  );
}

/** Ends every session of the account; tries again where another change of the account was written first. */
async function signOutEverywhere(
  services: Pick<DeveloperServices, 'accounts' | 'random' | 'now'>,
  request: PortalRequest,
): Promise<PortalResult> {
  const { requestId } = request;
  for (let tries = 0; tries < 3; tries += 1) {
    const account = await accountOf(services, request.session);
    if (account === undefined || account.state === 'closed') return problem('signed_out');
    const fields = { sessionEpoch: account.sessionEpoch + 1 };
    const done = await editAccount(services, account, 'sign_out_everywhere', fields, { requestId });
    if (done.kind !== 'problem') return noContent({ cookies: endedSessionCookies });
  }
  return problem('unavailable');
}

async function passwordAgain(
  services: DeveloperServices,
  request: PortalRequest<{ readonly password: string }>,
): Promise<PortalResult> {
  const opened = await openSecrets(services, request, request.body.password);
  return opened.kind === 'problem' ? opened : noContent({ cookies: opened.cookies });
}

async function closeAccount(
  services: Pick<DeveloperServices, 'accounts' | 'teams' | 'directory' | 'limits' | 'random' | 'now'>,
  request: PortalRequest<{ readonly password: string }>,
): Promise<PortalResult> {
  if (request.session.role === 'operator') return problem('not_found');
  const checked = await reauthenticate(services, request, request.body.password);
  if (checked.kind === 'problem') return checked;
  const { account } = checked;
  if (await leavesApplications(services, account)) return problem('applications_live');
  const fields = { sessionEpoch: account.sessionEpoch + 1 };
  const queue = account.state === 'pending_verification' ? ({ queue: 'leave' } as const) : {};
  // A decoy's address belongs to somebody else, who must get no mail about the decoy.
  const mails = account.decoy ? [] : [closedMail(account.email)];
  const done = await takeAct(services, account, 'close', fields, {
    requestId: request.requestId,
    mails,
    ...queue,
    ...(account.decoy ? {} : await membershipOf(services, account)),
  });
  if (done.kind === 'problem') {
    // The account is unchanged, so the write failed because its team changed: a member registered an application or left.
    return done.problem === 'code_expired' ? problem('applications_live') : done;
  }
  await services.directory.disable(account.accountId);
  return noContent({ cookies: endedSessionCookies });
}

/** Whether an account is the only member of a team with live applications, which nobody could end after the account is closed. */
async function leavesApplications(
  { teams }: Pick<DeveloperServices, 'teams'>,
  { decoy, teamId }: Account,
): Promise<boolean> {
  const team = decoy ? undefined : await teams.find(teamId);
  return team !== undefined && team.members < 2 && team.applications > 0;
}
