import type { QueueItem } from '../../lambdas/portal/api/operator-views.ts';
import { table } from '../command-line/table.ts';

/** Formats the applications and accounts that wait for a decision, oldest first. */
export function queueText(items: readonly QueueItem[], wanted: (item: QueueItem) => boolean): string {
  const awaiting = items.filter(wanted);
  if (awaiting.length === 0) return 'nothing waits for a decision';
  return table(
    ['since', 'what', 'id', 'name', 'company', 'first approval'],
    awaiting.map(({ since, kind, id, name, company, approvedBy = '' }) => [
      since,
      kind,
      id,
      name,
      company,
      approvedBy,
    ]),
  );
}
