import { describe, expect, it } from 'vitest';
import type { AuthorizationCode } from '../../../lambdas/authorization/authorize/interaction.ts';
import { issueMemberToken } from '../../../lambdas/authorization/token/token-endpoint.ts';
import { allowsRead, includesScope } from '../../../lambdas/catalog/oauth/scopes.ts';
import fc from '../../support/property.ts';
import { aClient, theMember } from '../builders.ts';
import { type MemoryServer, memoryServer, startMs } from '../memory-server.ts';
import { type Changes, issuedBy, lastingTokens, parametersOf, refresh, verdictOf } from '../refreshing.ts';

const day = 86_400_000;

async function world(changes: Parameters<typeof aClient>[0] = {}, code: Partial<AuthorizationCode> = {}) {
  const client = aClient(changes);
  const other = aClient();
  const server = memoryServer(client, other);
  const first = await lastingTokens(server, client, code);
  const use = (token: string, parameters = {}, by = client) => refresh(server, by, token, parameters);
  return { client, other, server, first, use };
}

const refreshOf = (answer: Awaited<ReturnType<typeof refresh>>) => issuedBy(answer).refresh_token ?? '';
const claimsOf = (token = '') => JSON.parse(token).claims as Record<string, unknown>;

describe('lasting access', () => {
  it('gives a refresh token with the code, and a grant until its absolute end', async () => {
    const { server, first } = await world();
    expect(first.refresh_token).toMatch(/^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/);
    expect(first.scope).toBe('openid patient/*.read offline_access');
    expect([...server.grants.values()]).toMatchObject([{ expiresAt: startMs / 1000 + 395 * 86_400 }]);
  });

  it('ends when the member chose, and never later than configured', async () => {
    const chosen = await world({}, { grantSeconds: 7 * 86_400 });
    expect([...chosen.server.grants.values()]).toMatchObject([{ expiresAt: startMs / 1000 + 7 * 86_400 }]);
    const longer = await world({}, { grantSeconds: 900 * 86_400 });
    expect([...longer.server.grants.values()]).toMatchObject([{ expiresAt: startMs / 1000 + 395 * 86_400 }]);
  });

  it('is not given without offline_access', async () => {
    const client = aClient();
    const server = memoryServer(client);
    await expect(lastingTokens(server, client, { scope: 'openid patient/*.read' })).rejects.toThrow();
    expect(server.families.size).toBe(0);
    expect([...server.grants.values()]).toMatchObject([{ expiresAt: startMs / 1000 + 1_800 }]);
  });

  it('leaves nothing in the store that could be presented', async () => {
    const { server, first, use } = await world();
    const second = refreshOf(await use(first.refresh_token));
    const stored = JSON.stringify([...server.families.values()]);
    for (const token of [first.refresh_token, second]) {
      const [, secret = ''] = token.split('.');
      expect(stored).not.toContain(secret);
    }
    const [family] = [...server.families.values()];
    for (const text of [family?.sha256, family?.previousSha256, family?.salt]) {
      expect(verdictOf(await use(`${family?.familyId}.${text?.slice(0, 43)}`))).not.toBe('issued');
    }
  });

  it('works for a public client, which rotation protects', async () => {
    const { first, use } = await world({ tokenEndpointAuthMethod: 'none', secrets: [] });
    expect(verdictOf(await use(first.refresh_token))).toBe('issued');
  });

  it('stolen from a public client buys in its grace what the client has, and ends with the next use by both', async () => {
    const { server, first, use } = await world({ tokenEndpointAuthMethod: 'none', secrets: [] });
    const apps = issuedBy(await use(first.refresh_token)).refresh_token ?? '';
    server.nowMs += 29_000;
    const thiefs = issuedBy(await use(first.refresh_token)).refresh_token ?? '';
    expect(thiefs).toBe(apps);
    const next = issuedBy(await use(thiefs)).refresh_token ?? '';
    server.nowMs += 1_800_000;
    expect(verdictOf(await use(apps))).toBe('invalid_grant refresh_token_reused');
    expect(verdictOf(await use(next))).toBe('invalid_grant refresh_token_revoked');
  });
});

