import { describe, expect, it } from 'vitest';
import { issueMachineToken } from '../../../lambdas/authorization/token/machine-token-endpoint.ts';
import { issueMemberToken } from '../../../lambdas/authorization/token/token-endpoint.ts';
import { aClient, rfc7636, sentence, theRedirectUri, theSecret } from '../builders.ts';
import { memoryServer, startMs } from '../memory-server.ts';
import { type Changes, issuedBy, lastingTokens, parametersOf, refresh, requestOf } from '../refreshing.ts';

/** `expires_in` of a token request shortens the lifetime of the access token, with every grant type. */

const resourceId = '11111111-2222-4333-8444-555555555555';
const start = startMs / 1000;
const claimsOf = (token: string) => JSON.parse(token).claims as Readonly<Record<string, unknown>>;

function world() {
  const client = aClient();
  const server = memoryServer(client);
  const ways = {
    async authorization_code(changes: Changes) {
      const code = server.issueCode(client);
      const sent = { code, redirect_uri: theRedirectUri, code_verifier: rfc7636.verifier };
      const request = requestOf({ grant_type: 'authorization_code', ...sent, ...changes }, client);
      return await issueMemberToken(server, 'DSNP', request);
    },
    async refresh_token(changes: Changes) {
      const { refresh_token } = await lastingTokens(server, client);
      return await refresh(server, client, refresh_token, changes);
    },
    async client_credentials(changes: Changes) {
      const sent = { grant_type: 'client_credentials', scope: `${resourceId}/.default` };
      const credentials = { client_id: client.clientId, client_secret: theSecret };
      return await issueMachineToken(
        { ...server, resourceId, requiresKey: true },
        {
          parameters: parametersOf({ ...sent, ...credentials, ...changes }),
          authorization: undefined,
          context: { environment: 'production', lob: 'M2M', requestId: 'request-1' },
          subscriber: client.clientId,
        },
      );
    },
  };
  return { client, server, ways };
}

describe.each(['authorization_code', 'refresh_token', 'client_credentials'] as const)('by %s', (way) => {
  it.each<[string | undefined, number]>([
    [undefined, 1_800],
    ['', 1_800],
    ['1', 1],
    ['90', 90],
    ['1800', 1_800],
  ])('an access token asked for with expires_in %j lives %i seconds', async (expires_in, seconds) => {
    const { ways } = world();
    const issued = issuedBy(await ways[way]({ expires_in }));
    expect(issued.expires_in).toBe(seconds);
    expect(claimsOf(issued.access_token)).toMatchObject({ iat: start, exp: start + seconds });
  });

  it.each([
    '0',
    '1801',
    '-1',
    '1.5',
    '1e2',
    '0x10',
    '007',
    ' 60',
    '60s',
    'x60',
    '９',
    '9'.repeat(400),
    'NaN',
  ])('none is issued for %j, and the refusal says what it may be', async (expires_in) => {
    const { client, server, ways } = world();
    const answer = await ways[way]({ expires_in });
    if (answer.kind !== 'refusal') throw new Error('not refused');
    const { error, description, reason } = answer.refusal;
    expect([error, reason]).toEqual(['invalid_request', 'expires_in_unsupported']);
    expect(description).toBe('expires_in must be a whole number of seconds from 1 to 1800');
    expect(description).toMatch(sentence);
    const { clientId } = client;
    expect(server.events.at(-1)).toMatchObject({ outcome: 'refused', reason, clientId });
  });

  it('none is issued where it was sent twice', async () => {
    const { ways } = world();
    expect(await ways[way]({ expires_in: ['60', '60'] })).toMatchObject({
      refusal: { error: 'invalid_request', description: 'expires_in was sent more than once' },
    });
  });
});

it('a refused expires_in uses up neither the code nor the refresh token', async () => {
  const { client, server } = world();
  const code = server.issueCode(client);
  const sent = { grant_type: 'authorization_code', code, redirect_uri: theRedirectUri };
  const request = { ...sent, code_verifier: rfc7636.verifier };
  const redeem = async (changes: Changes) =>
    await issueMemberToken(server, 'DSNP', requestOf({ ...request, ...changes }, client));
  expect(await redeem({ expires_in: '0' })).toHaveProperty('refusal');
  expect(await redeem({})).toHaveProperty('issued');
  const { refresh_token } = await lastingTokens(server, client);
  expect(await refresh(server, client, refresh_token, { expires_in: '0' })).toHaveProperty('refusal');
  expect(await refresh(server, client, refresh_token)).toHaveProperty('issued');
});

it('lasting access lives on after a token that was short', async () => {
  const { client, server } = world();
  const { refresh_token } = await lastingTokens(server, client);
  const short = issuedBy(await refresh(server, client, refresh_token, { expires_in: '1' }));
  server.nowMs += 2_000;
  const next = issuedBy(await refresh(server, client, short.refresh_token ?? ''));
  expect(next.expires_in).toBe(1_800);
  expect([...server.grants.values()]).toMatchObject([{ state: 'active', expiresAt: start + 395 * 86_400 }]);
});

it('a token never outlives its grant, whatever is asked for', async () => {
  const { client, server } = world();
  const { refresh_token } = await lastingTokens(server, client);
  for (const [name, family] of server.families)
    server.families.set(name, { ...family, expiresAt: start + 40 });
  expect(issuedBy(await refresh(server, client, refresh_token, { expires_in: '60' })).expires_in).toBe(40);
});
