import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuthorizationStore } from '../../lambdas/oauth/authorization-store.ts';
import type { AuthorizationCode, Interaction } from '../../lambdas/oauth/interaction.ts';
import type { SignInStore } from '../../lambdas/oauth/sign-in-store.ts';
import {
  codeTransitions,
  type GrantState,
  grantTransitions,
  interactionTransitions,
} from '../../lambdas/oauth/states.ts';
import type { Verification } from '../../lambdas/oauth/verification.ts';
import { createAuthorizationStore } from '../../lambdas/storage/authorization-store.ts';
import { authorizationCodeKey, grantKey, interactionKey } from '../../lambdas/storage/keys.ts';
import { createSdkTable } from '../../lambdas/storage/sdk-table.ts';
import { createSignInStore } from '../../lambdas/storage/sign-in-store.ts';
import type { Table } from '../../lambdas/storage/table.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';

/** Every act from every state, against the real engine: the tables' edges are taken, all others refused. */

const lob = 'DSNP';
const now = 1_790_000_000;
const member = { sub: 'sub-1', patientId: 'patient-1', displayName: 'Rosa Ejemplo' };

let engine: TestEngine;
let table: Table;
let store: AuthorizationStore;
let signIns: SignInStore;
beforeAll(async () => {
  engine = await startTestEngine();
  table = createSdkTable({ tableName: engine.tableName, client: engine.client });
  store = createAuthorizationStore(table);
  signIns = createSignInStore(table);
});
afterAll(async () => {
  await engine.stop();
});

const audit = () =>
  ({
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
  }) as const;
const events = async () =>
  (await table.query({ pk: `AUDIT#${lob}#PATIENT#${member.patientId}` })).items.length;

function aGrantAndCode(state: AuthorizationCode['state'] = 'issued') {
  const ids = { grantId: randomUUID(), clientId: 'client-1', sub: member.sub, patientId: member.patientId };
  const scope = 'patient/*.read';
  const code: AuthorizationCode = {
    ...ids,
    scope,
    sha256: randomUUID(),
    state,
    redirectUri: 'https://app.example.com/cb',
    authTime: now,
    expiresAt: now + 60,
  };
  return {
    code,
    grant: { ...ids, scope, createdAt: new Date(now * 1000).toISOString(), expiresAt: now + 90 },
  };
}

describe('an interaction', () => {
  const states: readonly Interaction['state'][] = ['signing-in', 'verifying', 'consenting', 'answered'];
  const acts = Object.keys(interactionTransitions) as readonly (keyof typeof interactionTransitions)[];
  const verification: Verification = {
    mac: 'mac',
    channel: 'email',
    destination: 'r•••@example.com',
    name: 'DSNP0001',
    sentAt: now - 60,
    expiresAt: now + 540,
    tries: 0,
  };
  const cases = states.flatMap((state) =>
    acts.flatMap((act) => [true, false].map((inTime) => ({ state, act, inTime }))),
  );

  it.each(cases)('$act from $state, in time: $inTime', async ({ state, act, inTime }) => {
    const interactionId = randomUUID();
    const expiresAt = inTime ? now + 1 : now;
    const request = { clientId: 'client-1', redirectUri: 'https://app.example.com/cb', scope: 'openid' };
    await store.begin(lob, { interactionId, state, request, expiresAt, member, verification });
    const key = interactionKey(lob, interactionId);
    const before = await table.get(key);
    const eventsBefore = await events();
    const step = { lob, interactionId, now, audit: audit() } as const;
    const asked = { ...step, verification, expiresAt: now + 900 };
    const browser = { browserId: randomUUID(), sub: member.sub, expiresAt: now + 900 };
    const session = { sessionId: randomUUID(), member, expiresAt: now + 900 };
    const right = { verification, browser };
    const next: Interaction = { interactionId: randomUUID(), state: 'signing-in', request, expiresAt };
    const steps: Record<typeof act, () => Promise<boolean>> = {
      'sign-in': () => store.signIn({ ...step, member }),
      'ask-code': () => signIns.askCode({ ...asked, member }),
      'ask-code-again': () => signIns.askCodeAgain({ ...asked, notBefore: now - 60 }),
      'wrong-code': () => signIns.wrongCode({ ...step, verification }),
      'right-code': () => signIns.rightCode({ ...step, ...right }),
      visit: () => signIns.visit({ ...step, session, ...(state === 'verifying' && { right }) }),
      'switch-account': () => signIns.switchAccount({ ...step, next }),
      share: () => store.share({ ...step, ...aGrantAndCode() }),
      decline: () => store.decline(step),
    };
    const taken = await steps[act]();

    const edge = interactionTransitions[act];
    const allowed = inTime && (edge.from as readonly string[]).includes(state);
    expect(taken).toBe(allowed);
    expect(await events()).toBe(eventsBefore + (allowed ? 1 : 0));
    if (allowed) expect(await table.get(key)).toMatchObject({ state: edge.to });
    else expect(await table.get(key)).toEqual(before);
  });
});

describe('a code and its grant', () => {
  const codeStates: readonly AuthorizationCode['state'][] = ['issued', 'redeemed', 'ended'];
  const grantStates: readonly GrantState[] = ['pending', 'active', 'revoked'];
  const cases = codeStates.flatMap((codeState) =>
    grantStates.map((grantState) => ({ codeState, grantState })),
  );

  async function put(codeState: AuthorizationCode['state'], grantState: GrantState) {
    const { code, grant } = aGrantAndCode(codeState);
    const keys = [
      authorizationCodeKey(lob, code.sha256),
      grantKey(lob, code.patientId, code.grantId),
    ] as const;
    await table.put({ ...keys[0], ...code });
    await table.put({ ...keys[1], ...grant, state: grantState });
    return { code, read: () => table.batchGet(keys) };
  }

  it.each(cases)('are redeemed from $codeState and $grantState together or not at all', async (at) => {
    const { code, read } = await put(at.codeState, at.grantState);
    const before = await read();
    const redeemed = await store.redeem({ lob, code, now, grantExpiresAt: now + 1_800, audit: audit() });
    const allowed =
      (codeTransitions.redeem.from as readonly string[]).includes(at.codeState) &&
      (grantTransitions.redeem.from as readonly string[]).includes(at.grantState);
    expect(redeemed).toBe(allowed);
    if (!allowed) return void expect(await read()).toEqual(before);
    expect(await read()).toMatchObject([
      { state: codeTransitions.redeem.to },
      { state: grantTransitions.redeem.to, expiresAt: now + 1_800 },
    ]);
  });

  it.each(cases)('end from $codeState and $grantState, each by its own table, and for good', async (at) => {
    const { code, read } = await put(at.codeState, at.grantState);
    await store.end({ lob, code, now, because: 'code_replayed', audit: audit() });
    const ends = (codeTransitions.end.from as readonly string[]).includes(at.codeState);
    expect(await read()).toMatchObject([
      { state: ends ? codeTransitions.end.to : at.codeState },
      { state: grantTransitions.end.to },
    ]);
    expect(await store.redeem({ lob, code, now, grantExpiresAt: now + 1_800, audit: audit() })).toBe(false);
    expect((await read())[1]).toMatchObject({ state: 'revoked' });
  });
});
