/** Search values of a resource as they are stored in its index entry. */

import { jsonMember } from '../../platform/kernel/json-members.ts';
import type { DateRange } from './date-range.ts';
import { expressionsOf, type FoldedText, type Source, type Token } from './expressions.ts';
import type { Label } from './label.ts';
import { servedDates } from './served-until.ts';

/**
 * Index values of one resource, by search parameter; a parameter without a value in the resource is missing.
 * Serialized beside the resource when it is loaded, so that a search parses no resource.
 */
export interface SearchValues {
  /** Bytes that the resource counts for on a page. A page ends before its answer grows too large for the gateway. */
  readonly size: number;
  readonly tokens: Readonly<Record<string, readonly Token[]>>;
  readonly dates: Readonly<Record<string, readonly DateRange[]>>;
  readonly strings: Readonly<Record<string, readonly FoldedText[]>>;
  /** `Type/id`, of reference parameters and of what `_include` follows. */
  readonly references: Readonly<Record<string, readonly string[]>>;
  /** Its own label, as it was judged when it was loaded (`labels/resource-label.ts`). The index has none: labels are kept together. */
  readonly label?: Label | undefined;
}

/** Reference parameters that name the patient. Nearly every search asks one, so that an entry has them without the other references. */
export const patientParameters: readonly string[] = ['patient', 'subject', 'beneficiary'];

/** Name under which reference values hold what a resource is about (`labels/resource-label.ts`). No search has a parameter of this name. */
export const aboutName = '_about';

/**
 * Reads the search values of a resource. A value that can't be read is left out, and so are those of a type that is not searched: the
 * resource was validated when it was loaded, and a fault must not stop a search.
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

/** Bytes of its JSON, or two thirds of those in a function's answer where these are more: a text full of quotes takes twice its bytes. */
function sizeOf(resource: unknown): number {
  try {
    const json = JSON.stringify(resource) ?? '';
    return Math.max(Buffer.byteLength(json), Math.ceil((2 / 3) * Buffer.byteLength(JSON.stringify(json))));
  } catch {
    // A resource nested deeper than the stack could not have been stored as JSON either.
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

/** Each value once: the lines of a claim often have one date. */
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
