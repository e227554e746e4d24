/** Selects the matches and included resources of one result page. */

import { nameOf } from '../../catalog/fhir/resource-name.ts';
import type { SortKey } from '../query/result-parameters.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';
import { type Candidate, candidateOf } from './matching.ts';
import { comparePositions, type Position, positionOf } from './ordering.ts';

/**
 * Most bytes of resources in one response, as `SearchValues.size` counts them: two thirds of the largest response of a Lambda function, in
 * which each quote of the JSON counts twice (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
 */
const mostBytes = 4_000_000;

/** Most resources in one response, because an audit event names each of them. */
const mostResources = 500;

export interface ResultPage {
  readonly matches: readonly SearchEntry[];
  readonly included: readonly SearchEntry[];
  /** Position of the last match on the page, if more matches follow. */
  readonly continuesAfter?: Position;
}

export interface PageRequest {
  readonly sort: readonly SortKey[];
  /** Most matches on the page. */
  readonly count: number;
  readonly after?: Position | undefined;
  /** Most bytes of the page's resources. A page has fewer matches than `count` if they are larger, but always at least one. */
  readonly bytes?: number;
  /**
   * Finds the entries included with a match.
   *
   * @default none
   */
  readonly included?: (match: SearchEntry) => readonly SearchEntry[];
}

/** Selects the matches of one page, sorted, with the entries they include; each resource appears once on a page. */
export function pageOf(matches: readonly Candidate[], request: PageRequest): ResultPage {
  const { sort, count, after, bytes = mostBytes, included: includedBy = () => [] } = request;
  const following = matches
    .map((candidate) => ({ candidate, position: positionOf(candidate, sort) }))
    .filter(({ position }) => after === undefined || comparePositions(position, after, sort) > 0)
    .sort((a, b) => comparePositions(a.position, b.position, sort));
  const taken: SearchEntry[] = [];
  const included = new Map<string, SearchEntry>();
  let size = 0;
  for (const { candidate } of following.slice(0, count)) {
    const more = includedBy(candidate.entry).filter((entry) => !included.has(nameOf(entry)));
    size += candidate.values.size + more.reduce((sum, entry) => sum + candidateOf(entry).values.size, 0);
    const tooMany = taken.length + 1 + included.size + more.length > mostResources;
    if ((size > bytes || tooMany) && taken.length > 0) break;
    taken.push(candidate.entry);
    for (const entry of more) included.set(nameOf(entry), entry);
  }
  const last = following[taken.length - 1];
  const names = new Set(taken.map(nameOf));
  return {
    matches: taken,
    included: [...included.values()].filter((entry) => !names.has(nameOf(entry))),
    ...(last !== undefined && taken.length < following.length && { continuesAfter: last.position }),
  };
}
