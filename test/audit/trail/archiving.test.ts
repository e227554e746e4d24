import { describe, expect, it } from 'vitest';
import { archiveFiles, archiveKey, eventLine } from '../../../lambdas/audit/trail/archive-file.ts';
import { archiveSealed } from '../../../lambdas/audit/trail/archiving.ts';
import { eventDigest } from '../../../lambdas/audit/trail/event-digest.ts';
import type { Seal } from '../../../lambdas/audit/trail/seal.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';

const sealOf = (sequence: number, changes: Partial<Seal> = {}): Seal => ({
  ...{ environment: 'production', authority: 'DSNP', sequence, events: 0, lists: [], previous: '' },
  ...{ from: '2026-11-20T23:50:00.000Z', until: '2026-11-21T00:00:00.000Z' },
  ...{ sealedAt: '2026-11-21T00:02:30.000Z', keyId: 'key-1', signature: 'signature' },
  ...changes,
});
const listOf = (shard: number, parts: number) => ({ shard, parts, events: parts * 1_024, chain: 'c' });

describe('a file of the archive', () => {
  it('is named by issuer, day of the sealed events, number of the seal, and its own', () => {
    expect(archiveKey(sealOf(42), { file: 3 })).toBe('production/DSNP/2026/11/20/0000000042-0003.ndjson.gz');
  });

  it('has at most 32 parts, and a seal without events has one file', () => {
    expect(archiveFiles({ lists: [] })).toEqual([{ file: 1, files: 1, parts: [] }]);
    const files = archiveFiles({ lists: [listOf(0, 40), listOf(7, 1)] });
    expect(files.map(({ file, files: of, parts }) => [file, of, parts.length])).toEqual([
      [1, 2, 32],
      [2, 2, 9],
    ]);
    expect(files[1]?.parts.at(-1)).toEqual({ shard: 7, part: 0 });
  });

  it('has lines of events whose SHA-256 is the sealed digest', () => {
    const event = { sk: 's', pk: 'p', time: 't', resources: ['ä', '"'], digest: 'its own' };
    const line = eventLine({ pk: 'p', sk: 's', digest: 'x' }, event);
    expect(digests.sha256Hex(line)).toBe(eventDigest(event, digests.sha256Hex));
    expect(eventLine({ pk: 'p', sk: 's', digest: 'x' }, undefined)).toBe('{"pk":"p","sk":"s"}');
  });
});

describe('a run that archives', () => {
  /** Archives seals by their numbers, with a clock that counts its readings. */
  function archive(seals: readonly Seal[], { after = 0, endsAt = Number.POSITIVE_INFINITY } = {}) {
    const [written, saved] = [[] as string[], [] as number[]];
    let time = 0;
    const run = archiveSealed(
      {
        seals: {
          from: async (_issuer, sequence, limit) =>
            seals.filter((seal) => seal.sequence >= sequence).slice(0, limit),
          part: async () => undefined,
        },
        events: { read: async () => [] },
        positions: { last: async () => after, save: async (_issuer, sequence) => void saved.push(sequence) },
        bucket: { putOnce: async (key) => written.push(key.slice(27, 42)) > 0 },
        now: () => {
          time += 1;
          return time;
        },
        endsAt,
      },
      'DSNP',
    );
    return run.then((failures) => ({ failures, written, saved }));
  }

  it('goes through all seals after the last one, page by page', async () => {
    const seals = Array.from({ length: 60 }, (_, at) => sealOf(at + 1));
    const { failures, written, saved } = await archive(seals, { after: 3 });
    expect([failures, written.length, saved[0], saved.at(-1)]).toEqual([[], 57, 4, 60]);
  });

  it('ends between two files when its time is over, and saves only whole seals', async () => {
    const seals = [sealOf(1), sealOf(2, { lists: [listOf(0, 33)] })];
    const { written, saved } = await archive(seals, { endsAt: 4 });
    expect(written).toEqual(['0000000001-0001', '0000000002-0001']);
    expect(saved).toEqual([1]);
  });

  it('names a seal that can’t be read, and copies those after it', async () => {
    const { failures, written } = await archive([sealOf(1), sealOf(2, { until: '' }), sealOf(3)]);
    expect(failures).toEqual([{ sequence: 2, reason: 'seal_damaged' }]);
    expect(written).toEqual(['0000000001-0001', '0000000003-0001']);
  });
});
