import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { SsoSession } from '../../../lambdas/authorization/authorize/sso-session.ts';
import type {
  ContinuedInteraction,
  RenewingCode,
} from '../../../lambdas/authorization/authorize/sso-session-store-port.ts';
import { createAuthorizationStore } from '../../../lambdas/authorization/store/authorization-store.ts';
import { createSsoSessionStore } from '../../../lambdas/authorization/store/sso-session-store.ts';
import {
  type GrantState,
  grantTransitions,
  ssoSessionTransitions,
} from '../../../lambdas/authorization/store/states-contract.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import {
  authorizationCodeKey,
  grantKey,
  interactionKey,
  ssoSessionConsentKey,
  ssoSessionKey,
} from '../../../lambdas/platform/table/table-keys.ts';
import { startBreakableTable } from '../../support/breakable-table.ts';

/** SSO sessions, and codes issued without a page, against the real engine: every act from every state. */

const lob = 'DSNP';
const now = 1_790_000_000;
const member = { sub: 'sub-1', patientId: 'patient-1', displayName: 'Rosa Ejemplo' };
const clientId = 'client-1';

const { table, breakable, proxy, stop } = await startBreakableTable();
afterAll(() => stop());
const ssoSessions = createSsoSessionStore(table);
const store = createAuthorizationStore(table);
beforeEach(() => proxy.plan());

const audit = () =>
  ({
    eventId: randomUUID(),
    time: new Date(now * 1000).toISOString(),
    environment: 'sandbox',
    lob,
    action: 'grant.renew',
    outcome: 'succeeded',
    actor: member.sub,
    clientId,
    patientId: member.patientId,
    requestId: 'request-1',
  }) as const;
const events = async () =>
  (await table.query({ pk: `AUDIT#${lob}#PATIENT#${member.patientId}` })).items.length;

async function anSsoSession(changes: Partial<SsoSession> = {}): Promise<SsoSession> {
  const ssoSession: SsoSession = {
    ...{ ssoSessionId: randomUUID(), state: 'open', member, authTime: now, expiresAt: now + 900 },
    ...changes,
  };
  await table.put({ ...ssoSessionKey(lob, ssoSession.ssoSessionId), ...ssoSession });
  return ssoSession;
}

async function aGrant(state: GrantState = 'active', changes: Record<string, unknown> = {}) {
  const grant = {
    ...{ grantId: randomUUID(), clientId, sub: member.sub, patientId: member.patientId },
    ...{ scope: 'patient/*.read', createdAt: new Date(now * 1000).toISOString(), expiresAt: now + 1_800 },
  };
  await table.put({ ...grantKey(lob, member.patientId, grant.grantId), ...grant, state, ...changes });
  return grant;
}

function aCode(grantId: string): RenewingCode {
  return {
    ...{ sha256: randomUUID(), state: 'issued', clientId, redirectUri: 'https://app.example.com/cb' },
    ...{ scope: 'patient/*.read', grantId, sub: member.sub, patientId: member.patientId },
    ...{ authTime: now, expiresAt: now + 60, grantExpiresAt: now + 1_800 },
  };
}

function aContinued(ssoSessionId: string): ContinuedInteraction {
  const request = { clientId, redirectUri: 'https://app.example.com/cb', scope: 'openid' };
  return {
    ...{ interactionId: randomUUID(), state: 'consenting', request, expiresAt: now + 900, member },
    ...{ authTime: now - 5, ssoSessionId, continued: true },
  };
}

const cases = (['open', 'ended'] as const).flatMap((state) =>
  [true, false].map((inTime) => ({ state, inTime })),
);
const mayUse = ({ state, inTime }: (typeof cases)[number]) =>
  inTime && (ssoSessionTransitions.use.from as readonly string[]).includes(state);

