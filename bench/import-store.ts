/**
 * Fills a benchmark's store from a DynamoDB export by the engine's own import, which writes thousands of items a second where
 * `BatchWriteItem` writes hundreds.
 */

import { execFile } from 'node:child_process';
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { toAttributeMap } from '../lambdas/platform/table/attribute-values.ts';
import type { Key } from '../lambdas/platform/table/key.ts';
import type { Item } from '../lambdas/platform/table/table.ts';
import { findEngine } from '../local/aws/dynamodb/engine.ts';

/** Items of one export file. The import holds one whole file in memory. */
const itemsInFile = 50_000;

/**
 * Imports items into `store.sqlite` of a folder.
 *
 * @returns the file's path and the number of items.
 */
export async function importStore(
  folder: string,
  tableName: string,
  items: Iterable<Item & Key>,
): Promise<{ readonly file: string; readonly written: number }> {
  const source = join(folder, 'export');
  const data = join(source, tableName, 'data');
  mkdirSync(data, { recursive: true });
  const all = items[Symbol.iterator]();
  let written = 0;
  for (let at = 0; ; at += 1) {
    const batch = { items: 0 };
    const gzip = createGzip({ level: 1 });
    await pipeline(Readable.from(linesOf(all, batch)), gzip, createWriteStream(join(data, `${at}.json.gz`)));
    written += batch.items;
    if (batch.items < itemsInFile) break;
  }
  const schema = join(folder, 'schema.json');
  writeFileSync(schema, JSON.stringify([{ Table: tableDescription(tableName) }]));
  const file = join(folder, 'store.sqlite');
  const words = ['import', '--source', source, '--schema', schema, '--output', file, '--force'];
  await promisify(execFile)(findEngine(), words);
  rmSync(source, { recursive: true });
  return { file, written };
}

function* linesOf(items: Iterator<Item & Key>, batch: { items: number }): Generator<string> {
  while (batch.items < itemsInFile) {
    const { done, value } = items.next();
    if (done === true) return;
    batch.items += 1;
    yield `${JSON.stringify({ Item: toAttributeMap(value) })}\n`;
  }
}

/** The response of `DescribeTable` with the fields that an import reads. */
function tableDescription(tableName: string): object {
  return {
    TableName: tableName,
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  };
}
