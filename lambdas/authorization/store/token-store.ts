/** Store of active grants and their refresh token families. */

import * as z from 'zod/mini';
import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { failedConditions, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import { grantKey, refreshFamilyKey } from '../../platform/table/table-keys.ts';
import { transition } from '../../platform/table/transition.ts';
import type { RefreshFamily, Rotation, TokenStore } from '../token/refresh-token-family.ts';
import { standingRepresentation } from './account-access.ts';
import { storedRepresentedBy } from './authorization-items.ts';
import { livingGrant } from './grant-writes.ts';
import { familyTransitions, grantTransitions } from './states-contract.ts';

const storedFamily = z.object({
  familyId: z.string(),
  state: z.enum(['active', 'revoked']),
  sha256: z.string(),
  previousSha256: z.optional(z.string()),
  salt: z.optional(z.string()),
  clientId: z.string(),
  sub: z.string(),
  patientId: z.string(),
  representedBy: z.optional(storedRepresentedBy),
  grantId: z.string(),
  scope: z.string(),
  requestedScope: z.optional(z.string()),
  authTime: z.number(),
  createdAt: z.number(),
  rotatedAt: z.number(),
  idleExpiresAt: z.number(),
  expiresAt: z.number(),
});
const storedGrant = z.object({
  clientId: z.string(),
  state: z.enum(['pending', 'active', 'revoked']),
  expiresAt: z.number(),
  representative: z.optional(storedRepresentedBy),
});

/** Stores active grants and their refresh token families. A rotation is one conditional transaction. */
export function createTokenStore(table: Table): TokenStore {
  return {
    async family(lob, familyId) {
      const item = await table.get(refreshFamilyKey(lob, familyId));
      return item === undefined ? undefined : storedFamily.parse(item);
    },
    async grant(lob, patientId, grantId) {
      const item = await table.get(grantKey(lob, patientId, grantId));
      return item === undefined ? undefined : storedGrant.parse(item);
    },
    async rotate(rotation) {
      const { lob, family, now, audit } = rotation;
      const living = livingGrant(grantKey(lob, family.patientId, family.grantId), family.clientId, now);
      const writes = [
        rotated(rotation),
        living,
        ...standingRepresentation(lob, family, now),
        auditWrite(audit),
      ];
      const failed = await failedConditions(table, writes);
      if (failed.length === 0) return 'rotated';
      // The condition on the grant failed, or on the representation behind it.
      return failed.some((at) => at > 0) ? 'grant_ended' : 'family_changed';
    },
    async end({ lob, reference: { patientId, grantId, familyId }, because, audit }) {
      const reason = { sets: 'endedBecause = :because', values: { ':because': because } };
      const grant = transition(grantKey(lob, patientId, grantId), grantTransitions.end, reason);
      const family = familyId === undefined ? [] : [refreshFamilyKey(lob, familyId)];
      let writes: readonly Write[] = [
        auditWrite(audit),
        { update: grant },
        ...family.map((key) => ({ update: transition(key, familyTransitions.end, reason) })),
      ];
      // Writes whose item is revoked already are left out; the others are repeated, with the audit event.
      while (writes.length > 0) {
        const failed = await failedConditions(table, writes);
        if (failed.length === 0) return;
        writes = writes.filter((_write, at) => !failed.includes(at));
      }
    },
  };
}

/** The write that creates the refresh token family of a grant when its code is redeemed. */
export function createdFamily(lob: LineOfBusiness, family: RefreshFamily): Write {
  return putIfAbsent({ ...refreshFamilyKey(lob, family.familyId), ...family, ttl: family.expiresAt });
}

/**
 * The update that rotates a family. It requires the digest of the live token as it was read, so that only one of two concurrent rotations
 * succeeds.
 */
function rotated({ lob, family, sha256, salt, now, idleExpiresAt }: Rotation): Write {
  const update = transition(refreshFamilyKey(lob, family.familyId), familyTransitions.rotate, {
    sets: 'sha256 = :sha256, previousSha256 = :live, salt = :salt, rotatedAt = :now, idleExpiresAt = :idle',
    condition: 'sha256 = :live AND idleExpiresAt > :now AND expiresAt > :now',
    values: { ':live': family.sha256, ':sha256': sha256, ':salt': salt, ':now': now, ':idle': idleExpiresAt },
  });
  return { update };
}
