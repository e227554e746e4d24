import { describe, expect, it, vi } from 'vitest';
import type { OAuthClient } from '../../../lambdas/authorization/oauth/oauth-client.ts';
import { introspectToken } from '../../../lambdas/authorization/token/introspection-endpoint.ts';
import { revokeToken } from '../../../lambdas/authorization/token/revocation-endpoint.ts';
import { aClient, theMember, theSecret } from '../builders.ts';
import { basic } from '../journey.ts';
import { memoryServer, startMs } from '../memory-server.ts';
import { type Changes, issuedBy, lastingTokens, refresh, requestOf, verdictOf } from '../refreshing.ts';

async function world(changes: Parameters<typeof aClient>[0] = {}) {
  const client = aClient(changes);
  const other = aClient();
  const server = memoryServer(client, other);
  const tokens = await lastingTokens(server, client);
  server.events.length = 0;
  const revoke = async (parameters: Changes, by: OAuthClient = client, lob: 'DSNP' | 'MAPD' = 'DSNP') => {
    const answer = await revokeToken(server, lob, requestOf(parameters, by, lob));
    return answer.kind === 'revoked' ? 'revoked' : `${answer.refusal.error} ${answer.refusal.reason}`;
  };
  const introspect = async (parameters: Changes, by: OAuthClient = client, lob: 'DSNP' | 'MAPD' = 'DSNP') => {
    const answer = await introspectToken(server, lob, requestOf(parameters, by, lob));
    return answer.kind === 'introspection'
      ? answer.introspection
      : `${answer.refusal.error} ${answer.refusal.reason}`;
  };
  const states = () => [...server.grants.values(), ...server.families.values()].map(({ state }) => state);
  return { client, other, server, tokens, revoke, introspect, states };
}

describe('revocation', () => {
  it('of the refresh token ends grant and family, with one event', async () => {
    const { server, client, tokens, revoke, states } = await world();
    expect(await revoke({ token: tokens.refresh_token })).toBe('revoked');
    expect(states()).toEqual(['revoked', 'revoked']);
    expect(server.events).toMatchObject([
      {
        action: 'token.revoke',
        outcome: 'succeeded',
        actor: client.clientId,
        patientId: theMember.patientId,
      },
    ]);
    expect(verdictOf(await refresh(server, client, tokens.refresh_token))).toContain('invalid_grant');
  });

  it('of the access token ends the grant, and so the refresh token', async () => {
    const { server, client, tokens, revoke } = await world();
    expect(await revoke({ token: tokens.access_token })).toBe('revoked');
    expect([...server.grants.values()]).toMatchObject([{ state: 'revoked' }]);
    expect(verdictOf(await refresh(server, client, tokens.refresh_token))).toBe('invalid_grant grant_ended');
  });

  it('of a refresh token whose successor got lost ends the grant all the same', async () => {
    const { server, client, tokens, revoke, states } = await world();
    issuedBy(await refresh(server, client, tokens.refresh_token));
    expect(await revoke({ token: tokens.refresh_token })).toBe('revoked');
    expect(states()).toEqual(['revoked', 'revoked']);
  });

  it.each([
    'refresh_token',
    'access_token',
    'something_else',
    undefined,
  ])('takes the hint %s for what it is: a hint', async (hint) => {
    const { tokens, revoke, states } = await world();
    expect(await revoke({ token: tokens.refresh_token, token_type_hint: hint })).toBe('revoked');
    expect(states()).toEqual(['revoked', 'revoked']);
  });

  it('of what nobody knows is no error and has no effect', async () => {
    const { server, tokens, revoke, states } = await world();
    const [familyId] = tokens.refresh_token.split('.');
    for (const token of [
      'x',
      `${familyId}.${'x'.repeat(43)}`,
      `${'a'.repeat(22)}.${'b'.repeat(43)}`,
      'y'.repeat(5_000),
    ]) {
      expect(await revoke({ token })).toBe('revoked');
    }
    expect(await revoke({ token: tokens.access_token }, undefined, 'MAPD')).toBe('revoked');
    expect(states()).toEqual(['active', 'active']);
    expect(server.events).toEqual([]);
  });

  it('of another client’s token is refused, on record, and has no effect', async () => {
    const { server, other, tokens, revoke, states } = await world();
    for (const token of [tokens.refresh_token, tokens.access_token]) {
      expect(await revoke({ token }, other)).toBe('invalid_grant token_of_another_client');
    }
    expect(states()).toEqual(['active', 'active']);
    expect(server.events).toMatchObject([
      { actor: other.clientId, outcome: 'refused' },
      { outcome: 'refused' },
    ]);
  });

  it('twice is no error', async () => {
    const { tokens, revoke } = await world();
    expect(await revoke({ token: tokens.access_token })).toBe('revoked');
    expect(await revoke({ token: tokens.access_token })).toBe('revoked');
  });

  it('is open to a public client, by its id', async () => {
    const { tokens, revoke, states } = await world({ tokenEndpointAuthMethod: 'none', secrets: [] });
    expect(await revoke({ token: tokens.refresh_token })).toBe('revoked');
    expect(states()).toEqual(['revoked', 'revoked']);
  });

  it.each<[string, Changes, string]>([
    ['no token', { token: undefined }, 'invalid_request token_missing'],
    ['two tokens', { token: ['a', 'b'] }, 'invalid_request repeated'],
    ['two hints', { token: 'a', token_type_hint: ['a', 'b'] }, 'invalid_request repeated'],
  ])('with %s is refused', async (_what, parameters, expected) => {
    const { revoke, introspect } = await world();
    expect(await revoke(parameters)).toBe(expected);
    expect(await introspect(parameters)).toBe(expected);
  });

  it('needs the client’s secret', async () => {
    const { server, client, tokens, states } = await world();
    const authorization = basic(client.clientId, `${theSecret}x`);
    const request = { ...requestOf({ token: tokens.refresh_token }, client), authorization };
    expect(await revokeToken(server, 'DSNP', request)).toMatchObject({
      refusal: { error: 'invalid_client' },
    });
    expect(await introspectToken(server, 'DSNP', request)).toMatchObject({
      refusal: { error: 'invalid_client' },
    });
    expect(states()).toEqual(['active', 'active']);
    expect(server.events).toMatchObject([{ action: 'token.revoke' }, { action: 'token.introspect' }]);
  });
});

