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
 * Items of one page of the Scan. DynamoDB reads a whole page whatever its filter leaves, and one of a megabyte takes a busy store longer
 * than a call may take.
 */
export const itemsInPiece = 500;

const place = z.object({ pk: z.string(), sk: z.string(), sealWindow: z._default(z.string(), '') });

/**
 * Reads where the table's audit events are by a Scan of the table itself: an index has only what says that it belongs there. It
 * asks for keys and windows; the role that calls it may ask for nothing else (`lib/audit/audit-seals.ts`).
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
