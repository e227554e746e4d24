import { describe, expect, it } from 'vitest';
import { parseAssertion } from '../../../lambdas/authorization/token/client-assertion.ts';
import { authenticateClient } from '../../../lambdas/authorization/token/client-authentication.ts';
import { presentedCredentials } from '../../../lambdas/authorization/token/client-credentials.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { aClient, sentence, theSecret } from '../builders.ts';
import { aClientKey, assertionClaims, assertionType } from '../client-keys.ts';
import { basic } from '../journey.ts';
import { memoryServer, startMs } from '../memory-server.ts';
import { type Changes, parametersOf } from '../refreshing.ts';

/** Client authentication: the parameters it reads, its calls to the store, and its rate counters. */

const header = (pair: string) => `Basic ${btoa(pair)}`;
const read = (sent: Changes, authorization?: string) =>
  presentedCredentials(parametersOf(sent), authorization);

describe('credentials', () => {
  it.each([
    ['a', 'b', header('a:b')],
    ['a b', 'c d', header('a+b:c+d')],
    ['a:b', 'c%d', header('a%3Ab:c%25d')],
    ['a', 'b:c', header('a:b:c')],
    ['a', '', header('a:')],
  ])('%j and %j are read from the header, form-decoded', (clientId, secret, authorization) => {
    expect(read({}, authorization)).toEqual({ kind: 'credentials', credentials: { clientId, secret } });
  });

  it('of a public client are its name, and no secret at all', () => {
    const credentials = { clientId: 'a' };
    expect(read({ client_id: 'a' })).toStrictEqual({ kind: 'credentials', credentials });
    expect(read({ client_id: 'a', client_secret: 'b' })).toStrictEqual({
      kind: 'credentials',
      credentials: { ...credentials, secret: 'b' },
    });
  });

  it('of an assertion name its form, where it is none', async () => {
    const key = await aClientKey('ES384', 'mine');
    const audience = 'https://auth.sandbox.example.org/fhir-oauth2/dsnp';
    const text = await key.sign(assertionClaims('client-1', audience, startMs));
    const good = { client_assertion: text, client_assertion_type: assertionType };
    expect(read(good)).toMatchObject({ credentials: { clientId: 'client-1', assertion: { text } } });
    for (const [sent, words] of [
      [{ client_assertion: text }, assertionType],
      [{ client_assertion_type: assertionType }, assertionType],
      [{ ...good, client_assertion: 'x' }, 'client authentication failed'],
      [{ ...good, client_id: 'another' }, 'client_id differs from the assertion'],
    ] as const) {
      const presented = read(sent);
      expect(presented).toMatchObject({ refusal: { description: expect.stringContaining(words) } });
      expect(presented.kind === 'refusal' && presented.refusal.description).toMatch(sentence);
    }
  });
});

describe('an assertion’s text', () => {
  const part = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value), 'latin1').toString('base64url');
  const head = { alg: 'ES384', kid: '>>>???', typ: 'JWT' };
  const claims = { iss: 'a', sub: 'a', aud: 'b', exp: 1, jti: '>>>???' };
  const good = `${part(head)}.${part(claims)}.AAAA`;

  it('is three parts of base64url, with either of its own two letters', () => {
    expect(part(head)).toMatch(/[-_]/);
    expect(parseAssertion(good)).toMatchObject({ header: { kid: '>>>???' }, claims: { jti: '>>>???' } });
    for (const letters of ['>>>', '???', 'ÿþ>?']) {
      const kid = Buffer.from(letters, 'utf8').toString('latin1');
      const text = `${part({ ...head, kid })}.${part(claims)}.AAAA`;
      expect(parseAssertion(text)).toMatchObject({ header: { kid: letters } });
    }
  });

  it.each([
    ['a part more', `${good}.AAAA`],
    ['a part less', good.slice(0, good.lastIndexOf('.'))],
    ['a sign before', ` ${good}`],
    ['a sign after', `${good}=`],
    ['no JSON', `${part('{')}.${part(claims)}.AAAA`],
    ['no UTF-8', `${part(`{"alg":"ES384","kid":"\xff"}`)}.${part(claims)}.AAAA`],
  ])('is none with %s', (_what, text) => {
    expect(parseAssertion(text)).toBeUndefined();
  });

  it('is 8,192 characters long at most', () => {
    const room = 8_192 - good.length + 4;
    const longest = good.replace(/AAAA$/, 'A'.repeat(room));
    expect(longest).toHaveLength(8_192);
    expect(parseAssertion(longest)).toBeDefined();
    expect(parseAssertion(`${longest}A`)).toBeUndefined();
  });

  it('is read whatever depth its length has room for', () => {
    const levels = 2_500;
    const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const deep = (value: object) => part(`${JSON.stringify(value).slice(0, -1)},"x":${nested}}`);
    expect(parseAssertion(`${part(head)}.${deep(claims)}.AAAA`)).toMatchObject({ claims });
    expect(parseAssertion(`${deep(head)}.${part(claims)}.AAAA`)).toMatchObject({ header: { alg: 'ES384' } });
    expect(parseAssertion(`${part(head)}.${part(nested)}.AAAA`)).toBeUndefined();
    const claimed = JSON.stringify(claims).replace('"aud":"b"', `"aud":${nested}`);
    expect(parseAssertion(`${part(head)}.${part(claimed)}.AAAA`)).toBeUndefined();
  });
});

