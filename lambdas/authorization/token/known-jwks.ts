/** Reads the published JWK Sets, and keeps the last one for times when the store does not answer. */

import type { SigningKeyOwner } from '../../catalog/oauth/token-issuer.ts';

/**
 * Maximum milliseconds that a JWK Set is served without being read again: longer than most outages, and no longer than a retired key stays
 * published.
 */
const usableUnseenMs = 60 * 60_000;
/** Milliseconds after a failed read before the next one, so that a store that does not answer delays one request only. */
const retryMs = 15_000;

/** A JWK Set as served. */
export interface KnownJwks {
  /** The serialized JWK Set. */
  readonly jwks: string;
  /** Whether the set was read for this call. */
  readonly isCurrent: boolean;
}

interface Remembered {
  readonly jwks: string;
  readonly readAt: number;
  /** End of the last failed read, milliseconds since 1970; absent if the last read succeeded. */
  readonly failedAt?: number;
}

/**
 * Reads issuers' published keys, and returns the last known ones if they can't be read. docs/decisions/0056 explains why no other cache
 * exists.
 *
 * @returns undefined before an issuer's first key was made.
 * @throws the error of `readJwks`, if no set was read within the last hour.
 */
export function createKnownJwks(options: {
  readonly readJwks: (issuer: SigningKeyOwner) => Promise<string | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): (issuer: SigningKeyOwner) => Promise<KnownJwks | undefined> {
  const remembered = new Map<SigningKeyOwner, Remembered>();
  return async (issuer) => {
    const readAt = options.now();
    const before = remembered.get(issuer);
    const usable = before !== undefined && readAt - before.readAt < usableUnseenMs ? before : undefined;
    if (usable?.failedAt !== undefined && readAt - usable.failedAt < retryMs)
      return { jwks: usable.jwks, isCurrent: false };
    try {
      const jwks = await options.readJwks(issuer);
      if (jwks === undefined) return undefined;
      remembered.set(issuer, { jwks, readAt });
      return { jwks, isCurrent: true };
    } catch (error) {
      if (usable === undefined) throw error;
      remembered.set(issuer, { ...usable, failedAt: options.now() });
      return { jwks: usable.jwks, isCurrent: false };
    }
  };
}
