/** Public keys of an issuer for verifying access tokens, cached and imported once. */

import { createPublicKey, type KeyObject } from 'node:crypto';
import * as s from '../../platform/kernel/shapes.ts';

/** A published JWK Set (RFC 7517). Any other content is a defect. */
const publishedSet = s.object({
  keys: s.arrayOf(
    s.object({
      kty: s.oneOf(['RSA']),
      kid: s.text,
      alg: s.oneOf(['RS256']),
      use: s.oneOf(['sig']),
      n: s.text,
      e: s.text,
    }),
  ),
});

export type VerificationKey = KeyObject;

/**
 * Finds the key of a key ID (`kid`).
 *
 * @returns undefined if the issuer publishes no such key.
 */
export type VerificationKeys = (kid: string) => Promise<VerificationKey | undefined>;

/** Milliseconds for which a published set is cached: a removed key may verify tokens for that long. */
const rememberedMs = 15_000;
/** Minimum milliseconds between two reads that unknown key IDs cause: an attacker can send any number of them. */
const forcedReadMs = 5_000;

/**
 * Finds the published keys of one issuer. The set is cached, and each key imported once.
 *
 * @param options.readJwks reads the serialized JWK Set; its errors (`StoreUnavailable`) are passed on.
 */
export function createVerificationKeys(options: {
  readonly readJwks: () => Promise<string | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): VerificationKeys {
  let keys: ReadonlyMap<string, VerificationKey> = new Map();
  let text: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const began = options.now();
    const published = await options.readJwks();
    if (published !== text) {
      keys = published === undefined ? new Map() : importAll(published);
      text = published;
    }
    readAt = began;
  }

  async function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await reading;
  }

  return async (kid) => {
    if (options.now() - readAt >= rememberedMs) await refresh();
    else if (!keys.has(kid) && options.now() - readAt >= forcedReadMs) await refresh();
    return keys.get(kid);
  };
}

function importAll(published: string): ReadonlyMap<string, VerificationKey> {
  const { keys } = s.parse(publishedSet, JSON.parse(published));
  return new Map(keys.map((jwk) => [jwk.kid, createPublicKey({ key: { ...jwk }, format: 'jwk' })] as const));
}
