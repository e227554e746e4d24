/** Fills a benchmark's table by `BatchWriteItem`. */

import { toAttributeMap } from '../lambdas/table/attribute-values.ts';
import { CallFailed, type Send } from '../lambdas/table/dynamodb-call.ts';
import type { Key } from '../lambdas/table/key.ts';
import { signedSend } from '../lambdas/table/signed-table.ts';
import type { Item } from '../lambdas/table/table.ts';

/** Amazon DynamoDB Developer Guide, "Service quotas": items of a `BatchWriteItem`. */
const itemsInBatch = 25;
const batchesAtOnce = 4;

/** Puts items, in batches and several at once. A batch without an answer is sent again: puts are the same when repeated. @returns their number. */
export async function writeAll(
  endpoint: string,
  tableName: string,
  items: Iterator<Item & Key>,
): Promise<number> {
  const access = { endpoint, region: 'us-east-1', accessKeyId: 'AKIDBENCH', secretAccessKey: 'bench' };
  const send = signedSend(access) as unknown as Send<'BatchWriteItem'>;
  let written = 0;
  await Promise.all(
    Array.from({ length: batchesAtOnce }, async () => {
      for (let batch = nextBatch(items); batch.length > 0; batch = nextBatch(items)) {
        const requests = batch.map((item) => ({ PutRequest: { Item: toAttributeMap(item) } }));
        await sendUntilAnswered(send, { RequestItems: { [tableName]: requests } });
        written += batch.length;
      }
    }),
  );
  return written;
}

function nextBatch(items: Iterator<Item & Key>): readonly (Item & Key)[] {
  const batch: (Item & Key)[] = [];
  while (batch.length < itemsInBatch) {
    const { done, value } = items.next();
    if (done === true) break;
    batch.push(value);
  }
  return batch;
}

async function sendUntilAnswered(send: Send<'BatchWriteItem'>, input: object): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send('BatchWriteItem', input);
      return;
    } catch (error) {
      if (!(error instanceof CallFailed) || error.status !== 0 || attempt === 20) throw error;
    }
  }
}
