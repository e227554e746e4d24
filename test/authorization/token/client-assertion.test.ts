import { beforeAll, describe, expect, it } from 'vitest';
import { createAssertionSignatures } from '../../../lambdas/authorization/signing/assertion-signatures.ts';
import {
  createClientAssertions,
  type UsedAssertions,
} from '../../../lambdas/authorization/token/client-assertion.ts';
import { issueMemberToken } from '../../../lambdas/authorization/token/token-endpoint.ts';
import { memberAssertionAudiences } from '../../../lambdas/catalog/addresses.ts';
import { assertionAlgorithms } from '../../../lambdas/catalog/oauth/assertion-algorithms.ts';
import { aClient, rfc7636, theRedirectUri, theSecret } from '../builders.ts';
import { aClientKey, assertionClaims, assertionType, type ClientKey } from '../client-keys.ts';
import { basic } from '../journey.ts';
import { type MemoryServer, memoryServer, startMs } from '../memory-server.ts';
import { type Changes, parametersOf, verdictOf } from '../refreshing.ts';

const issuer = 'https://auth.sandbox.example.org/fhir-oauth2/dsnp';
const tokenEndpoint = 'https://auth.sandbox.example.org/fhir-oauth2/pub/dsnp/token';

let key: ClientKey;
let other: ClientKey;
beforeAll(async () => {
  [key, other] = await Promise.all([aClientKey('ES384', 'mine'), aClientKey('ES384', 'mine')]);
});

/** Used assertions in memory, under the condition of the table. */
function memoryUsed(): UsedAssertions {
  const used = new Map<string, number>();
  return {
    async use(clientId, jti, expiresAt, now) {
      const name = JSON.stringify([clientId, jti]);
      if ((used.get(name) ?? 0) > now) return false;
      used.set(name, expiresAt);
      return true;
    },
  };
}

function world(changes: Parameters<typeof aClient>[0] = {}, keys: readonly ClientKey[] = [key]) {
  const client = aClient({
    tokenEndpointAuthMethod: 'private_key_jwt',
    secrets: [],
    jwks: { keys: keys.map(({ jwk }) => jwk) },
    ...changes,
  });
  const plain = memoryServer(client);
  const server: MemoryServer = Object.assign(plain, {
    assertions: createClientAssertions({
      audiences: memberAssertionAudiences(plain.origins, 'DSNP'),
      signatures: createAssertionSignatures({ keys: async () => ({ kind: 'unavailable' }) }),
      used: memoryUsed(),
      now: () => server.nowMs,
    }),
  });
  const send = async (assertion: string, parameters: Changes = {}, authorization?: string) => {
    const request = {
      grant_type: 'authorization_code',
      code: server.issueCode(client, { expiresAt: server.nowMs / 1000 + 60 }),
      redirect_uri: theRedirectUri,
      code_verifier: rfc7636.verifier,
      client_assertion_type: assertionType,
      client_assertion: assertion,
      ...parameters,
    };
    const context = { environment: 'sandbox', lob: 'DSNP', requestId: 'request-1' } as const;
    return verdictOf(
      await issueMemberToken(server, 'DSNP', { parameters: parametersOf(request), authorization, context }),
    );
  };
  const claims = (more: Record<string, unknown> = {}) =>
    assertionClaims(client.clientId, issuer, server.nowMs, more);
  return { client, server, send, claims };
}

