import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAccessTokens } from '../../lambdas/authorization/authorizer/access-tokens.ts';
import { createVerificationKeys } from '../../lambdas/authorization/authorizer/verification-keys.ts';
import { createIssuer, issue, memberClaims, nowSeconds } from '../platform/http/issued-tokens.ts';

/** Tokens made without the signing key: the algorithm and key that a token's header names are not trusted (RFC 8725). */

const ours = createIssuer('dsnp-1');
const theirs = createIssuer('theirs');
const published = JSON.stringify({ keys: [ours.jwk] });
let reads = 0;
const keys = createVerificationKeys({
  readJwks: async () => {
    reads += 1;
    return published;
  },
  now: () => nowSeconds * 1000,
});
const verify = createAccessTokens({
  lob: 'DSNP',
  environment: 'sandbox',
  member: { issuer: memberClaims.iss, audience: memberClaims.aud, keys },
  machine: { issuer: 'https://token.example.org', audience: 'resource', keys },
  now: () => nowSeconds * 1000,
});
const accepted = async (token: string) => (await verify(token)).kind === 'verified';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = { alg: 'RS256', typ: 'at+jwt', kid: ours.kid };

/** Signs any header and payload as a JWS with any key. */
function sign(head: unknown, payload: unknown, privateKey = theirs.privateKey): string {
  const signed = `${encode(head)}.${encode(payload)}`;
  return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`;
}

it('a token of ours is accepted, so that the refusals mean something', async () => {
  expect(await accepted(await issue(memberClaims, ours))).toBe(true);
  expect(await accepted(sign(header, memberClaims, ours.privateKey))).toBe(true);
});

describe('an algorithm', () => {
  it.each([
    'none',
    'None',
    'NONE',
    'nOnE',
    '',
    null,
    undefined,
    0,
    ['RS256'],
    { alg: 'RS256' },
  ])('%j is refused with and without a signature', async (alg) => {
    const signed = sign({ ...header, alg }, memberClaims, ours.privateKey);
    expect(await accepted(signed)).toBe(false);
    expect(await accepted(signed.replace(/[^.]*$/, ''))).toBe(false);
  });

  it.each([
    'rs256',
    'RS384',
    'RS512',
    'PS256',
    'ES256',
    'EdDSA',
    'RSA1_5',
    'dir',
    'A256KW',
    'RS256 ',
  ])('%s is refused although our own key signed', async (alg) => {
    expect(await accepted(sign({ ...header, alg }, memberClaims, ours.privateKey))).toBe(false);
  });

  it.each(['HS256', 'HS384', 'HS512'])('%s with our public key for a secret is refused', async (alg) => {
    const secrets = [
      ours.publicKey.export({ type: 'spki', format: 'pem' }),
      ours.publicKey.export({ type: 'spki', format: 'der' }),
      ours.publicKey.export({ type: 'pkcs1', format: 'pem' }),
      JSON.stringify(ours.jwk),
      ours.jwk.n ?? '',
      '',
    ];
    for (const secret of secrets) {
      const signed = `${encode({ ...header, alg })}.${encode(memberClaims)}`;
      const mac = createHmac(alg.replace('HS', 'sha'), secret).update(signed).digest('base64url');
      expect(await accepted(`${signed}.${mac}`)).toBe(false);
    }
  });
});

describe('a key id', () => {
  it.each([
    '../../../../dev/null',
    '..\\..\\nul',
    '/proc/self/environ',
    'file:///dev/null',
    'https://evil.example/jwks',
    "x' UNION SELECT 'key' --",
    '$(id)',
    '| id',
    'dsnp-1\0',
    'dsnp-1 ',
    'DSNP-1',
    '__proto__',
    'constructor',
    'toString',
    '0',
    '',
    null,
    true,
    0,
    ['dsnp-1'],
    { kid: 'dsnp-1' },
    undefined,
    'x'.repeat(1_000),
  ])('%j names no key, and is only compared', async (kid) => {
    const before = reads;
    expect(await accepted(sign({ ...header, kid }, memberClaims, ours.privateKey))).toBe(false);
    expect(await accepted(sign({ ...header, kid }, memberClaims))).toBe(false);
    expect(reads).toBe(before);
  });
});

describe('a header that brings or points to a key', () => {
  const certificate = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  it.each([
    ['jwk', theirs.jwk],
    ['jwk', { ...theirs.jwk, kid: ours.kid }],
    ['jku', 'https://evil.example/jwks'],
    ['x5u', 'https://evil.example/cert.pem'],
    ['x5c', [certificate.export({ type: 'spki', format: 'der' }).toString('base64')]],
    ['x5t', 'AAAA'],
    ['x5t#S256', 'AAAA'],
  ])('%s is of no use', async (name, value) => {
    for (const kid of [ours.kid, theirs.kid, undefined]) {
      expect(await accepted(sign({ ...header, kid, [name]: value }, memberClaims))).toBe(false);
    }
  });

  it.each([
    { crit: ['exp'] },
    { crit: ['b64'], b64: false },
    { crit: [] },
    { crit: 'exp' },
    { crit: ['http://evil.example/ext'], 'http://evil.example/ext': 1 },
  ])('%j, which must be understood and is not, is refused even from us', async (more) => {
    expect(await accepted(sign({ ...header, ...more }, memberClaims, ours.privateKey))).toBe(false);
  });

  it.each([
    'JWT',
    'at+jwt+x',
    'jwt',
    'dpop+jwt',
    'secevent+jwt',
    '',
    1,
    ['at+jwt'],
    undefined,
  ])('with typ %j is no access token', async (typ) => {
    expect(await accepted(sign({ ...header, typ }, memberClaims, ours.privateKey))).toBe(false);
  });
});

describe('a token', () => {
  const good = () => sign(header, memberClaims, ours.privateKey);
  it.each<[string, (token: string) => string]>([
    ['in parts', (token) => token.replace('.', '..')],
    ['with a part more', (token) => `${token}.x`],
    ['with another token behind it', (token) => `${token} ${token}`],
    ['with a line break', (token) => `${token}\n`],
    ['with its signature cut', (token) => token.slice(0, -4)],
    ['with no signature', (token) => token.slice(0, token.lastIndexOf('.') + 1)],
    [
      'with the claims of another patient',
      (token) => {
        const [head, , signature] = token.split('.');
        return `${head}.${encode({ ...memberClaims, patient: 'another' })}.${signature}`;
      },
    ],
    ['with characters the decoder skips', (token) => token.replace('.', '!.')],
    ['with a payload that is no object', (token) => token.replace(/\.[^.]*\./, `.${encode('text')}.`)],
    [
      'as JSON (RFC 7515 section 7.2)',
      (token) => {
        const [head, payload, signature] = token.split('.');
        return JSON.stringify({ payload, signatures: [{ protected: head, signature }] });
      },
    ],
    [
      'wrapped in another',
      (token) => `${encode({ alg: 'none', cty: 'JWT' })}.${Buffer.from(token).toString('base64url')}.`,
    ],
    ['longer than a header holds', (token) => `${token}${'A'.repeat(10_000)}`],
    ['of nothing', () => '..'],
    ['of nulls', () => '\0.\0.\0'],
  ])('%s is refused', async (_what, change) => {
    expect(await accepted(change(good()))).toBe(false);
  });

  it('remembered as good lends nothing to one that only begins like it', async () => {
    const token = good();
    expect(await accepted(token)).toBe(true);
    expect(await accepted(`${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`)).toBe(false);
    expect(await accepted(token)).toBe(true);
  });
});
