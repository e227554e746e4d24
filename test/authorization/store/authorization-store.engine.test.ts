import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AuthorizationCode,
  Grant,
  Interaction,
} from '../../../lambdas/authorization/authorize/interaction.ts';
import { createAuthorizationStore } from '../../../lambdas/authorization/store/authorization-store.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import {
  authorizationCodeKey,
  grantKey,
  interactionKey,
} from '../../../lambdas/platform/table/table-keys.ts';
import { startBreakableTable } from '../../support/breakable-table.ts';

const lob = 'DSNP';
const now = 1_790_000_000;
const member = { sub: 'sub-1', patientId: 'patient-1', displayName: 'Rosa Ejemplo' };

const { table, breakable, proxy, stop } = await startBreakableTable();
afterAll(() => stop());
beforeEach(() => proxy.plan());

function audit() {
  return {
    eventId: randomUUID(),
    time: new Date(now * 1000).toISOString(),
    environment: 'sandbox',
    lob,
    action: 'grant.create',
    outcome: 'succeeded',
    actor: member.sub,
    clientId: 'client-1',
    patientId: member.patientId,
    requestId: 'request-1',
  } as const;
}

async function anInteraction(changes: Partial<Interaction> = {}): Promise<Interaction> {
  const interaction: Interaction = {
    interactionId: randomUUID(),
    state: 'signing-in',
    request: { clientId: 'client-1', redirectUri: 'https://app.example.com/cb', scope: 'patient/*.read' },
    expiresAt: now + 900,
    ...changes,
  };
  await createAuthorizationStore(table).begin(lob, interaction);
  return interaction;
}

function issued(): { readonly grant: Grant; readonly code: AuthorizationCode } {
  const common = {
    grantId: randomUUID(),
    clientId: 'client-1',
    sub: member.sub,
    patientId: member.patientId,
  };
  const scope = 'patient/*.read';
  return {
    grant: { ...common, scope, createdAt: new Date(now * 1000).toISOString(), expiresAt: now + 1_860 },
    code: {
      ...common,
      scope,
      sha256: randomUUID(),
      state: 'issued',
      redirectUri: 'https://app.example.com/cb',
      authTime: now,
      expiresAt: now + 60,
    },
  };
}

async function shared() {
  const { interactionId } = await anInteraction({ state: 'consenting', member, authTime: now });
  const made = issued();
  await createAuthorizationStore(table).share({ lob, interactionId, now, audit: audit(), ...made });
  return { interactionId, ...made };
}

async function events(): Promise<number> {
  const { items } = await table.query({ pk: `AUDIT#${lob}#PATIENT#${member.patientId}` });
  return items.length;
}

describe('an interaction', () => {
  it('goes from sign-in to consent to its answer, and no step twice', async () => {
    const store = createAuthorizationStore(table);
    const { interactionId } = await anInteraction();
    const step = { lob, interactionId, now } as const;
    const answer = () => store.share({ ...step, audit: audit(), ...issued() });
    expect(await answer()).toBe(false);
    expect(await store.decline({ ...step, audit: audit() })).toBe(false);
    expect(await store.signIn({ ...step, member, audit: audit() })).toBe(true);
    expect(await store.signIn({ ...step, member, audit: audit() })).toBe(false);
    expect(await store.interaction(lob, interactionId)).toMatchObject({
      state: 'consenting',
      member,
      authTime: now,
    });
    expect(await answer()).toBe(true);
    expect(await answer()).toBe(false);
    expect(await store.decline({ ...step, audit: audit() })).toBe(false);
  });

  it('is over at its time, in every state', async () => {
    const store = createAuthorizationStore(table);
    const first = await anInteraction({ expiresAt: now });
    expect(await store.signIn({ lob, interactionId: first.interactionId, now, member, audit: audit() })).toBe(
      false,
    );
    const second = await anInteraction({ expiresAt: now, state: 'consenting', member });
    const step = { lob, interactionId: second.interactionId, now } as const;
    expect(await store.share({ ...step, audit: audit(), ...issued() })).toBe(false);
    expect(await store.decline({ ...step, audit: audit() })).toBe(false);
  });

  it('that is unknown leads nowhere', async () => {
    const store = createAuthorizationStore(table);
    const step = { lob, interactionId: 'unknown', now } as const;
    expect(await store.interaction(lob, 'unknown')).toBeUndefined();
    expect(await store.signIn({ ...step, member, audit: audit() })).toBe(false);
    expect(await table.get(interactionKey(lob, 'unknown'))).toBeUndefined();
  });

  it('leaves nothing of a refused step behind: no grant, no code, no event', async () => {
    const before = await events();
    const { interactionId } = await anInteraction();
    const made = issued();
    await createAuthorizationStore(table).share({ lob, interactionId, now, audit: audit(), ...made });
    expect(await table.get(grantKey(lob, member.patientId, made.grant.grantId))).toBeUndefined();
    expect(await table.get(authorizationCodeKey(lob, made.code.sha256))).toBeUndefined();
    expect(await events()).toBe(before);
  });
});

