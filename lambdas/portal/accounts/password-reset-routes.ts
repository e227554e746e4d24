/** Portal routes that reset a forgotten password. */

import { isKnownPassword } from '../../platform/kernel/known-passwords.ts';
import { passwordResetConfirmation, passwordResetRequest } from '../api/accounts.ts';
import {
  noContent,
  type PortalRequest,
  type PortalResult,
  type PortalSession,
  problem,
  publicRoute,
  response,
} from '../api/route-handler.ts';
import { type Account, maskedDestination } from './account.ts';
import { noAccountMail, passwordChangedMail } from './account-messages.ts';
import { editAccount, takeAct } from './change-account.ts';
import { endPasswordChange, ownWords, passwordChangeFields, passwordRefused } from './change-password.ts';
import type { DeveloperServices } from './developer-services.ts';
import { hasProvenAddress } from './email-claims.ts';
import { checkCode, sendCode } from './verification-codes.ts';

/** Limit of password resets requested from one network address. */
const resetRate = { name: 'password-reset', limit: 100, periodSeconds: 3_600 };

/**
 * Makes the routes that set a new password by a code mailed to the account's address. A request for an address without an account gets the
 * same answer, and the address a mail that says so.
 */
export function passwordResetRoutes(services: DeveloperServices) {
  return {
    requestPasswordReset: publicRoute(
      passwordResetRequest,
      async (request) => await begin(services, request),
    ),
    resetPassword: publicRoute(
      passwordResetConfirmation,
      async (request) => await confirm(services, request),
    ),
  };
}

type Anybody<Body> = PortalRequest<Body, PortalSession | undefined>;

async function begin(
  services: DeveloperServices,
  { body, ip }: Anybody<{ readonly email: string; readonly botCheck: string }>,
): Promise<PortalResult> {
  const check = await services.botCheck.check(body.botCheck, ip);
  if (check.kind === 'unavailable') return problem('unavailable');
  if (check.kind === 'failed' || !(await check.use())) return problem('bot_check_failed');
  const verdict = await services.limits.attempt(resetRate, ip);
  if (verdict.kind === 'limited')
    return problem('too_many_requests', { retryAfter: verdict.retryAfterSeconds });
  const account = await provenAccount(services, body.email);
  const to = account?.email ?? body.email;
  const destination = { channel: 'email', to } as const;
  const code = { owner: ownerOf(services, account?.accountId, body.email), destination } as const;
  const deliver = async () => await services.messages.mail(noAccountMail(to, services.origin));
  const options = account === undefined ? { decoy: true, deliver } : {};
  const sent = await sendCode(services, { ...code, purpose: 'password_reset' }, options);
  if (sent.kind === 'problem') return sent;
  // Masks the address as it was typed: the stored address may differ in case, which would reveal that there is an account.
  return response(202, { codeSentTo: maskedDestination({ channel: 'email', to: body.email }) });
}

/**
 * Finds the account that has proven an address. An unproven account may be somebody else's sign-up, which the owner of the address must not
 * get by a reset.
 */
async function provenAccount(
  { accounts }: Pick<DeveloperServices, 'accounts'>,
  email: string,
): Promise<Account | undefined> {
  const holder = await accounts.findByEmail(email);
  return hasProvenAddress(holder) ? holder : undefined;
}

/** The key under which the code is stored: the account ID; for an address without an account, a digest of the address. */
function ownerOf(
  { sha256Hex }: Pick<DeveloperServices, 'sha256Hex'>,
  accountId: string | undefined,
  email: string,
): string {
  return accountId ?? `nobody-${sha256Hex(email.toLowerCase())}`;
}

/**
 * Sets a new password by a code. The code is used up before the password is set, so that only one of two concurrent requests sets a
 * password. All sessions end, and a locked account is unlocked once the password is set.
 */
async function confirm(
  services: DeveloperServices,
  { body, requestId }: Anybody<{ readonly email: string; readonly code: string; readonly password: string }>,
): Promise<PortalResult> {
  const { email, password } = body;
  const account = await provenAccount(services, email);
  if (isKnownPassword(password, [email])) return passwordRefused();
  const owner = ownerOf(services, account?.accountId, email);
  const checked = await checkCode(services, owner, 'password_reset', body.code);
  if (checked.kind === 'problem') return checked;
  if (account === undefined) return problem('code_expired');
  // Checked after the code, so that only the account's owner learns which words its password may not contain.
  if (isKnownPassword(password, ownWords(account))) return passwordRefused();
  const begun = await editAccount(
    services,
    account,
    'reset_password',
    passwordChangeFields(services, account),
    {
      requestId,
      code: checked.use,
      mails: [passwordChangedMail(account.email, services.origin)],
    },
  );
  if (begun.kind === 'problem') return begun;
  const isSet = await services.directory.setPassword(account.accountId, password);
  if (isSet) {
    await services.limits.signInSucceeded(account.accountId);
    if (begun.account.state === 'locked') await takeAct(services, begun.account, 'unlock', {}, { requestId });
  }
  await endPasswordChange(services, begun.account);
  return isSet ? noContent() : passwordRefused();
}
