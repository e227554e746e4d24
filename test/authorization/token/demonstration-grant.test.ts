import { describe, expect, it } from 'vitest';
import { issueMemberToken } from '../../../lambdas/authorization/token/token-endpoint.ts';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import { demonstration } from '../../../lambdas/catalog/oauth/demonstration.ts';
import { aClient, theMember } from '../builders.ts';
import { memoryServer, startMs } from '../memory-server.ts';

const demonstrator = aClient({
  clientId: demonstration.clientId,
  grantTypes: [demonstration.grantType],
  tokenEndpointAuthMethod: 'none',
  secrets: [],
  redirectUris: [],
  demonstratedPatientId: theMember.patientId,
});

async function ask(
  server = memoryServer(demonstrator),
  environment: Environment = 'sandbox',
  more: Readonly<Record<string, string>> = {},
) {
  const fields = { grant_type: demonstration.grantType, client_id: demonstration.clientId, ...more };
  const parameters = new Map(Object.entries(fields).map(([name, value]) => [name, [value]]));
  const context = { environment, lob: 'DSNP', requestId: 'request-1' } as const;
  return {
    server,
    answer: await issueMemberToken(server, 'DSNP', { parameters, authorization: undefined, context }),
  };
}

describe('the demonstration', () => {
  it('gets a token of its member for five minutes, with a grant that ends with the token', async () => {
    const { server, answer } = await ask();
    if (answer.kind !== 'issued') throw new Error('refused');
    const { access_token, ...rest } = answer.issued;
    expect(rest).toEqual({
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'launch/patient patient/*.rs',
      patient: theMember.patientId,
    });
    const { claims } = JSON.parse(access_token);
    expect(claims).toMatchObject({ client_id: demonstration.clientId, patient: theMember.patientId });
    expect([...server.grants]).toEqual([
      [claims.grant, { clientId: demonstration.clientId, state: 'active', expiresAt: startMs / 1000 + 300 }],
    ]);
    expect(server.events).toMatchObject([
      { action: 'token.issue', outcome: 'succeeded', grantId: claims.grant, patientId: theMember.patientId },
    ]);
  });

  it('gets no longer token than it may have, and a shorter one on request', async () => {
    const shorter = await ask(undefined, 'sandbox', { expires_in: '1' });
    const longer = await ask(undefined, 'sandbox', { expires_in: '1800' });
    expect(shorter.answer).toMatchObject({ issued: { expires_in: 1 } });
    expect(longer.answer).toMatchObject({ issued: { expires_in: 300 } });
  });

  it('is unknown to production, whatever is registered there', async () => {
    const { server, answer } = await ask(undefined, 'production');
    expect(answer).toMatchObject({ kind: 'refusal', refusal: { error: 'unsupported_grant_type' } });
    expect(server.grants.size).toBe(0);
  });

  it('is refused to an application that is registered for another grant type', async () => {
    const client = { ...demonstrator, grantTypes: ['authorization_code' as const] };
    const { server, answer } = await ask(memoryServer(client));
    expect(answer).toMatchObject({ kind: 'refusal', refusal: { error: 'unauthorized_client' } });
    expect(server.grants.size).toBe(0);
  });

  it('is refused while it is suspended', async () => {
    const { answer } = await ask(memoryServer({ ...demonstrator, state: 'suspended' }));
    expect(answer).toMatchObject({ kind: 'refusal', refusal: { error: 'invalid_client' } });
  });

  it('tells an address that asks too often when to come back, and signs nothing', async () => {
    const server = memoryServer(demonstrator);
    const limited = async () => ({ kind: 'limited', retryAfterSeconds: 42 }) as const;
    const { answer } = await ask({ ...server, rates: { ...server.rates, demonstrated: limited } });
    expect(answer).toMatchObject({ kind: 'refusal', refusal: { retryAfterSeconds: 42 } });
    expect(server.grants.size).toBe(0);
  });
});
