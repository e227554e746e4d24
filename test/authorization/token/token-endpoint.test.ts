import { describe, expect, it } from 'vitest';
import type { AuthorizationCode } from '../../../lambdas/authorization/authorize/interaction.ts';
import { issueMemberToken } from '../../../lambdas/authorization/token/token-endpoint.ts';
import { aClient, rfc7636, theMember, theRedirectUri, theSecret } from '../builders.ts';
import { basic } from '../journey.ts';
import { type MemoryServer, memoryServer, startMs } from '../memory-server.ts';

type Changes = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Sends a token request: undefined removes a parameter, a list repeats it. */
async function send(server: MemoryServer, parameters: Changes, authorization?: string) {
  const several = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? [value] : value] as const],
  );
  const context = { environment: 'sandbox', lob: 'DSNP', requestId: 'request-1' } as const;
  return await issueMemberToken(server, 'DSNP', { parameters: new Map(several), authorization, context });
}

/** Redeems a code with a valid request and the given changes. */
async function redeem(
  changes: Changes = {},
  codeChanges: Partial<AuthorizationCode> = {},
  clientChanges: Parameters<typeof aClient>[0] = {},
) {
  const client = aClient(clientChanges);
  const server = memoryServer(client);
  const code = server.issueCode(client, codeChanges);
  const answer = await send(server, { ...request(code), ...changes }, basic(client.clientId));
  return { answer, server, client };
}

function request(code: string): Changes {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: theRedirectUri,
    code_verifier: rfc7636.verifier,
  };
}

function errorOf(answer: Awaited<ReturnType<typeof send>>): string {
  return answer.kind === 'refusal' ? answer.refusal.error : 'issued';
}

