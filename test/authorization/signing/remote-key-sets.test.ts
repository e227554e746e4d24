import { describe, expect, it } from 'vitest';
import { createRemoteKeySets } from '../../../lambdas/authorization/signing/remote-key-sets.ts';
import { mostClientKeys } from '../../../lambdas/catalog/oauth/client-keys.ts';
import { aClientKey } from '../client-keys.ts';

const uri = 'https://app.example.com/jwks';

/** A publisher of a JWKS. The test sets the document, the clock and outages. */
async function world(kid = 'first') {
  const { jwk } = await aClientKey('ES256', kid);
  const state = { document: JSON.stringify({ keys: [jwk] }), now: 1_000_000, reads: 0, down: false };
  const sets = createRemoteKeySets({
    async fetchDocument() {
      state.reads += 1;
      await Promise.resolve();
      if (state.down) throw new Error('down');
      return state.document;
    },
    now: () => state.now,
  });
  const find = async (wanted: string, at = uri) => {
    const published = await sets.keys(at, (key) => key.kid === wanted);
    return published.kind === 'keys' ? published.keys.map((key) => key.kid) : published.kind;
  };
  return { state, find, jwk };
}

describe('a published key set', () => {
  it('is read once in ten minutes, however many ask at once', async () => {
    const { state, find } = await world();
    const answers = await Promise.all(Array.from({ length: 50 }, () => find('first')));
    expect(new Set(answers.map(String))).toEqual(new Set(['first']));
    state.now += 599_999;
    await find('first');
    expect(state.reads).toBe(1);
    state.now += 1;
    await find('first');
    expect(state.reads).toBe(2);
  });

  it('is read again for a key it lacks, once a minute', async () => {
    const { state, find, jwk } = await world();
    await find('first');
    state.now += 60_000;
    state.document = JSON.stringify({ keys: [{ ...jwk, kid: 'second' }] });
    expect(await find('second')).toEqual(['second']);
    for (let guess = 0; guess < 20; guess += 1) await find(`guess-${guess}`);
    expect(state.reads).toBe(2);
  });

  it('forgets a key its owner took back after ten minutes', async () => {
    const { state, find, jwk } = await world();
    await find('first');
    state.document = JSON.stringify({ keys: [{ ...jwk, kid: 'second' }] });
    state.now += 600_000;
    expect(await find('first')).toEqual(['second']);
  });

  it('stays good while its address is down, for its ten minutes and no longer', async () => {
    const { state, find } = await world();
    await find('first');
    state.down = true;
    state.now += 300_000;
    expect(await find('unknown')).toEqual(['first']);
    state.now += 300_000;
    expect(await find('first')).toBe('unavailable');
    const { reads } = state;
    await find('first');
    expect(state.reads).toBe(reads);
    state.down = false;
    state.now += 60_000;
    expect(await find('first')).toEqual(['first']);
  });

  it('gives out the keys that can verify, and leaves the others out', async () => {
    const { state, find, jwk } = await world();
    const good = { ...jwk, x5c: ['AAAA'], use: 'sig' };
    const others = [
      { kty: 'oct', k: 'c2VjcmV0', kid: 'mac' },
      { ...jwk, use: 'enc', kid: 'enc' },
      { ...jwk, d: 'x', kid: 'private' },
      null,
      1,
    ];
    state.document = JSON.stringify({ keys: [...others, good] });
    expect(await find('first')).toEqual(['first']);
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"keys":{}}',
    '<html>',
  ])('is unavailable where the document is %j', async (document) => {
    const { state, find } = await world();
    state.document = document;
    expect(await find('first')).toBe('unavailable');
  });

  it('gives out as many keys as a client may register, and reads no further', async () => {
    const { state, find, jwk } = await world();
    const kidsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ ...jwk, kid: `k${at}` }));
    state.document = JSON.stringify({ keys: kidsOf(mostClientKeys + 1) });
    expect(await find('k0')).toHaveLength(mostClientKeys);
  });

  it('ignores members that are not known here, of the set and of its keys', async () => {
    const { state, find, jwk } = await world();
    state.document = JSON.stringify({
      keys: [{ ...jwk, iat: 1, exp: 1, nbf: 1, ext: true, x5t: 'a', 'x5t#S256': 'b', anything: {} }],
      anything: 1,
    });
    expect(await find('first')).toEqual(['first']);
  });

  it('of two hundred addresses are remembered; one more makes the oldest one be read again', async () => {
    const { state, find } = await world();
    const address = (at: number) => `https://app.example.com/jwks-${at}`;
    for (let at = 0; at < 200; at += 1) await find('first', address(at));
    for (let at = 0; at < 200; at += 1) await find('first', address(at));
    expect(state.reads).toBe(200);
    await find('first', address(200));
    await find('first', address(1));
    expect(state.reads).toBe(201);
    await find('first', address(0));
    expect(state.reads).toBe(202);
  });

  it('of one address says nothing about another', async () => {
    const { state, find } = await world();
    await find('first');
    await find('first', 'https://other.example.com/jwks');
    expect(state.reads).toBe(2);
  });
});
