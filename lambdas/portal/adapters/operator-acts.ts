/**
 * Stores each operator's acts on applications and accounts in a partition of its own, so that operators can list theirs. Timelines have the
 * same acts by application and account.
 */

import * as z from 'zod/mini';
import { putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import type { OperatorRecordRequest } from '../api/operator-record-contract.ts';
import type { OperatorActsView, OperatorActView } from '../api/operator-views.ts';
import { operatorActKey } from './portal-table-keys.ts';

const pageSize = 50;

const storedAct = z.object({
  at: z.string(),
  kind: z.enum(['application', 'account']),
  id: z.string(),
  name: z.string(),
  act: z.string(),
  criterion: z.optional(z.string()),
  words: z.optional(z.string()),
});

/** Makes the write of an operator's act, for the transaction of the act itself. */
export function operatorActWrite(operatorId: string, eventId: string, act: OperatorActView): Write {
  return putIfAbsent({ ...operatorActKey(operatorId, act.at, eventId), ...act });
}

/** Reads an operator's acts, newest first. @param after `next` of the page before. */
export async function readOperatorActs(
  table: Table,
  operatorId: string,
  after: string | undefined,
): Promise<OperatorActsView> {
  const page = await table.query({
    pk: operatorActKey(operatorId, '', '').pk,
    descending: true,
    limit: pageSize,
    ...(after !== undefined && { after }),
  });
  const acts = page.items.map((item) => storedAct.parse(item) as OperatorActView);
  return page.next === undefined ? { acts } : { acts, next: page.next };
}

/**
 * Reads a page of an operator's acts between two times, newest first. Records the question first, as an act of the operator who asks: it can't
 * be asked unseen.
 */
export async function operatorRecord(
  { table, now, uuid }: { readonly table: Table; readonly now: () => number; readonly uuid: () => string },
  { operatorId, from, until, askedBy, purpose, after }: OperatorRecordRequest,
): Promise<OperatorActsView> {
  const question: OperatorActView = {
    ...{ at: new Date(now()).toISOString(), kind: 'account', id: operatorId, name: operatorId },
    ...{ act: 'ask_record', words: purpose },
  };
  await table.transact([operatorActWrite(askedBy, uuid(), question)]);
  const { acts, next } = await readOperatorActs(table, operatorId, after ?? `ACT#${until}`);
  const inside = acts.filter(({ at }) => at >= from && at < until);
  const isOver = acts.length > inside.length;
  return next === undefined || isOver ? { acts: inside } : { acts: inside, next };
}
