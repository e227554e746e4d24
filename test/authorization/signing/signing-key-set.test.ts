import { describe, expect, it } from 'vitest';
import {
  newKeysNeeded,
  type PrivateJwk,
  parseSigningKeySet,
  rotatedKeySet,
  type SigningKeySet,
} from '../../../lambdas/authorization/signing/signing-key-set.ts';

const now = Date.UTC(2026, 10, 20);
const iso = (ms: number) => new Date(ms).toISOString();

function jwk(kid: string): PrivateJwk {
  const [n, e, d, p, q, dp, dq, qi] = ['n', 'AQAB', 'd', 'p', 'q', 'dp', 'dq', 'qi'];
  return { kty: 'RSA', kid, alg: 'RS256', use: 'sig', n, e, d, p, q, dp, dq, qi } as PrivateJwk;
}

const set: SigningKeySet = {
  keys: [
    { state: 'current', jwk: jwk('b'), since: iso(now - 1_000) },
    { state: 'next', jwk: jwk('c'), since: iso(now - 1_000) },
    { state: 'retired', jwk: jwk('a'), since: iso(now - 500) },
  ],
};
const shortly = ({ keys }: SigningKeySet) =>
  keys.map(({ state, jwk: { kid }, since }) => [state, kid, since]);

describe('the key set after a rotation', () => {
  it('is at first of two new keys', () => {
    expect(newKeysNeeded(undefined)).toBe(2);
    expect(shortly(rotatedKeySet(undefined, [jwk('a'), jwk('b')], now, undefined))).toEqual([
      ['current', 'a', iso(now)],
      ['next', 'b', iso(now)],
    ]);
  });

  it('has each key one state further, and a new one to come', () => {
    expect(newKeysNeeded(set)).toBe(1);
    expect(shortly(rotatedKeySet(set, [jwk('d')], now, undefined))).toEqual([
      ['current', 'c', iso(now)],
      ['next', 'd', iso(now)],
      ['retired', 'b', iso(now)],
      ['retired', 'a', iso(now - 500)],
    ]);
  });

  it.each([
    [now - 500, true],
    [now - 499, false],
  ])('holds a retired key that last signed at the limit, and none that did before: %i, %s', (before, stays) => {
    const kids = rotatedKeySet(set, [jwk('d')], now, before).keys.map(({ jwk: { kid } }) => kid);
    expect(kids.includes('a')).toBe(stays);
    expect(kids).toContain('b');
  });

  it('needs two new keys where none was to come', () => {
    const alone: SigningKeySet = { keys: set.keys.filter(({ state }) => state !== 'next') };
    expect(newKeysNeeded(alone)).toBe(2);
    for (const made of [[], [jwk('d')]]) {
      expect(() => rotatedKeySet(alone, made, now, undefined)).toThrow('a current and a next key');
    }
  });
});

describe('a secret', () => {
  it('has no key set before the first rotation', () => {
    expect(parseSigningKeySet(undefined)).toBeUndefined();
    expect(parseSigningKeySet('{"keys":[]}')).toBeUndefined();
  });

  it('is read as the set that was written', () => {
    expect(parseSigningKeySet(JSON.stringify(set))).toEqual(set);
  });

  it.each([
    ['no JSON', 'keys'],
    ['nothing', ''],
    ['no set', 'null'],
    ['no current key', JSON.stringify({ keys: set.keys.slice(1) })],
    ['two current keys', JSON.stringify({ keys: [set.keys[0], ...set.keys] })],
    ['a public key', JSON.stringify({ keys: [{ ...set.keys[0], jwk: { ...jwk('b'), d: undefined } }] })],
  ])('with %s is refused, not replaced', (_what, text) => {
    expect(() => parseSigningKeySet(text)).toThrow('no valid key set');
  });
});