describe('an SSO session', () => {
  it.each(cases)('that is $state, in time: $inTime, begins an interaction or does not', async (at) => {
    const { ssoSessionId } = await anSsoSession({ state: at.state, expiresAt: at.inTime ? now + 1 : now });
    const interaction = aContinued(ssoSessionId);
    const before = await events();
    expect(await ssoSessions.begin({ lob, interaction, now, audit: audit() })).toBe(mayUse(at));
    const begun = await store.interaction(lob, interaction.interactionId);
    expect(begun).toEqual(mayUse(at) ? interaction : undefined);
    expect(await events()).toBe(before + (mayUse(at) ? 1 : 0));
  });

  it.each(cases)('that is $state, in time: $inTime, ends once, with one event', async (at) => {
    const ssoSession = await anSsoSession({ state: at.state, expiresAt: at.inTime ? now + 1 : now });
    const before = await events();
    const ends = (ssoSessionTransitions.end.from as readonly string[]).includes(at.state);
    const end = () => ssoSessions.end({ lob, ssoSessionId: ssoSession.ssoSessionId, audit: audit() });
    expect(await end()).toBe(ends);
    expect(await end()).toBe(false);
    expect(await ssoSessions.find(lob, ssoSession.ssoSessionId)).toMatchObject({
      ...ssoSession,
      state: 'ended',
    });
    expect(await events()).toBe(before + (ends ? 1 : 0));
  });

  it('that is unknown, or of another LOB, is none, and nothing is made of it', async () => {
    const { ssoSessionId } = await anSsoSession();
    expect(await ssoSessions.find('MAPD', ssoSessionId)).toBeUndefined();
    const begin = (of: string) =>
      ssoSessions.begin({
        lob: 'MAPD',
        interaction: aContinued(of),
        now,
        audit: { ...audit(), lob: 'MAPD' },
      });
    expect(await begin(ssoSessionId)).toBe(false);
    expect(await ssoSessions.end({ lob, ssoSessionId: 'unknown', audit: audit() })).toBe(false);
    expect(await table.get(ssoSessionKey(lob, 'unknown'))).toBeUndefined();
  });

  it('begins one interaction although the first answer was lost', async () => {
    const { ssoSessionId } = await anSsoSession();
    const before = await events();
    proxy.plan('answer-lost');
    const step = { lob, interaction: aContinued(ssoSessionId), now, audit: audit() } as const;
    expect(await createSsoSessionStore(breakable).begin(step)).toBe(true);
    expect(await events()).toBe(before + 1);
  });

  it('ends once of 50 at once', async () => {
    const { ssoSessionId } = await anSsoSession();
    const ends = Array.from({ length: 50 }, () =>
      ssoSessions.end({ lob, ssoSessionId, audit: audit() }).catch((error: unknown) => error),
    );
    const answers = await Promise.all(ends);
    expect(answers.filter((answer) => answer === true)).toHaveLength(1);
    for (const other of answers.filter((answer) => answer !== true))
      expect(other === false || other instanceof StoreUnavailable).toBe(true);
  });
});

