import { describe, expect, it } from 'vitest';
import { introspectToken } from '../../../lambdas/authorization/token/introspection-endpoint.ts';
import { findToken } from '../../../lambdas/authorization/token/issued-token.ts';
import { issueMachineToken } from '../../../lambdas/authorization/token/machine-token-endpoint.ts';
import type { RefreshFamily } from '../../../lambdas/authorization/token/refresh-token-family.ts';
import { aClient, sentence, theMember, theSecret } from '../builders.ts';
import { memoryServer, startMs } from '../memory-server.ts';
import { type Changes, lastingTokens, parametersOf, refresh, requestOf, verdictOf } from '../refreshing.ts';

/** The audit event of each use of a token, and the token's validity at the limits of its lifetime. */

const start = startMs / 1000;

async function world() {
  const client = aClient();
  const other = aClient();
  const server = memoryServer(client, other);
  const first = await lastingTokens(server, client);
  server.events.length = 0;
  const [[name = '', family] = []] = [...server.families];
  if (family === undefined) throw new Error('no family');
  const change = (changes: Partial<RefreshFamily>) => server.families.set(name, { ...family, ...changes });
  return { client, other, server, first, family, change };
}

describe('a refresh on record', () => {
  it.each<[string, number, Changes, string, string | undefined]>([
    ['succeeded', 0, {}, 'issued', undefined],
    ['refused', 0, { scope: 'user/*.read' }, 'invalid_scope scope_widened', 'scope_widened'],
    ['succeeded', 1, {}, 'issued', 'repeated'],
    ['refused', 2, {}, 'invalid_grant refresh_token_reused', 'refresh_token_reused'],
  ])('is %s after %i rotations, with %j', async (outcome, uses, parameters, verdict, reason) => {
    const { client, server, first, family } = await world();
    let token = first.refresh_token;
    for (let use = 0; use < uses; use += 1) {
      const answer = await refresh(server, client, token);
      token = (answer.kind === 'issued' && answer.issued.refresh_token) || '';
    }
    server.events.length = 0;
    expect(verdictOf(await refresh(server, client, first.refresh_token, parameters))).toBe(verdict);
    expect(server.events).toMatchObject([
      {
        ...{ action: 'token.refresh', outcome, actor: client.clientId, clientId: client.clientId },
        ...{ grantId: family.grantId, patientId: theMember.patientId, requestId: 'request-1' },
      },
    ]);
    expect(server.events[0]?.reason).toBe(reason);
  });

  it('of a token nobody issued is about the client alone', async () => {
    const { client, server } = await world();
    await refresh(server, client, 'x');
    const { clientId } = client;
    expect(server.events).toMatchObject([
      { outcome: 'refused', reason: 'refresh_token_unknown', actor: clientId, clientId },
    ]);
    expect(server.events[0]).not.toHaveProperty('patientId');
  });

  it('of another client’s token names both', async () => {
    const { client, other, server, first } = await world();
    await refresh(server, other, first.refresh_token);
    const reason = 'refresh_token_of_another_client';
    expect(server.events).toMatchObject([{ actor: other.clientId, clientId: client.clientId, reason }]);
  });

  it('lost to others again and again is given up after three looks', async () => {
    const { client, server, first } = await world();
    let looks = 0;
    const rotate = async () => {
      looks += 1;
      return 'family_changed' as const;
    };
    const contended = { ...server, tokens: { ...server.tokens, rotate } };
    expect(verdictOf(await refresh(contended, client, first.refresh_token))).toBe(
      'invalid_grant refresh_token_contended',
    );
    expect(looks).toBe(3);
    expect(server.events).toMatchObject([{ outcome: 'refused', reason: 'refresh_token_contended' }]);
  });

  it('moves the idle end on, and never beyond the absolute one', async () => {
    const { client, server, first, family, change } = await world();
    const idle = () => [...server.families.values()][0]?.idleExpiresAt;
    server.nowMs += 1_000;
    await refresh(server, client, first.refresh_token);
    expect(idle()).toBe(start + 1 + 100 * 86_400);
    change({ expiresAt: start + 500, sha256: family.sha256 });
    await refresh(server, client, first.refresh_token);
    expect(idle()).toBe(start + 500);
  });

  it('says to its developer what a wider scope is', async () => {
    const { client, server, first } = await world();
    const answer = await refresh(server, client, first.refresh_token, { scope: 'user/*.read' });
    expect(answer.kind === 'refusal' && answer.refusal.description).toMatch(sentence);
  });
});

