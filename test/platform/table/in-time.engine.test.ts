import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealStore } from '../../../lambdas/audit/store/seal-store.ts';
import type { Seal } from '../../../lambdas/audit/trail/seal.ts';
import type { Interaction } from '../../../lambdas/authorization/authorize/interaction.ts';
import type { ContinuedInteraction } from '../../../lambdas/authorization/authorize/sso-session-store-port.ts';
import type { SentVerificationCode } from '../../../lambdas/authorization/authorize/verification-code.ts';
import { createAuthorizationStore } from '../../../lambdas/authorization/store/authorization-store.ts';
import { createSignInStore } from '../../../lambdas/authorization/store/sign-in-store.ts';
import { createSsoSessionStore } from '../../../lambdas/authorization/store/sso-session-store.ts';
import { createdFamily, createTokenStore } from '../../../lambdas/authorization/store/token-store.ts';
import { conditionHolds } from '../../../lambdas/platform/table/conditional-writes.ts';
import { grantKey, ssoSessionKey } from '../../../lambdas/platform/table/table-keys.ts';
import { teamKey, teamMemberKey } from '../../../lambdas/portal/adapters/portal-table-keys.ts';
import {
  createPortalTeamStore,
  createTeam,
  joinTeam,
  leaveTeam,
  useInvitation,
} from '../../../lambdas/portal/adapters/team-store.ts';
import { createEmptyTable } from '../../support/empty-table.ts';

/** Writes to items that have expired or changed since they were read are refused, by a condition of the write. */

const table = await createEmptyTable();
const lob = 'DSNP';
const now = 1_790_000_000;
const member = { sub: 'sub-1', patientId: 'patient-1', displayName: 'Rosa Ejemplo' };
const audit = () => ({
  eventId: randomUUID(),
  time: new Date(now * 1000).toISOString(),
  environment: 'sandbox' as const,
  lob: 'DSNP' as const,
  action: 'member.sign-in' as const,
  outcome: 'succeeded' as const,
  actor: member.sub,
  clientId: 'client-1',
  patientId: member.patientId,
  requestId: 'request-1',
});

describe('a code at the sign-in', () => {
  const store = createSignInStore(table);
  const verification: SentVerificationCode = {
    mac: 'mac-of-the-code',
    channel: 'email',
    destination: 'r•••@example.org',
    name: 'rosa',
    sentAt: now,
    expiresAt: now + 600,
    tries: 0,
  };
  async function awaiting(): Promise<Interaction> {
    const interaction: Interaction = {
      interactionId: randomUUID(),
      state: 'verifying',
      request: { clientId: 'client-1', redirectUri: 'https://app.example.com/cb', scope: 'patient/*.read' },
      member,
      authTime: now,
      verification,
      expiresAt: now + 900,
    };
    await createAuthorizationStore(table).begin(lob, interaction);
    return interaction;
  }
  const stateOf = async ({ interactionId }: Interaction) =>
    await createAuthorizationStore(table).interaction(lob, interactionId);
  const tried = ({ interactionId }: Interaction, read: Partial<SentVerificationCode>, at = now) =>
    ({
      lob,
      interactionId,
      now: at,
      audit: audit(),
      verification: { ...verification, ...read },
      member,
      browser: { browserId: randomUUID(), sub: member.sub, expiresAt: now + 1_000_000 },
    }) as const;

  it.each([
    ['another code was sent since', { mac: 'mac-of-the-older' }, now],
    ['it was tried in between', { tries: 1 }, now],
    ['its ten minutes are over', {}, now + 600],
  ])('is not right where %s', async (_what, read, at) => {
    const interaction = await awaiting();
    expect(await store.rightCode(tried(interaction, read, at))).toBe(false);
    expect((await stateOf(interaction))?.state).toBe('verifying');
  });

  it('is right to its last moment, and once', async () => {
    const interaction = await awaiting();
    expect(await store.rightCode(tried(interaction, {}, now + 599.999))).toBe(true);
    expect(await store.rightCode(tried(interaction, {}, now + 599.999))).toBe(false);
    expect((await stateOf(interaction))?.state).toBe('consenting');
  });

  it('is counted as wrong for the code that was read only', async () => {
    const interaction = await awaiting();
    expect(await store.wrongCode(tried(interaction, { mac: 'mac-of-the-older' }))).toBe(false);
    expect(await store.wrongCode(tried(interaction, {}))).toBe(true);
    expect(await store.wrongCode(tried(interaction, {}))).toBe(false);
    expect((await stateOf(interaction))?.verification?.tries).toBe(1);
  });
});

describe('an SSO session', () => {
  const store = createSsoSessionStore(table);
  it.each([
    [999, 'open', true],
    [1_000, 'open', false],
    [0, 'ended', false],
  ])('that lasts 1,000 s lets somebody in %i s later, being %s: %s', async (seconds, state, lets) => {
    const ssoSessionId = randomUUID();
    const ssoSession = { ssoSessionId, state, member, authTime: now, expiresAt: now + 1_000 };
    await table.put({ ...ssoSessionKey(lob, ssoSessionId), ...ssoSession });
    const interaction: ContinuedInteraction = {
      interactionId: randomUUID(),
      state: 'consenting',
      request: { clientId: 'client-1', redirectUri: 'https://app.example.com/cb', scope: 'patient/*.read' },
      member,
      authTime: now,
      expiresAt: now + 9_000,
      ssoSessionId,
      continued: true,
    };
    const at = now + seconds;
    expect(await store.begin({ lob, interaction, now: at, audit: audit() })).toBe(lets);
    const begun = await createAuthorizationStore(table).interaction(lob, interaction.interactionId);
    expect(begun !== undefined).toBe(lets);
  });
});

