/** The refresh tokens of a grant: each is derived from the one before. Reuse is detected in `verify-refresh-token.ts`. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { RepresentedBy } from '../oauth/member-account.ts';
import type { Authorized } from './token-claims.ts';

/**
 * The refresh tokens of one grant, each derived from the one before (docs/decisions/0009). The table has SHA-256 digests and a salt only;
 * no token can be derived from these. Times are seconds since 1970.
 */
export interface RefreshFamily extends Authorized {
  readonly familyId: string;
  readonly state: 'active' | 'revoked';
  /** SHA-256 (hex) of the live token. There is only one. */
  readonly sha256: string;
  /** SHA-256 (hex) of the token before the live one, which is accepted for `graceSeconds` after the rotation. */
  readonly previousSha256?: string | undefined;
  /** Salt from which the live token was derived, together with the previous token. */
  readonly salt?: string | undefined;
  readonly createdAt: number;
  readonly rotatedAt: number;
  /** Time when the live token expires if it is not used. */
  readonly idleExpiresAt: number;
  /** End of the grant, and so of every token of the family. */
  readonly expiresAt: number;
}

/**
 * Seconds after a rotation in which the previous token returns the same successor again, so that an application that lost the response
 * needs no new consent.
 */
export const graceSeconds = 30;

/** A refresh token: 128 bits that name the family, and 256 secret bits. */
export interface RefreshToken {
  readonly familyId: string;
  readonly secret: string;
}

const pattern = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * Parses a refresh token.
 *
 * @returns undefined for text without the form of one, which is not looked up.
 */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  const [, familyId, secret] = pattern.exec(text) ?? [];
  return familyId === undefined || secret === undefined ? undefined : { familyId, secret };
}

export function formatRefreshToken({ familyId, secret }: RefreshToken): string {
  return `${familyId}.${secret}`;
}

export function refreshTokenDigest(digests: Digests, token: RefreshToken): string {
  return digests.sha256Hex(formatRefreshToken(token));
}

/** Derives the next token from the current token and a salt. Neither suffices alone. */
export function successorOf(
  digests: Digests,
  { familyId, secret }: RefreshToken,
  salt: string,
): RefreshToken {
  return { familyId, secret: digests.hmacSha256Base64Url(secret, `refresh-token ${familyId} ${salt}`) };
}

export interface RefreshLifetime {
  readonly now: number;
  readonly idleSeconds: number;
  /** End of the grant, seconds since 1970. */
  readonly expiresAt: number;
}

/** Makes the family of a grant with offline access, and its first token. */
export function newRefreshFamily(
  digests: Digests,
  random: Random,
  authorized: Authorized,
  { now, idleSeconds, expiresAt }: RefreshLifetime,
): { readonly token: RefreshToken; readonly family: RefreshFamily } {
  const { clientId, sub, patientId, representedBy, grantId, scope, requestedScope, authTime } = authorized;
  const token = { familyId: random.token(16), secret: random.token() };
  const family: RefreshFamily = {
    familyId: token.familyId,
    state: 'active',
    sha256: refreshTokenDigest(digests, token),
    clientId,
    sub,
    patientId,
    grantId,
    scope,
    authTime,
    ...(requestedScope !== undefined && { requestedScope }),
    ...(representedBy !== undefined && { representedBy }),
    createdAt: now,
    rotatedAt: now,
    idleExpiresAt: now + idleSeconds,
    expiresAt,
  };
  return { token, family };
}

/** A grant as it is stored now. */
export interface LiveGrant {
  readonly clientId: string;
  readonly state: 'pending' | 'active' | 'revoked';
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** The account holder, if they consented as the patient's personal representative. */
  readonly representative?: RepresentedBy | undefined;
}

export function isAlive(grant: LiveGrant | undefined, clientId: string, now: number): boolean {
  return grant?.state === 'active' && grant.clientId === clientId && grant.expiresAt > now;
}

/** A grant to be ended, and its refresh token family if the caller knows it. */
export interface GrantReference {
  readonly patientId: string;
  readonly grantId: string;
  readonly familyId?: string | undefined;
}

/**
 * Stores grants and refresh tokens of a LOB.
 *
 * @throws StoreUnavailable from every method: whether a write happened is then unknown.
 */
export interface TokenStore {
  family(lob: LineOfBusiness, familyId: string): Promise<RefreshFamily | undefined>;
  grant(lob: LineOfBusiness, patientId: string, grantId: string): Promise<LiveGrant | undefined>;
  /**
   * Replaces the live token by its successor, in one transaction with the audit event, if the family is unchanged and the grant is active.
   * Only one of several concurrent rotations succeeds.
   */
  rotate(rotation: Rotation): Promise<'rotated' | 'family_changed' | 'grant_ended'>;
  /** Revokes a grant and its family, with the audit event. May be repeated. */
  end(end: {
    readonly lob: LineOfBusiness;
    readonly reference: GrantReference;
    readonly because: string;
    readonly audit: AuditEvent;
  }): Promise<void>;
}

export interface Rotation {
  readonly lob: LineOfBusiness;
  /** Family as it was read. */
  readonly family: RefreshFamily;
  /** SHA-256 (hex) of the successor. */
  readonly sha256: string;
  readonly salt: string;
  readonly now: number;
  readonly idleExpiresAt: number;
  readonly audit: AuditEvent;
}
