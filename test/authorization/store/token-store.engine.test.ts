import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createdFamily, createTokenStore } from '../../../lambdas/authorization/store/token-store.ts';
import type { RefreshFamily } from '../../../lambdas/authorization/token/refresh-token-family.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import { grantKey, refreshFamilyKey } from '../../../lambdas/platform/table/table-keys.ts';
import { startBreakableTable } from '../../support/breakable-table.ts';

/** The store of refresh tokens: creation, rotation and end of a family, with races and broken store calls. */

const lob = 'DSNP';
const now = 1_790_000_000;

const { table, breakable, proxy, stop } = await startBreakableTable();
afterAll(() => stop());
beforeEach(() => proxy.plan());

const auditOf = ({ patientId, clientId }: RefreshFamily) =>
  ({
    eventId: randomUUID(),
    time: new Date(now * 1000).toISOString(),
    environment: 'sandbox',
    lob,
    action: 'token.refresh',
    outcome: 'succeeded',
    actor: clientId,
    clientId,
    patientId,
    requestId: 'request-1',
  }) as const;

async function aFamily(changes: Partial<RefreshFamily> = {}, grantState = 'active'): Promise<RefreshFamily> {
  const family: RefreshFamily = {
    familyId: randomUUID(),
    state: 'active',
    sha256: 'first',
    clientId: 'client-1',
    sub: 'sub-1',
    patientId: randomUUID(),
    grantId: randomUUID(),
    scope: 'patient/*.read offline_access',
    authTime: now - 60,
    createdAt: now - 30,
    rotatedAt: now - 30,
    idleExpiresAt: now + 1_000,
    expiresAt: now + 2_000,
    ...changes,
  };
  const { patientId, grantId, clientId, sub, scope, expiresAt } = family;
  const grant = { grantId, clientId, sub, patientId, scope, expiresAt, state: grantState };
  await table.put({ ...grantKey(lob, patientId, grantId), ...grant });
  await table.transact([createdFamily(lob, family)]);
  return family;
}

function rotate(family: RefreshFamily, sha256: string = randomUUID(), by = table, at = now) {
  const audit = auditOf(family);
  const rotation = { lob, family, sha256, salt: 'salt', now: at, idleExpiresAt: at + 1_000, audit } as const;
  return createTokenStore(by).rotate(rotation);
}

const familyOf = ({ familyId }: RefreshFamily) => createTokenStore(table).family(lob, familyId);
const grantOf = ({ patientId, grantId }: RefreshFamily) => table.get(grantKey(lob, patientId, grantId));
const eventsOf = async ({ patientId }: RefreshFamily) =>
  (await table.query({ pk: `AUDIT#${lob}#PATIENT#${patientId}` })).items;

