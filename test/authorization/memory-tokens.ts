import {
  isAlive,
  type LiveGrant,
  type RefreshFamily,
  type TokenStore,
} from '../../lambdas/authorization/token/refresh-token-family.ts';
import type { AuditEvent } from '../../lambdas/catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { type MemberAccessToken, memberAccessToken } from '../../lambdas/catalog/oauth/access-token.ts';
import { parse } from '../../lambdas/platform/kernel/shapes.ts';

/** Grants and refresh tokens in memory, with the conditions of the table. */
export function memoryTokens(
  families: Map<string, RefreshFamily>,
  grants: Map<string, LiveGrant>,
  ended: string[],
  events: AuditEvent[],
): TokenStore {
  return {
    family: async (lob, familyId) => families.get(`${lob} ${familyId}`),
    grant: async (_lob, _patientId, grantId) => grants.get(grantId),
    async rotate({ lob, family, sha256, salt, now, idleExpiresAt, audit }) {
      const name = `${lob} ${family.familyId}`;
      const present = families.get(name);
      if (!isAlive(grants.get(family.grantId), family.clientId, now)) return 'grant_ended';
      if (present?.state !== 'active' || present.sha256 !== family.sha256) return 'family_changed';
      const previousSha256 = present.sha256;
      families.set(name, { ...present, sha256, previousSha256, salt, rotatedAt: now, idleExpiresAt });
      events.push(audit);
      return 'rotated';
    },
    async end({ lob, reference: { grantId, familyId }, because, audit }) {
      const grant = grants.get(grantId);
      if (grant !== undefined) grants.set(grantId, { ...grant, state: 'revoked' });
      const family = families.get(`${lob} ${familyId}`);
      if (family !== undefined) families.set(`${lob} ${familyId}`, { ...family, state: 'revoked' });
      ended.push(`${grantId} ${because}`);
      events.push(audit);
    },
  };
}

/** Reads an access token of the memory server's `signingKeys`; undefined if it is invalid or has expired. */
export function memoryAccessToken(
  lob: LineOfBusiness,
  token: string,
  nowMs: number,
): MemberAccessToken | undefined {
  if (!token.startsWith('{')) return undefined;
  const { issuer, typ, claims } = JSON.parse(token) as Record<string, unknown>;
  if (issuer !== lob || typ !== 'at+jwt') return undefined;
  const parsed = parse(memberAccessToken, claims);
  return parsed.exp > nowMs / 1000 ? parsed : undefined;
}