describe('a family of refresh tokens', () => {
  it.each([
    [now + 1_999, 'rotated'],
    [now + 2_000, 'family_changed'],
  ])('whose grant lasts longer rotates up to its own end: at %i it is %s', async (at, expected) => {
    const ids = { patientId: randomUUID(), grantId: randomUUID(), clientId: 'client-1', sub: 'sub-1' };
    const family = {
      ...ids,
      ...{ familyId: randomUUID(), state: 'active' as const, sha256: 'first', scope: 'patient/*.read' },
      ...{ authTime: now, createdAt: now, rotatedAt: now },
      ...{ idleExpiresAt: now + 9_000, expiresAt: now + 2_000 },
    };
    await table.put({
      ...grantKey(lob, ids.patientId, ids.grantId),
      ...ids,
      state: 'active',
      expiresAt: now + 9_000,
    });
    await table.transact([createdFamily(lob, family)]);
    const rotation = {
      lob,
      family,
      sha256: 'second',
      salt: 's',
      now: at,
      idleExpiresAt: at + 1,
      audit: audit(),
    } as const;
    expect(await createTokenStore(table).rotate(rotation)).toBe(expected);
  });
});

describe('a seal', () => {
  it('has its number once: the first one stays', async () => {
    const store = createSealStore(table);
    const seal = (previous: string): Seal => ({
      ...{ environment: 'sandbox', authority: 'EGWP', sequence: 1, events: 0, lists: [] },
      ...{ from: '2026-11-20T12:00:00.000Z', until: '2026-11-20T12:05:00.000Z' },
      ...{ sealedAt: '2026-11-20T12:07:00.000Z', previous, keyId: 'key-1', signature: 'signature' },
    });
    expect(await store.add(seal('first'))).toBe(true);
    expect(await store.add(seal('second'))).toBe(false);
    expect((await store.last('EGWP'))?.previous).toBe('first');
  });
});

describe('a team', () => {
  const at = new Date(now * 1000).toISOString();
  async function aTeam(members = 1, applications?: number): Promise<string> {
    const teamId = randomUUID();
    await table.transact(
      createTeam({ teamId, name: 'Wellness Works', members, applications: 0, invited: 0 }, 'founder', at),
    );
    await table.put({
      ...teamKey(teamId),
      teamId,
      name: 'Wellness Works',
      members,
      ...(applications !== undefined && { applications }),
    });
    return teamId;
  }
  const membersOf = async (teamId: string) => (await table.get(teamKey(teamId)))?.members;

  it.each([
    ['two', 2, false, undefined, true],
    ['one, who removes somebody', 1, false, undefined, false],
    ['one and no application ever', 1, true, undefined, true],
    ['one and no application left', 1, true, 0, true],
    ['one and an application', 1, true, 1, false],
    ['two and an application', 2, true, 1, true],
  ])('of %s may be left: %#', async (_what, members, alone, applications, may) => {
    const teamId = await aTeam(members, applications);
    expect(await conditionHolds(table, leaveTeam(teamId, 'founder', alone))).toBe(may);
    expect(await membersOf(teamId)).toBe(may ? members - 1 : members);
    expect((await table.get(teamMemberKey(teamId, 'founder'))) === undefined).toBe(may);
  });

  it('is not left by who is no member', async () => {
    const teamId = await aTeam(3);
    expect(await conditionHolds(table, leaveTeam(teamId, 'stranger', false))).toBe(false);
    expect(await membersOf(teamId)).toBe(3);
  });

  it('is neither joined nor left where there is none', async () => {
    const teamId = randomUUID();
    expect(await conditionHolds(table, joinTeam(teamId, 'guest', at))).toBe(false);
    expect(await conditionHolds(table, leaveTeam(teamId, 'guest', true))).toBe(false);
    expect(await table.get(teamKey(teamId))).toBeUndefined();
  });

  it.each([
    [99, true],
    [100, false],
  ])('takes an invitation for 100 s: after %i s, %s', async (seconds, taken) => {
    const invitation = {
      ...{
        invitationId: randomUUID(),
        tokenSha256: randomUUID(),
        teamId: await aTeam(),
        email: 'a@example.org',
      },
      ...{ invitedBy: 'founder', createdAt: at, expiresAt: now + 100 },
    };
    const store = createPortalTeamStore(table, {
      outbox: { carryOut: async () => undefined },
      random: { uuid: randomUUID },
    });
    const mail = { kind: 'mail', to: 'a@example.org', subject: 's', text: 't' } as const;
    expect(await store.invite({ members: 1, invited: 0 }, invitation, mail, 'founder')).toBe(true);
    expect(await conditionHolds(table, useInvitation(invitation, now + seconds))).toBe(taken);
    expect(await conditionHolds(table, useInvitation(invitation, now + seconds))).toBe(false);
    expect((await store.invitation(invitation.tokenSha256)) === undefined).toBe(taken);
  });
});
