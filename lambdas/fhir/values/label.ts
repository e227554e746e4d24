/**
 * Labels of a record's resources: their sensitive categories, determined when the resources are loaded. Reads and searches use the stored
 * labels only.
 */

import type { SensitiveCategory } from '../../catalog/fhir/sensitive-categories.ts';

/** A category of sensitive data, or `part-2`: a record that 42 CFR Part 2 protects, which no grant can share. */
export type LabelCategory = SensitiveCategory | 'part-2';

export interface Label {
  readonly categories: readonly LabelCategory[];
  /** `Binary/id` of the documents that the resource refers to. They have no codes of their own and take its categories. */
  readonly contents?: readonly string[];
}

/** Labels by `Type/id`; a resource without categories has no label. */
export type RecordLabels = ReadonlyMap<string, Label>;

/**
 * Names of withheld resources: those with a category that is not shared, and the documents they refer to. Empty for most records.
 *
 * @param shared categories
 */
export function namesNotShared(labels: RecordLabels, shared: ReadonlySet<string>): ReadonlySet<string> {
  const withheld = new Set<string>();
  for (const [name, { categories, contents = [] }] of labels) {
    if (categories.every((category) => shared.has(category))) continue;
    withheld.add(name);
    for (const content of contents) withheld.add(content);
  }
  return withheld;
}
