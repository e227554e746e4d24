/** Changes a developer's password. */

import { isKnownPassword } from '../../platform/kernel/known-passwords.ts';
import {
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  problem,
  response,
} from '../api/route-handler.ts';
import { termsOfUse } from '../catalog/agreements.ts';
import { type Account, accountView } from './account.ts';
import { passwordChangedMail } from './account-messages.ts';
import { type AccountChanged, type ChangeOptions, editAccount } from './change-account.ts';
import type { DeveloperServices } from './developer-services.ts';
import { knownPassword } from './known-password-problem.ts';
import { reauthenticate } from './reauthenticate.ts';
import { endedSessionCookies, rotateSession } from './sessions.ts';

/** Sets a new password after checking the present one. Ends every session but the caller's, which gets a new cookie. */
export async function changePassword(
  services: DeveloperServices,
  request: PortalRequest<{ readonly presentPassword: string; readonly password: string }>,
): Promise<PortalResult> {
  const { presentPassword, password } = request.body;
  const checked = await reauthenticate(services, request, presentPassword);
  if (checked.kind === 'problem') return checked;
  if (isKnownPassword(password, ownWords(checked.account))) return passwordRefused();
  const { requestId } = request;
  const mails = [passwordChangedMail(checked.account.email, services.origin)];
  const begun = await endSessions(services, checked.account, { requestId, mails });
  if (begun.kind === 'problem') return begun;
  const { accountId, sessionEpoch: epoch } = begun.account;
  const isSet = await services.directory.setPassword(accountId, password);
  await endPasswordChange(services, begun.account);
  const cookies = (await rotateSession(services, request.session, { epoch })) ?? endedSessionCookies;
  if (!isSet) return { ...passwordRefused(), cookies };
  return response(200, accountView(begun.account, termsOfUse.version, request.session.role), { cookies });
}

/** Lists the names of an account (person, company, address, user name), of which its password may not consist. */
export function ownWords({ firstName, lastName, company, email, username }: Account): readonly string[] {
  return [firstName, lastName, company, email, username ?? ''];
}

export function passwordRefused(): PortalProblem {
  return problem('invalid_request', { errors: [knownPassword('/password')] });
}

/** Seconds: longer than a function takes to set a password. */
const passwordChangesSeconds = 60;

/**
 * Makes the fields of an account whose password is about to be set: every session ends, and nobody can sign in until the new password is
 * set, so that the old password begins no session that survives the change.
 */
export function passwordChangeFields({ now }: Pick<DeveloperServices, 'now'>, { sessionEpoch }: Account) {
  return { sessionEpoch: sessionEpoch + 1, passwordChangesUntil: now() / 1000 + passwordChangesSeconds };
}

/**
 * Ends a change of password, whether the password was set or refused. If this write fails, sign-ins are refused until
 * `passwordChangesUntil`.
 */
export async function endPasswordChange(
  { accounts }: Pick<DeveloperServices, 'accounts'>,
  account: Account,
): Promise<void> {
  await accounts.passwordHolds(account).catch(() => undefined);
}

/**
 * Ends every session of an account; tries again if another change of the account was written first. If that change ended the sessions, the
 * caller's session has ended too, and no password is set.
 */
async function endSessions(
  services: Pick<DeveloperServices, 'accounts' | 'random' | 'now'>,
  account: Account,
  options: ChangeOptions,
): Promise<AccountChanged | PortalProblem> {
  let present: Account | undefined = account;
  for (let tries = 0; tries < 3 && present !== undefined; tries += 1) {
    if (present.sessionEpoch !== account.sessionEpoch) {
      return problem('signed_out', { cookies: endedSessionCookies });
    }
    const done = await editAccount(
      services,
      present,
      'change_password',
      passwordChangeFields(services, present),
      options,
    );
    if (done.kind !== 'problem') return done;
    present = await services.accounts.find(account.accountId);
  }
  return problem('unavailable');
}
