import * as z from 'zod/mini';
import type { EventReader, SealReader, SealStore, WindowEvents } from '../audit/ports.ts';
import type { Leaf, Seal } from '../audit/seal.ts';
import { windowPartition, windowShards } from '../audit/windows.ts';
import { environments } from '../catalog/environments.ts';
import { type TokenAuthority, tokenAuthorities } from '../catalog/token-authority.ts';
import { sealedListKey, sealKey, sealWindowIndex } from './keys.ts';
import { ConditionFailed, type Item, type Page, type Query, type Table } from './table.ts';

/** An entry of a list is some 200 bytes, and an item 400 KB at most. */
const leavesInPart = 1_500;
/** DynamoDB Developer Guide, "Service quotas": keys of a BatchGetItem. */
const keysInRead = 100;

const leaf = z.object({ pk: z.string(), sk: z.string(), digest: z.string() });
/** An event whose digest was taken away is in its window all the same. */
const indexed = z.object({ pk: z.string(), sk: z.string(), digest: z._default(z.string(), '') });
const storedSeal = z.object({
  environment: z.enum(environments),
  authority: z.enum(tokenAuthorities),
  sequence: z.int(),
  from: z.string(),
  until: z.string(),
  events: z.int(),
  root: z.string(),
  previous: z.string(),
  sealedAt: z.string(),
  mac: z.string(),
});

/** The events of a window by the index: all shards side by side. */
export function createWindowEvents(table: Table): WindowEvents {
  return {
    async inWindow(authority, startMs) {
      const shards = windowShards.map((shard) =>
        everyItem(table, { pk: windowPartition(authority, startMs, shard), index: sealWindowIndex }),
      );
      return (await Promise.all(shards)).flat().map((item) => indexed.parse(item));
    },
  };
}

export function createEventReader(table: Table): EventReader {
  return {
    async read(keys) {
      const events: (Item | undefined)[] = [];
      for (let from = 0; from < keys.length; from += keysInRead) {
        const page = keys.slice(from, from + keysInRead).map(({ pk, sk }) => ({ pk, sk }));
        events.push(...(await table.batchGet(page)));
      }
      return events;
    },
  };
}

export function createSealReader(table: Table): SealReader {
  return {
    async last(authority) {
      const { pk } = sealKey(authority, 0);
      const { items } = await table.query({ pk, descending: true, limit: 1 });
      return items[0] === undefined ? undefined : asSeal(items[0], authority);
    },
    async from(authority, sequence, limit) {
      const { pk, sk } = sealKey(authority, sequence - 1);
      const { items } = await table.query({ pk, after: sk, limit });
      return items.map((item) => asSeal(item, authority));
    },
    async leaves(authority, root) {
      const { pk } = sealedListKey(authority, root, 0);
      const parts = await everyItem(table, { pk });
      return parts.flatMap((part) => leavesOf(part));
    },
  };
}

export function createSealStore(table: Table): SealStore {
  return {
    ...createSealReader(table),
    async add(seal, leaves) {
      // By their root, so that another run's list of the same number is another item.
      for (let part = 0; part * leavesInPart < leaves.length; part += 1) {
        const some = leaves.slice(part * leavesInPart, (part + 1) * leavesInPart);
        await table.put({ ...sealedListKey(seal.authority, seal.root, part), leaves: some.map(asStored) });
      }
      try {
        await table.put(
          { ...sealKey(seal.authority, seal.sequence), ...seal },
          { expression: 'attribute_not_exists(pk)' },
        );
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed) return false;
        throw error;
      }
    },
  };
}

/** A seal as it is stored, also where somebody spoiled it: verification must be able to say so. */
function asSeal(item: Item, authority: TokenAuthority): Seal {
  const parsed = z.safeParse(storedSeal, item);
  if (parsed.success) return parsed.data;
  const sequence = Number(item.sk);
  const nothing = { from: '', until: '', events: 0, root: '', previous: '', sealedAt: '', mac: '' };
  return { ...nothing, environment: 'sandbox', authority, sequence };
}

function asStored({ pk, sk, digest }: Leaf): Item {
  return { pk, sk, digest };
}

function leavesOf(part: Item): Leaf[] {
  const parsed = z.safeParse(z.array(leaf), part.leaves);
  return parsed.success ? parsed.data : [];
}

async function everyItem(table: Table, query: Query): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | undefined; ; ) {
    const page: Page = await table.query({ ...query, ...(after !== undefined && { after }) });
    items.push(...page.items);
    if (page.next === undefined) return items;
    after = page.next;
  }
}