describe('a refresh token', () => {
  it('buys a new access token and its successor, for the same member and grant', async () => {
    const { server, client, first, use } = await world();
    server.nowMs += 3_600_000;
    const answer = issuedBy(await use(first.refresh_token));
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 1_800, patient: theMember.patientId });
    expect(answer.refresh_token).not.toBe(first.refresh_token);
    const before = claimsOf(first.access_token);
    const after = claimsOf(answer.access_token);
    expect(after).toMatchObject({ grant: before.grant, sub: before.sub, client_id: client.clientId });
    expect(after.jti).not.toBe(before.jti);
    expect(server.events.at(-1)).toMatchObject({
      action: 'token.refresh',
      outcome: 'succeeded',
      patientId: theMember.patientId,
    });
  });

  it('with the scope of the authorization request gets what the member shared of it', async () => {
    const scope = 'openid patient/Patient.rs offline_access';
    const requestedScope = 'openid profile patient/*.rs offline_access';
    const { first, use } = await world({}, { scope, requestedScope });
    const again = await use(first.refresh_token, { scope: requestedScope });
    expect(issuedBy(again).scope).toBe(scope);
    const other = await use(refreshOf(again), { scope: `${requestedScope} launch/patient` });
    expect(verdictOf(other)).toBe('invalid_scope scope_widened');
  });

  it('renews the id_token with the first sign-in’s time and without its nonce', async () => {
    const { server, first, use } = await world();
    server.nowMs += 60_000;
    const { id_token } = issuedBy(await use(first.refresh_token));
    const claims = claimsOf(id_token);
    expect(claims).toMatchObject({ auth_time: startMs / 1000 - 30, iat: startMs / 1000 + 60 });
    expect(claims).not.toHaveProperty('nonce');
  });

  it('used again within 30 seconds gets the same successor, and after them ends the grant', async () => {
    const { server, first, use } = await world();
    const successor = refreshOf(await use(first.refresh_token));
    server.nowMs += 30_000;
    expect(refreshOf(await use(first.refresh_token))).toBe(successor);
    server.nowMs += 1_000;
    expect(verdictOf(await use(first.refresh_token))).toBe('invalid_grant refresh_token_reused');
    expect(server.ended).toHaveLength(1);
    expect([...server.grants.values()]).toMatchObject([{ state: 'revoked' }]);
    expect(verdictOf(await use(successor))).toBe('invalid_grant refresh_token_revoked');
    expect(server.events.at(-2)).toMatchObject({ outcome: 'refused', reason: 'refresh_token_reused' });
  });

  it.each([
    ['rotated', 0],
    ['repeated in its grace', 10_000],
  ])('of an account that was closed is not %s, and ends the grant', async (_what, afterMs) => {
    const { server, first, use } = await world();
    if (afterMs > 0) await use(first.refresh_token);
    server.nowMs += afterMs;
    server.closed.add(theMember.sub);
    expect(verdictOf(await use(first.refresh_token))).toBe('invalid_grant account_ended');
    expect(server.events.at(-1)).toMatchObject({ outcome: 'refused', reason: 'account_ended' });
    // After the account is enabled again, the member has to consent again.
    server.closed.clear();
    expect(verdictOf(await use(first.refresh_token))).not.toBe('issued');
  });

  it('two generations old ends the grant at once', async () => {
    const { first, use } = await world();
    const second = refreshOf(await use(first.refresh_token));
    const third = refreshOf(await use(second));
    expect(verdictOf(await use(first.refresh_token))).toBe('invalid_grant refresh_token_reused');
    expect(verdictOf(await use(third))).toBe('invalid_grant refresh_token_revoked');
  });

  it('presented by another client ends the grant, if it is a real one', async () => {
    const { server, other, first, use } = await world();
    const [familyId] = first.refresh_token.split('.');
    const guess = `${familyId}.${'x'.repeat(43)}`;
    expect(verdictOf(await use(guess, {}, other))).toBe('invalid_grant refresh_token_unknown');
    expect(server.ended).toEqual([]);
    expect(verdictOf(await use(first.refresh_token, {}, other))).toBe(
      'invalid_grant refresh_token_of_another_client',
    );
    expect(server.ended).toHaveLength(1);
  });

  it('ends unused after 100 days, to the second', async () => {
    for (const [late, verdict] of [
      [-1_000, 'issued'],
      [0, 'invalid_grant refresh_token_expired'],
    ] as const) {
      const { server, first, use } = await world();
      server.nowMs += 100 * day + late;
      expect(verdictOf(await use(first.refresh_token))).toBe(verdict);
      expect(server.ended).toEqual([]);
    }
  });

  it('ends after 395 days however often it is used, and no access token outlives it', async () => {
    const { server, first, use } = await world();
    let token = first.refresh_token;
    for (let days = 90; days < 395; days += 90) {
      server.nowMs = startMs + days * day;
      token = refreshOf(await use(token));
    }
    server.nowMs = startMs + 395 * day - 60_000;
    const last = issuedBy(await use(token));
    expect(last.expires_in).toBe(60);
    server.nowMs += 60_000;
    expect(verdictOf(await use(last.refresh_token ?? ''))).toBe('invalid_grant refresh_token_expired');
  });

  it('buys nothing once its grant was revoked, live or within its grace', async () => {
    const { server, first, use } = await world();
    const second = refreshOf(await use(first.refresh_token));
    for (const [id, grant] of server.grants) server.grants.set(id, { ...grant, state: 'revoked' });
    expect(verdictOf(await use(second))).toBe('invalid_grant grant_ended');
    expect(verdictOf(await use(first.refresh_token))).toBe('invalid_grant grant_ended');
  });

  it('is not used up when the signing fails', async () => {
    const { server, client, first, use } = await world();
    const sign = async () => {
      throw new Error('no key');
    };
    const broken = { ...server, signingKeys: { sign } };
    await expect(refresh(broken, client, first.refresh_token)).rejects.toThrow('no key');
    expect(verdictOf(await use(first.refresh_token))).toBe('issued');
  });

  it('of another LOB is unknown here', async () => {
    const { server, client, first } = await world();
    expect(verdictOf(await refresh(server, client, first.refresh_token, {}, 'MAPD'))).toBe(
      'invalid_grant refresh_token_unknown',
    );
    expect(server.ended).toEqual([]);
  });

  it.each([
    ['missing', undefined, 'invalid_request refresh_token_missing'],
    ['empty', '', 'invalid_request refresh_token_missing'],
    ['sent twice', ['a', 'b'], 'invalid_request repeated'],
    ['no refresh token', 'abc', 'invalid_grant refresh_token_unknown'],
    ['endless', 'x'.repeat(10_000), 'invalid_grant refresh_token_unknown'],
    ['unknown', `${'a'.repeat(22)}.${'b'.repeat(43)}`, 'invalid_grant refresh_token_unknown'],
  ])('that is %s is refused', async (_what, refresh_token, expected) => {
    const { server, use, first } = await world();
    expect(verdictOf(await use('', { refresh_token }))).toBe(expected);
    expect(server.ended).toEqual([]);
    expect(verdictOf(await use(first.refresh_token))).toBe('issued');
  });

  it('gives the same words whatever is wrong with it', async () => {
    const { server, other, first, use } = await world();
    const answers = [await use('abc'), await use(`${'a'.repeat(22)}.${'b'.repeat(43)}`)];
    answers.push(await use(first.refresh_token, {}, other), await use(first.refresh_token));
    const fresh = await world();
    fresh.server.nowMs += 100 * day;
    answers.push(await fresh.use(fresh.first.refresh_token));
    const words = answers.map((answer) => answer.kind === 'refusal' && answer.refusal.description);
    expect(new Set(words).size).toBe(1);
    expect(server.ended).toHaveLength(1);
  });

  it('lost to another rotation a moment ago gets that rotation’s successor', async () => {
    const { server, client, first } = await world();
    const before = { ...([...server.families.values()][0] as object) };
    const winner = refreshOf(await refresh(server, client, first.refresh_token));
    let stale = true;
    const tokens: typeof server.tokens = {
      ...server.tokens,
      async family(lob, familyId) {
        const now = await server.tokens.family(lob, familyId);
        const read = stale ? (before as typeof now) : now;
        stale = false;
        return read;
      },
    };
    expect(refreshOf(await refresh({ ...server, tokens }, client, first.refresh_token))).toBe(winner);
  });
});

