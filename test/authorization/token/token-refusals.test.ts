import { describe, expect, it } from 'vitest';
import type { OAuthClient } from '../../../lambdas/authorization/oauth/oauth-client.ts';
import { issueMachineToken } from '../../../lambdas/authorization/token/machine-token-endpoint.ts';
import { issueMemberToken } from '../../../lambdas/authorization/token/token-endpoint.ts';
import { aClient, rfc7636, sentence, theRedirectUri, theSecret } from '../builders.ts';
import { basic } from '../journey.ts';
import { memoryServer } from '../memory-server.ts';
import { type Changes, parametersOf } from '../refreshing.ts';

/**
 * The errors of a token endpoint: the error code, a description for the developer and a reason for the audit. Each row is one error.
 */

const resourceId = '11111111-2222-4333-8444-555555555555';

describe('a refused token request', () => {
  async function refusalOf(
    changes: Changes,
    clientChanges: Partial<OAuthClient>,
    authorization?: string | null,
  ) {
    const client = aClient(clientChanges);
    const server = memoryServer(client);
    const answer = await issueMemberToken(server, 'DSNP', {
      parameters: parametersOf({
        grant_type: 'authorization_code',
        code: server.issueCode(client),
        redirect_uri: theRedirectUri,
        code_verifier: rfc7636.verifier,
        ...changes,
      }),
      authorization:
        authorization === null ? undefined : (authorization ?? basic(client.clientId, theSecret)),
      context: { environment: 'sandbox', lob: 'DSNP', requestId: 'request-1' },
    });
    return { refusal: answer.kind === 'refusal' ? answer.refusal : undefined, server, client };
  }
  const refreshing = { grant_type: 'refresh_token', code: undefined };
  const header = (pair: string) => `Basic ${btoa(pair)}`;

  it.each<[Changes, Partial<OAuthClient>, string | null | undefined, string, RegExp, string]>([
    ...['grant_type', 'scope', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'unknown_here'].map(
      (name): [Changes, Partial<OAuthClient>, undefined, string, RegExp, string] => [
        { [name]: ['a', 'b'] },
        {},
        undefined,
        'invalid_request',
        new RegExp(`^${name} was sent more than once$`),
        'repeated',
      ],
    ),
    ...['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'].map(
      (name): [Changes, Partial<OAuthClient>, undefined, string, RegExp, string] => [
        { [name]: ['a', 'b'] },
        {},
        undefined,
        'invalid_request',
        new RegExp(`^${name} was sent more than once$`),
        'repeated',
      ],
    ),
    [{}, {}, null, 'invalid_client', /is missing/, 'credentials_missing'],
    [{}, {}, 'Bearer x', 'invalid_client', /not HTTP Basic/, 'header_malformed'],
    [{}, {}, ` ${header('a:b')}`, 'invalid_client', /not HTTP Basic/, 'header_malformed'],
    [{}, {}, `${header('a:b')} x`, 'invalid_client', /not HTTP Basic/, 'header_malformed'],
    [{}, {}, header('no-colon'), 'invalid_client', /not HTTP Basic/, 'header_malformed'],
    [{}, {}, header(':b'), 'invalid_client', /not HTTP Basic/, 'header_malformed'],
    [{}, {}, header('a:\xff'), 'invalid_client', /not HTTP Basic/, 'header_malformed'],
    [{}, {}, header('a:%zz'), 'invalid_client', /not HTTP Basic/, 'header_malformed'],
    [{ client_id: 'another' }, {}, undefined, 'invalid_request', /differs from the auth/, 'two_clients'],
    [{ client_secret: theSecret }, {}, undefined, 'invalid_request', /one method/, 'two_methods'],
    [{}, {}, header('nobody-here:b'), 'invalid_client', /authentication failed/, 'client_unknown'],
    [{}, {}, header(`${'a'.repeat(65)}:b`), 'invalid_client', /authentication failed/, 'client_unknown'],
    [{}, { secrets: [] }, undefined, 'invalid_client', /authentication failed/, 'client_secret_wrong'],
    [{}, { state: 'suspended' }, undefined, 'invalid_client', /authentication failed/, 'client_inactive'],
    [{ grant_type: undefined }, {}, undefined, 'invalid_request', /is missing/, 'grant_type_missing'],
    [
      { grant_type: 'password' },
      {},
      undefined,
      'unsupported_grant_type',
      /^grant_type must be authorization_code or refresh_token$/,
      'grant_type_unsupported',
    ],
    [
      {},
      { grantTypes: ['client_credentials'] },
      undefined,
      'unauthorized_client',
      /grant type authorization_code$/,
      'grant_type_not_registered',
    ],
    [
      {},
      { linesOfBusiness: ['MAPD'] },
      undefined,
      'unauthorized_client',
      /not registered for DSNP$/,
      'lob_not_registered',
    ],
    [
      { resource: 'https://other.example' },
      {},
      undefined,
      'invalid_target',
      /^resource must be https:.*v1$/,
      'resource_foreign',
    ],
    [{ code: undefined }, {}, undefined, 'invalid_request', /^code is missing$/, 'code_missing'],
    [{ redirect_uri: undefined }, {}, undefined, 'invalid_request', /^redirect_uri/, 'redirect_uri_missing'],
    [{ code: 'c'.repeat(43) }, {}, undefined, 'invalid_grant', /the code is unknown/, 'code_unknown'],
    [refreshing, {}, undefined, 'invalid_request', /^refresh_token is missing/, 'refresh_token_missing'],
    [
      { ...refreshing, refresh_token: 'x' },
      {},
      undefined,
      'invalid_grant',
      /the refresh token is unknown/,
      'refresh_token_unknown',
    ],
  ])('%j of %j by %s says what is wrong', async (...row) => {
    const [changes, client, authorization, error, description, reason] = row;
    const { refusal } = await refusalOf(changes, client, authorization);
    expect([refusal?.error, refusal?.reason]).toEqual([error, reason]);
    expect(refusal?.description).toMatch(description);
    expect(refusal?.description).toMatch(sentence);
  });

  it.each([
    ['code_unknown', { code: 'c'.repeat(43) }, {}],
    ['client_secret_wrong', {}, { secrets: [] }],
    ['lob_not_registered', {}, { linesOfBusiness: ['MAPD' as const] }],
  ])('of a registered application is on record: %s', async (reason, changes, clientChanges) => {
    const { server, client } = await refusalOf(changes, clientChanges);
    const { clientId } = client;
    const event = { action: 'token.issue', outcome: 'refused', reason, actor: clientId, clientId };
    expect(server.events).toMatchObject([event]);
  });

  it('takes a code of 128 characters to the store, and a longer one not', async () => {
    const asked: string[] = [];
    for (const length of [128, 129]) {
      const client = aClient();
      const server = memoryServer(client);
      const store = { ...server.store, code: async () => void asked.push(`${length}`) };
      const parameters = { grant_type: 'authorization_code', code: 'c'.repeat(length), redirect_uri: 'x' };
      await issueMemberToken({ ...server, store }, 'DSNP', {
        parameters: parametersOf(parameters),
        authorization: basic(client.clientId, theSecret),
        context: { environment: 'sandbox', lob: 'DSNP', requestId: 'request-1' },
      });
    }
    expect(asked).toEqual(['128']);
  });
});

