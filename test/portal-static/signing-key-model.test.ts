import { generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint, importJWK, type JWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { clientJwks } from '../../lambdas/catalog/oauth/client-jwks.ts';
import { readConfiguration } from '../../lambdas/portal/api/applications.ts';
import { readAssertion } from '../../portal-static/pages/sandbox/assertion-text.ts';
import {
  type BrowserSigningKey,
  keyRegistrationState,
  makeSigningKey,
  readSigningKey,
  signAssertion,
  withKey,
} from '../../portal-static/pages/sandbox/signing-key-model.ts';
import { aConfiguration } from './applications-fixtures.ts';

const audience = 'https://auth.sandbox.example.org/fhir-oauth2/pub/dsnp/token';
const now = Date.parse('2026-11-20T10:00:00Z');

async function verified(key: BrowserSigningKey): Promise<unknown> {
  const assertion = await signAssertion(key, 'client-1', audience, now);
  const { payload, protectedHeader } = await jwtVerify(
    assertion,
    await importJWK(key.publicJwk as JWK, key.alg),
    {
      audience,
      issuer: 'client-1',
      subject: 'client-1',
      currentDate: new Date(now),
    },
  );
  return { payload, protectedHeader };
}

const jwkOf = (key: BrowserSigningKey | string): BrowserSigningKey => {
  if (typeof key === 'string') throw new Error(key);
  return key;
};

describe('a key made in the browser', () => {
  it('signs what its public part verifies, for two minutes, and can be read by nobody', async () => {
    const key = await makeSigningKey();
    expect(await verified(key)).toMatchObject({
      payload: { exp: now / 1000 + 120, iat: now / 1000, jti: expect.any(String) },
      protectedHeader: { alg: 'ES384', kid: key.publicJwk.kid, typ: 'JWT' },
    });
    expect(key.privateKey.extractable).toBe(false);
    await expect(crypto.subtle.exportKey('jwk', key.privateKey)).rejects.toThrow();
  });

  it('is registered as it is: the environment takes its public part, named by how it was made and its thumbprint', async () => {
    const { publicJwk } = await makeSigningKey();
    expect(z.safeParse(clientJwks, { keys: [publicJwk] }).success).toBe(true);
    expect(publicJwk.kid).toBe(`browser-made-${await calculateJwkThumbprint(publicJwk as JWK)}`);
    expect(publicJwk).not.toHaveProperty('d');
  });

  it('is used for one assertion at a time: each has an id of its own', async () => {
    const key = await makeSigningKey();
    const ids = await Promise.all(
      [1, 2].map(async () => readAssertion(await signAssertion(key, 'c', audience, now))?.claims),
    );
    expect(new Set(ids.map((claims) => (claims as { jti: string }).jti)).size).toBe(2);
  });
});

describe('the key of a program, from its file', () => {
  it.each([
    ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['RS384', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ])('signs %s', async (alg, generate) => {
    const { privateKey } = generate();
    const file = JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'of-the-program' });
    const key = jwkOf(await readSigningKey(file));
    expect(await verified(key)).toMatchObject({ protectedHeader: { alg, kid: 'of-the-program' } });
    expect(key.privateKey.extractable).toBe(false);
    expect(JSON.stringify(key.publicJwk)).not.toMatch(/"(?:d|p|q|dp|dq|qi)"/);
  });

  it.each([
    ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['RS384', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ])('signs %s by a PEM, and the browser keeps no extractable key', async (alg, generate) => {
    const pem = generate().privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const key = jwkOf(await readSigningKey(pem));
    expect(await verified(key)).toMatchObject({ protectedHeader: { alg } });
    expect(key.privateKey.extractable).toBe(false);
    expect(JSON.stringify(key.publicJwk)).not.toMatch(/"(?:d|p|q|dp|dq|qi)"/);
  });

  it('is refused as a PEM of another form, with what to do', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pkcs1 = privateKey.export({ format: 'pem', type: 'pkcs1' }).toString();
    const cipher = { cipher: 'aes-256-cbc', passphrase: 'p' };
    const locked = privateKey.export({ format: 'pem', type: 'pkcs8', ...cipher }).toString();
    for (const pem of [pkcs1, locked]) expect(await readSigningKey(pem)).toBe('other_pem');
    const open = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    expect(await readSigningKey(open)).toBe('no_private_key');
    expect(await readSigningKey('-----BEGIN PRIVATE KEY-----\n%%%\n-----END PRIVATE KEY-----')).toBe(
      'no_key',
    );
    const other = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
    expect(await readSigningKey(other.toString())).toBe('unknown_kind');
  });

  it('is the private one of a set', async () => {
    const one = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const keys = [one.publicKey, one.privateKey].map((key) => key.export({ format: 'jwk' }));
    expect(jwkOf(await readSigningKey(JSON.stringify({ keys }))).alg).toBe('ES384');
  });

  it('is refused with a reason where it is none', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    expect(await readSigningKey('secret')).toBe('no_key');
    expect(await readSigningKey(JSON.stringify(publicKey.export({ format: 'jwk' })))).toBe('no_private_key');
    const other = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    expect(await readSigningKey(JSON.stringify(other))).toBe('unknown_kind');
    expect(await readSigningKey('{"kty":"EC","crv":"P-384","x":"a","y":"b","d":"c"}')).toBe('unknown_kind');
  });
});

describe('the registration of a key', () => {
  const signing = {
    ...aConfiguration,
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwksUri: 'https://companion.example.org/jwks',
  } as const;

  it('puts it beside the others, and in the place of an address', async () => {
    const [first, second] = [await makeSigningKey(), await makeSigningKey()];
    expect(keyRegistrationState(signing, first)).toBe('published');
    const once = withKey({ ...signing, products: ['patient-access'] }, first);
    expect(keyRegistrationState(once, first)).toBe('registered');
    expect(keyRegistrationState(once, second)).toBe('missing');
    const twice = withKey(once, second);
    expect(twice.jwks?.keys).toEqual([first.publicJwk, second.publicJwk]);
    expect(withKey(twice, second)).toEqual(twice);
    expect(readConfiguration(twice, 'sandbox').kind).toBe('configuration');
  });

  it('keeps ten at most, the newest', async () => {
    const keys = await Promise.all(Array.from({ length: 11 }, makeSigningKey));
    const { jwksUri: _, ...none } = signing;
    let all = { ...none, products: [...none.products] } as Parameters<typeof withKey>[0];
    for (const key of keys) all = withKey(all, key);
    expect(all.jwks?.keys).toEqual(keys.slice(1).map(({ publicJwk }) => publicJwk));
  });
});
