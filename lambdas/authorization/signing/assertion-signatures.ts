/** Verifies the signatures of client assertions (RFC 7523 section 3) by the client's JWK Set. */
import { compactVerify, errors, importJWK, type JWK } from 'jose';
import { type ClientJwk, fits } from '../../catalog/oauth/client-jwks.ts';
import type { AssertionSignatures } from '../token/client-assertion.ts';
import type { RemoteKeySets } from './remote-key-sets.ts';

/**
 * Verifies the signatures of client assertions. The algorithm has been checked against our list before; here the key must be of that
 * algorithm.
 */
export function createAssertionSignatures(remote: RemoteKeySets): AssertionSignatures {
  return {
    async verify({ jwks, jwksUri }, assertion, alg, kid) {
      const named = (key: ClientJwk) => key.kid === kid && fits(key, alg);
      const published =
        jwks === undefined && jwksUri !== undefined
          ? await remote.keys(jwksUri, named)
          : { kind: 'keys' as const, keys: jwks?.keys ?? [] };
      if (published.kind === 'unavailable') return 'assertion_keys_unavailable';
      const key = published.keys.find(named);
      if (key === undefined) return 'assertion_key_unknown';
      try {
        await compactVerify(assertion, await importJWK(membersOf(key), alg), { algorithms: [alg] });
        return 'verified';
      } catch (error) {
        if (isAboutKeyOrSignature(error)) return 'assertion_signature';
        throw error;
      }
    },
  };
}

/** The members of a JWK that make up the key, without `use` and the like. */
function membersOf(key: ClientJwk): JWK {
  if (key.kty === 'RSA') return { kty: key.kty, n: key.n, e: key.e };
  return { kty: key.kty, crv: key.crv, x: key.x, y: key.y };
}

/**
 * Whether an error is about the key or the signature. WebCrypto throws a DOMException or a TypeError for a key whose numbers are no curve
 * point or modulus.
 */
function isAboutKeyOrSignature(error: unknown): boolean {
  return error instanceof errors.JOSEError || error instanceof DOMException || error instanceof TypeError;
}
