/** Reads the lists of a seal part by part. */

import type { Sha256 } from '../../platform/kernel/digests.ts';
import type { SealReader, WindowShard } from './audit-ports.ts';
import { chainOf, type Leaf, type Seal, type SealedList } from './seal.ts';
import { windowMs } from './windows.ts';

/** Position of a page of sealed events: a seal, one of its lists, and a part of that list. The seal alone means its first part. */
export interface SealPosition {
  readonly sequence: number;
  /** Index in the seal's `lists`. */
  readonly list?: number | undefined;
  readonly part?: number | undefined;
}

/** A stored part of a sealed list. */
export interface SealedPart {
  readonly shard: WindowShard;
  readonly leaves: readonly Leaf[];
  /** The last leaf of the previous part. */
  readonly before?: Leaf;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Whether the part is unchanged since it was sealed, judged with the previous part. */
  readonly isAsSealed: boolean;
  /** Position of the next part in the seal; absent for the last. */
  readonly next?: SealPosition;
}

/** First millisecond of the window whose events a seal lists. */
export function sealedWindow(seal: Seal): number {
  return Date.parse(seal.until) - windowMs;
}

/** Reads the parts of a seal's lists in order, from a position. */
export async function* sealedParts(
  seals: Pick<SealReader, 'part'>,
  sha256: Sha256,
  seal: Seal,
  from: SealPosition,
): AsyncGenerator<SealedPart> {
  const { authority: issuer, lists } = seal;
  for (const [at, list] of lists.entries()) {
    if (at < (from.list ?? 0)) continue;
    const shard = { issuer, startMs: sealedWindow(seal), shard: list.shard };
    const first = at === from.list ? (from.part ?? 0) : 0;
    let previous = first === 0 ? undefined : await seals.part(shard, first - 1);
    for (let part = first; part < list.parts; part += 1) {
      const stored = await seals.part(shard, part);
      const leaves = stored?.leaves ?? [];
      const isLast = part === list.parts - 1;
      const isLinked =
        stored?.chain === chainOf(previous?.chain ?? '', leaves, sha256) &&
        stored.events === (previous?.events ?? 0) + leaves.length;
      const before = previous?.leaves.at(-1);
      const next = positionAfter(seal, at, part);
      yield {
        shard,
        leaves,
        isFirst: part === 0,
        isLast,
        isAsSealed: isLinked && (!isLast || (stored.chain === list.chain && stored.events === list.events)),
        ...(before !== undefined && { before }),
        ...(next !== undefined && { next }),
      };
      previous = stored;
    }
  }
}

function positionAfter(
  { sequence, lists }: Pick<Seal, 'sequence'> & { readonly lists: readonly SealedList[] },
  list: number,
  part: number,
): SealPosition | undefined {
  if (part + 1 < (lists[list]?.parts ?? 0)) return { sequence, list, part: part + 1 };
  return list + 1 < lists.length ? { sequence, list: list + 1, part: 0 } : undefined;
}
