/** Sorts the matches of a directory search, and finds those of one page. */

import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import type { PublicationIndex } from '../publication/publication-index.ts';
import { elementNumber } from '../publication/publication-schema.ts';
import { type DirectoryQuery, nearOf } from './directory-query.ts';
import { distance } from './distance.ts';

/** The position of a resource among the sorted matches. */
export interface OrderedPlace {
  /** The resource's sort values, one for each sort key of the search. */
  readonly keys: readonly number[];
  /** Number of the resource in the publication; it orders resources with equal keys. */
  readonly rid: number;
}

/**
 * Finds the first `most` positions after a position. Without sort keys the matches are in order already, and begin after it; then no more
 * than `most` are read.
 */
export function firstOf(
  matches: Iterable<number>,
  keysOf: ((rid: number) => readonly number[]) | undefined,
  most: number,
  after: OrderedPlace | undefined,
): readonly OrderedPlace[] {
  const found: OrderedPlace[] = [];
  for (const rid of matches) {
    const place = { keys: keysOf?.(rid) ?? [], rid };
    if (keysOf === undefined) {
      if (found.push(place) === most) break;
      continue;
    }
    const last = found.at(-1);
    if ((after !== undefined && comparePlaces(place, after) <= 0) || place.keys.some(Number.isNaN)) continue;
    if (found.length === most && last !== undefined && comparePlaces(place, last) >= 0) continue;
    if (found.length === most) found.pop();
    const at = found.findIndex((each) => comparePlaces(place, each) < 0);
    found.splice(at < 0 ? found.length : at, 0, place);
  }
  return found;
}

function comparePlaces(a: OrderedPlace, b: OrderedPlace): number {
  for (const [at, key] of a.keys.entries()) {
    const compared = key - (b.keys[at] ?? 0);
    if (compared !== 0) return compared;
  }
  return a.rid - b.rid;
}

/**
 * Makes the function that computes a resource's sort values, smaller ones first; undefined if resources sort by their number in the
 * publication.
 */
export function sortKeys(
  index: PublicationIndex,
  type: DirectoryType,
  { sort, criteria }: Pick<DirectoryQuery, 'sort' | 'criteria'>,
): ((rid: number) => readonly number[]) | undefined {
  if (sort.length === 0) return undefined;
  const keys = sort.map(({ name, descending }) => {
    const key = sortKey(index, type, name, criteria);
    return descending ? (rid: number) => -key(rid) : key;
  });
  return (rid) => keys.map((key) => key(rid));
}

function sortKey(
  index: PublicationIndex,
  type: DirectoryType,
  name: string,
  criteria: DirectoryQuery['criteria'],
): (rid: number) => number {
  const { first } = index.range(type);
  const from = nearOf(criteria);
  if (name === 'near' && from !== undefined) {
    const places = index.triples(elementNumber(type, 'near'));
    return (rid) => {
      const at = places.from(rid);
      return places.rid(at) === rid ? distance(from, places.first(at), places.second(at)) : Number.NaN;
    };
  }
  if (name === '_lastUpdated') {
    const updated = index.updated(type);
    return (rid) => updated[rid - first] ?? 0;
  }
  const ranks = index.order(type, name === '_id' ? 'byId' : 'byName');
  return (rid) => ranks[rid - first] ?? 0;
}
