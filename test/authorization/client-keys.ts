import { CompactSign, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { AssertionAlgorithm } from '../../lambdas/catalog/oauth/assertion-algorithms.ts';
import type { ClientJwk } from '../../lambdas/catalog/oauth/client-jwks.ts';

/** A client's key pair: the public JWK for its registration, and a function that signs. */
export interface ClientKey {
  readonly jwk: ClientJwk;
  readonly alg: AssertionAlgorithm;
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** Signs a payload without changing its text. */
  signText(payload: string): Promise<string>;
}

export async function aClientKey(alg: AssertionAlgorithm = 'ES384', kid = `key-${alg}`): Promise<ClientKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg } as ClientJwk;
  return {
    jwk,
    alg,
    sign: async (claims, header = {}) =>
      await new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey),
    signText: async (payload) =>
      await new CompactSign(new TextEncoder().encode(payload))
        .setProtectedHeader({ alg, kid })
        .sign(privateKey),
  };
}

/**
 * The claims of a valid client assertion, with the changes of the test.
 *
 * @param nowMs milliseconds since 1970
 */
export function assertionClaims(
  clientId: string,
  aud: string | readonly string[],
  nowMs: number,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  const iat = Math.floor(nowMs / 1000);
  return { iss: clientId, sub: clientId, aud, iat, exp: iat + 300, jti: crypto.randomUUID(), ...changes };
}

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
