/** Asks for the password again before secrets are shown or a password is changed. */

import { type PortalProblem, type PortalRequest, problem } from '../api/route-handler.ts';
import { portalLimits } from '../catalog/limits.ts';
import type { Account } from './account.ts';
import type { AccountStore } from './account-store-port.ts';
import { accountOf } from './change-account.ts';
import type { DeveloperServices } from './developer-services.ts';
import { rotateSession } from './sessions.ts';

/** Checks the password again. If it is right, the session may show secrets for five minutes and gets a new cookie. */
export async function openSecrets(
  services: PasswordServices & Pick<DeveloperServices, 'sessions' | 'random' | 'sha256Hex' | 'now'>,
  request: PortalRequest<unknown>,
  password: string,
): Promise<{ readonly kind: 'opened'; readonly cookies: readonly string[] } | PortalProblem> {
  const checked = await reauthenticate(services, request, password);
  if (checked.kind === 'problem') return checked;
  const secretsOpenUntil = services.now() / 1000 + portalLimits.passwordAgainSeconds;
  const cookies = await rotateSession(services, request.session, { secretsOpenUntil });
  return cookies === undefined ? problem('signed_out') : { kind: 'opened', cookies };
}

type PasswordServices = Pick<DeveloperServices, 'limits' | 'directory' | 'now'> & {
  readonly accounts: Pick<AccountStore, 'find'>;
};

/**
 * Checks the password of a session's account. Wrong passwords count like failed sign-ins, so that the thief of a session cannot guess
 * without limit.
 */
export async function reauthenticate(
  services: PasswordServices,
  request: PortalRequest<unknown>,
  password: string,
): Promise<{ readonly kind: 'proven'; readonly account: Account } | PortalProblem> {
  const account = await accountOf(services, request.session);
  if (account === undefined) return problem('signed_out');
  const waits = passwordChangeRunning(services, account);
  if (waits !== undefined) return waits;
  const attempt = await services.limits.signInBegins(account.accountId);
  if (attempt.kind === 'limited')
    return problem('too_many_requests', { retryAfter: attempt.retryAfterSeconds });
  const user = await services.directory.signIn(account.accountId, password);
  if (user.kind === 'unavailable') return problem('unavailable');
  if (user.kind === 'refused') return problem('wrong_password');
  await services.limits.signInSucceeded(account.accountId);
  return { kind: 'proven', account };
}

/**
 * Refuses a password while a new one is being set: the old password is no longer valid.
 *
 * @param account as it was read before the password was checked
 */
export function passwordChangeRunning(
  { now }: Pick<DeveloperServices, 'now'>,
  { passwordChangesUntil = 0 }: Account,
): PortalProblem | undefined {
  const seconds = passwordChangesUntil - now() / 1000;
  const detail = 'The password of this account is being changed. Try again in a moment.';
  return seconds > 0 ? problem('unavailable', { retryAfter: Math.ceil(seconds), detail }) : undefined;
}