describe('introspection', () => {
  const base = 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1';

  it('tells a client all of its own access token', async () => {
    const { client, tokens, introspect } = await world();
    const iat = startMs / 1000;
    expect(await introspect({ token: tokens.access_token })).toEqual({
      active: true,
      iss: 'https://auth.sandbox.example.org/fhir-oauth2/dsnp',
      aud: base,
      sub: theMember.sub,
      client_id: client.clientId,
      scope: tokens.scope,
      iat,
      exp: iat + 1_800,
      patient: theMember.patientId,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token_type: 'Bearer',
    });
  });

  it('tells when its refresh token ends, idle or not', async () => {
    const { tokens, introspect } = await world();
    const answer = await introspect({ token: tokens.refresh_token });
    expect(answer).toMatchObject({ active: true, exp: startMs / 1000 + 100 * 86_400 });
    expect(answer).not.toHaveProperty('token_type');
  });

  it('names the member’s resource where fhirUser was granted', async () => {
    const client = aClient();
    const server = memoryServer(client);
    const tokens = await lastingTokens(server, client, {
      scope: 'openid fhirUser patient/*.rs offline_access',
    });
    const answer = await introspectToken(server, 'DSNP', requestOf({ token: tokens.access_token }, client));
    expect(answer).toMatchObject({ introspection: { fhirUser: `${base}/Patient/${theMember.patientId}` } });
  });

  it('answers at once that the token of an ended grant is not active', async () => {
    const { tokens, revoke, introspect } = await world();
    await revoke({ token: tokens.refresh_token });
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await introspect({ token })).toEqual({ active: false });
    }
  });

  it('says no more than that a token is not active', async () => {
    const { server, client, other, tokens, introspect } = await world();
    const inactive = { active: false };
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await introspect({ token }, other)).toEqual(inactive);
      expect(await introspect({ token }, undefined, 'MAPD')).toEqual(inactive);
    }
    expect(await introspect({ token: 'x' })).toEqual(inactive);
    expect(await introspect({ token: 'x'.repeat(5_000) })).toEqual(inactive);
    issuedBy(await refresh(server, client, tokens.refresh_token));
    expect(await introspect({ token: tokens.refresh_token })).toEqual(inactive);
    server.nowMs += 1_800_000;
    expect(await introspect({ token: tokens.access_token })).toEqual(inactive);
    server.clientsById.set(client.clientId, { ...client, linesOfBusiness: ['MAPD'] });
    expect(await introspect({ token: tokens.access_token })).toEqual(inactive);
  });

  it('is not for public clients: anybody knows their ids', async () => {
    const { tokens, introspect } = await world({ tokenEndpointAuthMethod: 'none', secrets: [] });
    expect(await introspect({ token: tokens.access_token })).toBe('invalid_client client_public');
  });
});

