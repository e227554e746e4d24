/** Spreads labels through a record: a resource inherits the sensitive categories of the resources it is about. */

import type { Label, LabelCategory, RecordLabels } from '../values/label.ts';

/** The names of the resources that each resource is about, by the name of the latter (`aboutNames`). */
export type AboutNames = ReadonlyMap<string, readonly string[]>;

/**
 * Adds to each label the categories of the resources that the labeled resource is about, directly or through others. A Provenance gets only
 * the categories that all its targets share; the names of its other targets are masked (`masked-references.ts`).
 */
export function spreadLabels(labels: RecordLabels, about: AboutNames): RecordLabels {
  const spread = new Map(labels);
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const [name, targets] of about) {
      const own = spread.get(name);
      const categories = [...new Set([...(own?.categories ?? []), ...inherited(name, targets, spread)])];
      if (categories.length === (own?.categories.length ?? 0)) continue;
      spread.set(name, { ...own, categories });
      isGrowing = true;
    }
  }
  return spread;
}

function inherited(name: string, targets: readonly string[], labels: RecordLabels): readonly LabelCategory[] {
  const all = targets.map((target) => categoriesOf(labels.get(target)));
  if (!name.startsWith('Provenance/')) return all.flat();
  const [first = [], ...others] = all;
  return first.filter((category) => others.every((each) => each.includes(category)));
}

function categoriesOf(label: Label | undefined): readonly LabelCategory[] {
  return label?.categories ?? [];
}