describe('a family of refresh tokens', () => {
  it('comes back as it was written', async () => {
    const family = await aFamily();
    expect(await familyOf(family)).toEqual(family);
    expect(await createTokenStore(table).family(lob, 'unknown')).toBeUndefined();
    expect(await createTokenStore(table).family('MAPD', family.familyId)).toBeUndefined();
  });

  it('rotates from the token it was read with, and no other', async () => {
    const family = await aFamily();
    expect(await rotate(family, 'second')).toBe('rotated');
    expect(await familyOf(family)).toMatchObject({
      sha256: 'second',
      previousSha256: 'first',
      salt: 'salt',
      rotatedAt: now,
      idleExpiresAt: now + 1_000,
      expiresAt: family.expiresAt,
    });
    expect(await rotate(family, 'other')).toBe('family_changed');
    expect(await familyOf(family)).toMatchObject({ sha256: 'second' });
    expect(await eventsOf(family)).toHaveLength(1);
  });

  it.each<[string, Partial<RefreshFamily>, string, string]>([
    ['revoked', { state: 'revoked' }, 'active', 'family_changed'],
    ['left unused for too long', { idleExpiresAt: now }, 'active', 'family_changed'],
    ['at its end', { expiresAt: now }, 'active', 'grant_ended'],
    ['of a revoked grant', {}, 'revoked', 'grant_ended'],
    ['of a grant nobody redeemed', {}, 'pending', 'grant_ended'],
  ])('does not rotate when it is %s', async (_what, changes, grantState, expected) => {
    const family = await aFamily(changes, grantState);
    expect(await rotate(family)).toBe(expected);
    expect(await familyOf(family)).toEqual(family);
    expect(await eventsOf(family)).toEqual([]);
  });

  it('has one winner of 100 rotations at once, with one event', async () => {
    const family = await aFamily();
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => rotate(family).catch((error: unknown) => error)),
    );
    expect(outcomes.filter((outcome) => outcome === 'rotated')).toHaveLength(1);
    for (const other of outcomes.filter((outcome) => outcome !== 'rotated')) {
      expect(other === 'family_changed' || other instanceof StoreUnavailable).toBe(true);
    }
    expect(await eventsOf(family)).toHaveLength(1);
  });

  it('rotates once although the first answer was lost', async () => {
    const family = await aFamily();
    proxy.plan('answer-lost');
    expect(await rotate(family, 'second', breakable)).toBe('rotated');
    expect(await eventsOf(family)).toHaveLength(1);
  });

  it('stays as it was when the store can’t be reached', async () => {
    const family = await aFamily();
    proxy.plan('drop', 'drop', 'drop');
    await expect(rotate(family, 'second', breakable)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await familyOf(family)).toEqual(family);
    expect(await rotate(family)).toBe('rotated');
  });
});

describe('the end of a grant', () => {
  const end = (family: RefreshFamily, because: string, familyId: string | undefined = family.familyId) => {
    const { patientId, grantId } = family;
    const reference = { patientId, grantId, familyId };
    return createTokenStore(table).end({ lob, reference, because, audit: auditOf(family) });
  };

  it('ends its refresh tokens with it, in one act with its event', async () => {
    const family = await aFamily();
    await end(family, 'token_revoked');
    expect(await grantOf(family)).toMatchObject({ state: 'revoked', endedBecause: 'token_revoked' });
    expect(await familyOf(family)).toMatchObject({ state: 'revoked' });
    expect(await rotate(family)).not.toBe('rotated');
    expect(await eventsOf(family)).toHaveLength(1);
  });

  it('ends them too where only the grant is known: no rotation is without it', async () => {
    const family = await aFamily();
    const { patientId, grantId } = family;
    const audit = auditOf(family);
    await createTokenStore(table).end({ lob, reference: { patientId, grantId }, because: 'x', audit });
    expect(await familyOf(family)).toMatchObject({ state: 'active' });
    expect(await rotate(family)).toBe('grant_ended');
  });

  it('repeated keeps the first reason, and every event', async () => {
    const family = await aFamily();
    await end(family, 'first');
    await end(family, 'second');
    expect(await grantOf(family)).toMatchObject({ endedBecause: 'first' });
    expect(await eventsOf(family)).toHaveLength(2);
  });

  it('ends what is left where one of the two ended before, or never was', async () => {
    const family = await aFamily({}, 'revoked');
    await end(family, 'late');
    expect(await familyOf(family)).toMatchObject({ state: 'revoked' });
    const other = await aFamily();
    await end(other, 'late', 'unknown');
    expect(await grantOf(other)).toMatchObject({ state: 'revoked' });
    expect(await table.get(refreshFamilyKey(lob, 'unknown'))).toBeUndefined();
  });

  it('lets no rotation at the same time survive it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const family = await aFamily();
      await Promise.all([end(family, 'race'), rotate(family).catch(() => undefined)]);
      expect(await grantOf(family)).toMatchObject({ state: 'revoked' });
      const after = await familyOf(family);
      expect(after?.state).toBe('revoked');
      expect(after === undefined ? 'gone' : await rotate(after)).not.toBe('rotated');
    }
  });
});
