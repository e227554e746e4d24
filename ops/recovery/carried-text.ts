import type { CarriedKinds } from './carry-forward.ts';
import { itemRecovery } from './item-recovery.ts';

/** A line for each kind of items that were carried forward, as an operator reads it. */
export function carriedText(carried: CarriedKinds): readonly string[] {
  if (carried.size === 0) return ['nothing was decided since'];
  return [...carried].map(
    ([kind, { written, removed }]) => `${itemRecovery[kind].what}: ${written} written, ${removed} removed`,
  );
}