describe('introspection on record', () => {
  const requestId = 'request-1';

  it('is one event of the client for an answer, with the grant and without the token', async () => {
    const { server, client, tokens, introspect } = await world();
    const { clientId } = client;
    const [grantId] = server.grants.keys();
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      server.events.length = 0;
      await introspect({ token });
      expect(server.events).toEqual([
        {
          ...{ action: 'token.introspect', outcome: 'permitted', actor: clientId, clientId, grantId },
          ...{ environment: 'sandbox', lob: 'DSNP', requestId },
          eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          time: new Date(startMs).toISOString(),
        },
      ]);
      expect(JSON.stringify(server.events)).not.toContain(token);
    }
  });

  it('says why a token is not active, which the answer does not', async () => {
    const { server, client, other, tokens, introspect, revoke } = await world();
    const [grantId] = server.grants.keys();
    await introspect({ token: 'x' });
    await introspect({ token: tokens.access_token }, other);
    await introspect({ token: tokens.access_token }, undefined, 'MAPD');
    issuedBy(await refresh(server, client, tokens.refresh_token));
    await introspect({ token: tokens.refresh_token });
    server.clientsById.set(client.clientId, { ...client, linesOfBusiness: ['MAPD'] });
    await introspect({ token: tokens.access_token });
    server.clientsById.set(client.clientId, client);
    await revoke({ token: tokens.access_token });
    await introspect({ token: tokens.access_token });
    const asked = server.events.filter(({ action }) => action === 'token.introspect');
    const own = { actor: client.clientId, clientId: client.clientId };
    expect(asked).toMatchObject([
      { ...own, reason: 'token_unknown' },
      { actor: other.clientId, clientId: other.clientId, grantId, reason: 'token_of_another_client' },
      { ...own, lob: 'MAPD', reason: 'token_unknown' },
      { ...own, grantId, reason: 'token_superseded' },
      { ...own, grantId, reason: 'lob_not_registered' },
      { ...own, grantId, reason: 'grant_ended' },
    ]);
    for (const event of asked) expect(event.outcome).toBe('permitted');
    for (const at of [0, 2]) expect(asked[at]).not.toHaveProperty('grantId');
  });

  it('is durable before the answer leaves', async () => {
    const { server, tokens, introspect } = await world();
    vi.spyOn(server.audit, 'record').mockRejectedValue(new Error('the store is away'));
    await expect(introspect({ token: tokens.access_token })).rejects.toThrow('the store is away');
  });
});

describe('the resource of a token request', () => {
  const base = 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1';

  it.each<[string, Changes, string]>([
    ['this LOB’s FHIR base', { resource: base }, 'issued'],
    ['it with a slash, and twice', { resource: [base, `${base}/`] }, 'issued'],
    ['another LOB’s', { resource: base.replace('dsnp', 'mapd') }, 'invalid_target resource_foreign'],
    ['one of both', { resource: [base, 'https://evil.example/'] }, 'invalid_target resource_foreign'],
    ['a part of it', { resource: `${base}/Patient` }, 'invalid_target resource_foreign'],
    ['nothing', { resource: '' }, 'issued'],
  ])('may be %s: %j is %s', async (_what, parameters, expected) => {
    const { server, client, tokens } = await world();
    expect(verdictOf(await refresh(server, client, tokens.refresh_token, parameters))).toBe(expected);
    expect(verdictOf(await refresh(server, client, tokens.refresh_token))).toBe('issued');
  });
});
