/** Signs tokens with the current key from Secrets Manager. */

import type { webcrypto } from 'node:crypto';
import { importJWK } from 'jose';
import type { SigningKeyOwner } from '../../catalog/oauth/token-issuer.ts';
import { StoreUnavailable } from '../../platform/table/table.ts';
import { currentKey, type PrivateJwk, parseSigningKeySet } from './signing-key-set.ts';

/** Milliseconds for which the current key is cached: a rotation takes effect a minute later at most. */
const rememberedMs = 60_000;
/**
 * Milliseconds for which the cached key may sign if Secrets Manager does not answer. A retired key stays published an hour longer than its
 * last token lives (`key-rotation.handler.ts`).
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
 * A remembered key signs only while it is published: an operator removes a stolen key from the published set, and what it signs from then on
 * nobody verifies. Where the published keys can't be read, the remembered key signs.
 *
 * @param options.readSecret the value of an issuer's secret.
 * @param options.isPublished whether an issuer's published set has the key now.
 * @throws StoreUnavailable when there is no key to sign with and none can be read.
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

  /** The key that signs now. */
  async function current(issuer: SigningKeyOwner): Promise<ImportedKey> {
    const known = remembered.get(issuer);
    if (known !== undefined && options.now() - known.readAt < rememberedMs) return known;
    const underWay = reading.get(issuer);
    if (underWay !== undefined) return await underWay;
    const started = read(issuer).finally(() => reading.delete(issuer));
    reading.set(issuer, started);
    return await started;
  }

  /** Signs with the current key, beside the question whether it is published still; read again where it is not. */
  async function signed(issuer: SigningKeyOwner, claims: Record<string, unknown>, typ: string) {
    const known = await current(issuer);
    const { isPublished = async () => true } = options;
    const [token, published] = await Promise.all([
      signWith(known, claims, typ),
      isPublished(issuer, known.kid).catch(() => true),
    ]);
    if (published) return token;
    // Does not use the removed key again, whatever Secrets Manager answers.
    remembered.delete(issuer);
    return await signWith(await current(issuer), claims, typ);
  }

  return {
    current,
    /**
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

/** Encodes a part of a compact JWS (RFC 7515 section 7.1). */
function base64Url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
