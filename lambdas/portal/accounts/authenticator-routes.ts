/** Routes by which an operator sets up an authenticator app, and the check of its one-time passwords (RFC 6238). */

import type { RateRule } from '../../platform/kernel/rates.ts';
import { authenticatorRequest, passwordRequest } from '../api/accounts.ts';
import {
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  problem,
  response,
  sessionRoute,
} from '../api/route-handler.ts';
import type { AuthenticatorView } from '../api/views.ts';
import { termsOfUse } from '../catalog/agreements.ts';
import { portalLimits } from '../catalog/limits.ts';
import { type Account, accountView } from './account.ts';
import { authenticatorMail, authenticatorResetMail } from './account-messages.ts';
import type { AccountEvent } from './account-store-port.ts';
import { type AccountChanged, accountOf, editAccount } from './change-account.ts';
import type { DeveloperServices } from './developer-services.ts';
import { reauthenticate } from './reauthenticate.ts';
import type { CheckCodeServices } from './verification-codes.ts';

/**
 * An operator's second factor: one-time passwords of an authenticator app (RFC 6238). The app's key is derived from a random text, stored
 * with the account, by the KMS key that makes the digests of codes. That key never leaves KMS, so the table alone does not suffice to
 * compute a one-time password.
 */

const stepSeconds = 30;
/** The current time step, and the steps before and after it, for clocks that differ (RFC 6238 section 5.2). */
const steps = [0, -1, 1] as const;

/** Limits of the tries of one account, right ones included: three of a million codes are right at any time. */
const tryRates: readonly RateRule[] = [
  { name: 'authenticator-hour', limit: portalLimits.codeTriesPerHour, periodSeconds: 3_600 },
  { name: 'authenticator-day', limit: 3 * portalLimits.codeTriesPerHour, periodSeconds: 86_400 },
];

const issuer = 'Member Data developer portal';

/** Makes the routes by which an operator sets up an authenticator app. A new app replaces the previous one. */
export function authenticatorRoutes(services: DeveloperServices) {
  return {
    beginAuthenticator: sessionRoute(passwordRequest, async (request) => await begin(services, request)),
    confirmAuthenticator: sessionRoute(
      authenticatorRequest,
      async (request) => await confirm(services, request),
    ),
  };
}

/** Issues a key after checking the password. The key takes effect when a code made with it is sent to `confirm` within ten minutes. */
async function begin(
  services: Pick<DeveloperServices, 'accounts' | 'directory' | 'limits' | 'mac' | 'totp' | 'random' | 'now'>,
  request: PortalRequest<{ readonly password: string }>,
): Promise<PortalResult> {
  if (request.session.role !== 'operator') return problem('not_found');
  const checked = await reauthenticate(services, request, request.body.password);
  if (checked.kind === 'problem') return checked;
  const { accountId, email } = checked.account;
  const until = Math.floor(services.now() / 1000) + portalLimits.codeSeconds;
  // The expiry is part of the text that the key is derived from: a client that changes the expiry gets another key.
  const enrollment = `${until}.${services.random.token(16)}`;
  const key = services.totp.key(await keyMaterial(services, accountId, enrollment));
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const uri = `otpauth://totp/${label}?secret=${key}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=${stepSeconds}`;
  const body: AuthenticatorView = { enrollment, key, uri };
  return response(200, body);
}

async function confirm(
  services: DeveloperServices,
  { session, body, requestId }: PortalRequest<{ readonly enrollment: string; readonly code: string }>,
): Promise<PortalResult> {
  if (session.role !== 'operator') return problem('not_found');
  const account = await accountOf(services, session);
  if (account === undefined) return problem('signed_out');
  const { enrollment, code } = body;
  if (Number(enrollment.split('.')[0]) <= services.now() / 1000) return problem('code_expired');
  const refused = await checkAuthenticator(services, account.accountId, enrollment, code);
  if (refused !== undefined) return refused;
  const authenticator = { enrollment, since: new Date(services.now()).toISOString() };
  const mails = [authenticatorMail(account.email, services.origin)];
  const done = await editAccount(
    services,
    account,
    'set_up_authenticator',
    { authenticator },
    { requestId, mails },
  );
  if (done.kind === 'problem') return done;
  return response(200, accountView(done.account, termsOfUse.version, session.role));
}

/**
 * Checks a code of an authenticator app. The try is counted before the code is compared. A right code is used up: its time step and those
 * before it are refused from then on (RFC 6238 section 5.2).
 *
 * @returns the refusal; undefined where the code is right.
 */
export async function checkAuthenticator(
  services: CheckCodeServices & Pick<DeveloperServices, 'totp'>,
  accountId: string,
  enrollment: string,
  typed: string,
): Promise<PortalProblem | undefined> {
  for (const rule of tryRates) {
    const verdict = await services.limits.attempt(rule, accountId);
    if (verdict.kind === 'limited')
      return problem('too_many_tries', { retryAfter: verdict.retryAfterSeconds });
  }
  const material = await keyMaterial(services, accountId, enrollment);
  const now = Math.floor(services.now() / 1000 / stepSeconds);
  const right = steps
    .map((by) => now + by)
    .filter((step) => services.equal(services.totp.code(material, step), typed));
  const [step] = right;
  if (step === undefined) return problem('wrong_code', { detail: wrongCode });
  return (await services.codes.useStep(accountId, step))
    ? undefined
    : problem('wrong_code', { detail: usedCode });
}

const wrongCode =
  'Enter the six digits your authenticator app shows now. Check that the clock of your device is correct.';
const usedCode = 'Each code works once. Wait until your authenticator app shows the next code.';

async function keyMaterial(
  services: Pick<DeveloperServices, 'mac'>,
  accountId: string,
  enrollment: string,
): Promise<string> {
  return await services.mac(`portal authenticator ${accountId} ${enrollment}`);
}

type ResetServices = Pick<DeveloperServices, 'accounts' | 'origin' | 'random' | 'now'>;

/**
 * Removes an operator's authenticator app at another operator's request: the next sign-in asks for a sent code again, and then a new app
 * can be set up. Does nothing for an account without an app.
 */
export async function resetAuthenticator(
  services: ResetServices,
  account: Account | undefined,
  { by, requestId }: { readonly by: AccountEvent['actor']; readonly requestId: string },
): Promise<AccountChanged | PortalProblem> {
  if (account === undefined || account.decoy) return problem('not_found');
  if (account.accountId === by.id) {
    return problem('four_eyes', {
      detail: 'Ask another operator to reset it.',
    });
  }
  if (account.authenticator === undefined) return { kind: 'changed', account };
  const fields = { authenticator: undefined, sessionEpoch: account.sessionEpoch + 1 };
  const mails = [authenticatorResetMail(account.email, services.origin)];
  return await editAccount(services, account, 'reset_authenticator', fields, { requestId, by, mails });
}
