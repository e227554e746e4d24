import { describe, expect, it, vi } from 'vitest';
import type { AuthorizationCode } from '../../../lambdas/authorization/authorize/interaction.ts';
import type { OAuthClient } from '../../../lambdas/authorization/oauth/oauth-client.ts';
import { type UserInfoRequest, userInfo } from '../../../lambdas/authorization/token/userinfo-endpoint.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { aClient, theMember } from '../builders.ts';
import { memoryServer, startMs } from '../memory-server.ts';
import { type Changes, lastingTokens, parametersOf } from '../refreshing.ts';

const scope = 'openid fhirUser patient/*.read offline_access';

async function world(changes: Partial<AuthorizationCode> = {}) {
  const client = aClient();
  const memory = memoryServer(client);
  const tokens = await lastingTokens(memory, client, { scope, ...changes });
  memory.events.length = 0;
  // The memory server's tokens are JSON, which has characters that are not allowed in a Bearer token (`b64token`).
  const token = Buffer.from(tokens.access_token).toString('base64url');
  /** Seconds to wait, by the ID of a grant that exceeded its rate. */
  const limits = new Map<string, number>();
  const server = {
    ...memory,
    now: memory.now,
    rate: async (grantId: string) => {
      const retryAfterSeconds = limits.get(grantId);
      return retryAfterSeconds === undefined
        ? ({ kind: 'allowed' } as const)
        : ({ kind: 'limited', retryAfterSeconds } as const);
    },
    accessTokens: {
      verify: (lob: LineOfBusiness, sent: string) =>
        memory.accessTokens.verify(lob, Buffer.from(sent, 'base64url').toString()),
    },
  };
  const ask = async (request: Partial<UserInfoRequest>, lob: LineOfBusiness = 'DSNP') => {
    const answer = await userInfo(server, lob, {
      authorization: undefined,
      form: parametersOf({}),
      context: { environment: 'sandbox', lob, requestId: 'request-1' },
      ...request,
    });
    if (answer.kind === 'disclosed') return answer.userInfo;
    const { error, reason, retryAfterSeconds } = answer.refusal;
    return [`${error} ${reason}`, retryAfterSeconds].filter((part) => part !== undefined).join(' ');
  };
  const byHeader = () => ask({ authorization: `Bearer ${token}` });
  return { client, memory, token, tokens, ask, byHeader, limits };
}

const form = (parameters: Changes) => ({ form: parametersOf(parameters) });

