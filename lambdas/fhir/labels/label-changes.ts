/** Computes how the labels of a record change when resources are written. */

import type { Label, RecordLabels } from '../values/label.ts';
import { type AboutNames, spreadLabels } from './label-growth.ts';

/** A resource to write, with its label. */
export interface LabeledPut {
  /** `Type/id` */
  readonly name: string;
  /** The label by the resource's own codes, without inherited categories. */
  readonly label: Label;
  /** Names (`Type/id`) of the resources that this resource is about. */
  readonly about: readonly string[];
}

/** Labels to write, by `Type/id`; undefined removes a label. */
export type LabelChanges = ReadonlyMap<string, Label | undefined>;

/**
 * Computes the changes of a record's labels. Each written resource gets its own label and the categories of the resources it is about. A
 * stored resource gains categories that it now inherits, and loses a category only when it is written itself.
 *
 * @param about for the stored resources; empty if `isGrowing` says that none of their labels can change
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

/** Whether a change adds a category to a stored resource's label. If so, resources that refer to it may inherit the category. */
export function isGrowing(stored: RecordLabels, changes: LabelChanges): boolean {
  return [...changes].some(([name, label]) => {
    const before = stored.get(name)?.categories ?? [];
    return label?.categories.some((category) => !before.includes(category));
  });
}
