import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { AuthorizationCode, Interaction } from '../../../lambdas/authorization/authorize/interaction.ts';
import type { SentVerificationCode } from '../../../lambdas/authorization/authorize/verification-code.ts';
import { createAuthorizationStore } from '../../../lambdas/authorization/store/authorization-store.ts';
import { createSignInStore } from '../../../lambdas/authorization/store/sign-in-store.ts';
import {
  authorizationCodeTransitions,
  familyTransitions,
  type GrantState,
  grantTransitions,
  interactionTransitions,
} from '../../../lambdas/authorization/store/states-contract.ts';
import { createTokenStore } from '../../../lambdas/authorization/store/token-store.ts';
import type { RefreshFamily } from '../../../lambdas/authorization/token/refresh-token-family.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import {
  authorizationCodeKey,
  grantKey,
  interactionKey,
  refreshFamilyKey,
} from '../../../lambdas/platform/table/table-keys.ts';
import { startTestEngine } from '../../support/engine.ts';

/** Every act from every state against the real engine: edges of the state tables succeed, all others are refused. */

const lob = 'DSNP';
const now = 1_790_000_000;
const grantStates: readonly GrantState[] = ['pending', 'active', 'revoked'];
const member = { sub: 'sub-1', patientId: 'patient-1', displayName: 'Rosa Ejemplo' };

const engine = await startTestEngine();
afterAll(() => engine.stop());
const table = createSignedTable(engine);
const store = createAuthorizationStore(table);
const signIns = createSignInStore(table);

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
  const states: readonly Interaction['state'][] = [
    'signing-in',
    'verifying',
    'choosing',
    'consenting',
    'answered',
  ];
  const acts = Object.keys(interactionTransitions) as readonly (keyof typeof interactionTransitions)[];
  const verification: SentVerificationCode = {
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
    const account = { sub: member.sub };
    const request = { clientId: 'client-1', redirectUri: 'https://app.example.com/cb', scope: 'openid' };
    const providerAttempt = { sha256: 'request', issuer: 'https://login.plan.example', startedAt: now };
    await store.begin(lob, {
      ...{ interactionId, state, request, expiresAt, account, member, verification, providerAttempt },
    });
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
      'ask-code': () => signIns.askCode({ ...asked, account, member, keep: false }),
      'ask-code-again': () => signIns.askCodeAgain({ ...asked, notBefore: now - 60 }),
      'wrong-code': () => signIns.wrongCode({ ...step, verification }),
      'right-code': () => signIns.rightCode({ ...step, ...right, member }),
      'ask-patient': () =>
        signIns.askPatient({ ...step, account, keep: false, ...(state === 'verifying' && { right }) }),
      'choose-patient': () => signIns.choosePatient({ ...step, member }),
      visit: () => signIns.visit({ ...step, session, ...(state === 'verifying' && { right }) }),
      'other-member': () => signIns.otherMember(step),
      'send-to-provider': () => signIns.sendToProvider({ ...step, openRequest: providerAttempt }),
      'refuse-provider': () =>
        signIns.refuseProvider({
          ...step,
          provider: { requestSha256: providerAttempt.sha256, authTime: now },
        }),
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
      (authorizationCodeTransitions.redeem.from as readonly string[]).includes(at.codeState) &&
      (grantTransitions.redeem.from as readonly string[]).includes(at.grantState);
    const used = !(authorizationCodeTransitions.redeem.from as readonly string[]).includes(at.codeState);
    expect(redeemed).toBe(allowed ? 'redeemed' : used ? 'code_used' : 'grant_ended');
    if (!allowed) return void expect(await read()).toEqual(before);
    expect(await read()).toMatchObject([
      { state: authorizationCodeTransitions.redeem.to },
      { state: grantTransitions.redeem.to, expiresAt: now + 1_800 },
    ]);
  });

  it.each(cases)('end from $codeState and $grantState, each by its own table, and for good', async (at) => {
    const { code, read } = await put(at.codeState, at.grantState);
    await store.end({ lob, code, now, because: 'code_replayed', ends: 'grant', audit: audit() });
    const ends = (authorizationCodeTransitions.end.from as readonly string[]).includes(at.codeState);
    expect(await read()).toMatchObject([
      { state: ends ? authorizationCodeTransitions.end.to : at.codeState },
      { state: grantTransitions.end.to },
    ]);
    const late = await store.redeem({ lob, code, now, grantExpiresAt: now + 1_800, audit: audit() });
    expect(late).toBe('code_used');
    expect((await read())[1]).toMatchObject({ state: 'revoked' });
  });
});

describe('a family of refresh tokens and its grant', () => {
  const familyStates: readonly RefreshFamily['state'][] = ['active', 'revoked'];
  const cases = familyStates.flatMap((familyState) =>
    grantStates.map((grantState) => ({ familyState, grantState })),
  );

  async function put(state: RefreshFamily['state'], grantState: GrantState) {
    const { grant } = aGrantAndCode();
    const { grantId, clientId, sub, patientId, scope } = grant;
    const family: RefreshFamily = {
      ...{ familyId: randomUUID(), state, sha256: 'live', clientId, sub, patientId, grantId, scope },
      ...{ authTime: now, createdAt: now, rotatedAt: now, idleExpiresAt: now + 60, expiresAt: now + 90 },
    };
    const keys = [refreshFamilyKey(lob, family.familyId), grantKey(lob, patientId, grantId)] as const;
    await table.put({ ...keys[0], ...family });
    await table.put({ ...keys[1], ...grant, state: grantState });
    const rotation = { lob, family, sha256: 'next', salt: 'salt', now, idleExpiresAt: now + 70 } as const;
    return {
      family,
      rotate: () => createTokenStore(table).rotate({ ...rotation, audit: audit() }),
      read: () => table.batchGet(keys),
    };
  }

  it.each(cases)('rotate from $familyState and $grantState, or stay as they are', async (at) => {
    const { rotate, read } = await put(at.familyState, at.grantState);
    const before = await read();
    const eventsBefore = await events();
    const edge = familyTransitions.rotate;
    const allowed = (edge.from as readonly string[]).includes(at.familyState) && at.grantState === 'active';
    expect((await rotate()) === 'rotated').toBe(allowed);
    expect(await events()).toBe(eventsBefore + (allowed ? 1 : 0));
    if (!allowed) return void expect(await read()).toEqual(before);
    expect(await read()).toMatchObject([{ state: edge.to, sha256: 'next' }, { state: 'active' }]);
  });

  it.each(cases)('end from $familyState and $grantState, with one event and for good', async (at) => {
    const { family, rotate, read } = await put(at.familyState, at.grantState);
    const eventsBefore = await events();
    await createTokenStore(table).end({ lob, reference: family, because: 'token_revoked', audit: audit() });
    const ended = [{ state: familyTransitions.end.to }, { state: grantTransitions.end.to }];
    expect(await read()).toMatchObject(ended);
    expect(await events()).toBe(eventsBefore + 1);
    expect(await rotate()).not.toBe('rotated');
    expect(await read()).toMatchObject(ended);
  });
});