describe('a client’s proof', () => {
  function world(changes: Parameters<typeof aClient>[0] = {}) {
    const client = aClient(changes);
    const plain = memoryServer(client);
    const asked: string[] = [];
    const counted: string[] = [];
    const count = (by: string) => async (clientId: string) => {
      counted.push(`${by} ${clientId}`);
      return { kind: 'allowed' } as const;
    };
    const server = {
      ...plain,
      clients: {
        async find(id: string) {
          asked.push(id);
          return await plain.clients.find(id);
        },
      },
      rates: {
        claimed: count('claimed'),
        proven: count('proven'),
        failed: count('failed'),
        mayTry: () => ({ kind: 'allowed' as const }),
      },
    };
    return { client, server, asked, counted };
  }

  it.each(['client_secret_basic', 'client_secret_post'] as const)('is its secret with %s', async (method) => {
    const { client, server, counted } = world({ tokenEndpointAuthMethod: method });
    const { clientId } = client;
    for (const [sent, authorization] of [
      [{}, basic(clientId)],
      [{ client_id: clientId, client_secret: theSecret }, undefined],
    ] as const) {
      expect(await authenticateClient(server, parametersOf(sent), authorization)).toEqual({
        kind: 'authenticated',
        client,
      });
    }
    expect(counted.slice(0, 2)).toEqual([`claimed ${clientId}`, `proven ${clientId}`]);
  });

  it('tells which secret let it in, and tells nothing of one that did not', async () => {
    const { client, server } = world();
    const { clientId } = client;
    for (const secret of ['wrong', theSecret]) {
      const sent = parametersOf({});
      await authenticateClient(server, sent, basic(clientId, secret));
    }
    expect(server.usedSecrets).toEqual([digests.sha256Hex(theSecret)]);
    const suspended = world({ state: 'suspended' });
    await authenticateClient(suspended.server, parametersOf({}), basic(clientId));
    expect(suspended.server.usedSecrets).toEqual([]);
  });

  it('is never the lack of a secret, nor the word for one that isn’t there', async () => {
    for (const secrets of [[], aClient().secrets]) {
      const { client, server } = world({ secrets });
      for (const client_secret of [undefined, 'none', '']) {
        const sent = parametersOf({ client_id: client.clientId, client_secret });
        expect(await authenticateClient(server, sent, undefined)).toMatchObject({
          refusal: { error: 'invalid_client', reason: 'client_secret_wrong' },
          claimed: client,
        });
      }
    }
  });

  it('of a public client is its name, counted by caller only', async () => {
    const { client, server, counted } = world({ tokenEndpointAuthMethod: 'none', secrets: [] });
    const sent = parametersOf({ client_id: client.clientId });
    expect(await authenticateClient(server, sent, undefined)).toEqual({ kind: 'authenticated', client });
    expect(counted).toEqual([`claimed ${client.clientId}`]);
  });

  it('of a stranger is refused without a name for the audit', async () => {
    const { server, asked } = world();
    const sent = parametersOf({ client_id: 'a'.repeat(10_000), client_secret: 'x' });
    const answer = await authenticateClient(server, sent, undefined);
    expect(answer).toMatchObject({ refusal: { error: 'invalid_client', reason: 'client_unknown' } });
    expect(answer).not.toHaveProperty('claimed');
    // No client has a longer ID, so the store is not read for one.
    expect(asked).toEqual(['a'.repeat(64)]);
  });

  it('never makes a longer id the client whose id it begins with', async () => {
    const clientId = 'c'.repeat(64);
    const { server } = world({ clientId });
    const sent = (id: string) => parametersOf({ client_id: id, client_secret: theSecret });
    expect(await authenticateClient(server, sent(clientId), undefined)).toHaveProperty('client');
    expect(await authenticateClient(server, sent(`${clientId}c`), undefined)).toMatchObject({
      refusal: { reason: 'client_unknown' },
    });
  });

  it.each([
    [startMs, false],
    [startMs + 1, true],
  ])('by a secret that ends at %s is good: %s', async (end, good) => {
    const [secret] = aClient().secrets;
    const { client, server } = world({
      secrets: [{ sha256: secret?.sha256 ?? '', expiresAt: new Date(end).toISOString() }],
    });
    const answer = await authenticateClient(server, parametersOf({}), basic(client.clientId));
    expect('client' in answer).toBe(good);
  });
});

describe('the caller that is noted for the log of calls', () => {
  const callersOf = async (
    presented: string,
    secret: string,
    changes: Parameters<typeof aClient>[0] = {},
  ) => {
    const client = aClient({ clientId: 'client-1', ...changes });
    const server = memoryServer(client);
    await authenticateClient(server, parametersOf({}), basic(presented, secret));
    return server.callers;
  };

  it('is a registered application, whether or not its secret is right', async () => {
    expect(await callersOf('client-1', 'wrong')).toEqual([{ clientId: 'client-1' }]);
    const secrets = [{ secretId: 'secret-1', sha256: digests.sha256Hex(theSecret) }];
    expect((await callersOf('client-1', theSecret, { secrets })).at(-1)).toEqual({
      clientId: 'client-1',
      secretId: 'secret-1',
    });
  });

  it('is nobody for the ID of no application, which could be any text', async () => {
    expect(await callersOf('somebody@example.org', 'wrong')).toEqual([]);
  });
});
