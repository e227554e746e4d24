import type { Interface } from '../../catalog/interfaces.ts';
import { includesScope } from '../../catalog/scopes.ts';
import type { SignedInMember } from '../ports.ts';
import type { AuthenticationParameters, Hinted } from './authentication-parameters.ts';
import { groupsAskedFor, narrowedScope } from './consent-choice.ts';

/** A kept sign-in lasts this long from the password on, whatever is done in it. The sign-in page says so. */
export const keptSeconds = 900;

/**
 * A sign-in the member chose to keep in one browser (docs/decisions/0014). It stands in for the password at the next
 * authorization request, and for the consent page where the member has shared the same in it already.
 */
export interface SsoSession {
  /** SHA-256 (hex) of the secret in the cookie. */
  readonly keptId: string;
  readonly state: 'open' | 'ended';
  readonly member: SignedInMember;
  /** When the member signed in, seconds since 1970. */
  readonly authTime: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** The grant that came of what a member shared with one application in a kept sign-in. */
export interface KeptConsent {
  readonly grantId: string;
  readonly scope: string;
  readonly state: 'pending' | 'active' | 'revoked';
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Whether a kept sign-in may stand in for the password. `max_age=0` asks for the password as `prompt=login` does; a hint
 * that names nobody we know, or another member, is a wish for a sign-in.
 *
 * @param nowMs milliseconds since 1970; the age isn't rounded down.
 */
export function satisfiesAuthenticationParameters(
  kept: SsoSession,
  authentication: AuthenticationParameters,
  hinted: Hinted,
  nowMs: number,
): boolean {
  const now = nowMs / 1000;
  if (kept.state !== 'open' || kept.expiresAt <= now) return false;
  if (authentication.prompts.includes('login') || authentication.prompts.includes('select_account'))
    return false;
  const { maxAge } = authentication;
  if (maxAge !== undefined && (maxAge === 0 || now - kept.authTime > maxAge)) return false;
  return hinted === 'anyone' || hinted.sub === kept.member.sub;
}

/**
 * The scope of a code without a page: all that is asked for, if the member shared as much in this sign-in and the grant
 * lives. `*` is what is served today, as on the consent page.
 *
 * @param now seconds since 1970
 * @returns undefined where a page must ask.
 */
export function consentedScope(
  consent: KeptConsent | undefined,
  asked: string,
  products: readonly Interface[],
  now: number,
): string | undefined {
  if (consent?.state !== 'active' || consent.expiresAt <= now) return undefined;
  const groups = groupsAskedFor(asked, products).map(({ id }) => id);
  const scope = narrowedScope(asked, products, groups);
  const covered = scope?.split(' ').every((token) => includesScope(consent.scope, token));
  return covered ? scope : undefined;
}