describe('an answer in an SSO session', () => {
  async function consenting(
    changes: Partial<ContinuedInteraction> = {},
    state: SsoSession['state'] = 'open',
  ) {
    const ssoSession = await anSsoSession({ state });
    const interaction = { ...aContinued(ssoSession.ssoSessionId), ...changes };
    await store.begin(lob, interaction);
    const grantId = randomUUID();
    const { grantExpiresAt: _, ...code } = aCode(grantId);
    const grant = {
      ...{ grantId, clientId, sub: member.sub, patientId: member.patientId, scope: 'patient/*.read' },
      ...{ createdAt: new Date(now * 1000).toISOString(), expiresAt: now + 1_860 },
    };
    const step = { lob, interactionId: interaction.interactionId, now } as const;
    const answered = { ssoSessionId: ssoSession.ssoSessionId, clientId, continued: interaction.continued };
    return {
      ssoSession,
      grant,
      share: () => store.share({ ...step, audit: audit(), grant, code, ssoSession: answered }),
      decline: () => store.decline({ ...step, audit: audit(), ssoSession: answered }),
    };
  }

  it('that shares is remembered there for the application, and for no other', async () => {
    const { ssoSession, grant, share } = await consenting();
    expect(await share()).toBe(true);
    const { grantId, scope, expiresAt } = grant;
    const consent = await ssoSessions.consent(lob, ssoSession, clientId);
    expect(consent).toMatchObject({ grantId, scope, expiresAt, state: 'pending' });
    expect(await ssoSessions.consent(lob, ssoSession, 'client-2')).toBeUndefined();
  });

  it('is the last that was given', async () => {
    const first = await consenting();
    await first.share();
    const { grantId } = await aGrant();
    const key = ssoSessionConsentKey(lob, first.ssoSession.ssoSessionId, clientId);
    await table.put({ ...key, grantId });
    expect(await ssoSessions.consent(lob, first.ssoSession, clientId)).toMatchObject({
      grantId,
      state: 'active',
    });
    const second = aContinued(first.ssoSession.ssoSessionId);
    await store.begin(lob, second);
    const { ssoSessionId } = first.ssoSession;
    const step = { lob, interactionId: second.interactionId, now, audit: audit() } as const;
    expect(await store.decline({ ...step, ssoSession: { ssoSessionId, clientId, continued: true } })).toBe(
      true,
    );
    expect(await ssoSessions.consent(lob, first.ssoSession, clientId)).toBeUndefined();
  });

  it('that has ended shares nothing where it stood in for the password', async () => {
    const { ssoSession, grant, share } = await consenting({}, 'ended');
    const before = await events();
    expect(await share()).toBe(false);
    expect(await table.get(grantKey(lob, member.patientId, grant.grantId))).toBeUndefined();
    expect(await table.get(ssoSessionConsentKey(lob, ssoSession.ssoSessionId, clientId))).toBeUndefined();
    expect(await events()).toBe(before);
  });

  it('is taken where the password was typed, though the SSO session has ended since', async () => {
    const ssoSession = await anSsoSession({ state: 'ended' });
    const { continued: _, ...typed } = aContinued(ssoSession.ssoSessionId);
    await store.begin(lob, typed);
    const { grantExpiresAt: __, ...code } = aCode(randomUUID());
    const { grantId } = code;
    const ids = { grantId, clientId, sub: member.sub, patientId: member.patientId, scope: code.scope };
    const grant = { ...ids, createdAt: new Date(now * 1000).toISOString(), expiresAt: now + 1_860 };
    const step = { lob, interactionId: typed.interactionId, now, audit: audit(), grant, code } as const;
    expect(
      await store.share({
        ...step,
        ssoSession: { ssoSessionId: ssoSession.ssoSessionId, clientId, continued: false },
      }),
    ).toBe(true);
  });

  it('that declines can be given when it has ended', async () => {
    const { decline } = await consenting({}, 'ended');
    expect(await decline()).toBe(true);
  });

  it('names no grant of another application', async () => {
    const ssoSession = await anSsoSession();
    const { grantId } = await aGrant('active', { clientId: 'client-2' });
    await table.put({ ...ssoSessionConsentKey(lob, ssoSession.ssoSessionId, clientId), grantId });
    expect(await ssoSessions.consent(lob, ssoSession, clientId)).toBeUndefined();
  });
});

