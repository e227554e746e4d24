/** Judges by codes and labels whether a resource is of a sensitive category. */

import {
  mayBeSensitive,
  type SensitiveCategory,
  sensitiveCategories,
} from '../catalog/fhir/sensitive-categories.ts';
import { jsonMember } from '../kernel/json-members.ts';
import { part2Label } from './part-2-records.ts';
import { securityLabels } from './security-labels.ts';
import { actCode, sensitiveCodes } from './sensitive-codes.ts';

/** Categories of a sensitive resource, and the documents it holds. */
export interface SensitiveMark {
  readonly categories: readonly SensitiveCategory[];
  /** `Binary/id` of the documents that it holds: they are of the same categories, and have no code of their own. */
  readonly contents?: readonly string[];
}

interface JudgedSet {
  readonly category: SensitiveCategory;
  readonly holds: (code: string) => boolean;
}

/** The value sets by system. */
const bySystem = new Map<string, JudgedSet[]>();
for (const category of sensitiveCategories) {
  for (const { systems, holds } of sensitiveCodes[category]) {
    for (const system of systems)
      bySystem.set(system, [...(bySystem.get(system) ?? []), { category, holds }]);
  }
}

/** A system that labels and other elements share: `Encounter.class` has codes of it. */
const labelsOnly: readonly string[] = [actCode];

/**
 * The categories of a resource: of every code in it and in what it contains, wherever it stands, and of its security labels. A label of
 * ActCode that is in no value set makes it `restricted`.
 *
 * @returns undefined for a resource of no category.
 */
export function sensitiveMark(resource: unknown): SensitiveMark | undefined {
  const type = jsonMember(resource, 'resourceType');
  if (typeof type !== 'string' || !mayBeSensitive(type)) return undefined;
  const found = new Set<SensitiveCategory>();
  const contents = new Set<string>();
  for (const label of securityLabels(resource)) for (const category of ofLabel(label)) found.add(category);
  // A list instead of recursion: a resource may be nested deeper than the stack.
  const waiting: unknown[] = [resource];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const { system, code, url, reference } = value as Readonly<Record<string, unknown>>;
    if (typeof system === 'string' && typeof code === 'string' && !labelsOnly.includes(system)) {
      for (const category of ofCode(system, code)) found.add(category);
    }
    for (const address of [url, reference]) {
      const binary =
        typeof address === 'string' && /(?:^|\/)(Binary\/[A-Za-z0-9\-.]{1,64})(?:$|\/)/.exec(address);
      if (binary) contents.add(binary[1] ?? '');
    }
    for (const child of Object.values(value)) waiting.push(child);
  }
  if (found.size === 0) return undefined;
  const categories = sensitiveCategories.filter((category) => found.has(category));
  return { categories, ...(contents.size > 0 && { contents: [...contents].sort() }) };
}

/** Whether granted categories (of scopes) cover a resource. */
export function isSharedMark(mark: SensitiveMark | undefined, shared: ReadonlySet<string>): boolean {
  return mark === undefined || mark.categories.every((category) => shared.has(category));
}

function ofCode(system: string, code: string): readonly SensitiveCategory[] {
  return (bySystem.get(system) ?? []).flatMap(({ category, holds }) => (holds(code) ? [category] : []));
}

function ofLabel(label: unknown): readonly SensitiveCategory[] {
  const [system, code] = [jsonMember(label, 'system'), jsonMember(label, 'code')];
  if (typeof system !== 'string' || typeof code !== 'string') return [];
  const found = ofCode(system, code);
  // Records of 42 CFR Part 2 are never shared.
  const isUnknown = system === actCode && found.length === 0 && code !== part2Label;
  return isUnknown ? ['restricted'] : found;
}
