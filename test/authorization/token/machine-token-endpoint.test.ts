import { describe, expect, it } from 'vitest';
import { issueMachineToken } from '../../../lambdas/authorization/token/machine-token-endpoint.ts';
import { aClient, theSecret } from '../builders.ts';
import { memoryServer, startMs } from '../memory-server.ts';

const resourceId = '11111111-2222-4333-8444-555555555555';

async function send(
  changes: Readonly<Record<string, string | readonly string[]>> = {},
  options: { readonly client?: Parameters<typeof aClient>[0]; readonly subscriber?: string | undefined } = {},
) {
  const client = aClient(options.client);
  const server = { ...memoryServer(client), accessTokenSeconds: 300, resourceId, requiresKey: true };
  const sent: Record<string, string | readonly string[]> = {
    client_id: client.clientId,
    client_secret: theSecret,
    grant_type: 'client_credentials',
    scope: `${resourceId}/.default`,
    ...changes,
  };
  const parameters = new Map(
    Object.entries(sent).map(([name, value]) => [name, typeof value === 'string' ? [value] : value]),
  );
  const subscriber = 'subscriber' in options ? options.subscriber : client.clientId;
  const context = { environment: 'sandbox', lob: 'M2M', requestId: 'request-1' } as const;
  const answer = await issueMachineToken(server, {
    parameters,
    authorization: undefined,
    context,
    subscriber,
  });
  return { answer, server, client };
}

describe('the machine-to-machine token endpoint', () => {
  it('gives the client a token of its own for the environment', async () => {
    const { answer, server, client } = await send();
    if (answer.kind !== 'issued') throw new Error('refused');
    const iat = startMs / 1000;
    expect(JSON.parse(answer.issued.access_token)).toMatchObject({
      issuer: 'M2M',
      typ: 'at+jwt',
      claims: {
        iss: 'https://token.sandbox.example.org',
        aud: resourceId,
        sub: client.clientId,
        client_id: client.clientId,
        iat,
        exp: iat + 300,
      },
    });
    expect(answer.issued).toMatchObject({ expires_in: 300, scope: `${resourceId}/.default` });
    expect(answer.issued).not.toHaveProperty('patient');
    expect(server.events).toMatchObject([{ lob: 'M2M', action: 'token.issue', outcome: 'succeeded' }]);
  });

  it.each<[string, Parameters<typeof send>[0], Parameters<typeof send>[1], string, string]>([
    ['a wrong secret', { client_secret: 'wrong' }, {}, 'invalid_client', 'client_secret_wrong'],
    ['no secret', { client_secret: '' }, {}, 'invalid_client', 'client_secret_wrong'],
    ['the key of another client', {}, { subscriber: 'other' }, 'invalid_client', 'key_of_another_client'],
    ['a key of nobody', {}, { subscriber: undefined }, 'invalid_client', 'key_of_another_client'],
    ['no grant_type', { grant_type: '' }, {}, 'invalid_request', 'grant_type_missing'],
    ['two grant_types', { grant_type: ['client_credentials', 'x'] }, {}, 'invalid_request', 'repeated'],
    ['two scopes', { scope: ['a', 'b'] }, {}, 'invalid_request', 'repeated'],
    [
      'another grant_type',
      { grant_type: 'authorization_code' },
      {},
      'unsupported_grant_type',
      'grant_type_unsupported',
    ],
    [
      'a client of another grant type',
      {},
      { client: { grantTypes: ['authorization_code'] } },
      'unauthorized_client',
      'grant_type_not_registered',
    ],
    ['no scope', { scope: '' }, {}, 'invalid_scope', 'scope_unknown'],
    ['the scope of another environment', { scope: 'other/.default' }, {}, 'invalid_scope', 'scope_unknown'],
    ['more scopes', { scope: `${resourceId}/.default openid` }, {}, 'invalid_scope', 'scope_unknown'],
    ['a system scope alone', { scope: 'system/*.rs' }, {}, 'invalid_scope', 'scope_unserved'],
    [
      'a system scope with a constraint',
      { scope: 'system/Patient.rs?x=y' },
      {},
      'invalid_scope',
      'scope_unserved',
    ],
    ['a foreign resource', { resource: 'https://evil.example/' }, {}, 'invalid_target', 'resource_foreign'],
    ['a suspended client', {}, { client: { state: 'suspended' } }, 'invalid_client', 'client_inactive'],
  ])('refuses %s', async (_what, changes, options, error, reason) => {
    const { answer } = await send(changes, options);
    expect(answer).toMatchObject({ refusal: { error, reason } });
  });

  it('leaves system scopes out of what it grants to a client that is no verified payer', async () => {
    const { answer } = await send({ scope: `system/*.read ${resourceId}/.default system/Patient.rs` });
    expect(answer).toMatchObject({ issued: { scope: `${resourceId}/.default` } });
  });

  it('refuses a public client, whose name alone proves nothing', async () => {
    const { answer } = await send(
      { client_secret: '' },
      { client: { tokenEndpointAuthMethod: 'none', secrets: [] } },
    );
    expect(answer).toMatchObject({ refusal: { error: 'unauthorized_client' } });
  });
});
