/**
 * Keeps the items that this release writes, for the tests of later releases: `node test/releases/keep-items.ts RELEASE`, with the local system
 * running on fresh data (`npm start -- --fresh`). Calls it as apps, members and the plan's data team do, scans its tables, and writes
 * `items/RELEASE.json`. All data is synthetic.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Key } from '../../lambdas/platform/table/key.ts';
import { fromAttributeMap } from '../../lambdas/platform/table/attribute-values.ts';
import { createSignedTable, signedSend } from '../../lambdas/platform/table/signed-table.ts';
import type { Item, Table } from '../../lambdas/platform/table/table.ts';
import { type LocalSystem, readLocalSystem } from '../../ops/command-line/system.ts';
import { writeEveryKind } from './every-kind.ts';
import { itemKinds } from './item-readers.ts';
import { asKept, keptFolder, type KeptItems, keptText, readerOf } from './kept-items.ts';

/** Most items of a kind that are tried. */
const mostTried = 40;

/** A table that remembers the items that were read. */
function recording(table: Table, read: Map<string, Item & Key>): Table {
  const keep = (item: Item | undefined) => {
    if (item === undefined) return item;
    const { pk, sk } = item as Item & Key;
    read.set(`${pk} / ${sk}`, item as Item & Key);
    return item;
  };
  return {
    ...table,
    get: async (key, options) => keep(await table.get(key, options)),
    batchGet: async (keys) => (await table.batchGet(keys)).map(keep),
    async query(query) {
      const page = await table.query(query);
      // Queries of some attributes do not return whole items.
      for (const item of page.items) keep(await table.get({ pk: String(item.pk), sk: String(item.sk) }));
      return page;
    },
  };
}

const [release] = process.argv.slice(2);
const system = readLocalSystem();
if (release === undefined || !/^\d+\.\d+\.\d+$/.test(release) || system === undefined) {
  console.error('Expected: node test/releases/keep-items.ts 1.2.3, with a local system that runs.');
  process.exit(2);
}
await writeEveryKind(system);
const now = Date.now();
const found = new Map<string, Item & Key>();
const readings: KeptItems['readings'][number][] = [];
for (const table of await tablesOf(system)) await keepFrom(table);
const absent = Object.keys(itemKinds).filter((kind) => !readings.some((each) => each.kind === kind));
if (absent.length > 0) console.error(`No item of: ${absent.join(', ')}`);
const items = [...found.values()];
mkdirSync(keptFolder, { recursive: true });
const text = withoutKeys(keptText({ release, now, items, readings }));
writeFileSync(join(keptFolder, `${release}.json`), text);
console.log(`${items.length} items for ${readings.length} readings, ${text.length} characters`);
process.exitCode = absent.length > 0 ? 1 : 0;

/** Keeps of each kind the item that is read to the largest result among small ones. */
async function keepFrom({
  table,
  keys,
}: {
  readonly table: Table;
  readonly keys: readonly Key[];
}): Promise<void> {
  for (const kind of Object.keys(itemKinds)) {
    if (readings.some((each) => each.kind === kind)) continue;
    const candidates = keys.filter((key) => readerOf(kind, key, now) !== undefined).slice(0, mostTried);
    const tried = [];
    for (const key of candidates) {
      const read = new Map<string, Item & Key>();
      const result = await readerOf(kind, key, now)?.(recording(table, read));
      const size = JSON.stringify(asKept([...read.values()])).length;
      const kept = JSON.stringify(result) ?? '';
      if (read.has(`${key.pk} / ${key.sk}`) && kept.length > 4 && size < 20_000)
        tried.push({ key, read, result, kept });
    }
    const [best] = tried.sort((one, other) => other.kept.length - one.kept.length);
    if (best === undefined) continue;
    for (const [name, item] of best.read) found.set(name, item);
    readings.push({ kind, key: best.key, result: best.result });
  }
}

/** The tables with the keys of their items. */
async function tablesOf({ awsEndpoint: endpoint, region, credentials, outputs = {} }: LocalSystem) {
  const access = { endpoint, region, ...credentials };
  const send = signedSend(access);
  const names = Object.values(outputs).flatMap((each) =>
    Object.entries(each).flatMap(([name, value]) => (/RefTable/.test(name) ? [value] : [])),
  );
  return await Promise.all(
    [...new Set(names)].map(async (tableName) => {
      const keys: Key[] = [];
      let from: unknown;
      do {
        const page = (await send('Scan', {
          TableName: tableName,
          ProjectionExpression: 'pk, sk',
          ...(from !== undefined && { ExclusiveStartKey: from }),
        })) as { readonly Items?: readonly object[]; readonly LastEvaluatedKey?: unknown };
        for (const item of page.Items ?? []) keys.push(fromAttributeMap(item as never) as unknown as Key);
        from = page.LastEvaluatedKey;
      } while (from !== undefined);
      return { table: createSignedTable({ tableName, access }), keys };
    }),
  );
}

/** Replaces the values of API Gateway keys, which are credentials of the local system. */
function withoutKeys(text: string): string {
  const values = [...found.values()].flatMap(({ meteringKey }) => {
    const { value } = (meteringKey ?? {}) as { readonly value?: unknown };
    return [meteringKey, value].filter((each) => typeof each === 'string');
  });
  return values.reduce((masked, value) => masked.replaceAll(value, 'metering-key-of-the-local-system'), text);
}
