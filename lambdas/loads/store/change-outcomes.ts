/** Stores the outcome of each change row of a drop (withdrawals, moves, merges, representations), in the transaction of the change. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import { loadChangeKey } from '../../platform/table/table-keys.ts';
import { type ChangeOrigin, type ChangeOutcome, changeOutcomes } from '../rows/load-store-port.ts';
import { type LoadStoreOptions, loadEvent } from './load-event.ts';

const outcomeItem = z.object({ outcome: z.enum(changeOutcomes) });

/**
 * Seconds for which an outcome is kept: longer than the 35 days for which the bucket keeps a drop, after which none of its rows is
 * repeated.
 */
const keptSeconds = 40 * 24 * 60 * 60;

interface Origin extends ChangeOrigin {
  readonly lob: LineOfBusiness;
}

/** The writes that every transaction of a change row includes: its audit event, and the row's outcome. */
export function rowChangeWrites(
  place: Origin & { readonly patientId: string },
  removed: readonly { readonly resourceType: string; readonly id: string }[],
  options: Pick<LoadStoreOptions, 'environment' | 'now' | 'uuid'>,
  outcome: ChangeOutcome = 'changed',
): readonly Write[] {
  return [loadEvent(place, removed, options), keptOutcome(place, outcome, options.now)];
}

/** The write that keeps the first outcome of a row, for repeats of the row. */
export function keptOutcome({ lob, jobId, row }: Origin, outcome: ChangeOutcome, now: () => number): Write {
  return {
    update: {
      key: loadChangeKey(lob, jobId, row),
      expression: 'SET outcome = if_not_exists(outcome, :outcome), #ttl = :ttl',
      // A condition that always holds.
      condition: 'attribute_not_exists(outcome) OR attribute_exists(outcome)',
      names: { '#ttl': 'ttl' },
      values: { ':outcome': outcome, ':ttl': Math.floor(now() / 1000) + keptSeconds },
    },
  };
}

export async function readOutcome(
  table: Table,
  { lob, jobId, row }: Origin,
): Promise<ChangeOutcome | undefined> {
  const item = await table.get(loadChangeKey(lob, jobId, row));
  return item && outcomeItem.parse(item).outcome;
}
