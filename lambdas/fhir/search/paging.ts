import { searchUrl } from './bundle.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import type { Position } from './ordering.ts';
import { outOfBounds } from './query-bounds.ts';
import { invalid, type Parameter, type SearchIssue } from './search-issue.ts';
import {
  type CompartmentRequest,
  formatOf,
  formParameters,
  type SearchDependencies,
} from './search-request.ts';

/** What a request asks for: a search's beginning, or the page at a cursor with the parameters of its search. */
export interface AskedPage {
  readonly parameters: readonly Parameter[];
  /** When the search began, milliseconds since 1970. */
  readonly at: number;
  readonly after?: Position;
}

export type ReadPage =
  | { readonly kind: 'page'; readonly page: AskedPage }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** The search of one application in one compartment. */
export interface SearchPlace {
  readonly request: CompartmentRequest;
  /** The type, or the operation: `Patient/$everything`. */
  readonly search: string;
  /** Absolute, without a query. */
  readonly url: string;
}

export function askedPage(dependencies: SearchDependencies, place: SearchPlace, now: number): ReadPage {
  const { parameters } = place.request;
  const others = parameters.filter(([name]) => name !== '_cursor');
  const bounds = outOfBounds(others);
  if (bounds !== undefined) return { kind: 'invalid', issues: [bounds] };
  const [first, ...more] = cursorsOf(parameters);
  if (first === undefined) return { kind: 'page', page: { parameters: others, at: now } };
  if (more.length > 0 || others.some(([name, value]) => value !== '' && !formParameters.includes(name))) {
    return refused('_cursor stands alone, or with _format: it holds the parameters of its search.');
  }
  const cursor = parseCursor(first[1], owner(place), dependencies.sha256);
  if (cursor === undefined || outOfBounds(cursor.parameters) !== undefined) {
    return refused('_cursor is not of this search. Take it from the link `next` as it is, or begin anew.');
  }
  return { kind: 'page', page: cursor };
}

/**
 * The links of a page: to itself with the parameters that were used, and to the next.
 *
 * @param continuesAfter the last result, where more follow it.
 */
export function pageLinks(
  { sha256 }: SearchDependencies,
  place: SearchPlace,
  { at, after }: AskedPage,
  used: readonly Parameter[],
  continuesAfter: Position | undefined,
): { readonly self: string; readonly next?: string } {
  const { request, url } = place;
  const format = formatOf(request.parameters);
  const own = after === undefined ? used : cursorsOf(request.parameters);
  const self = searchUrl(url, [...own, ...format]);
  if (continuesAfter === undefined) return { self };
  const cursor = formatCursor({ at, parameters: used, after: continuesAfter }, owner(place), sha256);
  return { self, next: searchUrl(url, [['_cursor', cursor], ...format]) };
}

function cursorsOf(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.filter(([name, value]) => name === '_cursor' && value !== '');
}

function owner({ request: { context }, search }: SearchPlace) {
  return { clientId: context.clientId, patientId: context.patientId, search };
}

function refused(diagnostics: string): ReadPage {
  return { kind: 'invalid', issues: [invalid(diagnostics)] };
}
