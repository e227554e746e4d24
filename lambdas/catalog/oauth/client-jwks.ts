/** Public keys a client signs its assertions with (RFC 7523 section 3). */

import * as z from 'zod/mini';
import { type AssertionAlgorithm, assertionAlgorithms } from './assertion-algorithms.ts';
import { canonicalBase64Url } from './json-web-token.ts';

const base64url = z.string().check(z.regex(canonicalBase64Url), z.minLength(2), z.maxLength(64));

const none = z.optional(z.never({ error: 'a key without its private part, which must stay with you' }));
/** Private members of a key (RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1). */
const noPrivateMember = { d: none, p: none, q: none, dp: none, dq: none, qi: none, oth: none, k: none };
export const privateMembers: readonly string[] = Object.keys(noPrivateMember);

/**
 * An RSA modulus as base64url (RFC 7518 section 2, Base64urlUInt): odd, and at least 2048 bits (section 3.3). Of 342 characters the
 * first bit is set; longer ones have a first byte that isn't zero.
 */
const modulus =
  /^(?:[g-z0-9_-][\w-]{340}[Qw]|(?:A[Q-Za-z0-9_-]|[B-Za-z0-9_-][\w-])(?:[\w-]{4}){85,}(?:[\w-][BDFHJLNPRTVXZbdfhjlnprtvxz13579_]|[\w-]{3}[Qw]|[EMUcks08]))$/;
/** An odd RSA exponent of three to six bytes, so at least 65537 (FIPS 186-5 appendix A.1.1): with 1 anybody could sign. */
const exponent =
  /^(?:A[Q-Za-z0-9_-]|[B-Za-z0-9_-][\w-])(?:[\w-][BDFHJLNPRTVXZbdfhjlnprtvxz13579_]|[\w-]{3}[Qw]|[\w-]{4}[EMUcks08]|[\w-]{5}[BDFHJLNPRTVXZbdfhjlnprtvxz13579_])$/;

const publicMembers = {
  kid: z.string().check(z.minLength(1), z.maxLength(200)),
  alg: z.optional(z.enum(assertionAlgorithms)),
  use: z.optional(z.literal('sig')),
  key_ops: z.optional(z.array(z.literal('verify')).check(z.maxLength(1))),
};
const common: typeof publicMembers = { ...publicMembers, ...noPrivateMember };
/** Longest modulus: verification with a longer one is expensive. */
const rsa = z.object({
  ...common,
  kty: z.literal('RSA'),
  n: z
    .string()
    .check(
      z.regex(modulus, { error: 'an odd modulus of 2048 bits or more, in base64url' }),
      z.maxLength(683),
    ),
  e: z.string().check(z.regex(exponent, { error: 'an odd exponent of 65537 or more, in base64url' })),
});
const ec = z.object({
  ...common,
  kty: z.literal('EC'),
  crv: z.enum(['P-256', 'P-384']),
  x: base64url,
  y: base64url,
});

/**
 * One public key (RFC 7517). Members that aren't known here are ignored (section 4) and not kept; a private one is a mistake its
 * developer has to hear of.
 */
export const clientJwk = z.discriminatedUnion('kty', [rsa, ec]);
export type ClientJwk = z.infer<typeof clientJwk>;

/**
 * The `kid` of a key that a page of the portal made begins so, and ends with its thumbprint (RFC 7638). Its private part can't be taken out
 * of the browser it was made in: it is for the guided first call, and no program has it.
 */
export const browserKeyPrefix = 'browser-made-';

/** Keys of a client that are read, at most. */
export const mostClientKeys = 10;

/** A client's JWK Set as it registers it. Its other members are ignored (RFC 7517 section 5). */
export const clientJwks = z.object({
  keys: z.array(clientJwk).check(z.minLength(1), z.maxLength(mostClientKeys)),
});
export type ClientJwks = z.infer<typeof clientJwks>;

/** Whether a key may be used with an algorithm (RFC 7518 section 3.1). */
export function fits(key: ClientJwk, alg: AssertionAlgorithm): boolean {
  if (key.alg !== undefined && key.alg !== alg) return false;
  if (key.kty === 'RSA') return alg.startsWith('RS');
  return alg === (key.crv === 'P-256' ? 'ES256' : 'ES384');
}
