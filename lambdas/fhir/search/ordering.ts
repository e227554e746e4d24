/** Order of search results (`_sort`): the position of a resource, and the comparison of two positions. */

import { patientAccessTypes } from '../../catalog/fhir/fhir-resources.ts';
import type { SortKey } from '../query/result-parameters.ts';
import { startOf } from '../values/date-range.ts';
import { type Candidate, datesOf } from './matching.ts';

/** Position of a resource in an order: the value of each sort key, null if it has none, then its ID. Cursors store it as JSON. */
export interface Position {
  readonly keys: readonly (number | string | null)[];
  readonly id: string;
}

/** Sort key for results of several types: the order of the table of types. No query can ask for it. */
export const typeOrder: SortKey = { name: '_type', descending: false };

const typeNames: readonly string[] = patientAccessTypes;

/** Start of a Period without a start: sorts before every date. JSON has no -Infinity. */
const sinceEver = -8.64e15;

/**
 * The position of a resource. Of several values of a key, the one that sorts first counts (R4, search.html#sort); a Period sorts by its
 * start.
 */
export function positionOf(candidate: Candidate, sort: readonly SortKey[]): Position {
  const keys = sort.map(({ name, descending, first }) => {
    if (first !== undefined) return candidate.values.tokens[name]?.some(([, code]) => code === first) ? 0 : 1;
    if (name === '_id') return candidate.entry.id;
    if (name === typeOrder.name) return typeNames.indexOf(candidate.entry.resourceType);
    const starts = datesOf(candidate, name).map((range) => Math.max(startOf(range), sinceEver));
    if (starts.length === 0) return null;
    return descending ? Math.max(...starts) : Math.min(...starts);
  });
  return { keys, id: candidate.entry.id };
}

/**
 * Compares two positions: less than 0 if `a` sorts before `b`; 0 for the same resource. Resources without a value sort last in both
 * directions.
 */
export function comparePositions(a: Position, b: Position, sort: readonly SortKey[]): number {
  for (const [index, { descending }] of sort.entries()) {
    const compared = compareKeys(a.keys[index] ?? null, b.keys[index] ?? null, descending);
    if (compared !== 0) return compared;
  }
  return compareValues(a.id, b.id);
}

function compareKeys(a: number | string | null, b: number | string | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return descending ? compareValues(b, a) : compareValues(a, b);
}

function compareValues(a: number | string, b: number | string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
