/** Verifies access tokens (JWT, RFC 9068) of calls to the FHIR APIs. */

import { createHash, verify as verifySignature } from 'node:crypto';
import type { TokenRefusalReason } from '../../catalog/call-refusals.ts';
import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import {
  longestAccessTokenSeconds,
  type MachineAccessToken,
  type MemberAccessToken,
  machineAccessToken,
  memberAccessToken,
} from '../../catalog/oauth/access-token.ts';
import { safeParse } from '../../platform/kernel/shapes.ts';
import { parseIssuedToken } from './parse-token.ts';
import type { VerificationKey, VerificationKeys } from './verification-keys.ts';

export type VerifiedToken =
  | { readonly kind: 'member'; readonly claims: MemberAccessToken }
  | { readonly kind: 'machine'; readonly claims: MachineAccessToken };

/** Verdict on an access token. Every refusal is the same 401 `invalid_token` to the caller; the reason is only logged. */
export type TokenVerdict = { readonly kind: 'verified'; readonly token: VerifiedToken } | TokenVerdictRefusal;

interface TokenVerdictRefusal {
  readonly kind: 'refusal';
  readonly reason: TokenRefusalReason;
}

/** Claims that a token of this LOB and environment must have, and the keys that may sign it. */
export interface TokenExpectations {
  readonly lob: LineOfBusiness;
  readonly environment: Environment;
  readonly member: { readonly issuer: string; readonly audience: string; readonly keys: VerificationKeys };
  readonly machine: { readonly issuer: string; readonly audience: string; readonly keys: VerificationKeys };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type AccessTokens = (token: string) => Promise<TokenVerdict>;

/** Maximum characters of a bearer token. This service issues none longer, and API Gateway allows 10,240 bytes of headers. */
const longestToken = 4_096;
const mostRemembered = 1_000;
/** Seconds that `iat` and `nbf` may be in the future: the clocks of issuer and verifier may differ. `exp` has no tolerance. */
const clockSkewSeconds = 5;

interface Remembered {
  readonly kind: 'remembered';
  readonly token: VerifiedToken;
  readonly kid: string;
}

/**
 * Verifies access tokens (RFC 9068 section 4, RFC 8725). The algorithm is fixed and the keys are the issuer's; nothing in the token chooses
 * them. A verified signature is remembered by the token's SHA-256 until the token expires or its key is no longer published.
 */
export function createAccessTokens(expected: TokenExpectations): AccessTokens {
  const remembered = new Map<string, Remembered>();
  return async (token) => {
    if (token.length > longestToken) return refuse('token_malformed');
    const hash = createHash('sha256').update(token).digest('base64url');
    const known = remembered.get(hash);
    if (known !== undefined) {
      const key = await expected[known.token.kind].keys(known.kid);
      if (key !== undefined) return verifyLifetime(known.token, expected.now());
      remembered.delete(hash);
    }
    const verified = await verify(token, expected);
    if (verified.kind === 'refusal') return verified;
    // A Map keeps the order of insertion, so its first entry is the oldest.
    const [oldest] = remembered.size >= mostRemembered ? remembered.keys() : [];
    if (oldest !== undefined) remembered.delete(oldest);
    remembered.set(hash, verified);
    return verifyLifetime(verified.token, expected.now());
  };
}

function refuse(reason: TokenRefusalReason): TokenVerdictRefusal {
  return { kind: 'refusal', reason };
}

function verifyLifetime(token: VerifiedToken, now: number): TokenVerdict {
  const seconds = now / 1000;
  if (token.claims.exp <= seconds) return refuse('token_expired');
  const { iat, nbf = iat } = token.claims;
  if (Math.max(iat, nbf) > seconds + clockSkewSeconds) return refuse('token_not_yet_valid');
  return { kind: 'verified', token };
}

/** Verifies everything that does not depend on the time, in the order of RFC 9068. */
async function verify(token: string, expected: TokenExpectations): Promise<Remembered | TokenVerdictRefusal> {
  const read = parseIssuedToken(token);
  if (read === undefined) return refuse('token_malformed');
  const { header, payload: unverified } = read;
  // `crit` announces extensions, which this service never issues (RFC 7515 section 4.1.11).
  if (header.alg !== 'RS256' || header.crit !== undefined) return refuse('token_algorithm');
  if (typeof header.typ !== 'string' || !/^(application\/)?at\+jwt$/i.test(header.typ))
    return refuse('token_type');
  const kind = (['member', 'machine'] as const).find((each) => expected[each].issuer === unverified.iss);
  if (kind === undefined) return refuse('token_issuer');
  const kid = header.kid;
  const key = typeof kid === 'string' ? await expected[kind].keys(kid) : undefined;
  if (typeof kid !== 'string' || key === undefined) return refuse('token_key_unknown');
  if (!isSignedBy(key, token)) return refuse('token_signature');
  const claims = claimsOf(kind, unverified, expected);
  return claims.kind === 'refusal' ? claims : { kind: 'remembered', token: claims, kid };
}

/**
 * Whether a key signed a token with RS256 (RSASSA-PKCS1-v1_5 with SHA-256, RFC 7518 section 3.3). The signature covers header and payload
 * as encoded (RFC 7515 section 5.2).
 */
function isSignedBy(key: VerificationKey, token: string): boolean {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  return verifySignature('sha256', Buffer.from(token.slice(0, end)), key, signature);
}

function claimsOf(
  kind: 'member' | 'machine',
  payload: unknown,
  expected: TokenExpectations,
): VerifiedToken | TokenVerdictRefusal {
  const token: VerifiedToken | undefined = kind === 'member' ? parsedMember(payload) : parsedMachine(payload);
  if (token === undefined || token.claims.exp - token.claims.iat > longestAccessTokenSeconds)
    return refuse('token_claims');
  if (token.claims.aud !== expected[kind].audience) return refuse('token_audience');
  if (token.claims.environment !== expected.environment) return refuse('token_environment');
  if (token.kind === 'member' && token.claims.lob !== expected.lob) return refuse('token_lob');
  return token;
}

function parsedMember(payload: unknown): VerifiedToken | undefined {
  const claims = safeParse(memberAccessToken, payload);
  return claims && { kind: 'member', claims };
}

function parsedMachine(payload: unknown): VerifiedToken | undefined {
  const claims = safeParse(machineAccessToken, payload);
  return claims && { kind: 'machine', claims };
}
