/** Search values of a resource, as its search entry stores them. */

import { jsonMember } from '../../platform/kernel/json-members.ts';
import type { DateRange } from './date-range.ts';
import { expressionsOf, type FoldedText, type Source, type Token } from './expressions.ts';
import type { Label } from './label.ts';
import { servedDates } from './served-until.ts';

/**
 * Search values of one resource, by search parameter; a parameter without a value is absent. They are extracted and stored when the
 * resource is loaded, so that a search parses no resource.
 */
export interface SearchValues {
  /** Bytes that the resource contributes to a page. A page ends before its response grows too large for a Lambda function. */
  readonly size: number;
  readonly tokens: Readonly<Record<string, readonly Token[]>>;
  readonly dates: Readonly<Record<string, readonly DateRange[]>>;
  readonly strings: Readonly<Record<string, readonly FoldedText[]>>;
  /** `Type/id`, by reference parameter and by value of `_include`. */
  readonly references: Readonly<Record<string, readonly string[]>>;
  /**
   * The label by the resource's own codes (`labels/resource-label.ts`). Absent in the search index: the labels of a record are stored
   * together.
   */
  readonly label?: Label | undefined;
}

/**
 * Reference parameters to the patient. Nearly every search uses one of them, so an entry has their values even without the other
 * references.
 */
export const patientParameters: readonly string[] = ['patient', 'subject', 'beneficiary'];

/**
 * Name under which the references hold the resources that a resource is about (`labels/resource-label.ts`). No search has a parameter of
 * this name.
 */
export const aboutName = '_about';

/**
 * Extracts the search values of a resource. A value that can't be read is left out, and a type without searches has none: the resource was
 * validated when it was loaded, and a fault must not stop a search.
 */
export function searchValues(resource: unknown): SearchValues {
  const size = sizeOf(resource);
  const rules = expressionsOf(resource);
  if (rules === undefined)
    return { size, tokens: {}, dates: servedDates(resource), strings: {}, references: {} };
  return {
    size,
    tokens: each(resource, rules.tokens),
    dates: { ...each(resource, rules.dates), ...servedDates(resource) },
    strings: each(resource, rules.strings),
    references: each(resource, rules.references),
  };
}

/** The dates of one search parameter of a resource, without its other values. */
export function searchDates(resource: unknown, parameter: string): readonly DateRange[] {
  return valuesOf(resource, expressionsOf(resource)?.dates[parameter] ?? []);
}

/**
 * Bytes of a resource's JSON, or two thirds of its bytes in a function's response if that is more, because each quote takes two bytes
 * there.
 */
function sizeOf(resource: unknown): number {
  try {
    const json = JSON.stringify(resource) ?? '';
    return Math.max(Buffer.byteLength(json), Math.ceil((2 / 3) * Buffer.byteLength(JSON.stringify(json))));
  } catch {
    // A resource nested deeper than the call stack could not have been stored as JSON either.
    return 0;
  }
}

function each<Value>(
  resource: unknown,
  rules: Readonly<Record<string, readonly Source<Value>[]>>,
): Record<string, readonly Value[]> {
  const values = Object.entries(rules).map(([name, sources]) => [name, valuesOf(resource, sources)] as const);
  return Object.fromEntries(values.filter(([, found]) => found.length > 0));
}

/** Reads values, each once: the lines of a claim often have the same date. */
function valuesOf<Value>(resource: unknown, sources: readonly Source<Value>[]): readonly Value[] {
  const found = sources.flatMap(({ path, read }) => elementsAt(resource, path).flatMap(read));
  if (found.length < 2) return found;
  return [...new Map(found.map((value) => [JSON.stringify(value), value])).values()];
}

/** The elements at a path, through lists; FHIR has no list of lists. */
function elementsAt(resource: unknown, path: string): readonly unknown[] {
  return path
    .split('.')
    .reduce<readonly unknown[]>(
      (parents, name) => parents.flatMap((parent) => children(parent, name)),
      [resource],
    );
}

function children(parent: unknown, name: string): readonly unknown[] {
  const child = jsonMember(parent, name);
  if (child === undefined) return [];
  return Array.isArray(child) ? child : [child];
}
