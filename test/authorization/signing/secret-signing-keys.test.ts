import { compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeSigningKeys } from '../../../lambdas/authorization/signing/key-pair.ts';
import { createSecretSigningKeys } from '../../../lambdas/authorization/signing/secret-signing-keys.ts';
import { type PrivateJwk, rotatedKeySet } from '../../../lambdas/authorization/signing/signing-key-set.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';

const start = Date.UTC(2026, 10, 20);

let made: readonly PrivateJwk[];
beforeAll(async () => {
  made = await makeSigningKeys(3);
});

function createKeys() {
  const first = rotatedKeySet(undefined, made.slice(0, 2), start, undefined);
  const second = rotatedKeySet(first, made.slice(2), start, undefined);
  const state = { now: start, reads: 0, secret: JSON.stringify(first) as string | undefined, down: false };
  const published = { removed: [] as string[], unread: false };
  const keys = createSecretSigningKeys({
    readSecret: async () => {
      state.reads += 1;
      if (state.down) throw new Error('no answer');
      return state.secret;
    },
    isPublished: async (_issuer, kid) => {
      if (published.unread) throw new Error('no answer');
      return !published.removed.includes(kid);
    },
    now: () => state.now,
  });
  const kid = async () => decodeProtectedHeader(await keys.sign('MAPD', { sub: 'a' }, 'at+jwt')).kid;
  return { state, published, keys, kid, second: JSON.stringify(second) };
}

describe('signing with the secret’s current key', () => {
  it('reads the secret once a minute, and for concurrent signatures once', async () => {
    const { state, kid } = createKeys();
    await Promise.all([kid(), kid(), kid()]);
    state.now = start + 59_999;
    await kid();
    expect(state.reads).toBe(1);
  });

  it('signs with the new key a minute after a rotation at the latest', async () => {
    const { state, kid, second } = createKeys();
    const before = await kid();
    state.secret = second;
    expect(await kid()).toBe(before);
    state.now = start + 60_000;
    expect(await kid()).toBe(made[1]?.kid);
  });

  it('signs with no key that was removed from the published set, from the next token on', async () => {
    const { state, published, keys, kid, second } = createKeys();
    published.removed.push((await kid()) ?? '');
    state.secret = second;
    expect(await kid()).toBe(made[1]?.kid);
    published.removed.push(made[1]?.kid ?? '');
    state.down = true;
    await expect(keys.sign('MAPD', {}, 'JWT')).rejects.toThrow(StoreUnavailable);
  });

  it('signs with the key it knows where the published set can’t be read', async () => {
    const { published, kid } = createKeys();
    published.unread = true;
    expect(await kid()).toBe(made[0]?.kid);
  });

  it('goes on for ten minutes when the secret can’t be read, and is unavailable then', async () => {
    const { state, keys, kid } = createKeys();
    const before = await kid();
    state.down = true;
    state.now = start + 9 * 60_000;
    expect(await kid()).toBe(before);
    state.now = start + 10 * 60_000;
    await expect(keys.sign('MAPD', {}, 'JWT')).rejects.toThrow(StoreUnavailable);
  });

  it('is unavailable before the first key was made', async () => {
    const { state, keys } = createKeys();
    state.secret = '{"keys":[]}';
    await expect(keys.sign('MAPD', {}, 'JWT')).rejects.toThrow(StoreUnavailable);
  });

  it('writes the header RFC 9068 asks for', async () => {
    const { keys } = createKeys();
    const header = decodeProtectedHeader(await keys.sign('MAPD', {}, 'at+jwt'));
    expect(header).toEqual({ alg: 'RS256', kid: made[0]?.kid, typ: 'at+jwt' });
  });

  it('signs the claims as they are, whatever letters they hold', async () => {
    const { keys } = createKeys();
    const claims = { sub: 'Åsa ✓ 你好', nested: { list: [1, 'a', null] }, '>>>???': '~~~' };
    const token = await keys.sign('MAPD', claims, 'JWT');
    const { kty = 'RSA', n = '', e = '' } = made[0] ?? {};
    const verified = await compactVerify(token, await importJWK({ kty, n, e }, 'RS256'));
    expect(JSON.parse(new TextDecoder().decode(verified.payload))).toEqual(claims);
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{342}$/);
  });
});