describe('a code', () => {
  it('buys a token of the member, with the lifetime and scope it was granted', async () => {
    const { answer, server, client } = await redeem();
    if (answer.kind !== 'issued') throw new Error('refused');
    const { access_token, id_token, ...rest } = answer.issued;
    expect(rest).toEqual({
      token_type: 'Bearer',
      expires_in: 1_800,
      scope: 'openid fhirUser patient/*.read',
      patient: theMember.patientId,
    });
    const iat = startMs / 1000;
    expect(JSON.parse(access_token)).toMatchObject({
      issuer: 'DSNP',
      typ: 'at+jwt',
      claims: { iat, exp: iat + 1_800, client_id: client.clientId, environment: 'sandbox', lob: 'DSNP' },
    });
    expect(JSON.parse(id_token ?? '')).toMatchObject({
      typ: 'JWT',
      claims: { aud: client.clientId, nonce: 'nonce-1', auth_time: iat - 30 },
    });
    expect(server.events).toMatchObject([
      { action: 'token.issue', outcome: 'succeeded', patientId: theMember.patientId },
    ]);
  });

  it('buys no id_token without openid, and no fhirUser without its scope', async () => {
    const plain = await redeem({}, { scope: 'patient/*.read' });
    expect(plain.answer.kind === 'issued' && plain.answer.issued.id_token).toBeUndefined();
    const openid = await redeem({}, { scope: 'openid patient/*.read' });
    expect(openid.answer.kind === 'issued' && openid.answer.issued.id_token).not.toContain('fhirUser');
  });

  it.each<[string, Changes, Partial<AuthorizationCode>, string]>([
    ['another redirect_uri', { redirect_uri: `${theRedirectUri}/` }, {}, 'redirect_uri_differs'],
    ['a wrong verifier', { code_verifier: rfc7636.verifier.replace('d', 'e') }, {}, 'code_verifier_wrong'],
    ['the challenge as verifier', { code_verifier: rfc7636.challenge }, {}, 'code_verifier_wrong'],
    ['a short verifier', { code_verifier: rfc7636.verifier.slice(1) }, {}, 'code_verifier_wrong'],
    ['an empty verifier', { code_verifier: '' }, {}, 'code_verifier_missing'],
    ['no verifier', { code_verifier: undefined }, {}, 'code_verifier_missing'],
    ['a verifier nobody asked for', {}, { codeChallenge: undefined }, 'code_verifier_unexpected'],
    ['a code already used', {}, { state: 'redeemed' }, 'code_replayed'],
  ])('with %s buys nothing and ends its grant', async (_what, changes, code, because) => {
    const { answer, server } = await redeem(changes, code);
    expect(errorOf(answer)).toBe('invalid_grant');
    expect(server.ended).toHaveLength(1);
    expect(server.ended[0]).toContain(because);
    expect(server.events).toMatchObject([{ outcome: 'refused', reason: because }]);
  });

  it.each<[string, Partial<AuthorizationCode>]>([
    ['an unused code', {}],
    ['a redeemed code', { state: 'redeemed' }],
    ['a redeemed code after its minute', { state: 'redeemed', expiresAt: startMs / 1000 }],
  ])('of another client buys nothing, and the grant goes on: %s', async (_what, code) => {
    const { answer, server } = await redeem({}, { ...code, clientId: 'somebody-else' });
    expect(errorOf(answer)).toBe('invalid_grant');
    expect(server.ended).toEqual([]);
    expect([...server.codes.values()].map(({ state }) => state)).toEqual([code.state ?? 'ended']);
    expect(server.events).toMatchObject([{ outcome: 'refused', reason: 'code_of_another_client' }]);
  });

  it('buys nothing once its redirect URI is no longer registered', async () => {
    const { answer, server } = await redeem({}, {}, { redirectUris: [`${theRedirectUri}/new`] });
    expect(errorOf(answer)).toBe('invalid_grant');
    expect([...server.codes.values()]).toMatchObject([{ state: 'ended' }]);
    expect(server.events).toMatchObject([{ outcome: 'refused', reason: 'redirect_uri_removed' }]);
  });

  it('buys nothing after its minute, to the second', async () => {
    expect(errorOf((await redeem({}, { expiresAt: startMs / 1000 + 1 })).answer)).toBe('issued');
    const { answer, server } = await redeem({}, { expiresAt: startMs / 1000 });
    expect(errorOf(answer)).toBe('invalid_grant');
    expect(server.ended).toEqual([]);
  });

  it('of another LOB is unknown here, and stays good there', async () => {
    const client = aClient();
    const server = memoryServer(client);
    const code = server.issueCode(client, {}, 'MAPD');
    expect(errorOf(await send(server, request(code), basic(client.clientId)))).toBe('invalid_grant');
    expect([...server.codes.values()]).toMatchObject([{ state: 'issued' }]);
  });

  it('works without PKCE for a client exempt from it', async () => {
    const { answer } = await redeem(
      { code_verifier: undefined },
      { codeChallenge: undefined },
      { pkceRequired: false },
    );
    expect(errorOf(answer)).toBe('issued');
  });

  it('is not used up when the signing fails', async () => {
    const client = aClient();
    const server = memoryServer(client);
    const code = server.issueCode(client);
    const broken = {
      ...server,
      signingKeys: {
        sign: async () => {
          throw new Error('no key');
        },
      },
    };
    await expect(send(broken, request(code), basic(client.clientId))).rejects.toThrow('no key');
    expect(errorOf(await send(server, request(code), basic(client.clientId)))).toBe('issued');
  });

  it('gives the same words whatever is wrong with it', async () => {
    const answers = [
      await redeem({ code: 'unknown' }),
      await redeem({ code: 'x'.repeat(129) }),
      await redeem({ code_verifier: rfc7636.challenge }),
      await redeem({}, { state: 'redeemed' }),
      await redeem({}, { clientId: 'somebody-else' }),
    ].map(({ answer }) => (answer.kind === 'refusal' ? answer.refusal.description : ''));
    expect(new Set(answers).size).toBe(1);
  });
});

