/** Parses and serializes the signing keys of a secret: current, next and retired. */

import * as z from 'zod/mini';
import { jsonValue } from '../../platform/kernel/json-members.ts';

/** A private RSA key (RFC 7518 section 6.3.2), with `kid`, `alg` and `use`. */
const privateJwk = z.object({
  kty: z.literal('RSA'),
  kid: z.string().check(z.minLength(1)),
  alg: z.enum(['RS256', 'RS384']),
  use: z.literal('sig'),
  n: z.string(),
  e: z.string(),
  d: z.string(),
  p: z.string(),
  q: z.string(),
  dp: z.string(),
  dq: z.string(),
  qi: z.string(),
});
export type PrivateJwk = z.infer<typeof privateJwk>;

const signingKey = z.object({
  /** `next` is published, and signs after the next rotation; `retired` is published until its tokens have expired. */
  state: z.enum(['next', 'current', 'retired']),
  jwk: privateJwk,
  /** Time when the key came into this state, ISO 8601. */
  since: z.string(),
});
export type SigningKey = z.infer<typeof signingKey>;

/** The value of a token issuer's secret (docs/architecture.md, "Signing keys"). */
const signingKeySet = z.object({ keys: z.array(signingKey) });
export type SigningKeySet = z.infer<typeof signingKeySet>;

/**
 * Parses a secret's value.
 *
 * @returns undefined if no key has been made yet: the stack creates the secret with an empty set.
 * @throws Error for any other value that is no key set. Making new keys instead would invalidate every token unnoticed.
 */
export function parseSigningKeySet(secret: string | undefined): SigningKeySet | undefined {
  if (secret === undefined) return undefined;
  const set = z.safeParse(signingKeySet, jsonValue(secret));
  if (set.success && set.data.keys.length === 0) return undefined;
  const current = set.data?.keys.filter((key) => key.state === 'current');
  if (!set.success || current?.length !== 1) throw new Error('the signing secret holds no valid key set');
  return set.data;
}

export function currentKey(set: SigningKeySet): SigningKey {
  const current = set.keys.find((key) => key.state === 'current');
  if (current === undefined) throw new Error('the key set has no current key');
  return current;
}

/** Number of keys to make for `rotatedKeySet`: two for an issuer's first set, otherwise one. */
export function newKeysNeeded(previous: SigningKeySet | undefined): number {
  return previous?.keys.some((key) => key.state === 'next') ? 1 : 2;
}

/**
 * The key set after a rotation: `next` becomes `current`, `current` becomes `retired`, a new key becomes `next`.
 *
 * @param retiredBefore removes keys retired before this time (milliseconds since 1970); undefined keeps all.
 */
export function rotatedKeySet(
  previous: SigningKeySet | undefined,
  made: readonly PrivateJwk[],
  now: number,
  retiredBefore: number | undefined,
): SigningKeySet {
  const since = new Date(now).toISOString();
  const coming = previous?.keys.filter((key) => key.state === 'next').map((key) => key.jwk) ?? [];
  const [current, next] = [...coming, ...made];
  if (current === undefined || next === undefined)
    throw new Error('a rotation needs a current and a next key');
  const retiring = previous?.keys.filter((key) => key.state === 'current') ?? [];
  const retired = previous?.keys.filter((key) => key.state === 'retired') ?? [];
  const kept = retired.filter((key) => retiredBefore === undefined || Date.parse(key.since) >= retiredBefore);
  return {
    keys: [
      { state: 'current', jwk: current, since },
      { state: 'next', jwk: next, since },
      ...retiring.map((key): SigningKey => ({ ...key, state: 'retired', since })),
      ...kept,
    ],
  };
}

/**
 * The key set without one key, which must not sign or verify any more. If it was the current key, the next key becomes current at once, and
 * a new one becomes the next.
 *
 * @returns the same set if it does not have the key.
 */
export function keySetWithout(
  set: SigningKeySet,
  kid: string,
  makeKey: PrivateJwk,
  now: number,
): SigningKeySet {
  const removed = set.keys.find((key) => key.jwk.kid === kid);
  if (removed === undefined) return set;
  const since = new Date(now).toISOString();
  const kept = set.keys.filter((key) => key !== removed);
  if (removed.state === 'retired') return { keys: kept };
  const next: SigningKey = { state: 'next', jwk: makeKey, since };
  if (removed.state === 'next') return { keys: [...kept, next] };
  const coming = kept.find((key) => key.state === 'next');
  if (coming === undefined) throw new Error('the key set has no next key');
  const retired = kept.filter((key) => key !== coming);
  return { keys: [{ state: 'current', jwk: coming.jwk, since }, next, ...retired] };
}

/**
 * The public JWK Set, serialized (RFC 7517 section 5). Public members are selected rather than private ones removed, so that no private
 * member can be published by mistake.
 */
export function publicJwkSet(set: SigningKeySet): string {
  const keys = set.keys.map(({ jwk: { kty, kid, alg, use, n, e } }) => ({ kty, kid, alg, use, n, e }));
  return JSON.stringify({ keys });
}
