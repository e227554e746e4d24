import type { TokenIssuer } from '../../catalog/token-issuer.ts';

/** How long a JWK Set may be given out that couldn't be read again: longer than most outages, and no longer than a retired key stays published. */
const usableUnseenMs = 60 * 60_000;

export interface KnownJwks {
  /** The serialized JWK Set. */
  readonly jwks: string;
  /** Whether it was read just now. */
  readonly isCurrent: boolean;
}

/**
 * Reads issuers' published keys, and answers what was known last where they can't be read.
 *
 * @returns undefined before an issuer's first key was made.
 * @throws what `readJwks` throws, where nothing was known within the hour.
 */
export function createKnownJwks(options: {
  readonly readJwks: (issuer: TokenIssuer) => Promise<string | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): (issuer: TokenIssuer) => Promise<KnownJwks | undefined> {
  const known = new Map<TokenIssuer, { readonly jwks: string; readonly readAt: number }>();
  return async (issuer) => {
    const readAt = options.now();
    try {
      const jwks = await options.readJwks(issuer);
      if (jwks === undefined) return undefined;
      known.set(issuer, { jwks, readAt });
      return { jwks, isCurrent: true };
    } catch (error) {
      const before = known.get(issuer);
      if (before === undefined || readAt - before.readAt >= usableUnseenMs) throw error;
      return { jwks: before.jwks, isCurrent: false };
    }
  };
}