describe('userinfo', () => {
  it('says who signed in, as the id_token did', async () => {
    const { byHeader } = await world();
    expect(await byHeader()).toEqual({
      sub: theMember.sub,
      fhirUser: `https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1/Patient/${theMember.patientId}`,
    });
  });

  it('leaves out fhirUser where it was not granted', async () => {
    const { byHeader } = await world({ scope: 'openid patient/*.read offline_access' });
    expect(await byHeader()).toEqual({ sub: theMember.sub });
  });

  it('takes the token in the form too, and the scheme in any case', async () => {
    const { ask, token } = await world();
    expect(await ask(form({ access_token: token }))).toMatchObject({ sub: theMember.sub });
    expect(await ask({ authorization: `bEARER  ${token}` })).toMatchObject({ sub: theMember.sub });
  });

  it('answers a token without openid with insufficient_scope', async () => {
    const { byHeader } = await world({ scope: 'patient/*.read offline_access' });
    expect(await byHeader()).toBe('insufficient_scope openid_not_granted');
  });

  it.each([
    ['nothing', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a scheme that only begins alike', { authorization: 'BearerX abc' }],
    ['an empty form', form({ access_token: '' })],
  ])('says nothing of a token where it got %s', async (_what, request) => {
    const { ask } = await world();
    expect(await ask(request)).toBe('undefined token_missing');
  });

  it.each([
    ['the scheme alone', () => ({ authorization: 'Bearer' })],
    ['a token in two parts', (token: string) => ({ authorization: `Bearer ${token} ${token}` })],
    ['quotes around it', (token: string) => ({ authorization: `Bearer "${token}"` })],
    ['it in the form twice', (token: string) => form({ access_token: [token, token] })],
    [
      'it in header and form',
      (token: string) => ({ authorization: `Bearer ${token}`, ...form({ access_token: token }) }),
    ],
  ])('answers %s with invalid_request', async (_what, requestOf) => {
    const { ask, token } = await world();
    expect(await ask(requestOf(token))).toBe('invalid_request request_malformed');
  });

  it('knows no token of another line of business, no refresh token and no text', async () => {
    const { ask, token, tokens } = await world();
    expect(await ask({ authorization: `Bearer ${token}` }, 'MAPD')).toBe('invalid_token token_invalid');
    expect(await ask({ authorization: `Bearer ${tokens.refresh_token}` })).toBe(
      'invalid_token token_invalid',
    );
    expect(await ask({ authorization: 'Bearer x' })).toBe('invalid_token token_invalid');
  });

  it('says nothing any more once the grant ended', async () => {
    const { memory, byHeader } = await world();
    for (const [grantId, grant] of memory.grants) memory.grants.set(grantId, { ...grant, state: 'revoked' });
    expect(await byHeader()).toBe('invalid_token grant_ended');
  });

  it('says nothing at the second the grant is over', async () => {
    const { memory, byHeader } = await world();
    const over = memory.nowMs / 1000;
    for (const [grantId, grant] of memory.grants) memory.grants.set(grantId, { ...grant, expiresAt: over });
    expect(await byHeader()).toBe('invalid_token grant_ended');
  });

  it('asks who asks too often to wait, grant by grant, and puts nothing on record', async () => {
    const { memory, byHeader, limits } = await world();
    const [grantId = ''] = memory.grants.keys();
    limits.set(grantId, 7);
    expect(await byHeader()).toBe('temporarily_unavailable rate_limited 7');
    expect(memory.events).toEqual([]);
    limits.clear();
    limits.set('another', 7);
    expect(await byHeader()).toMatchObject({ sub: theMember.sub });
  });

  it.each([
    ['suspended', { state: 'suspended' }],
    ['taken from the line of business', { linesOfBusiness: ['MAPD'] }],
  ] as const)('says nothing to an application that was %s', async (_what, change) => {
    const { client, memory, byHeader } = await world();
    memory.clientsById.set(client.clientId, { ...client, ...change });
    expect(await byHeader()).toBe('invalid_token client_inactive');
  });
});

describe('userinfo on record', () => {
  const about = ({ clientId }: OAuthClient, grantId: string | undefined) => ({
    ...{ action: 'userinfo.read', actor: clientId, clientId, grantId, patientId: theMember.patientId },
    ...{ environment: 'sandbox', lob: 'DSNP', requestId: 'request-1' },
    eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    time: new Date(startMs).toISOString(),
  });

  it('is one disclosure of the patient for each answer', async () => {
    const { client, memory, byHeader } = await world();
    const [grantId] = memory.grants.keys();
    await byHeader();
    expect(memory.events).toEqual([{ ...about(client, grantId), outcome: 'disclosed' }]);
    await byHeader();
    expect(memory.events).toHaveLength(2);
  });

  it('is one refusal where a token of ours gets none', async () => {
    const { client, memory, byHeader } = await world({ scope: 'patient/*.read offline_access' });
    const [grantId] = memory.grants.keys();
    await byHeader();
    expect(memory.events).toEqual([
      { ...about(client, grantId), outcome: 'refused', reason: 'openid_not_granted' },
    ]);
  });

  it('says of a dead grant and of a suspended application why they get none', async () => {
    const { client, memory, byHeader } = await world();
    memory.clientsById.set(client.clientId, { ...client, state: 'suspended' });
    await byHeader();
    for (const [grantId, grant] of memory.grants) memory.grants.set(grantId, { ...grant, state: 'revoked' });
    await byHeader();
    expect(memory.events).toMatchObject([
      { outcome: 'refused', reason: 'client_inactive' },
      { outcome: 'refused', reason: 'grant_ended' },
    ]);
  });

  it('has nothing of a text that is no token of this line of business', async () => {
    const { ask, memory, token } = await world();
    await ask({ authorization: `Bearer ${token}` }, 'MAPD');
    await ask({ authorization: 'Bearer x' });
    expect(memory.events).toEqual([]);
  });

  it('is durable before the answer leaves', async () => {
    const { byHeader, memory } = await world();
    const record = vi.spyOn(memory.audit, 'record').mockRejectedValue(new Error('the store is away'));
    await expect(byHeader()).rejects.toThrow('the store is away');
    expect(record).toHaveBeenCalledOnce();
  });
});
