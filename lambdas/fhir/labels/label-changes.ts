/** Changes of a record's labels where resources are written. */

import type { Label, RecordLabels } from '../values/label.ts';
import { type AboutNames, spreadLabels } from './label-growth.ts';

/** A resource that is written. */
export interface LabeledPut {
  /** `Type/id` */
  readonly name: string;
  /** Its own label. */
  readonly label: Label;
  /** Names of what it is about. */
  readonly about: readonly string[];
}

/** Labels to write by `Type/id`; undefined to remove one. */
export type LabelChanges = ReadonlyMap<string, Label | undefined>;

/**
 * Computes the changes of a record's labels. Each written resource gets its own label and those of the resources it is about. A stored
 * resource gains a label that it now inherits; it loses one only when it is written itself.
 *
 * @param about of the resources that are stored; empty if `isGrowing` says that none of them can change
 */
export function labelChanges(
  stored: RecordLabels,
  puts: readonly LabeledPut[],
  about: AboutNames,
): LabelChanges {
  const labels = new Map(stored);
  const names = new Map(about);
  for (const { name, label, about: own } of puts) {
    if (label.categories.length > 0) labels.set(name, label);
    else labels.delete(name);
    names.set(name, own);
  }
  const spread = spreadLabels(labels, names);
  const changes = new Map<string, Label | undefined>();
  for (const name of new Set([...stored.keys(), ...spread.keys()])) {
    const label = spread.get(name);
    if (JSON.stringify(label) !== JSON.stringify(stored.get(name))) changes.set(name, label);
  }
  return changes;
}

/** Whether a change gives a resource a category that its stored label doesn't have: what refers to it may have to follow. */
export function isGrowing(stored: RecordLabels, changes: LabelChanges): boolean {
  return [...changes].some(([name, label]) => {
    const before = stored.get(name)?.categories ?? [];
    return label?.categories.some((category) => !before.includes(category));
  });
}
