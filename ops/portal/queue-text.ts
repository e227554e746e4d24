import type { QueueItem } from '../../lambdas/portal/api/operator-views.ts';
import { verdictText } from '../../lambdas/portal/api/verdict.ts';
import { table } from '../command-line/table.ts';

/** Formats the applications and accounts that wait for a decision, oldest first. */
export function queueText(items: readonly QueueItem[], wanted: (item: QueueItem) => boolean): string {
  const awaiting = items.filter(wanted);
  if (awaiting.length === 0) return 'nothing waits for a decision';
  return table(
    ['since', 'expected by', 'what', 'id', 'name', 'company', 'products', 'verdict', 'note'],
    awaiting.map((item) => [
      item.since,
      item.expectedBy,
      item.kind,
      item.id,
      item.name,
      item.company,
      (item.products ?? []).join(' '),
      item.verdict === undefined ? '' : verdictText(item.verdict),
      noteOf(item),
    ]),
  );
}

function noteOf({ appeal, approvedBy, ownAct }: QueueItem): string {
  const notes = [
    ...(appeal === true ? ['appeal'] : []),
    ...(approvedBy === undefined ? [] : [`approved by ${approvedBy}`]),
    ...(ownAct === undefined ? [] : ['for another operator']),
  ];
  return notes.join(', ');
}