describe('a code', () => {
  const redeem = (code: AuthorizationCode, at = now, by = table) =>
    createAuthorizationStore(by).redeem({ lob, code, now: at, grantExpiresAt: at + 1_800, audit: audit() });
  const grantOf = (code: AuthorizationCode) => table.get(grantKey(lob, code.patientId, code.grantId));

  it('makes its pending grant active once', async () => {
    const { code } = await shared();
    expect(await grantOf(code)).toMatchObject({ state: 'pending' });
    expect(await redeem(code)).toBe('redeemed');
    expect(await grantOf(code)).toMatchObject({ state: 'active', expiresAt: now + 1_800 });
    expect(await redeem(code)).toBe('code_used');
    expect(await createAuthorizationStore(table).code(lob, code.sha256)).toMatchObject({ state: 'redeemed' });
  });

  it('is too old at its time, by the condition and not by the housekeeping', async () => {
    const { code } = await shared();
    expect(await redeem(code, code.expiresAt)).toBe('code_used');
    expect(await redeem(code, code.expiresAt - 1)).toBe('redeemed');
  });

  it('can’t bring a revoked grant back', async () => {
    const { code } = await shared();
    const store = createAuthorizationStore(table);
    await store.end({ lob, code, now, because: 'redirect_uri_differs', ends: 'grant', audit: audit() });
    expect(await grantOf(code)).toMatchObject({ state: 'revoked', endedBecause: 'redirect_uri_differs' });
    expect(await redeem(code)).toBe('code_used');
    expect(await store.code(lob, code.sha256)).toMatchObject({ state: 'ended' });
  });

  it('ended twice keeps the first reason, and both events', async () => {
    const { code } = await shared();
    await redeem(code);
    const store = createAuthorizationStore(table);
    const before = await events();
    await store.end({ lob, code, now, because: 'code_replayed', ends: 'grant', audit: audit() });
    await store.end({ lob, code, now, because: 'another', ends: 'grant', audit: audit() });
    expect(await grantOf(code)).toMatchObject({ state: 'revoked', endedBecause: 'code_replayed' });
    expect(await events()).toBe(before + 2);
    expect(await store.code(lob, code.sha256)).toMatchObject({ state: 'redeemed' });
  });

  it('has one winner of 100 at once, with one event', async () => {
    const { code } = await shared();
    const before = await events();
    const won = await Promise.all(
      Array.from({ length: 100 }, () => redeem(code).catch((error: unknown) => error)),
    );
    expect(won.filter((answer) => answer === 'redeemed')).toHaveLength(1);
    for (const other of won.filter((answer) => answer !== 'redeemed')) {
      expect(other === 'code_used' || other instanceof StoreUnavailable).toBe(true);
    }
    expect(await events()).toBe(before + 1);
  });

  it('is redeemed once although the first answer was lost', async () => {
    const { code } = await shared();
    const before = await events();
    proxy.plan('answer-lost');
    expect(await redeem(code, now, breakable)).toBe('redeemed');
    expect(await events()).toBe(before + 1);
    expect(await redeem(code)).toBe('code_used');
  });

  it('stays good when the store can’t be reached', async () => {
    const { code } = await shared();
    proxy.plan('drop', 'drop', 'drop');
    await expect(redeem(code, now, breakable)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await grantOf(code)).toMatchObject({ state: 'pending' });
    expect(await redeem(code)).toBe('redeemed');
  });
});
