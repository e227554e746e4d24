import type { Digests } from '../../../kernel/digests.ts';
import { graceSeconds, type RefreshFamily } from '../refresh-token-family.ts';

/** Why a refresh token whose family is known buys nothing. */
export type RefreshRefusal =
  | 'refresh_token_unknown'
  | 'refresh_token_of_another_client'
  | 'refresh_token_revoked'
  | 'refresh_token_expired'
  | 'refresh_token_reused';

/**
 * - `rotate`: the live token. `repeat`: the one before it, within its grace.
 * - `revokesGrant`: the token is in wrong hands or was in two (RFC 9700 section 4.14.2), so nothing of the grant may go on.
 */
export type RefreshVerdict =
  | { readonly use: 'rotate' | 'repeat' }
  | { readonly reason: RefreshRefusal; readonly revokesGrant: boolean };

/**
 * Looks at a refresh token as it is presented. The order is the specification.
 *
 * Older tokens of a family aren't remembered one by one: whatever names a family (128 random bits that stand nowhere else)
 * and isn't one of its last two tokens was one of them.
 *
 * @param sha256 digest of the token presented. @param now seconds since 1970
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
  if (live) return { use: 'rotate' };
  return previous && now <= family.rotatedAt + graceSeconds ? { use: 'repeat' } : end('refresh_token_reused');
}

function refuse(reason: RefreshRefusal): RefreshVerdict {
  return { reason, revokesGrant: false };
}

function end(reason: RefreshRefusal): RefreshVerdict {
  return { reason, revokesGrant: true };
}