describe('a refresh without client_id', () => {
  const anonymously = (server: MemoryServer, token: string, changes: Changes = {}) =>
    issueMemberToken(server, 'DSNP', {
      parameters: parametersOf({ grant_type: 'refresh_token', refresh_token: token, ...changes }),
      authorization: undefined,
      context: { environment: 'sandbox', lob: 'DSNP', requestId: 'request-1' },
    });

  it('works for a public client: the refresh token names it', async () => {
    const client = aClient({ tokenEndpointAuthMethod: 'none', secrets: [] });
    const server = memoryServer(client);
    const first = await lastingTokens(server, client);
    const second = issuedBy(await anonymously(server, first.refresh_token));
    expect(JSON.parse(second.access_token).claims.client_id).toBe(client.clientId);
    const third = await anonymously(server, second.refresh_token ?? '', { client_id: '' });
    expect(verdictOf(third)).toBe('issued');
  });

  it('fails for a confidential client, and the token stays good', async () => {
    const client = aClient();
    const server = memoryServer(client);
    const { refresh_token } = await lastingTokens(server, client);
    expect(verdictOf(await anonymously(server, refresh_token))).toBe('invalid_client client_secret_wrong');
    expect(verdictOf(await refresh(server, client, refresh_token))).toBe('issued');
  });

  it('fails for a suspended client', async () => {
    const client = aClient({ tokenEndpointAuthMethod: 'none', secrets: [] });
    const server = memoryServer(client);
    const { refresh_token } = await lastingTokens(server, client);
    server.clientsById.set(client.clientId, { ...client, state: 'suspended' });
    expect(verdictOf(await anonymously(server, refresh_token))).toBe('invalid_client client_inactive');
  });

  it.each([
    ['a token nobody knows', `${'A'.repeat(22)}.${'A'.repeat(43)}`],
    ['no refresh token at all', 'x'],
  ])('is no authentication with %s', async (_what, token) => {
    const answer = await anonymously(memoryServer(aClient()), token);
    expect(verdictOf(answer)).toBe('invalid_client credentials_missing');
  });

  it('does not stand in for a doubled client_id', async () => {
    const client = aClient({ tokenEndpointAuthMethod: 'none', secrets: [] });
    const server = memoryServer(client);
    const { refresh_token } = await lastingTokens(server, client);
    const doubled = await anonymously(server, refresh_token, { client_id: [client.clientId, 'other'] });
    expect(verdictOf(doubled)).toBe('invalid_request repeated');
  });
});

