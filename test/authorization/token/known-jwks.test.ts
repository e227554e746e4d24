import { describe, expect, it } from 'vitest';
import { createKnownJwks } from '../../../lambdas/authorization/token/known-jwks.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';

function world() {
  const state = {
    nowMs: 0,
    stored: '{"keys":[]}' as string | undefined,
    isDenied: false,
    reads: 0,
    waitMs: 0,
  };
  const read = createKnownJwks({
    readJwks: async () => {
      state.reads += 1;
      state.nowMs += state.waitMs;
      if (state.isDenied) throw new StoreUnavailable('denied');
      return state.stored;
    },
    now: () => state.nowMs,
  });
  return { state, read };
}

describe('the published keys', () => {
  it('are answered as they were known, for an hour in which every call to the store is denied', async () => {
    const { state, read } = world();
    expect(await read('DSNP')).toEqual({ jwks: '{"keys":[]}', isCurrent: true });
    state.isDenied = true;
    state.nowMs = 3_600_000 - 1;
    expect(await read('DSNP')).toEqual({ jwks: '{"keys":[]}', isCurrent: false });
    state.nowMs += 1;
    await expect(read('DSNP')).rejects.toThrow(StoreUnavailable);
  });

  it('cost one wait in fifteen seconds where the store is silent, and are read at once when it answers', async () => {
    const { state, read } = world();
    await read('DSNP');
    Object.assign(state, { isDenied: true, waitMs: 3_100, reads: 0 });
    for (let call = 0; call < 10; call += 1) {
      expect(await read('DSNP')).toEqual({ jwks: '{"keys":[]}', isCurrent: false });
    }
    expect(state).toMatchObject({ reads: 1, nowMs: 3_100 });
    state.nowMs += 15_000 - 1;
    await read('DSNP');
    expect(state.reads).toBe(1);
    Object.assign(state, { isDenied: false, waitMs: 0, stored: '{"keys":[1]}' });
    state.nowMs += 1;
    expect(await read('DSNP')).toEqual({ jwks: '{"keys":[1]}', isCurrent: true });
    expect(await read('DSNP')).toEqual({ jwks: '{"keys":[1]}', isCurrent: true });
  });

  it('of one issuer wait for no other’s', async () => {
    const { state, read } = world();
    await read('DSNP');
    state.isDenied = true;
    await read('DSNP');
    state.isDenied = false;
    expect(await read('MAPD')).toEqual({ jwks: '{"keys":[]}', isCurrent: true });
  });

  it('are read again each time the store answers', async () => {
    const { state, read } = world();
    await read('DSNP');
    state.stored = '{"keys":[1]}';
    expect((await read('DSNP'))?.jwks).toBe('{"keys":[1]}');
  });

  it('are unknown where nothing was read, and where nothing is published', async () => {
    const { state, read } = world();
    state.stored = undefined;
    expect(await read('DSNP')).toBeUndefined();
    state.isDenied = true;
    await expect(read('DSNP')).rejects.toThrow(StoreUnavailable);
  });
});
