/** Parses a client assertion (RFC 7523) and verifies its claims: issuer, audience, lifetime, one use. */

import * as z from 'zod/mini';
import { type AssertionAlgorithm, assertionAlgorithms } from '../../catalog/oauth/assertion-algorithms.ts';
import { isCanonicalBase64Url } from '../../catalog/oauth/json-web-token.ts';
import { repeatsMember } from '../../platform/kernel/json-faults.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';

/** Value of `client_assertion_type` (RFC 7523 section 2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Maximum seconds until `exp` (SMART App Launch 2.2, "Client Authentication: Asymmetric": five minutes). */
const longestLifeSeconds = 300;
/** Seconds that the client's clock may differ from this service's, either way. */
export const clockSkewSeconds = 60;
const longestAssertion = 8_192;

/** Reason why an assertion does not authenticate a client. The caller gets `invalid_client` for each. */
export type AssertionRefusal =
  | 'assertion_malformed'
  | 'assertion_algorithm'
  | 'assertion_subject'
  | 'assertion_audience'
  | 'assertion_expired'
  | 'assertion_too_long'
  | 'assertion_not_yet_valid'
  | 'assertion_key_unknown'
  | 'assertion_keys_unavailable'
  | 'assertion_signature'
  | 'assertion_reused';

/**
 * Header of an assertion. `crit` is refused: it lists extensions that must be understood (RFC 7515 section 4.1.11), and this service
 * supports none.
 */
const assertionHeader = z.object({
  alg: z.string(),
  kid: z.string().check(z.minLength(1), z.maxLength(200)),
  crit: z.optional(z.undefined()),
});
const assertionClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string()).check(z.minLength(1))]),
  exp: z.number(),
  nbf: z.optional(z.number()),
  iat: z.optional(z.number()),
  jti: z.string().check(z.minLength(1), z.maxLength(256)),
});

/** A parsed assertion that is not verified yet. */
export interface ClientAssertion {
  readonly text: string;
  readonly header: z.infer<typeof assertionHeader>;
  readonly claims: z.infer<typeof assertionClaims>;
}

/**
 * Parses an assertion.
 *
 * @returns undefined for text that is no JWT with the claims of an assertion (RFC 7523 section 3).
 */
export function parseAssertion(text: string): ClientAssertion | undefined {
  if (text.length > longestAssertion) return undefined;
  const parts = text.split('.');
  if (parts.length !== 3 || !parts.every((part) => part !== '' && isCanonicalBase64Url(part)))
    return undefined;
  const header = assertionHeader.safeParse(jsonOf(parts[0]));
  const claims = assertionClaims.safeParse(jsonOf(parts[1]));
  return header.success && claims.success ? { text, header: header.data, claims: claims.data } : undefined;
}

function jsonOf(part = ''): unknown {
  try {
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(json);
    return repeatsMember(json) ? undefined : value;
  } catch {
    return undefined;
  }
}

/**
 * Verifies an assertion except its signature and its one use, in the order of the specification.
 *
 * @param audiences names of this authorization server. An assertion that also names another server is refused: that server could replay it
 * here.
 */
export function verifyAssertionClaims(
  { header, claims }: ClientAssertion,
  clientId: string,
  audiences: readonly string[],
  nowSeconds: number,
): AssertionRefusal | undefined {
  if (algorithmOf(header.alg) === undefined) return 'assertion_algorithm';
  if (claims.iss !== clientId || claims.sub !== clientId) return 'assertion_subject';
  const named = typeof claims.aud === 'string' ? [claims.aud] : claims.aud;
  if (!named.every((one) => audiences.includes(one))) return 'assertion_audience';
  if (claims.exp <= nowSeconds - clockSkewSeconds) return 'assertion_expired';
  if (claims.exp > nowSeconds + longestLifeSeconds + clockSkewSeconds) return 'assertion_too_long';
  const begins = Math.max(claims.nbf ?? 0, claims.iat ?? 0);
  return begins > nowSeconds + clockSkewSeconds ? 'assertion_not_yet_valid' : undefined;
}

function algorithmOf(alg: string): AssertionAlgorithm | undefined {
  return assertionAlgorithms.find((known) => known === alg);
}

/** Verifies signatures with the keys that a client registered, or publishes at its registered address. */
export interface AssertionSignatures {
  verify(
    client: Pick<OAuthClient, 'clientId' | 'jwks' | 'jwksUri'>,
    assertion: string,
    alg: AssertionAlgorithm,
    kid: string,
  ): Promise<'verified' | 'assertion_key_unknown' | 'assertion_keys_unavailable' | 'assertion_signature'>;
}

/** Records which assertions have been used at one issuer. */
export interface UsedAssertions {
  /**
   * Records the use of an assertion until it expires. Only one of several concurrent uses succeeds.
   *
   * @param expiresAt seconds since 1970.
   * @returns false if it was used before.
   * @throws StoreUnavailable
   */
  use(clientId: string, jti: string, expiresAt: number, now: number): Promise<boolean>;
}

/** Verifies client assertions for one authorization server. */
export interface ClientAssertions {
  /**
   * Finds the reason why an assertion does not authenticate the client.
   *
   * @returns undefined if the assertion does, which counts as its one use.
   */
  refusal(client: OAuthClient, assertion: ClientAssertion): Promise<AssertionRefusal | undefined>;
}

export function createClientAssertions(options: {
  readonly audiences: readonly string[];
  readonly signatures: AssertionSignatures;
  readonly used: UsedAssertions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): ClientAssertions {
  const { audiences, signatures, used } = options;
  return {
    async refusal(client, assertion) {
      const now = Math.floor(options.now() / 1000);
      const { header, claims, text } = assertion;
      const wrong = verifyAssertionClaims(assertion, client.clientId, audiences, now);
      const alg = algorithmOf(header.alg);
      if (wrong !== undefined || alg === undefined) return wrong ?? 'assertion_algorithm';
      const signature = await signatures.verify(client, text, alg, header.kid);
      if (signature !== 'verified') return signature;
      const expiresAt = Math.ceil(claims.exp) + clockSkewSeconds + 1;
      const first = await used.use(client.clientId, claims.jti, expiresAt, now);
      return first ? undefined : 'assertion_reused';
    },
  };
}
