/** The items that a release wrote, as files in `items/`, and their comparison with what the code reads of them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Key } from '../../lambdas/platform/table/key.ts';
import type { Item, Table } from '../../lambdas/platform/table/table.ts';
import { type ItemKind, itemKinds } from './item-readers.ts';

/** One reading: the kind, the item's key, and the result of the release that wrote the item. */
export interface KeptReading {
  readonly kind: string;
  readonly key: Key;
  readonly result: unknown;
}

/** Items of each kind that a release wrote, with every item that is read together with them. */
export interface KeptItems {
  readonly release: string;
  /** Milliseconds since 1970: the time at which the items are read. */
  readonly now: number;
  readonly items: readonly (Item & Key)[];
  readonly readings: readonly KeptReading[];
}

export const keptFolder = join(import.meta.dirname, 'items');

/** The kept items of all releases. */
export function keptReleases(): readonly KeptItems[] {
  return readdirSync(keptFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(keptFolder, name), 'utf8'), revive) as KeptItems);
}

/** Serializes kept items. Bytes are written as base64. */
export function keptText(kept: KeptItems): string {
  return `${JSON.stringify(kept, (_name, value) => (value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value), 1)}\n`;
}

function revive(_name: string, value: unknown): unknown {
  const { base64 } = (value ?? {}) as { readonly base64?: unknown };
  return typeof base64 === 'string' ? new Uint8Array(Buffer.from(base64, 'base64')) : value;
}

/** A result as it is kept: without `undefined`, and without the types of its values. */
export function asKept(result: unknown): unknown {
  const text = JSON.stringify(result, (_name, value) => {
    if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
    if (value instanceof Map) return Object.fromEntries(value);
    return value instanceof Set ? [...value].sort() : value;
  });
  return text === undefined ? undefined : JSON.parse(text, revive);
}

/** The kind's reader with the parts of an item's key; undefined if the item is of another kind. */
export function readerOf(
  kind: string,
  key: Key,
  now: number,
): ((table: Table) => Promise<unknown>) | undefined {
  const found: ItemKind | undefined = itemKinds[kind];
  const match = found?.key.exec(`${key.pk} / ${key.sk}`);
  if (found === undefined || match === null || match === undefined) return undefined;
  return async (table) => asKept(await found.read(table, match.slice(1), { key, now }));
}

/** Writes kept items into a table. */
export async function putItems(table: Table, items: KeptItems['items']): Promise<void> {
  for (const item of items) await table.put(item);
}