describe('the scope of a refresh', () => {
  it.each([
    ['openid patient/*.read offline_access', 'openid patient/*.read offline_access'],
    ['patient/Patient.read', 'patient/Patient.read'],
    ['patient/Patient.rs', 'patient/Patient.rs'],
    ['patient/Patient.r', 'patient/Patient.r'],
    // Of `cruds` only the granted interactions remain.
    ['patient/*.cruds', 'patient/*.rs'],
    ['openid', 'openid'],
  ])('may be narrowed to %s', async (scope, granted) => {
    const { first, use } = await world();
    const answer = issuedBy(await use(first.refresh_token, { scope }));
    expect(answer.scope).toBe(granted);
    expect(claimsOf(answer.access_token).scope).toBe(granted);
    expect(answer.id_token === undefined).toBe(!granted.includes('openid'));
  });

  it('narrowed once is whole again the next time (RFC 6749 section 6)', async () => {
    const { first, use } = await world();
    const narrow = issuedBy(await use(first.refresh_token, { scope: 'patient/Patient.r' }));
    expect(issuedBy(await use(narrow.refresh_token ?? '')).scope).toBe(first.scope);
  });

  it.each([
    'patient/*.read fhirUser',
    'patient/Patient.read launch/patient',
    'user/*.read',
    'system/*.rs',
    'patient/Patient.rs?category=x',
    ' ',
  ])('is never widened to %s, and the token stays good', async (scope) => {
    const { server, first, use } = await world();
    expect(verdictOf(await use(first.refresh_token, { scope }))).toBe('invalid_scope scope_widened');
    expect(server.ended).toEqual([]);
    expect(verdictOf(await use(first.refresh_token))).toBe('issued');
  });

  const token = fc.oneof(
    fc.constantFrom('openid', 'fhirUser', 'launch/patient', 'offline_access', 'online_access', 'system/*.rs'),
    fc
      .tuple(
        fc.constantFrom('*', 'Patient', 'Coverage'),
        fc.constantFrom('read', 'write', 'r', 's', 'rs', 'cruds'),
      )
      .map(([type, permission]) => `patient/${type}.${permission}`),
  );
  const scopes = fc.array(token, { minLength: 1, maxLength: 4 }).map((tokens) => tokens.join(' '));

  it('is never wider than the grant, whatever is asked for in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        scopes,
        fc.array(fc.option(scopes, { nil: undefined }), { maxLength: 6 }),
        async (agreed, asked) => {
          const client = aClient();
          const server = memoryServer(client);
          const granted = `${agreed} offline_access`;
          let { refresh_token } = await lastingTokens(server, client, { scope: granted });
          for (const scope of asked) {
            const answer = await refresh(server, client, refresh_token, { scope });
            if (answer.kind === 'refusal') {
              expect(answer.refusal.error).toBe('invalid_scope');
              continue;
            }
            for (const one of answer.issued.scope.split(' ')) expect(includesScope(granted, one)).toBe(true);
            for (const type of ['Patient', 'Coverage']) {
              if (allowsRead(answer.issued.scope, type)) expect(allowsRead(granted, type)).toBe(true);
            }
            expect(claimsOf(answer.issued.access_token).scope).toBe(answer.issued.scope);
            refresh_token = answer.issued.refresh_token ?? '';
          }
          expect(server.grants.size).toBe(1);
        },
      ),
      { numRuns: 200 },
    );
  });
});
