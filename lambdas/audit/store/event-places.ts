import * as z from 'zod/mini';
import { type AttributeMap, fromAttributeMap } from '../../platform/table/attribute-values.ts';
import {
  callWithRetries,
  type RetryTiming,
  type Send,
  systemRetryTiming,
} from '../../platform/table/dynamodb-call.ts';
import { sealWindowIndex } from '../../platform/table/table-keys.ts';
import type { EventPlaces } from '../trail/audit-ports.ts';

/**
 * Items on one page of the Scan. DynamoDB reads a whole page before it filters, and reading a megabyte may take a busy store longer than
 * the timeout of a call.
 */
export const itemsInPiece = 500;

const place = z.object({ pk: z.string(), sk: z.string(), sealWindow: z._default(z.string(), '') });

/**
 * Finds all audit events by a Scan of the table: an index has only events with its attribute. Only keys and windows are read, which is all
 * that the role of the function permits (`lib/audit/audit-seals.ts`).
 */
export function createEventPlaces(options: {
  readonly tableName: string;
  readonly send: Send<'Scan'>;
  readonly patience?: RetryTiming;
}): EventPlaces {
  const { tableName: TableName, send } = options;
  const reading = { ...(options.patience ?? systemRetryTiming), repeatable: true };
  return {
    async piece(after) {
      const input = {
        TableName,
        Limit: itemsInPiece,
        Select: 'SPECIFIC_ATTRIBUTES',
        ProjectionExpression: `pk, sk, ${sealWindowIndex.attribute}`,
        FilterExpression: 'begins_with(pk, :audit)',
        ExpressionAttributeValues: { ':audit': { S: 'AUDIT#' } },
        ...(after !== undefined && { ExclusiveStartKey: JSON.parse(after) as AttributeMap }),
      };
      const answer = await callWithRetries(() => send('Scan', input), reading);
      const items = (answer.Items ?? []) as AttributeMap[];
      return {
        places: items.map((item) => place.parse(fromAttributeMap(item))),
        ...(answer.LastEvaluatedKey !== undefined && { next: JSON.stringify(answer.LastEvaluatedKey) }),
      };
    },
  };
}
