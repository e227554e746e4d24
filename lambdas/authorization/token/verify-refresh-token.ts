/** Verifies a refresh token against its family, and detects reuse. */

import type { Digests } from '../../platform/kernel/digests.ts';
import { graceSeconds, type RefreshFamily } from './refresh-token-family.ts';

/** Reason why a refresh token of a known family is refused. */
export type RefreshRefusal =
  | 'refresh_token_unknown'
  | 'refresh_token_of_another_client'
  | 'refresh_token_revoked'
  | 'refresh_token_expired'
  | 'refresh_token_reused';

/**
 * Verdict on a refresh token. `current`: the live token, which is to be rotated. `previous`: the token before it, within the grace period.
 * `revokesGrant`: the token was presented by another client or used twice (RFC 9700 section 4.14.2), so the whole grant ends.
 */
export type RefreshVerdict =
  | { readonly kind: 'current' | 'previous' }
  | { readonly kind: 'refusal'; readonly reason: RefreshRefusal; readonly revokesGrant: boolean };

/**
 * Verifies a refresh token against its family, in the order of the specification. A family has the digests of its last two tokens only. Any
 * other token with the family's ID must be an older one, because the ID (128 random bits) is known from its tokens alone.
 *
 * @param sha256 digest of the presented token.
 * @param now seconds since 1970
 */
export function verifyRefreshToken(
  family: RefreshFamily,
  sha256: string,
  clientId: string,
  now: number,
  digests: Digests,
): RefreshVerdict {
  const live = digests.equal(sha256, family.sha256);
  const previous = digests.equal(sha256, family.previousSha256 ?? 'none');
  if (family.clientId !== clientId) {
    return live || previous ? end('refresh_token_of_another_client') : refuse('refresh_token_unknown');
  }
  if (family.state !== 'active') return refuse('refresh_token_revoked');
  if (family.expiresAt <= now || family.idleExpiresAt <= now) return refuse('refresh_token_expired');
  if (live) return { kind: 'current' };
  return previous && now <= family.rotatedAt + graceSeconds
    ? { kind: 'previous' }
    : end('refresh_token_reused');
}

function refuse(reason: RefreshRefusal): RefreshVerdict {
  return { kind: 'refusal', reason, revokesGrant: false };
}

function end(reason: RefreshRefusal): RefreshVerdict {
  return { kind: 'refusal', reason, revokesGrant: true };
}
