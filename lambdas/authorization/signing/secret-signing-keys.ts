/** Signs tokens with the current key from Secrets Manager. */

import type { webcrypto } from 'node:crypto';
import { importJWK } from 'jose';
import type { SigningKeyOwner } from '../../catalog/oauth/token-issuer.ts';
import { StoreUnavailable } from '../../platform/table/table.ts';
import { currentKey, type PrivateJwk, parseSigningKeySet } from './signing-key-set.ts';

/** Milliseconds that the current key is cached: a rotation takes effect within a minute. */
const rememberedMs = 60_000;
/**
 * Milliseconds that the cached key may sign if Secrets Manager does not answer. This is safe because a retired key stays published an hour
 * longer than its last token is valid (`key-rotation.handler.ts`).
 */
const usableUnseenMs = 10 * 60_000;

interface ImportedKey {
  readonly kid: string;
  readonly key: webcrypto.CryptoKey;
  readonly readAt: number;
}

/**
 * Signs JWTs with the issuers' current keys, from Secrets Manager (`AWSCURRENT`).
 *
 * A cached key signs only while it is published: an operator removes a stolen key from the published set, and tokens signed with it later
 * would not verify. If the published keys can't be read, the cached key signs.
 *
 * @param options.readSecret reads the value of an issuer's secret.
 * @param options.isPublished whether an issuer's published set has the key now.
 * @throws StoreUnavailable if no key is cached and none can be read.
 */
export function createSecretSigningKeys(options: {
  readonly readSecret: (issuer: SigningKeyOwner) => Promise<string | undefined>;
  readonly isPublished?: (issuer: SigningKeyOwner, kid: string) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}) {
  const remembered = new Map<SigningKeyOwner, ImportedKey>();
  const reading = new Map<SigningKeyOwner, Promise<ImportedKey>>();

  async function read(issuer: SigningKeyOwner): Promise<ImportedKey> {
    const before = remembered.get(issuer);
    const readAt = options.now();
    try {
      const set = parseSigningKeySet(await options.readSecret(issuer));
      if (set === undefined) throw new Error('no signing key was made yet');
      const { jwk } = currentKey(set);
      const key = before?.kid === jwk.kid ? before.key : await importKey(jwk);
      const imported = { kid: jwk.kid, key, readAt };
      remembered.set(issuer, imported);
      return imported;
    } catch (error) {
      if (before !== undefined && readAt - before.readAt < usableUnseenMs) return before;
      throw new StoreUnavailable(error);
    }
  }

  /** The current key of an issuer, from the cache or from Secrets Manager. */
  async function current(issuer: SigningKeyOwner): Promise<ImportedKey> {
    const known = remembered.get(issuer);
    if (known !== undefined && options.now() - known.readAt < rememberedMs) return known;
    const underWay = reading.get(issuer);
    if (underWay !== undefined) return await underWay;
    const started = read(issuer).finally(() => reading.delete(issuer));
    reading.set(issuer, started);
    return await started;
  }

  /** Signs with the current key while checking that the key is still published. If it is not, reads the key again and signs with that. */
  async function signed(issuer: SigningKeyOwner, claims: Record<string, unknown>, typ: string) {
    const known = await current(issuer);
    const { isPublished = async () => true } = options;
    const [token, published] = await Promise.all([
      signWith(known, claims, typ),
      isPublished(issuer, known.kid).catch(() => true),
    ]);
    if (published) return token;
    // The removed key must not be used again, even if Secrets Manager does not answer.
    remembered.delete(issuer);
    return await signWith(await current(issuer), claims, typ);
  }

  return {
    current,
    /**
     * Makes a JWT.
     *
     * @param claims the whole payload, `iss`, `iat` and `exp` included.
     * @param typ the header's `typ`: `at+jwt` (RFC 9068 section 2.1) or `JWT`.
     * @returns the compact JWS, RS256.
     */
    async sign(issuer: SigningKeyOwner, claims: Record<string, unknown>, typ: string): Promise<string> {
      return await signed(issuer, claims, typ);
    },
  };
}

async function signWith(
  { kid, key }: ImportedKey,
  claims: Record<string, unknown>,
  typ: string,
): Promise<string> {
  const signed = `${base64Url({ alg: 'RS256', kid, typ })}.${base64Url(claims)}`;
  const signature = await crypto.subtle.sign(key.algorithm, key, Buffer.from(signed));
  return `${signed}.${Buffer.from(signature).toString('base64url')}`;
}

async function importKey(jwk: PrivateJwk): Promise<webcrypto.CryptoKey> {
  const key = await importJWK(jwk, jwk.alg);
  if (key instanceof Uint8Array) throw new TypeError('an RSA key was read as a secret');
  return key;
}

/** Encodes header or payload of a compact JWS (RFC 7515 section 7.1). */
function base64Url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
