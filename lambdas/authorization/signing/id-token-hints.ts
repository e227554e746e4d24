/** Verification of `id_token_hint`, an id_token that a client sends back at authorization or logout. */

import { compactVerify, errors } from 'jose';
import * as z from 'zod/mini';
import { type EnvironmentOrigins, memberIssuer } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import { parseIssuedToken } from '../authorizer/parse-token.ts';
import { createVerificationKeys, type VerificationKeys } from '../authorizer/verification-keys.ts';
import type { IdTokenHints } from '../oauth/token-ports.ts';

const claims = z.object({ iss: z.string(), aud: z.string(), sub: z.string() });

/**
 * Verifies ID tokens sent as `id_token_hint`, by the published keys of their LOB. An access token is refused by its `typ` `at+jwt` (RFC
 * 8725 section 3.11). An expired ID token is accepted (OpenID Connect Core section 3.1.2.1).
 *
 * @param options.readJwks reads the serialized JWK Set of an issuer; its errors (`StoreUnavailable`) are passed on.
 */
export function createIdTokenHints(options: {
  readonly origins: EnvironmentOrigins;
  readonly readJwks: (issuer: TokenIssuer) => Promise<string | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): IdTokenHints {
  const { origins, readJwks, now } = options;
  const byLob = new Map<LineOfBusiness, VerificationKeys>();

  function keysOf(lob: LineOfBusiness): VerificationKeys {
    const keys = byLob.get(lob) ?? createVerificationKeys({ readJwks: () => readJwks(lob), now });
    byLob.set(lob, keys);
    return keys;
  }

  return {
    async read(lob, idToken) {
      const header = parseIssuedToken(idToken)?.header;
      if (header?.alg !== 'RS256' || header.typ !== 'JWT' || header.crit !== undefined) return undefined;
      const key = typeof header.kid === 'string' ? await keysOf(lob)(header.kid) : undefined;
      if (key === undefined) return undefined;
      const payload = await verified(idToken, key);
      const said = claims.safeParse(payload);
      if (!said.success || said.data.iss !== memberIssuer(origins, lob)) return undefined;
      return { subject: said.data.sub, clientId: said.data.aud };
    },
  };
}

type Key = Exclude<Awaited<ReturnType<VerificationKeys>>, undefined>;

/** The claims of an ID token, if the key has signed it. */
async function verified(idToken: string, key: Key): Promise<unknown> {
  try {
    const { payload } = await compactVerify(idToken, key, { algorithms: ['RS256'] });
    return JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