describe('a client that signs with its own key', () => {
  it.each(assertionAlgorithms)('authenticates with %s', async (alg) => {
    const own = await aClientKey(alg);
    const { send, claims } = world({}, [own]);
    expect(await send(await own.sign(claims()))).toBe('issued');
  });

  it.each([
    ['the issuer', issuer],
    ['the token endpoint', tokenEndpoint],
    ['either in a list', [issuer, tokenEndpoint]],
  ])('may name the audience as %s', async (_what, aud) => {
    const { send, claims } = world();
    expect(await send(await key.sign(claims({ aud })))).toBe('issued');
  });

  it('may repeat its client_id, but not another’s', async () => {
    const { client, send, claims } = world();
    expect(await send(await key.sign(claims()), { client_id: client.clientId })).toBe('issued');
    expect(await send(await key.sign(claims()), { client_id: 'other' })).toBe('invalid_request two_clients');
  });

  it('may have two keys, and signs with either', async () => {
    const second = await aClientKey('RS384', 'second');
    const { send, claims } = world({}, [key, second]);
    expect(await send(await key.sign(claims()))).toBe('issued');
    expect(await send(await second.sign(claims()))).toBe('issued');
  });

  it('uses an assertion once, also after a refused request', async () => {
    const { send, claims } = world();
    const assertion = await key.sign(claims());
    expect(await send(assertion, { grant_type: 'password' })).toContain('unsupported_grant_type');
    expect(await send(assertion)).toBe('invalid_client assertion_reused');
  });

  it('can’t have its assertion used up by somebody who can’t sign', async () => {
    const { send, claims } = world();
    const same = claims();
    expect(await send(await other.sign(same))).toBe('invalid_client assertion_signature');
    expect(await send(await key.sign(same))).toBe('issued');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['of another issuer', { iss: 'other' }, 'assertion_subject'],
    ['about another subject', { sub: 'other' }, 'client_unknown'],
    ['for another server', { aud: 'https://evil.example/token' }, 'assertion_audience'],
    ['for another LOB', { aud: issuer.replace('dsnp', 'mapd') }, 'assertion_audience'],
    ['for us and another', { aud: [issuer, 'https://evil.example/'] }, 'assertion_audience'],
    ['for a prefix of ours', { aud: issuer.slice(0, -1) }, 'assertion_audience'],
    ['for nobody', { aud: [] }, 'assertion_malformed'],
    ['without audience', { aud: undefined }, 'assertion_malformed'],
    ['without end', { exp: undefined }, 'assertion_malformed'],
    ['that ends in words', { exp: '2099-01-01' }, 'assertion_malformed'],
    ['without jti', { jti: undefined }, 'assertion_malformed'],
    ['with an empty jti', { jti: '' }, 'assertion_malformed'],
    ['with an endless jti', { jti: 'x'.repeat(257) }, 'assertion_malformed'],
  ])('is refused with an assertion %s', async (_what, changes, reason) => {
    const { send, claims } = world();
    expect(await send(await key.sign(claims(changes)))).toBe(`invalid_client ${reason}`);
  });

  it.each<[string, number, Record<string, number>, string]>([
    ['that ended 59 seconds ago by our clock', 359, {}, 'issued'],
    ['that ended 60 seconds ago', 360, {}, 'invalid_client assertion_expired'],
    ['of a clock 60 seconds ahead', -60, {}, 'issued'],
    ['of a clock 61 seconds ahead', -61, {}, 'invalid_client assertion_too_long'],
    ['that begins in 61 seconds', 0, { nbf: 61 }, 'invalid_client assertion_not_yet_valid'],
    ['that was made in 61 seconds', 0, { iat: 61 }, 'invalid_client assertion_not_yet_valid'],
    ['that lives an hour', 0, { exp: 3_600 }, 'invalid_client assertion_too_long'],
  ])('with an assertion %s', async (_what, laterSeconds, moved, expected) => {
    const { server, send, claims } = world();
    const seconds = startMs / 1000;
    const changes = Object.fromEntries(Object.entries(moved).map(([name, by]) => [name, seconds + by]));
    const assertion = await key.sign(claims(changes));
    server.nowMs += laterSeconds * 1000;
    expect(await send(assertion)).toBe(expected);
  });

  /** A correctly signed assertion that has one claim twice; JSON parsers take the second value. */
  const twice = async (claims: Record<string, unknown>, name: string, first: unknown) =>
    await key.signText(
      JSON.stringify(claims).replace('{', `{${JSON.stringify(name)}:${JSON.stringify(first)},`),
    );

  const forged = (claims: Record<string, unknown>, header: Record<string, unknown>, signature = 'c2ln') =>
    [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .concat(signature)
      .join('.');

  it.each<[string, (claims: Record<string, unknown>) => string | Promise<string>, string]>([
    ['signed with another key of the same name', (c) => other.sign(c), 'assertion_signature'],
    ['that names a key nobody registered', (c) => key.sign(c, { kid: 'unknown' }), 'assertion_key_unknown'],
    ['that names no key', (c) => key.sign(c, { kid: undefined }), 'assertion_malformed'],
    [
      'with an extension that must be understood',
      (c) => forged(c, { alg: 'ES384', kid: 'mine', crit: ['b64'] }),
      'assertion_malformed',
    ],
    [
      'that brings its key along',
      (c) => other.sign(c, { jwk: other.jwk, kid: 'mine' }),
      'assertion_signature',
    ],
    [
      'that names an address for its key',
      (c) => other.sign(c, { jku: 'https://evil.example/jwks' }),
      'assertion_signature',
    ],
    ['without a signature', (c) => forged(c, { alg: 'none', kid: 'mine' }), 'assertion_algorithm'],
    ['with an empty signature', (c) => forged(c, { alg: 'ES384', kid: 'mine' }, ''), 'assertion_malformed'],
    ['with a MAC', (c) => forged(c, { alg: 'HS256', kid: 'mine' }), 'assertion_algorithm'],
    [
      'with the key’s curve misnamed',
      (c) => forged(c, { alg: 'ES256', kid: 'mine' }),
      'assertion_key_unknown',
    ],
    ['with another kind of key', (c) => forged(c, { alg: 'RS384', kid: 'mine' }), 'assertion_key_unknown'],
    ['with its subject twice', (c) => twice(c, 'sub', 'other'), 'assertion_malformed'],
    ['with its end twice', (c) => twice(c, 'exp', 9e9), 'assertion_malformed'],
    ['with a character too many', async (c) => `${await key.sign(c)}A`, 'assertion_malformed'],
    ['that is no JWT', () => 'x', 'assertion_malformed'],
    ['of five parts', () => 'a.b.c.d.e', 'assertion_malformed'],
    ['of JSON null', () => 'bnVsbA.bnVsbA.c2ln', 'assertion_malformed'],
    ['without end', () => 'x'.repeat(9_000), 'assertion_malformed'],
  ])('is refused with an assertion %s', async (_what, make, reason) => {
    const { send, claims } = world();
    expect(await send(await make(claims()))).toBe(`invalid_client ${reason}`);
  });

  it('is refused where two methods are used, or the type is another', async () => {
    const { client, send, claims } = world();
    const assertion = await key.sign(claims());
    expect(await send(assertion, { client_secret: theSecret })).toBe('invalid_request two_methods');
    expect(await send(assertion, {}, basic(client.clientId))).toBe('invalid_request two_methods');
    expect(await send(assertion, { client_assertion_type: 'x' })).toBe('invalid_request assertion_type');
    expect(await send(assertion, { client_assertion_type: undefined })).toBe(
      'invalid_request assertion_type',
    );
    expect(await send(assertion, { client_assertion: undefined })).toBe('invalid_request assertion_type');
    expect(await send(assertion, { client_assertion: [assertion, assertion] })).toBe(
      'invalid_request repeated',
    );
    expect(await send(assertion)).toBe('issued');
  });

  it('has no other way in: no secret, no bare id', async () => {
    const secrets = aClient().secrets;
    const { client, send } = world({ secrets });
    const without = { client_assertion: undefined, client_assertion_type: undefined };
    const asserted = (more: Changes, header?: string) => send('', { ...without, ...more }, header);
    expect(await asserted({}, basic(client.clientId))).toBe('invalid_client client_secret_wrong');
    expect(await asserted({ client_id: client.clientId })).toBe('invalid_client client_secret_wrong');
  });

  it('is refused with an assertion where it registered for another method', async () => {
    for (const tokenEndpointAuthMethod of ['client_secret_basic', 'none'] as const) {
      const { send, claims } = world({ tokenEndpointAuthMethod });
      expect(await send(await key.sign(claims()))).toBe('invalid_client method_not_registered');
    }
  });

  it('is refused while it is suspended, and its assertion is not used up', async () => {
    const { client, server, send, claims } = world({ state: 'suspended' });
    const assertion = await key.sign(claims());
    expect(await send(assertion)).toBe('invalid_client client_inactive');
    server.clientsById.set(client.clientId, { ...client, state: 'active' });
    expect(await send(assertion)).toBe('issued');
  });

  it('is refused while its published keys can’t be had', async () => {
    const { send, claims } = world({ jwks: undefined, jwksUri: 'https://app.example.com/jwks' });
    expect(await send(await key.sign(claims()))).toBe('invalid_client assertion_keys_unavailable');
  });
});
