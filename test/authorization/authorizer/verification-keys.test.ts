import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createVerificationKeys } from '../../../lambdas/authorization/authorizer/verification-keys.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';

const { n, e } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
const jwks = (...kids: string[]) =>
  JSON.stringify({ keys: kids.map((kid) => ({ kty: 'RSA', kid, alg: 'RS256', use: 'sig', n, e })) });

function createKeys(published: string | undefined) {
  const state = { now: 1_000_000, published, reads: 0 };
  const keys = createVerificationKeys({
    readJwks: async () => {
      state.reads += 1;
      return state.published;
    },
    now: () => state.now,
  });
  return { state, keys };
}

describe('an authority’s published keys', () => {
  it('are read each quarter of a minute, and once for calls at the same time', async () => {
    const { state, keys } = createKeys(jwks('a'));
    await Promise.all([keys('a'), keys('a'), keys('a')]);
    state.now += 14_999;
    expect(await keys('a')).toBeDefined();
    expect(state.reads).toBe(1);
    state.now += 1;
    await keys('a');
    expect(state.reads).toBe(2);
  });

  it('are read again for an id nobody knows, but not more than every five seconds', async () => {
    const { state, keys } = createKeys(jwks('a'));
    await keys('a');
    state.published = jwks('a', 'b');
    for (let call = 0; call < 50; call += 1) expect(await keys(`guess-${call}`)).toBeUndefined();
    expect(state.reads).toBe(1);
    state.now += 5_000;
    expect(await keys('b')).toBeDefined();
    expect(state.reads).toBe(2);
  });

  it('no longer hold a removed key after a quarter of a minute', async () => {
    const { state, keys } = createKeys(jwks('a', 'b'));
    expect(await keys('a')).toBeDefined();
    state.published = jwks('b');
    state.now += 15_000;
    expect(await keys('a')).toBeUndefined();
  });

  it('are none before the first was published', async () => {
    const { state, keys } = createKeys(undefined);
    expect(await keys('a')).toBeUndefined();
    state.published = jwks('a');
    state.now += 5_000;
    expect(await keys('a')).toBeDefined();
  });

  it('are imported once for as long as they stay the same', async () => {
    const { state, keys } = createKeys(jwks('a'));
    const first = await keys('a');
    state.now += 60_000;
    expect(await keys('a')).toBe(first);
  });

  it('can’t be told when the store is unavailable, and are asked for again at the next call', async () => {
    let down = true;
    const keys = createVerificationKeys({
      readJwks: async () => {
        if (down) throw new StoreUnavailable('down');
        return jwks('a');
      },
      now: () => 0,
    });
    await expect(keys('a')).rejects.toThrow(StoreUnavailable);
    down = false;
    expect(await keys('a')).toBeDefined();
  });
});
