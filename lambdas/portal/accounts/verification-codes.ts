/** Sends and checks the portal's verification codes, within limits. */

import type { RateRule } from '../../platform/kernel/rates.ts';
import { type PortalProblem, problem } from '../api/route-handler.ts';
import { portalLimits } from '../catalog/limits.ts';
import type { Destination } from './account.ts';
import { codeMail, codeTextMessage } from './account-messages.ts';
import type { CodePurpose, CodeUse, SentCode } from './code-store-port.ts';
import type { DeveloperServices } from './developer-services.ts';

/**
 * Limits of the codes sent to one address or number for one cause, and of the texts that one account causes, to any number: each text costs
 * money, and attackers earn from floods of texts (SMS pumping). They also limit the mails that one account sends to new addresses, which
 * are unproven.
 */
const codeRates: readonly RateRule[] = [
  { name: 'code-hour', limit: portalLimits.codesPerHour, periodSeconds: 3_600 },
  { name: 'code-day', limit: portalLimits.codesPerDay, periodSeconds: 86_400 },
];

/**
 * Codes to one destination are counted apart by what a person needs to request them: the account's password (`sign-in`), only the address
 * (`reset`), or nothing, because the destination is not proven yet (`unproven`). So sign-ups, changes or resets that name somebody's
 * address do not use up that person's sign-ins. The count depends on the purpose alone, and not on whether the code is a decoy's, so a
 * refusal does not reveal whether an address has an account.
 */
const causes: Readonly<Record<CodePurpose, 'sign-in' | 'reset' | 'unproven'>> = {
  sign_in: 'sign-in',
  password_reset: 'reset',
  sign_up_email: 'unproven',
  sign_up_phone: 'unproven',
  change_email: 'unproven',
  change_phone: 'unproven',
};

export type SendCodeServices = Pick<
  DeveloperServices,
  'origin' | 'codes' | 'limits' | 'messages' | 'mac' | 'random' | 'now'
>;

export type CheckCodeServices = Pick<DeveloperServices, 'codes' | 'limits' | 'mac' | 'equal' | 'now'>;

export type CodeSent = { readonly kind: 'sent' } | PortalProblem;

/**
 * Sends the message of a code. For an address with a proven owner the message has no code.
 *
 * @returns false where the message was not accepted.
 */
export type Deliver = (code: string) => Promise<boolean>;

/**
 * Makes the one live code of an owner and purpose, and sends it. Within a minute of the last code, or over the destination's limits,
 * nothing is sent: the problem `too_many_codes` states when to try again.
 *
 * @param options `decoy`: the code is never right, but seems like any other.
 */
export async function sendCode(
  services: SendCodeServices,
  code: { readonly owner: string; readonly purpose: CodePurpose; readonly destination: Destination },
  options: { readonly decoy?: boolean; readonly deliver?: Deliver } = {},
): Promise<CodeSent> {
  const { owner, purpose, destination } = code;
  const seconds = services.now() / 1000;
  const { codeResendSeconds } = portalLimits;
  const before = await services.codes.find(owner, purpose);
  const waits = (before?.sentAt ?? 0) + codeResendSeconds - seconds;
  if (waits > 0) return problem('too_many_codes', { retryAfter: Math.ceil(waits) });
  for (const [rule, subject] of countedFor(code)) {
    const verdict = await services.limits.attempt(rule, subject);
    if (verdict.kind === 'limited')
      return problem('too_many_codes', { retryAfter: verdict.retryAfterSeconds });
  }
  const digits = services.random.digits(6);
  const what = options.decoy === true ? services.random.token() : digits;
  const sent: SentCode = {
    mac: await services.mac(macText(owner, purpose, what)),
    destination,
    sentAt: seconds,
    expiresAt: seconds + portalLimits.codeSeconds,
    tries: 0,
  };
  const kept = await services.codes.replace(owner, purpose, sent, seconds - codeResendSeconds);
  if (!kept) return problem('too_many_codes', { retryAfter: codeResendSeconds });
  const deliver = options.deliver ?? ((it) => deliverCode(services, destination, it));
  if (await deliver(digits)) return { kind: 'sent' };
  const detail = 'The message with your code could not be sent. Request a new code in a minute.';
  return problem('unavailable', { retryAfter: codeResendSeconds, detail });
}

/** Lists the limits that a code counts against, before it is sent. */
function countedFor(code: {
  readonly owner: string;
  readonly purpose: CodePurpose;
  readonly destination: Destination;
}): readonly (readonly [RateRule, string])[] {
  const { owner, purpose, destination } = code;
  return codeRates.flatMap((rule) => {
    const ofCause = { ...rule, name: `${rule.name}-${causes[purpose]}` };
    const ofDestination = [ofCause, destination.to.toLowerCase()] as const;
    if (destination.channel === 'sms') return [ofDestination, [rule, owner] as const];
    if (purpose !== 'change_email') return [ofDestination];
    return [ofDestination, [{ ...rule, name: `${rule.name}-change-email` }, owner] as const];
  });
}

async function deliverCode(
  { messages, origin }: Pick<DeveloperServices, 'origin' | 'messages'>,
  destination: Destination,
  code: string,
): Promise<boolean> {
  if (destination.channel === 'sms') return await messages.text(destination.to, codeTextMessage(code));
  return await messages.mail(codeMail(destination.to, code, origin));
}

/**
 * Checks a typed code. The try is counted by a conditional write before the code is compared, so that at most five tries are compared,
 * concurrent ones included. A right code is not used up here: the returned `use` does that in the transaction of the change that the code
 * permits.
 */
export async function checkCode(
  services: CheckCodeServices,
  owner: string,
  purpose: CodePurpose,
  typed: string,
): Promise<{ readonly kind: 'matched'; readonly use: CodeUse } | PortalProblem> {
  const hourly = { name: `code-try-${purpose}`, limit: portalLimits.codeTriesPerHour, periodSeconds: 3_600 };
  const verdict = await services.limits.attempt(hourly, owner);
  if (verdict.kind === 'limited') return problem('too_many_tries', { retryAfter: verdict.retryAfterSeconds });
  const code = await services.codes.attempt(owner, purpose, services.now() / 1000);
  // Computed also where there is no code, so that the response takes equally long.
  const mac = await services.mac(macText(owner, purpose, typed));
  if (code === undefined) return problem('code_expired');
  if (services.equal(mac, code.mac)) return { kind: 'matched', use: { owner, purpose, code } };
  return problem('wrong_code', { triesLeft: portalLimits.codeTries - code.tries });
}

/** Makes the text whose keyed digest is stored for a code. It includes owner and purpose, so that a code is right for these only. */
function macText(owner: string, purpose: CodePurpose, code: string): string {
  return `portal ${purpose} ${owner} ${code}`;
}