describe('a refresh token asked about', () => {
  it.each<[string, Partial<RefreshFamily>, boolean]>([
    ['before either end', { expiresAt: start + 1, idleExpiresAt: start + 1 }, true],
    ['at its absolute end', { expiresAt: start, idleExpiresAt: start + 1 }, false],
    ['at its idle end', { expiresAt: start + 1, idleExpiresAt: start }, false],
    ['once revoked', { state: 'revoked' }, false],
  ])('%s, with %j, is known: %s', async (_what, changes, known) => {
    const { server, first, family, change } = await world();
    change(changes);
    const found = await findToken(server, 'DSNP', first.refresh_token);
    expect(found?.familyId).toBe(known ? family.familyId : undefined);
    if (!known) return;
    expect(found).toMatchObject({ kind: 'refresh', issuedAt: start, expiresAt: start + 1 });
    expect(found).not.toHaveProperty('superseded');
  });

  it('is another client’s secret', async () => {
    const { other, server, first } = await world();
    for (const token of [first.refresh_token, first.access_token]) {
      expect(await introspectToken(server, 'DSNP', requestOf({ token }, other))).toEqual({
        kind: 'introspection',
        introspection: { active: false },
      });
    }
  });

  it('is refused with words, and on record where it is by a client that proves nothing', async () => {
    const client = aClient({ tokenEndpointAuthMethod: 'none', secrets: [] });
    const server = memoryServer(client);
    for (const [sent, reason, events] of [
      [{ token: 'x' }, 'client_public', [{ action: 'token.introspect', outcome: 'refused' }]],
      [{ token: ['x', 'y'] }, 'repeated', []],
    ] as const) {
      server.events.length = 0;
      const answer = await introspectToken(server, 'DSNP', requestOf(sent, client));
      if (answer.kind !== 'refusal') throw new Error('not refused');
      expect(answer.refusal.reason).toBe(reason);
      expect(answer.refusal.description).toMatch(sentence);
      expect(server.events).toMatchObject(events);
    }
    const confidential = aClient();
    const missing = await introspectToken(memoryServer(confidential), 'DSNP', requestOf({}, confidential));
    expect(missing).toMatchObject({ refusal: { description: 'token is missing' } });
  });

  it('has no jti', async () => {
    const { client, server, first } = await world();
    const request = requestOf({ token: first.refresh_token }, client);
    const answer = await introspectToken(server, 'DSNP', request);
    expect(answer.kind === 'introspection' && Object.keys(answer.introspection)).not.toContain('jti');
  });
});

describe('a token text', () => {
  it('is 4,096 characters long at most', async () => {
    const { server } = await world();
    const asked: number[] = [];
    const accessTokens = { verify: async (_lob: string, text: string) => void asked.push(text.length) };
    for (const length of [4_096, 4_097]) {
      expect(await findToken({ ...server, accessTokens }, 'DSNP', 'x'.repeat(length))).toBeUndefined();
    }
    expect(asked).toEqual([4_096]);
  });
});

it('a machine names the resource its token is for as often as it likes', async () => {
  const resourceId = '11111111-2222-4333-8444-555555555555';
  const client = aClient();
  const answer = await issueMachineToken(
    { ...memoryServer(client), resourceId, requiresKey: true },
    {
      parameters: parametersOf({
        ...{ client_id: client.clientId, client_secret: theSecret },
        ...{ grant_type: 'client_credentials', scope: `${resourceId}/.default` },
        resource: [resourceId, resourceId],
      }),
      authorization: undefined,
      context: { environment: 'sandbox', lob: 'M2M', requestId: 'request-1' },
      subscriber: client.clientId,
    },
  );
  expect(answer).toMatchObject({ issued: { token_type: 'Bearer' } });
});
