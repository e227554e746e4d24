/** Derives the refresh tokens of a grant from one another. Reuse is detected in `verify-refresh-token.ts`. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { RepresentedBy } from '../oauth/member-account.ts';
import type { Authorized } from './token-claims.ts';

/**
 * The refresh tokens of one grant, each made from the one before it (docs/decisions/0009). The table holds SHA-256 digests
 * and a salt: nothing in it can be presented, nor be made into something that can. Times are seconds since 1970.
 */
export interface RefreshFamily extends Authorized {
  readonly familyId: string;
  readonly state: 'active' | 'revoked';
  /** SHA-256 (hex) of the one live token. */
  readonly sha256: string;
  /** SHA-256 (hex) of the token before it, which is forgiven for `graceSeconds`. */
  readonly previousSha256?: string | undefined;
  /** Salt from which the live token was derived, together with the token before it. */
  readonly salt?: string | undefined;
  readonly createdAt: number;
  readonly rotatedAt: number;
  /** The live token is too old from then on: nobody used it. */
  readonly idleExpiresAt: number;
  /** The end of the grant, and so of every token of the family. */
  readonly expiresAt: number;
}

/** Seconds in which the previous token gets the same successor again, so that an app that lost a response needs no new consent. */
export const graceSeconds = 30;

/** A refresh token: 128 bits that name the family, 256 bits that prove its possession. */
export interface RefreshToken {
  readonly familyId: string;
  readonly secret: string;
}

const pattern = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** @returns undefined for text that is no refresh token, and so not worth a read. */
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

/** Derives the next token. It needs both the current token and the salt; neither suffices alone. */
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
  /** The end of the grant. */
  readonly expiresAt: number;
}

/** The family of a grant with lasting access, and its first token. */
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

/** A grant as it stands now. */
export interface LiveGrant {
  readonly clientId: string;
  readonly state: 'pending' | 'active' | 'revoked';
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** The account holder, where they consented as the patient's personal representative. */
  readonly representative?: RepresentedBy | undefined;
}

export function isAlive(grant: LiveGrant | undefined, clientId: string, now: number): boolean {
  return grant?.state === 'active' && grant.clientId === clientId && grant.expiresAt > now;
}

/** A grant to be ended, and the family of its refresh tokens where the caller knows it. */
export interface GrantReference {
  readonly patientId: string;
  readonly grantId: string;
  readonly familyId?: string | undefined;
}

/**
 * Grants and refresh tokens of a LOB, once they are in use.
 *
 * @throws StoreUnavailable from every method: whether a write happened is then unknown.
 */
export interface TokenStore {
  family(lob: LineOfBusiness, familyId: string): Promise<RefreshFamily | undefined>;
  grant(lob: LineOfBusiness, patientId: string, grantId: string): Promise<LiveGrant | undefined>;
  /**
   * The live token → its successor, in one transaction with its audit event, if the family is as it was read and the
   * grant lives: of any number at once, one rotates.
   */
  rotate(rotation: Rotation): Promise<'rotated' | 'family_changed' | 'grant_ended'>;
  /** Grant and family → `revoked`, with the audit event. Repeating it is harmless. */
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
