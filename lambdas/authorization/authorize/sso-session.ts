/** The SSO session: its type, and whether it satisfies `prompt`, `max_age` and the scope of a request. */

import type { Interface } from '../../catalog/fhir/interfaces.ts';
import { sharedCategories } from '../../catalog/fhir/sensitive-categories.ts';
import { includesScope } from '../../catalog/oauth/scopes.ts';
import type { SignedInMember } from '../oauth/member-account.ts';
import type { AuthenticationParameters, HintedMember } from './authentication-parameters.ts';
import { narrowedScope, requestedGroups } from './consent-decision.ts';

/**
 * A sign-in that the member chose to keep in one browser (docs/decisions/0014). It replaces the password at later authorization requests,
 * and the consent page too if the member has already shared the same with the application in this session.
 */
export interface SsoSession {
  /** SHA-256 (hex) of the secret in the cookie. */
  readonly ssoSessionId: string;
  readonly state: 'open' | 'ended';
  readonly member: SignedInMember;
  /** Time of the sign-in, seconds since 1970. */
  readonly authTime: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** The grant a member gave one application in an SSO session. */
export interface SsoSessionConsent {
  readonly grantId: string;
  readonly scope: string;
  readonly state: 'pending' | 'active' | 'revoked';
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Whether an SSO session may replace the password. It may not with `max_age=0`, `prompt=login` or `prompt=select_account`, nor with a hint
 * that names another or an unknown member.
 *
 * @param nowMs milliseconds since 1970; the age is not rounded down.
 */
export function satisfiesAuthenticationParameters(
  session: SsoSession,
  authentication: AuthenticationParameters,
  hinted: HintedMember,
  nowMs: number,
): boolean {
  const now = nowMs / 1000;
  if (session.state !== 'open' || session.expiresAt <= now) return false;
  if (authentication.prompts.includes('login') || authentication.prompts.includes('select_account'))
    return false;
  const { maxAge } = authentication;
  if (maxAge !== undefined && (maxAge === 0 || now - session.authTime > maxAge)) return false;
  return hinted.kind === 'anyone' || (hinted.kind === 'member' && hinted.sub === session.member.sub);
}

/**
 * The scope of a code without a consent page: the requested scope, if the member consented to all of it in this session and the grant is
 * active. `*` stands for the types served today, as on the consent page.
 *
 * @param now seconds since 1970
 * @returns undefined if the consent page is needed.
 */
export function consentedScope(
  consent: SsoSessionConsent | undefined,
  asked: string,
  products: readonly Interface[],
  now: number,
): string | undefined {
  if (consent?.state !== 'active' || consent.expiresAt <= now) return undefined;
  const groups = requestedGroups(asked, products)
    .filter(({ category }) => category === undefined || sharedCategories(consent.scope).has(category))
    .map(({ id }) => id);
  const scope = narrowedScope(asked, products, groups);
  const covered = scope?.split(' ').every((token) => includesScope(consent.scope, token));
  return covered ? scope : undefined;
}
