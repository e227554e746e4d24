import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createIdTokenHints } from '../../../lambdas/authorization/signing/id-token-hints.ts';
import {
  createIssuer,
  dsnpIssuer,
  issue,
  memberClaims,
  nowSeconds,
} from '../../platform/http/issued-tokens.ts';

/** id_tokens as `id_token_hint`: the signature is verified and the claims are not trusted without it. */

const ours = createIssuer('dsnp-1');
const theirs = createIssuer('theirs');
const origins = {
  auth: 'https://auth.sandbox.example.org',
  token: 'https://token.sandbox.example.org',
  apiTemplate: 'https://{lob}.api.sandbox.example.org',
};
const clientId = 'client-1';
const claims = {
  iss: dsnpIssuer,
  aud: clientId,
  sub: 'subject-1',
  iat: nowSeconds - 60,
  exp: nowSeconds + 240,
};
const reads: string[] = [];
const hints = createIdTokenHints({
  origins,
  readJwks: async (issuer) => {
    reads.push(issuer);
    return JSON.stringify({ keys: issuer === 'DSNP' ? [ours.jwk] : [theirs.jwk] });
  },
  now: () => nowSeconds * 1000,
});
type Hints = ReturnType<typeof createIdTokenHints>;
/** The subject of an id_token that was issued to this client; undefined otherwise. */
async function subjectBy(by: Hints, lob: Parameters<Hints['read']>[0], client: string, text: string) {
  const named = await by.read(lob, text);
  return named?.clientId === client ? named.subject : undefined;
}
const idToken = { typ: 'JWT' };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an id_token as a hint', () => {
  it('names its subject to the application it was made for', async () => {
    const token = await issue(claims, ours, idToken);
    expect(await subjectBy(hints, 'DSNP', clientId, token)).toBe('subject-1');
    expect(await subjectBy(hints, 'DSNP', 'client-2', token)).toBeUndefined();
  });

  it('may be long over, and is good as long as its key is published', async () => {
    const token = await issue({ ...claims, iat: 1, exp: 2 }, ours, idToken);
    expect(await subjectBy(hints, 'DSNP', clientId, token)).toBe('subject-1');
    const rotated = createIdTokenHints({
      origins,
      readJwks: async () => JSON.stringify({ keys: [theirs.jwk] }),
      now: () => nowSeconds * 1000,
    });
    expect(await subjectBy(rotated, 'DSNP', clientId, token)).toBeUndefined();
    const unpublished = createIdTokenHints({ origins, readJwks: async () => undefined, now: () => 0 });
    expect(await subjectBy(unpublished, 'DSNP', clientId, token)).toBeUndefined();
  });

  it('is read with the keys of its own LOB', async () => {
    const token = await issue(claims, ours, idToken);
    expect(await subjectBy(hints, 'MAPD', clientId, token)).toBeUndefined();
    const mapd = await issue(claims, theirs, idToken);
    expect(await subjectBy(hints, 'MAPD', clientId, mapd)).toBeUndefined();
    expect(new Set(reads)).toEqual(new Set(['DSNP', 'MAPD']));
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['several audiences', { aud: [clientId, 'client-2'] }],
    ['no audience', { aud: undefined }],
    ['no subject', { sub: undefined }],
    ['a subject that is no text', { sub: 1 }],
  ])('with %s names nobody', async (_what, changes) => {
    expect(
      await subjectBy(hints, 'DSNP', clientId, await issue({ ...claims, ...changes }, ours, idToken)),
    ).toBeUndefined();
  });

  it.each([
    ['an access token’s type', { typ: 'at+jwt' }],
    ['no type', { typ: undefined }],
    ['an unknown key', { typ: 'JWT', kid: 'other' }],
    ['no key', { typ: 'JWT', kid: undefined }],
  ])('with %s names nobody', async (_what, header) => {
    expect(await subjectBy(hints, 'DSNP', clientId, await issue(claims, ours, header))).toBeUndefined();
  });

  it('that is an access token of ours names nobody', async () => {
    const token = await issue({ ...memberClaims, aud: clientId }, ours);
    expect(await subjectBy(hints, 'DSNP', clientId, token)).toBeUndefined();
  });

  it('by another key, by our public key as a secret, by none, or altered, names nobody', async () => {
    const good = await issue(claims, ours, idToken);
    const [head = '', payload = '', signature = ''] = good.split('.');
    const hmacHead = encode({ alg: 'HS256', typ: 'JWT', kid: ours.kid });
    const secret = ours.publicKey.export({ type: 'spki', format: 'pem' });
    const hmac = createHmac('sha256', secret).update(`${hmacHead}.${payload}`).digest('base64url');
    const kid = { typ: 'JWT', kid: ours.kid };
    for (const text of [
      await issue(claims, theirs, kid),
      `${hmacHead}.${payload}.${hmac}`,
      `${encode({ alg: 'none', ...kid })}.${payload}.`,
      `${encode({ alg: 'RS256', ...kid, crit: ['b64'], b64: false })}.${payload}.${signature}`,
      `${head}.${encode({ ...claims, sub: 'another' })}.${signature}`,
      `${head}.${payload}.`,
      `${encode([])}.${payload}.${signature}`,
      `${encode({ alg: 'RS256', typ: 'JWT', kid: [ours.kid] })}.${payload}.${signature}`,
      'a.b.c',
      '..',
      '',
    ])
      expect(await subjectBy(hints, 'DSNP', clientId, text), text.slice(0, 40)).toBeUndefined();
  });

  it('passes on that the keys can’t be read', async () => {
    const broken = createIdTokenHints({
      origins,
      readJwks: async () => {
        throw new Error('the store is unavailable');
      },
      now: () => nowSeconds * 1000,
    });
    const token = await issue(claims, ours, idToken);
    await expect(subjectBy(broken, 'DSNP', clientId, token)).rejects.toThrow('unavailable');
  });
});
