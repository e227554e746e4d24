import { type EnvironmentOrigins, fhirBase, machineIssuer, memberIssuer } from '../../catalog/addresses.ts';
import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import { type AccessTokens, createAccessTokens } from '../authorizer/access-tokens.ts';
import { createVerificationKeys } from '../authorizer/verification-keys.ts';
import type { MemberAccessTokens } from '../oauth/token-ports.ts';

/**
 * Verifies members' access tokens with the published keys, as the LOB's authorizer does.
 *
 * @param options.readJwks reads the serialized JWK Set of an issuer; its errors (`StoreUnavailable`) are passed on.
 */
export function createMemberAccessTokens(options: {
  readonly origins: EnvironmentOrigins;
  readonly environment: Environment;
  readonly readJwks: (issuer: TokenIssuer) => Promise<string | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): MemberAccessTokens {
  const { origins, environment, readJwks, now } = options;
  const byLob = new Map<LineOfBusiness, AccessTokens>();

  function verifierOf(lob: LineOfBusiness): AccessTokens {
    const known = byLob.get(lob);
    if (known !== undefined) return known;
    const made = createAccessTokens({
      lob,
      environment,
      now,
      member: {
        issuer: memberIssuer(origins, lob),
        audience: fhirBase(origins, lob, 'patient-access'),
        keys: createVerificationKeys({ readJwks: () => readJwks(lob), now }),
      },
      // Without keys every machine-to-machine token is refused.
      machine: { issuer: machineIssuer(origins), audience: '', keys: async () => undefined },
    });
    byLob.set(lob, made);
    return made;
  }

  return {
    async verify(lob, token) {
      const verdict = await verifierOf(lob)(token);
      return verdict.kind === 'verified' && verdict.token.kind === 'member'
        ? verdict.token.claims
        : undefined;
    },
  };
}
