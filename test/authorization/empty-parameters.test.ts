import { describe, expect, it } from 'vitest';
import { introspectToken } from '../../lambdas/authorization/token/introspection-endpoint.ts';
import { issueMachineToken } from '../../lambdas/authorization/token/machine-token-endpoint.ts';
import { revokeToken } from '../../lambdas/authorization/token/revocation-endpoint.ts';
import { issueMemberToken } from '../../lambdas/authorization/token/token-endpoint.ts';
import { aClient, rfc7636, theRedirectUri, theSecret } from './builders.ts';
import { basic } from './journey.ts';
import { type MemoryServer, memoryServer } from './memory-server.ts';
import { type Changes, parametersOf, verdictOf } from './refreshing.ts';

/**
 * RFC 6749 section 3.2: "Parameters sent without a value MUST be treated as if they were omitted from the request. The
 * authorization server MUST ignore unrecognized request parameters."
 */

const resourceId = '11111111-2222-4333-8444-555555555555';
const client = aClient();

function request(server: MemoryServer, changes: Changes) {
  const code = {
    grant_type: 'authorization_code',
    code: server.issueCode(client),
    redirect_uri: theRedirectUri,
    code_verifier: rfc7636.verifier,
  };
  return {
    parameters: parametersOf({ ...code, ...changes }),
    authorization: basic(client.clientId),
    context: { environment: 'sandbox', lob: 'DSNP', requestId: 'request-1' },
  } as const;
}

describe('a parameter without a value counts as not sent', () => {
  it.each([
    'client_id',
    'client_secret',
    'client_assertion',
    'client_assertion_type',
    'resource',
    'expires_in',
    'scope',
    'refresh_token',
    'nobody_knows_it',
  ])('where a code is exchanged: %s', async (name) => {
    const server = memoryServer(client);
    expect(verdictOf(await issueMemberToken(server, 'DSNP', request(server, { [name]: '' })))).toBe('issued');
  });

  it.each([
    'client_assertion',
    'client_assertion_type',
    'token_type_hint',
  ])('where a token is asked about or given back: %s', async (name) => {
    const server = memoryServer(client);
    const asked = request(server, { token: 'x', [name]: '' });
    expect(await introspectToken(server, 'DSNP', asked)).toEqual({
      kind: 'introspection',
      introspection: { active: false },
    });
    expect(await revokeToken(server, 'DSNP', asked)).toEqual({ kind: 'revoked' });
  });

  it.each([
    'client_assertion',
    'client_assertion_type',
    'resource',
    'expires_in',
  ])('where a machine asks for a token: %s', async (name) => {
    const server = { ...memoryServer(client), resourceId, requiresKey: true };
    const answer = await issueMachineToken(server, {
      parameters: parametersOf({
        ...{ client_id: client.clientId, client_secret: theSecret, grant_type: 'client_credentials' },
        ...{ scope: `${resourceId}/.default`, [name]: '' },
      }),
      authorization: undefined,
      context: { environment: 'sandbox', lob: 'M2M', requestId: 'request-1' },
      subscriber: client.clientId,
    });
    expect(verdictOf(answer)).toBe('issued');
  });

  it('also beside one with a value, where it may come more than once', async () => {
    const server = memoryServer(client);
    const ours = 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1';
    const verdict = async (resource: readonly string[]) =>
      verdictOf(await issueMemberToken(server, 'DSNP', request(server, { resource })));
    expect(await verdict(['', ours, ''])).toBe('issued');
    expect(await verdict(['', 'https://other.example'])).toBe('invalid_target resource_foreign');
  });
});

describe('a parameter', () => {
  it('is ignored by every endpoint where nobody knows it', async () => {
    const server = { ...memoryServer(client), resourceId, requiresKey: true };
    const unknown = {
      launch: 'x',
      audience: 'https://other.example',
      response_type: 'token',
      __proto__x: 'y',
    };
    expect(verdictOf(await issueMemberToken(server, 'DSNP', request(server, unknown)))).toBe('issued');
    const asked = request(server, { ...unknown, token: 'x' });
    expect(await introspectToken(server, 'DSNP', asked)).toEqual({
      kind: 'introspection',
      introspection: { active: false },
    });
    expect(await revokeToken(server, 'DSNP', asked)).toEqual({ kind: 'revoked' });
    const machine = { grant_type: 'client_credentials', scope: `${resourceId}/.default` };
    const answer = await issueMachineToken(server, {
      ...{ ...request(server, { ...unknown, ...machine }), subscriber: client.clientId },
      context: { environment: 'sandbox', lob: 'M2M', requestId: 'request-1' },
    });
    expect(verdictOf(answer)).toBe('issued');
  });
});
