/** Public keys of clients that sign assertions (RFC 7523 section 3). */

import * as z from 'zod/mini';
import { type AssertionAlgorithm, assertionAlgorithms } from './assertion-algorithms.ts';
import { mostClientKeys } from './client-keys.ts';
import { canonicalBase64Url } from './json-web-token.ts';

const base64url = z.string().check(z.regex(canonicalBase64Url), z.minLength(2), z.maxLength(64));

const none = z.optional(z.never({ error: 'a key without its private part, which must stay with you' }));
/** Refuses private members of a key (RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1). */
const noPrivateMember = { d: none, p: none, q: none, dp: none, dq: none, qi: none, oth: none, k: none };
export const privateMembers: readonly string[] = Object.keys(noPrivateMember);

/**
 * An RSA modulus as base64url (RFC 7518 section 2, Base64urlUInt): odd, and at least 2048 bits (section 3.3). With 342 characters (256
 * bytes) the first bit must be set; a longer one must not begin with a zero byte.
 */
const modulus =
  /^(?:[g-z0-9_-][\w-]{340}[Qw]|(?:A[Q-Za-z0-9_-]|[B-Za-z0-9_-][\w-])(?:[\w-]{4}){85,}(?:[\w-][BDFHJLNPRTVXZbdfhjlnprtvxz13579_]|[\w-]{3}[Qw]|[EMUcks08]))$/;
/** An odd RSA exponent of three to six bytes, so at least 65537 (FIPS 186-5 appendix A.1.1). With an exponent of 1 anybody could sign. */
const exponent =
  /^(?:A[Q-Za-z0-9_-]|[B-Za-z0-9_-][\w-])(?:[\w-][BDFHJLNPRTVXZbdfhjlnprtvxz13579_]|[\w-]{3}[Qw]|[\w-]{4}[EMUcks08]|[\w-]{5}[BDFHJLNPRTVXZbdfhjlnprtvxz13579_])$/;

const publicMembers = {
  kid: z.string().check(z.minLength(1), z.maxLength(200)),
  alg: z.optional(z.enum(assertionAlgorithms)),
  use: z.optional(z.literal('sig')),
  key_ops: z.optional(z.array(z.literal('verify')).check(z.maxLength(1))),
};
const common: typeof publicMembers = { ...publicMembers, ...noPrivateMember };
/** An RSA key. The length of the modulus is limited, because verification with a longer one is expensive. */
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
 * A public key (RFC 7517). Unknown members are ignored (section 4) and not stored; private members are refused, because the developer must
 * learn of the mistake.
 */
export const clientJwk = z.discriminatedUnion('kty', [rsa, ec]);
export type ClientJwk = z.infer<typeof clientJwk>;

/** The JWK Set that a client registers. Other members of the set are ignored (RFC 7517 section 5). */
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
