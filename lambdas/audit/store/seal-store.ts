/** Stores of audit seals and their lists in DynamoDB, and readers of the events they cover. */

import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { environments } from '../../catalog/environments.ts';
import { type TokenIssuer, tokenIssuers } from '../../catalog/oauth/token-issuer.ts';
import type { Key } from '../../platform/table/key.ts';
import { ConditionFailed, type Item, type Query, type Table } from '../../platform/table/table.ts';
import { sealedListKey, sealKey, sealWindowIndex } from '../../platform/table/table-keys.ts';
import type { EventReader, SealReader, SealStore, WindowEvents, WindowShard } from '../trail/audit-ports.ts';
import type { Leaf, ListPart, Seal } from '../trail/seal.ts';
import { windowPartition } from '../trail/windows.ts';

/** Maximum keys of a BatchGetItem (DynamoDB Developer Guide, "Service quotas"). */
const keysInRead = 100;
const readsAtOnce = 8;

/** Write units of 1 KB a second at which a shard's list is written. The list is one partition, which allows 1,000 ("Service quotas"). */
const unitsPerSecond = 800;

/** An event in the index. An event whose digest somebody removed is listed too, with an empty digest. */
const indexed = z.object({ pk: z.string(), sk: z.string(), digest: z._default(z.string(), '') });
const sealedList = z.object({ shard: z.int(), parts: z.int(), events: z.int(), chain: z.string() });
const storedSeal = z.object({
  environment: z.enum(environments),
  authority: z.enum(tokenIssuers),
  sequence: z.int(),
  from: z.string(),
  until: z.string(),
  events: z.int(),
  lists: z.array(sealedList),
  previous: z.string(),
  sealedAt: z.string(),
  keyId: z.string(),
  signature: z.string(),
});
const storedPart = z.object({ events: z.int(), chain: z.string(), gz: z.instanceof(Uint8Array) });
const storedLeaves = z.array(z.tuple([z.string(), z.string(), z.string()]));

/** Reads the events of a window from the index, one shard at a time. */
export function createWindowEvents(table: Table): WindowEvents {
  const queryOf = ({ issuer, startMs, shard }: WindowShard): Query => ({
    pk: windowPartition(issuer, startMs, shard),
    index: sealWindowIndex,
  });
  return {
    async after(shard, leaf) {
      const query = queryOf(shard);
      const after = leaf === undefined ? {} : { after: positionOf(query.pk, leaf) };
      const page = await table.query({ ...query, ...after });
      return { leaves: page.items.map((item) => indexed.parse(item)), more: page.next !== undefined };
    },
    async between(shard, from, to) {
      const query = {
        ...queryOf(shard),
        ...(from !== undefined && { skFrom: from }),
        ...(to !== undefined && { skTo: to }),
      };
      const leaves: Leaf[] = [];
      for (let after: string | undefined, more = true; more; more = after !== undefined) {
        const page = await table.query({ ...query, ...(after !== undefined && { after }) });
        leaves.push(...page.items.map((item) => indexed.parse(item)));
        after = page.next;
      }
      return leaves;
    },
  };
}

/** Cursor of the index after a leaf, in the format of a page's `next`. */
function positionOf(window: string, { pk, sk }: Leaf): string {
  return JSON.stringify({ [sealWindowIndex.attribute]: window, sk, pk });
}

export function createEventReader(table: Table): EventReader {
  return {
    async read(keys) {
      const pages: Key[][] = [];
      for (let from = 0; from < keys.length; from += keysInRead) {
        pages.push(keys.slice(from, from + keysInRead).map(({ pk, sk }) => ({ pk, sk })));
      }
      const events: (Item | undefined)[] = [];
      for (let from = 0; from < pages.length; from += readsAtOnce) {
        const some = pages.slice(from, from + readsAtOnce).map((page) => table.batchGet(page));
        events.push(...(await Promise.all(some)).flat());
      }
      return events;
    },
  };
}

export function createSealReader(table: Table): SealReader {
  return {
    async last(issuer) {
      const { pk } = sealKey(issuer, 0);
      const { items } = await table.query({ pk, descending: true, limit: 1 });
      return items[0] === undefined ? undefined : asSeal(items[0], issuer);
    },
    async from(issuer, sequence, limit) {
      const { pk, sk } = sealKey(issuer, sequence - 1);
      const { items } = await table.query({ pk, after: sk, limit });
      return items.map((item) => asSeal(item, issuer));
    },
    async part(shard, part) {
      const item = await table.get(listKey(shard, part));
      return item === undefined ? undefined : asPart(item);
    },
  };
}

export function createSealStore(
  table: Table,
  sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): SealStore {
  return {
    ...createSealReader(table),
    async lastPart(shard) {
      const { items } = await table.query({ pk: listKey(shard, 0).pk, descending: true, limit: 1 });
      return items[0] === undefined ? undefined : asPart(items[0]);
    },
    async addPart(shard, { part, events, chain, leaves }) {
      const text = JSON.stringify(leaves.map(({ pk, sk, digest }) => [pk, sk, digest]));
      const gz = gzipSync(text, { level: 1 });
      // Pauses between parts, so that the list's partition is not throttled.
      if (part > 0) await sleep((gz.length / 1_024 / unitsPerSecond) * 1_000);
      return await putOnce(table, { ...listKey(shard, part), events, chain, gz });
    },
    async add(seal) {
      return await putOnce(table, { ...sealKey(seal.authority, seal.sequence), ...seal });
    },
  };
}

/**
 * Puts an item.
 *
 * @returns false if its key exists already.
 */
async function putOnce(table: Table, item: Item & Key): Promise<boolean> {
  try {
    await table.put(item, { expression: 'attribute_not_exists(pk)' });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

function listKey({ issuer, startMs, shard }: WindowShard, part: number): Key {
  return sealedListKey(windowPartition(issuer, startMs, shard), part);
}

/** Reads a stored seal. A damaged one is returned with empty values, so that verification reports it. */
function asSeal(item: Item, issuer: TokenIssuer): Seal {
  const parsed = z.safeParse(storedSeal, item);
  if (parsed.success) return parsed.data;
  const sequence = Number(item.sk);
  const nothing = { from: '', until: '', events: 0, lists: [], previous: '', sealedAt: '' };
  return { ...nothing, environment: 'sandbox', authority: issuer, sequence, keyId: '', signature: '' };
}

/** Reads a stored part of a list. A damaged one is returned without leaves and chain, so that verification reports it as a mismatch. */
function asPart(item: Item): ListPart {
  const part = Number(item.sk);
  try {
    const { events, chain, gz } = storedPart.parse(item);
    const leaves = storedLeaves.parse(JSON.parse(gunzipSync(gz).toString('utf8')));
    return { part, events, chain, leaves: leaves.map(([pk, sk, digest]) => ({ pk, sk, digest })) };
  } catch {
    return { part, events: 0, chain: '', leaves: [] };
  }
}