describe('a refused machine', () => {
  async function refusalOf(changes: Changes, clientChanges: Partial<OAuthClient>, subscriber?: string) {
    const client = aClient(clientChanges);
    const answer = await issueMachineToken(
      { ...memoryServer(client), resourceId, requiresKey: true },
      {
        parameters: parametersOf({
          client_id: client.clientId,
          client_secret: theSecret,
          grant_type: 'client_credentials',
          scope: `${resourceId}/.default`,
          ...changes,
        }),
        authorization: undefined,
        context: { environment: 'sandbox', lob: 'M2M', requestId: 'request-1' },
        subscriber: subscriber ?? client.clientId,
      },
    );
    return answer.kind === 'refusal' ? answer.refusal : undefined;
  }
  const publicClient = { tokenEndpointAuthMethod: 'none', secrets: [] } as const;

  it.each<[Changes, Partial<OAuthClient>, string | undefined, string, RegExp, string]>([
    [{ scope: ['a', 'b'] }, {}, undefined, 'invalid_request', /^scope was sent more/, 'repeated'],
    [{ grant_type: ['a', 'b'] }, {}, undefined, 'invalid_request', /^grant_type was/, 'repeated'],
    [{}, {}, 'another', 'invalid_client', /subscription key/, 'key_of_another_client'],
    [{ client_secret: undefined }, publicClient, undefined, 'unauthorized_client', /secret/, 'client_public'],
    [{ grant_type: undefined }, {}, undefined, 'invalid_request', /is missing/, 'grant_type_missing'],
    [
      { grant_type: 'authorization_code' },
      {},
      undefined,
      'unsupported_grant_type',
      /must be client_credentials$/,
      'grant_type_unsupported',
    ],
    [
      {},
      { grantTypes: ['authorization_code'] },
      undefined,
      'unauthorized_client',
      /grant type client_credentials$/,
      'grant_type_not_registered',
    ],
    [{ resource: 'x' }, {}, undefined, 'invalid_target', /^resource must be 1111/, 'resource_foreign'],
    [{ scope: undefined }, {}, undefined, 'invalid_scope', /^scope must be 1.*default$/, 'scope_unknown'],
    [
      { scope: 'x' },
      {},
      undefined,
      'invalid_scope',
      /^the scope x is not supported; scope must be 1.*default$/,
      'scope_unknown',
    ],
    [
      { scope: 'system/*.rs' },
      {},
      undefined,
      'invalid_scope',
      /^system\/ scopes are for payers with a verified organization .*; scope must be 1.*default$/,
      'scope_unserved',
    ],
    [
      { scope: `system/*.rs x ${resourceId}/.default` },
      {},
      undefined,
      'invalid_scope',
      /^the scope x is not supported; scope must be/,
      'scope_unknown',
    ],
  ])('%j of %j with the key of %s says what is wrong', async (...row) => {
    const [changes, client, subscriber, error, description, reason] = row;
    const refusal = await refusalOf(changes, client, subscriber);
    expect([refusal?.error, refusal?.reason]).toEqual([error, reason]);
    expect(refusal?.description).toMatch(description);
    expect(refusal?.description).toMatch(sentence);
  });

  it.each([
    ['no grant type', {}],
    ['two scopes', { scope: ['a', 'b'] }],
  ])('for its form, with %s, is not on record: nothing was decided', async (_what, changes) => {
    const client = aClient();
    const server = { ...memoryServer(client), resourceId, requiresKey: true };
    await issueMachineToken(server, {
      parameters: parametersOf({ client_id: client.clientId, client_secret: theSecret, ...changes }),
      authorization: undefined,
      context: { environment: 'sandbox', lob: 'M2M', requestId: 'request-1' },
      subscriber: client.clientId,
    });
    expect(server.events).toEqual([]);
  });

  it.each([
    `${resourceId}/.default system/Patient.read`,
    `  system/*.cruds?_id=1 ${resourceId}/.default  `,
  ])('is none with %s: what is not served is left out', async (scope) => {
    expect(await refusalOf({ scope }, {})).toBeUndefined();
  });
});
