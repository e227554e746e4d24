import { callEngine, timeToLiveAttribute } from './deploy-table.ts';
import type { TableDeclaration } from './tables.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * Deletes the items of a table whose time to live has passed, as DynamoDB does in the background (there within days,
 * here at each sweep). Each delete is conditional, so that an item renewed in between stays.
 *
 * @returns how many items were deleted.
 */
export async function deleteExpiredItems(
  endpoint: string,
  table: TableDeclaration,
  nowSeconds: number,
): Promise<number> {
  const attribute = timeToLiveAttribute(table);
  if (attribute === undefined) return 0;
  const keyAttributes = (table.properties.KeySchema as readonly { AttributeName: string }[]).map(
    ({ AttributeName }) => AttributeName,
  );
  const names = { '#ttl': attribute };
  const values = { ':now': { N: String(nowSeconds) } };
  let deleted = 0;
  let start: unknown;
  do {
    const page = await callEngine(endpoint, 'Scan', {
      TableName: table.name,
      FilterExpression: '#ttl < :now',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
    for (const item of page.Items as readonly Item[]) {
      const Key = Object.fromEntries(keyAttributes.map((name) => [name, item[name]]));
      deleted += await deleteIfExpired(endpoint, {
        TableName: table.name,
        Key,
        ConditionExpression: '#ttl < :now',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      });
    }
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return deleted;
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
