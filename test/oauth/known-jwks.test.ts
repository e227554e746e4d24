import { describe, expect, it } from 'vitest';
import { createKnownJwks } from '../../lambdas/oauth/token/known-jwks.ts';
import { StoreUnavailable } from '../../lambdas/table/table.ts';

function world() {
  const state = { nowMs: 0, stored: '{"keys":[]}' as string | undefined, isDenied: false };
  const read = createKnownJwks({
    readJwks: async () => {
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
