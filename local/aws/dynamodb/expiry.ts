/** Local DynamoDB: deletes the items whose time to live has passed. */

import type { State } from '../protocol/state.ts';
import { callEngine, expiryIndex, timeToLiveAttribute } from './deploy-table.ts';
import type { TableDeclaration } from './tables.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * Deletes the items that expired since the last sweep.
 *
 * @returns the number of deleted items.
 */
export type ExpirySweep = (nowSeconds: number) => Promise<number>;

/**
 * Most seconds of expiry times that one sweep queries, which take half a second of the engine's time. With a sweep each minute, a day
 * without the system is caught up in two hours.
 */
const secondsOfSweep = 900;

/**
 * Deletes the items of a table whose time to live has passed, as DynamoDB does in the background (there within days, here at each sweep). A
 * sweep queries the table's expiry index for each second since the last sweep, so its cost does not depend on the number of stored items.
 * The first sweep of a table starts with the current second: an item that had expired before stays. Each delete is conditional, so that an
 * item renewed meanwhile stays.
 *
 * @param state stores the last swept second of each table.
 * @param secondsAtMost most seconds of expiry times that one sweep queries.
 */
export function expirySweep(
  endpoint: string,
  table: TableDeclaration,
  state: State,
  secondsAtMost = secondsOfSweep,
): ExpirySweep {
  const attribute = timeToLiveAttribute(table);
  if (attribute === undefined) return async () => 0;
  state.define(
    'CREATE TABLE IF NOT EXISTS expiry_sweeps (table_name TEXT PRIMARY KEY, next_second INTEGER NOT NULL)',
  );
  const keyAttributes = (table.properties.KeySchema as readonly { AttributeName: string }[]).map(
    ({ AttributeName }) => AttributeName,
  );
  const names = { '#ttl': attribute };

  async function deleteExpiredIn(second: number): Promise<number> {
    let deleted = 0;
    let start: unknown;
    do {
      const page = await callEngine(endpoint, 'Query', {
        TableName: table.name,
        IndexName: expiryIndex,
        KeyConditionExpression: '#ttl = :second',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ':second': { N: String(second) } },
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      });
      for (const item of page.Items as readonly Item[]) {
        deleted += await deleteIfExpired(endpoint, {
          TableName: table.name,
          Key: Object.fromEntries(keyAttributes.map((name) => [name, item[name]])),
          ConditionExpression: '#ttl <= :second',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ':second': { N: String(second) } },
        });
      }
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return deleted;
  }

  return async (nowSeconds) => {
    const kept = state.one<{ next_second: number }>(
      'SELECT next_second FROM expiry_sweeps WHERE table_name = ?',
      table.name,
    );
    const from = kept?.next_second ?? nowSeconds;
    const end = Math.max(from, Math.min(nowSeconds, from + secondsAtMost));
    let deleted = 0;
    for (let second = from; second < end; second++) deleted += await deleteExpiredIn(second);
    state.write(
      'INSERT INTO expiry_sweeps VALUES (?, ?) ON CONFLICT DO UPDATE SET next_second = excluded.next_second',
      table.name,
      end,
    );
    return deleted;
  };
}

async function deleteIfExpired(endpoint: string, input: Record<string, unknown>): Promise<number> {
  try {
    await callEngine(endpoint, 'DeleteItem', input);
    return 1;
  } catch (error) {
    if ((error as { code?: string }).code === 'ConditionalCheckFailedException') return 0;
    throw error;
  }
}
