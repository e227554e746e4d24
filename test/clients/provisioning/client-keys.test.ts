import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientJwk } from '../../../lambdas/catalog/oauth/client-jwks.ts';
import type { ClientRegistration } from '../../../lambdas/clients/provisioning/registration-contract.ts';
import { registrationIssues } from '../../../lambdas/clients/provisioning/registration-rules-contract.ts';
import { aClientKey } from '../../authorization/client-keys.ts';
import { provisioningDouble, registered, registration } from './provisioning-double.ts';

let jwk: ClientJwk;
let rsa: ClientJwk;
beforeAll(async () => {
  ({ jwk } = await aClientKey('ES384'));
  ({ jwk: rsa } = await aClientKey('RS384'));
});

const jwksUri = 'https://app.example.com/.well-known/jwks.json';
const method = 'private_key_jwt';

function problems(changes: Partial<ClientRegistration>): string[] {
  const it = registration({ tokenEndpointAuthMethod: method, ...changes });
  return registrationIssues(it, 'sandbox', ['standard']).map(({ path }) => path);
}

describe('a registration with keys of its own', () => {
  it('is accepted with its keys, or with their address', () => {
    expect(problems({ jwks: { keys: [jwk, rsa] } })).toEqual([]);
    expect(problems({ jwksUri })).toEqual([]);
  });

  it('has one of the two, and the method that uses them', () => {
    expect(problems({})).toEqual(['registration.jwks']);
    expect(problems({ jwks: { keys: [jwk] }, jwksUri })).toEqual(['registration.jwks']);
    const basic = { tokenEndpointAuthMethod: 'client_secret_basic' } as const;
    expect(problems({ ...basic, jwks: { keys: [jwk] } })).toEqual(['registration.jwks']);
    expect(problems({ ...basic, jwksUri })).toEqual(['registration.jwksUri']);
  });

  it('names each key differently', () => {
    expect(problems({ jwks: { keys: [jwk, { ...rsa, kid: jwk.kid }] } })).toEqual(['registration.jwks']);
  });

  it.each([
    'http://app.example.com/jwks',
    'https://localhost/jwks',
    'https://127.0.0.1/jwks',
    'https://169.254.169.254/latest',
    'https://[::1]/jwks',
    'https://2130706433/jwks',
    'https://app.example.com:8443/jwks',
    'https://user@app.example.com/jwks',
    'https://app.example.com/jwks#keys',
    'https://app.example.com\\@evil.example/jwks',
  ])('does not publish them at %s', (uri) => {
    expect(problems({ jwksUri: uri })).toEqual(['registration.jwksUri']);
  });
});

describe('registering keys', () => {
  const register = async (changes: object) => {
    const double = provisioningDouble();
    const request = registration({ tokenEndpointAuthMethod: method });
    return await double.send({
      action: 'register',
      requestId: 'request-0001',
      registration: { ...request, ...changes },
    });
  };

  it('gives a subscription key and no secret', async () => {
    const answer = await register({ jwks: { keys: [jwk] } });
    if (answer.kind !== 'credentials') throw new Error('refused');
    expect(answer.credentials.clientSecret).toBeUndefined();
    expect(answer.credentials.subscriptionKey).toMatch(/./);
  });

  it.each<[string, () => object]>([
    ['a private key', () => ({ ...jwk, d: 'secret' })],
    ['a symmetric key', () => ({ kty: 'oct', k: 'c2VjcmV0', kid: 'k' })],
    ['a key without a name', () => ({ ...jwk, kid: undefined })],
    ['a short RSA key', () => ({ ...rsa, n: 'x'.repeat(171) })],
    ['an algorithm that is not taken', () => ({ ...jwk, alg: 'ES512' })],
    ['a curve that is not taken', () => ({ ...jwk, crv: 'P-521' })],
    ['a key for encryption', () => ({ ...jwk, use: 'enc' })],
  ])('is refused with %s', async (_what, key) => {
    const answer = await register({ jwks: { keys: [key()] } });
    expect(answer).toMatchObject({ kind: 'refusal', refusal: { code: 'invalid_request' } });
    expect(JSON.stringify(answer)).not.toContain('secret"');
  });

  it.each([
    ['e = 1', { e: 'AQ' }],
    ['e = 3', { e: 'Aw' }],
    ['an even exponent', { e: 'AQAC' }],
    ['an exponent of 65537 with zeros before', { e: 'AAEAAQ' }],
    ['a modulus of 2048 bits that are mostly zeros', { n: `${'A'.repeat(341)}Q` }],
    ['an even modulus', { n: `${'n'.repeat(341)}g` }],
    ['a modulus with another last character for the same bits', { n: `${'n'.repeat(341)}R` }],
  ])('is refused with an RSA key of %s', async (_what, changes) => {
    const answer = await register({ jwks: { keys: [{ ...rsa, ...changes }] } });
    expect(answer).toMatchObject({ kind: 'refusal', refusal: { code: 'invalid_request' } });
  });

  it('ignores members that are not known here, and keeps none of them', async () => {
    const double = provisioningDouble();
    const more = { ext: true, iat: 1, x5c: ['AAAA'], 'x5t#S256': 'b', anything: { at: 'all' } };
    const jwks = { keys: [{ ...jwk, ...more }], anything: 1 };
    const it = { ...registration({ tokenEndpointAuthMethod: method }), jwks };
    const answer = await double.send({ action: 'register', requestId: 'request-0001', registration: it });
    if (answer.kind !== 'credentials') throw new Error('refused');
    const { clientId } = answer.credentials;
    expect(await double.send({ action: 'describe', clientId })).toMatchObject({
      client: { jwks: { keys: [jwk] } },
    });
    expect(JSON.stringify(await double.send({ action: 'describe', clientId }))).not.toContain('anything');
  });

  it('is refused with no key, and with more than ten', async () => {
    for (const keys of [[], Array.from({ length: 11 }, (_, at) => ({ ...jwk, kid: `k${at}` }))]) {
      expect(await register({ jwks: { keys } })).toMatchObject({ kind: 'refusal' });
    }
  });

  it('leaves no secret live when a client comes to keys of its own, and gives none', async () => {
    const double = provisioningDouble();
    const { clientId } = await registered(double);
    const own = registration({ tokenEndpointAuthMethod: method, jwksUri });
    const update = { action: 'update', requestId: 'request-0002', clientId, registration: own };
    expect(await double.send(update)).toMatchObject({ kind: 'state' });
    expect(await double.send({ action: 'describe', clientId })).toMatchObject({
      client: { secrets: [], tokenEndpointAuthMethod: method },
    });
    const rotate = { action: 'rotate-secret', requestId: 'request-0003', clientId, overlapSeconds: 0 };
    expect(await double.send(rotate)).toMatchObject({
      kind: 'refusal',
      refusal: { code: 'invalid_request' },
    });
  });
});