describe('a token request', () => {
  it.each<[string, Changes, string]>([
    ['no grant_type', { grant_type: undefined }, 'invalid_request'],
    ['an empty grant_type', { grant_type: '' }, 'invalid_request'],
    ['two grant_types', { grant_type: ['authorization_code', 'authorization_code'] }, 'invalid_request'],
    ['grant_type password', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['grant_type client_credentials', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['grant_type refresh_token without a refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
    ['no code', { code: undefined }, 'invalid_request'],
    ['two codes', { code: ['a', 'b'] }, 'invalid_request'],
    ['no redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
    ['two redirect_uris', { redirect_uri: [theRedirectUri, theRedirectUri] }, 'invalid_request'],
    ['two verifiers', { code_verifier: ['a', 'b'] }, 'invalid_request'],
    ['two client_ids', { client_id: ['a', 'b'] }, 'invalid_request'],
    ['another client_id than the header', { client_id: 'somebody-else' }, 'invalid_request'],
    ['a secret in the body too', { client_secret: theSecret }, 'invalid_request'],
  ])('with %s is refused', async (_what, changes, expected) => {
    const { answer, server } = await redeem(changes);
    expect(errorOf(answer)).toBe(expected);
    expect([...server.codes.values()]).toMatchObject([{ state: 'issued' }]);
  });

  it('is refused where the client is not registered for the grant or the LOB', async () => {
    expect(errorOf((await redeem({}, {}, { grantTypes: ['client_credentials'] })).answer)).toBe(
      'unauthorized_client',
    );
    expect(errorOf((await redeem({}, {}, { linesOfBusiness: ['MAPD'] })).answer)).toBe('unauthorized_client');
  });

  it('may repeat its client_id in the body', async () => {
    const client = aClient();
    const server = memoryServer(client);
    const code = server.issueCode(client);
    const parameters = { ...request(code), client_id: client.clientId };
    expect(errorOf(await send(server, parameters, basic(client.clientId)))).toBe('issued');
  });
});

describe('a client', () => {
  const later = new Date(startMs + 1_000).toISOString();
  const earlier = new Date(startMs).toISOString();
  const [secret] = aClient().secrets;
  const other = { sha256: 'f'.repeat(64) };

  async function authenticate(
    changes: Parameters<typeof aClient>[0],
    send_: (clientId: string) => { readonly body?: Changes; readonly header?: string },
  ): Promise<string> {
    const client = aClient(changes);
    const server = memoryServer(client);
    const code = server.issueCode(client);
    const { body, header } = send_(client.clientId);
    return errorOf(await send(server, { ...request(code), ...body }, header));
  }

  it.each<
    [string, string, Parameters<typeof aClient>[0], (id: string) => { body?: Changes; header?: string }]
  >([
    ['issued', 'with HTTP Basic', {}, (id) => ({ header: basic(id) })],
    ['issued', 'with a lowercase scheme', {}, (id) => ({ header: basic(id).replace('Basic', 'basic') })],
    [
      'issued',
      'with the secret in the body',
      {},
      (id) => ({ body: { client_id: id, client_secret: theSecret } }),
    ],
    [
      'issued',
      'with the newer of two secrets',
      { secrets: secret ? [other, secret] : [] },
      (id) => ({ header: basic(id) }),
    ],
    [
      'issued',
      'with the older secret until it stops',
      { secrets: secret ? [{ ...secret, expiresAt: later }, other] : [] },
      (id) => ({ header: basic(id) }),
    ],
    [
      'invalid_client',
      'with a secret that has stopped',
      { secrets: secret ? [{ ...secret, expiresAt: earlier }, other] : [] },
      (id) => ({ header: basic(id) }),
    ],
    [
      'issued',
      'without secret where it is public',
      { tokenEndpointAuthMethod: 'none', secrets: [] },
      (id) => ({ body: { client_id: id } }),
    ],
    [
      'invalid_client',
      'with a secret where it is public',
      { tokenEndpointAuthMethod: 'none' },
      (id) => ({ header: basic(id) }),
    ],
    ['invalid_client', 'without secret where it is confidential', {}, (id) => ({ body: { client_id: id } })],
    ['invalid_client', 'with a wrong secret', {}, (id) => ({ header: basic(id, `${theSecret}x`) })],
    ['invalid_client', 'with an empty secret', {}, (id) => ({ header: basic(id, '') })],
    ['invalid_client', 'with no live secret', { secrets: [] }, (id) => ({ header: basic(id) })],
    ['invalid_client', 'with the digest of its secret', {}, (id) => ({ header: basic(id, secret?.sha256) })],
    ['invalid_client', 'that nobody knows', {}, () => ({ header: basic('somebody-else') })],
    ['invalid_client', 'with a name beyond all length', {}, (id) => ({ header: basic(id.padEnd(70, 'x')) })],
    ['invalid_client', 'that is suspended', { state: 'suspended' }, (id) => ({ header: basic(id) })],
    ['invalid_client', 'that is revoked', { state: 'revoked' }, (id) => ({ header: basic(id) })],
    ['invalid_client', 'without any credentials', {}, () => ({})],
    ['invalid_client', 'with a bearer token', {}, () => ({ header: 'Bearer abc' })],
    ['invalid_client', 'with a header that is no base64', {}, () => ({ header: 'Basic %%%' })],
    ['invalid_client', 'with a header without colon', {}, (id) => ({ header: `Basic ${btoa(id)}` })],
    ['invalid_client', 'with a malformed encoding', {}, (id) => ({ header: `Basic ${btoa(`${id}:%zz`)}` })],
    [
      'invalid_client',
      'with bytes that are no UTF-8',
      {},
      (id) => ({ header: `Basic ${btoa(`${id}:\xff`)}` }),
    ],
  ])('is %s %s', async (expected, _how, changes, how) => {
    expect(await authenticate(changes, how)).toBe(expected);
  });

  it('may have its credentials form-urlencoded in the header', async () => {
    const encoded = [...theSecret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    expect(await authenticate({}, (id) => ({ header: basic(id, encoded) }))).toBe('issued');
  });

  it('is told the same whether it is unknown, stopped, or its secret is wrong', async () => {
    const words = new Set<string>();
    for (const [changes, id] of [
      [{}, 'somebody-else'],
      [{ state: 'suspended' }, undefined],
      [{ secrets: [] }, undefined],
    ] as const) {
      const client = aClient(changes);
      const answer = await send(memoryServer(client), request('x'), basic(id ?? client.clientId));
      words.add(
        JSON.stringify(answer.kind === 'refusal' && [answer.refusal.error, answer.refusal.description]),
      );
    }
    expect(words.size).toBe(1);
  });

  it('that is unknown costs as many digests and comparisons as a known one', async () => {
    const counted = async (clientId: string, client = aClient()) => {
      const server = memoryServer(client);
      let work = 0;
      const digests = {
        sha256Hex(text: string) {
          work += 1;
          return server.digests.sha256Hex(text);
        },
        sha256Base64Url: server.digests.sha256Base64Url,
        hmacSha256Base64Url: server.digests.hmacSha256Base64Url,
        equal(a: string, b: string) {
          work += 1;
          return server.digests.equal(a, b);
        },
      };
      await send({ ...server, digests }, request('x'), basic(clientId, 'wrong'));
      return work;
    };
    const client = aClient();
    expect(await counted('somebody-else')).toBe(await counted(client.clientId, client));
  });

  it('that fails is on record where it is registered, and is not where it is a stranger', async () => {
    const client = aClient();
    const server = memoryServer(client);
    await send(server, request('x'), basic(client.clientId, 'wrong'));
    await send(server, request('x'), basic('somebody-else', 'wrong'));
    expect(server.events).toMatchObject([{ clientId: client.clientId, reason: 'client_secret_wrong' }]);
  });
});
