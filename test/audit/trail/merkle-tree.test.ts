import { describe, expect, it } from 'vitest';
import { eventDigest } from '../../../lambdas/audit/trail/event-digest.ts';
import { merkleRoot } from '../../../lambdas/audit/trail/merkle-tree.ts';
import { sealWindow, windowMs, windowPartition, windowShards } from '../../../lambdas/audit/trail/windows.ts';
import { canonicalJson } from '../../../lambdas/platform/kernel/canonical-json.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import fc from '../../support/property.ts';

const { sha256Hex } = digests;
const texts = fc.array(fc.string(), { minLength: 1, maxLength: 40 });

describe('the root of a hash tree', () => {
  it('is another when a leaf is changed, added, taken out or put elsewhere', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.string(), (leaves, where, other) => {
        const at = where % leaves.length;
        const root = merkleRoot(leaves, sha256Hex);
        const same = (changed: readonly string[]) => JSON.stringify(changed) === JSON.stringify(leaves);
        return [
          leaves.with(at, other),
          leaves.toSpliced(at, 0, other),
          leaves.toSpliced(at, 1),
          leaves.toReversed(),
        ].every((changed) => same(changed) === (merkleRoot(changed, sha256Hex) === root));
      }),
    );
  });

  it('is split at the largest power of two below the number of leaves, as RFC 9162 has it', () => {
    const leaf = (text: string) => sha256Hex(`leaf ${text}`);
    const node = (left: string, right: string) => sha256Hex(`node ${left} ${right}`);
    const four = node(node(leaf('a'), leaf('b')), node(leaf('c'), leaf('d')));
    expect(merkleRoot(['a', 'b', 'c', 'd'], sha256Hex)).toBe(four);
    expect(merkleRoot(['a', 'b', 'c', 'd', 'e'], sha256Hex)).toBe(node(four, leaf('e')));
    const three = node(node(leaf('a'), leaf('b')), leaf('c'));
    expect(merkleRoot(['a', 'b', 'c', 'd', 'a', 'b', 'c'], sha256Hex)).toBe(node(four, three));
    expect(merkleRoot([], sha256Hex)).toBe(sha256Hex(''));
  });

  it('takes no node for a leaf', () => {
    const node = `${sha256Hex('leaf a')} ${sha256Hex('leaf b')}`;
    expect(merkleRoot([node], sha256Hex)).not.toBe(merkleRoot(['a', 'b'], sha256Hex));
  });
});

describe('the digest of an event', () => {
  it('is the same whatever the order of its attributes, and leaves itself out', () => {
    const event = { pk: 'p', time: 't', nested: { b: 1, a: [true, null] } };
    const digest = eventDigest(event, sha256Hex);
    const stored = { digest, nested: { a: [true, null], b: 1 }, time: 't', pk: 'p' };
    expect(eventDigest(stored, sha256Hex)).toBe(digest);
  });

  it('is of a text that stays the same for years: members by name, lists in their order, nothing undefined', () => {
    const event = { b: [1, 'x', null, [true]], a: { z: undefined, y: 'ü' }, digest: 'its own' };
    expect(canonicalJson(event)).toBe('{"a":{"y":"ü"},"b":[1,"x",null,[true]],"digest":"its own"}');
    const { digest: _own, ...rest } = event;
    expect(eventDigest(event, sha256Hex)).toBe(sha256Hex(canonicalJson(rest)));
  });

  it('is another for any other content', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = canonicalJson(a) === canonicalJson(b);
        return same === (eventDigest({ a }, sha256Hex) === eventDigest({ a: b }, sha256Hex));
      }),
    );
  });
});

describe('the window of an event', () => {
  it('is named by issuer, the minute it begins and the shard of the event’s id', () => {
    const names = ['0a', '1b', '9c', 'fd'].map((id) => sealWindow('DSNP', '2026-11-20T10:09:59.999Z', id));
    expect(names).toEqual([0, 1, 9, 15].map((shard) => `WINDOW#DSNP#2026-11-20T10:05#${shard}`));
    expect(sealWindow('DSNP', '2026-11-20T10:10:00.000Z', 'a')).toBe('WINDOW#DSNP#2026-11-20T10:10#10');
  });

  it('is the one its time lies in, in one of the shards', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.uuid(),
        (time, eventId) => {
          const start = time.getTime() - (time.getTime() % windowMs);
          const all = windowShards.map((shard) => windowPartition('DSNP', start, shard));
          return all.includes(sealWindow('DSNP', time.toISOString(), eventId));
        },
      ),
    );
  });
});
