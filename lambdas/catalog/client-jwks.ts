import * as z from 'zod/mini';

/**
 * Public keys a client signs its assertions with (RFC 7523 section 3), and how.
 *
 * RS384 and ES384: SMART App Launch 2.2, "Client Authentication: Asymmetric". RS256 and ES256: what OpenID Connect clients
 * have. No MAC and no `none`: the algorithm must prove possession of a key nobody else has.
 */
export const assertionAlgorithms = ['RS384', 'ES384', 'RS256', 'ES256'] as const;
export type AssertionAlgorithm = (typeof assertionAlgorithms)[number];

const base64url = (longest: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(longest));
const common = {
  kid: z.string().check(z.minLength(1), z.maxLength(200)),
  alg: z.optional(z.enum(assertionAlgorithms)),
  use: z.optional(z.literal('sig')),
  key_ops: z.optional(z.array(z.literal('verify')).check(z.maxLength(1))),
};
/** At least 2048 bits (RFC 7518 section 3.3), which are 342 characters, and no more than is cheap to verify with. */
const rsa = z.strictObject({
  ...common,
  kty: z.literal('RSA'),
  n: base64url(683).check(z.minLength(342)),
  e: base64url(8),
});
const ec = z.strictObject({
  ...common,
  kty: z.literal('EC'),
  crv: z.enum(['P-256', 'P-384']),
  x: base64url(64),
  y: base64url(64),
});

/** One public key (RFC 7517). Strict: a private member is a mistake its developer has to hear of. */
export const clientJwk = z.discriminatedUnion('kty', [rsa, ec]);
export type ClientJwk = z.infer<typeof clientJwk>;

/**
 * The `kid` of a key that a page of the portal made begins so, and ends with its thumbprint (RFC 7638). Its private part can't be taken out
 * of the browser it was made in: it is for the guided first call, and no program has it.
 */
export const browserKeyPrefix = 'browser-made-';

/** How many keys of a client are looked at. */
export const mostClientKeys = 10;

/** A client's JWK Set as it registers it. */
export const clientJwks = z.strictObject({
  keys: z.array(clientJwk).check(z.minLength(1), z.maxLength(mostClientKeys)),
});
export type ClientJwks = z.infer<typeof clientJwks>;

/** Whether a key may be used with an algorithm (RFC 7518 section 3.1). */
export function fits(key: ClientJwk, alg: AssertionAlgorithm): boolean {
  if (key.alg !== undefined && key.alg !== alg) return false;
  if (key.kty === 'RSA') return alg.startsWith('RS');
  return alg === (key.crv === 'P-256' ? 'ES256' : 'ES384');
}