describe('a code without a page', () => {
  const grantStates: readonly GrantState[] = ['pending', 'active', 'revoked'];
  const renewing = grantStates.flatMap((grantState) =>
    cases.map((ssoSession) => ({ grantState, ...ssoSession })),
  );
  const renews = (state: GrantState) => (grantTransitions.renew.from as readonly string[]).includes(state);

  async function renew(ssoSessionId: string, code: RenewingCode, by = ssoSessions) {
    return await by.renew({ lob, ssoSessionId, code, now, audit: audit() });
  }

  it.each(
    renewing,
  )('is issued of a grant that is $grantState in a sign-in that is $state, in time: $inTime, or not at all', async ({
    grantState,
    ...at
  }) => {
    const { ssoSessionId } = await anSsoSession({ state: at.state, expiresAt: at.inTime ? now + 1 : now });
    const grant = await aGrant(grantState);
    const code = aCode(grant.grantId);
    const before = await events();
    const expected = mayUse(at) ? (renews(grantState) ? 'renewed' : 'grant_ended') : 'sign_in_ended';
    expect(await renew(ssoSessionId, code)).toBe(expected);
    expect(await store.code(lob, code.sha256)).toEqual(expected === 'renewed' ? code : undefined);
    expect(await events()).toBe(before + (expected === 'renewed' ? 1 : 0));
    const present = await table.get(grantKey(lob, member.patientId, grant.grantId));
    expect(present).toMatchObject({ state: grantState, expiresAt: grant.expiresAt });
  });

  it('needs a grant that is this application’s and in its time', async () => {
    const { ssoSessionId } = await anSsoSession();
    const foreign = await aGrant('active', { clientId: 'client-2' });
    expect(await renew(ssoSessionId, aCode(foreign.grantId))).toBe('grant_ended');
    const over = await aGrant('active', { expiresAt: now });
    expect(await renew(ssoSessionId, aCode(over.grantId))).toBe('grant_ended');
    expect(await renew(ssoSessionId, aCode('unknown'))).toBe('grant_ended');
  });

  it('is issued once although the first answer was lost', async () => {
    const { ssoSessionId } = await anSsoSession();
    const { grantId } = await aGrant();
    const before = await events();
    proxy.plan('answer-lost');
    expect(await renew(ssoSessionId, aCode(grantId), createSsoSessionStore(breakable))).toBe('renewed');
    expect(await events()).toBe(before + 1);
  });

  const codeStates = ['issued', 'redeemed', 'ended'] as const;
  const redeeming = codeStates.flatMap((codeState) =>
    grantStates.map((grantState) => ({ codeState, grantState })),
  );

  it.each(
    redeeming,
  )('that is $codeState is redeemed of a grant that is $grantState, which stays as it is, or not at all', async ({
    codeState,
    grantState,
  }) => {
    const grant = await aGrant(grantState);
    const code = aCode(grant.grantId);
    const keys = [authorizationCodeKey(lob, code.sha256), grantKey(lob, member.patientId, grant.grantId)];
    await table.put({ ...authorizationCodeKey(lob, code.sha256), ...code, state: codeState });
    const before = [await table.batchGet(keys), await events()] as const;
    const answer = await store.redeem({ lob, code, now, grantExpiresAt: now + 99_999, audit: audit() });
    const expected = codeState !== 'issued' ? 'code_used' : renews(grantState) ? 'redeemed' : 'grant_ended';
    expect(answer).toBe(expected);
    const after = await table.batchGet(keys);
    // The expiry of the grant is unchanged, even if a later one is requested.
    expect(after[1]).toEqual(before[0][1]);
    if (expected === 'redeemed') expect(after[0]).toMatchObject({ state: 'redeemed' });
    else expect(after[0]).toEqual(before[0][0]);
    expect(await events()).toBe(before[1] + (expected === 'redeemed' ? 1 : 0));
  });

  it('is of no use when the grant’s time is over', async () => {
    const grant = await aGrant('active', { expiresAt: now });
    const code = aCode(grant.grantId);
    await table.put({ ...authorizationCodeKey(lob, code.sha256), ...code });
    const answer = await store.redeem({ lob, code, now, grantExpiresAt: now, audit: audit() });
    expect(answer).toBe('grant_ended');
  });

  it('in wrong hands ends the grant that both codes are of', async () => {
    const grant = await aGrant();
    const code = aCode(grant.grantId);
    await table.put({ ...authorizationCodeKey(lob, code.sha256), ...code });
    await store.end({ lob, code, now, because: 'code_verifier_wrong', ends: 'grant', audit: audit() });
    const key = grantKey(lob, member.patientId, grant.grantId);
    expect(await table.get(key)).toMatchObject({ state: 'revoked', endedBecause: 'code_verifier_wrong' });
  });
});

it('an interaction keeps what it was asked for, to be read back whole', async () => {
  const request = {
    clientId,
    redirectUri: 'https://app.example.com/cb',
    scope: 'openid',
    expectedSub: 'sub-1',
  };
  const interaction = {
    interactionId: randomUUID(),
    state: 'signing-in',
    request,
    expiresAt: now + 9,
  } as const;
  await store.begin(lob, interaction);
  expect(await store.interaction(lob, interaction.interactionId)).toEqual(interaction);
  const ssoSession: SsoSession = {
    ssoSessionId: randomUUID(),
    state: 'open',
    member,
    authTime: now,
    expiresAt: now + 900,
  };
  const { interactionId } = interaction;
  expect(await store.signIn({ lob, interactionId, now, member, ssoSession, audit: audit() })).toBe(true);
  const consenting = {
    ...interaction,
    state: 'consenting',
    member,
    authTime: now,
    ssoSessionId: ssoSession.ssoSessionId,
  };
  expect(await store.interaction(lob, interactionId)).toEqual(consenting);
  expect(await ssoSessions.find(lob, ssoSession.ssoSessionId)).toEqual(ssoSession);
  expect((await table.get(interactionKey(lob, interactionId)))?.ttl).toBe(now + 9);
});
