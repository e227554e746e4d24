/** Pages of a search: determines the requested page, and makes the links `self` and `next` of the result. */

import type { MemberContext } from '../../catalog/oauth/authorizer-context.ts';
import { saysNothing } from '../query/parameters.ts';
import { outOfBounds } from '../query/query-bounds.ts';
import { invalid, type Parameter, printable, type SearchIssue } from '../query/search-issue.ts';
import { type CompartmentRequest, formatOf, type SearchDependencies } from '../query/search-request.ts';
import { searchUrl } from './bundle.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import type { Position } from './ordering.ts';

/** The page that a request asks for: the first page of a search, or the page at a cursor with the parameters of the cursor's search. */
export interface RequestedPage {
  readonly parameters: readonly Parameter[];
  /** Time of the first page's request, milliseconds since 1970. */
  readonly at: number;
  readonly after?: Position;
}

export type PageReading =
  | { readonly kind: 'page'; readonly page: RequestedPage }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** The request and URL of a search, as the reader of pages needs them. */
export interface PagedPlace {
  readonly request: Pick<CompartmentRequest, 'parameters' | 'repeated'> & {
    readonly context: Pick<MemberContext, 'clientId' | 'patientId'>;
  };
  /** The searched type, or the operation: `Patient/$everything`. */
  readonly search: string;
  /** Absolute, without a query. */
  readonly url: string;
  /** Whether the search has a parameter of this name; modifiers and chains are part of the name. */
  readonly hasParameter: (name: string) => boolean;
}

/** The search of one application in one compartment. */
export interface SearchPlace extends PagedPlace {
  readonly request: CompartmentRequest;
}

/** Parameters of the presentation, which a request may change from page to page. */
const pageParameters: readonly string[] = ['_count', '_summary', '_elements', '_total'];

/**
 * Determines the requested page. Client libraries add parameters to a `next` link. `_count` and other parameters of the presentation apply
 * to this page and the pages after it. Parameters that the cursor already has, and unsupported parameters, have no effect. Any other
 * parameter would change the search, and is refused.
 */
export function readRequestedPage(
  dependencies: Pick<SearchDependencies, 'sha256'>,
  place: PagedPlace,
  now: number,
): PageReading {
  const { parameters } = place.request;
  const others = parameters.filter(([name]) => name !== '_cursor');
  const bounds = outOfBounds(others);
  if (bounds !== undefined) return { kind: 'invalid', issues: [bounds] };
  const [first, ...more] = cursorsOf(parameters);
  if (first === undefined) return { kind: 'page', page: { parameters: others, at: now } };
  if (more.length > 0) return refused([invalid('_cursor was sent more than once. Send it once.')]);
  const cursor = parseCursor(first[1], owner(place), dependencies.sha256);
  if (cursor === undefined || outOfBounds(cursor.parameters) !== undefined) {
    return refused([
      invalid(
        '_cursor does not belong to this search. Use it from the link `next` unchanged, or start a new search.',
      ),
    ]);
  }
  const added = others.filter((sent) => !saysNothing(sent) && !isAmong(cursor.parameters, sent));
  const wrong = added.filter(([name]) => !pageParameters.includes(name) && place.hasParameter(name));
  if (wrong.length > 0) return refused(wrong.map(([name]) => changesSearch(name)));
  const replaced = new Set(added.map(([name]) => name));
  const kept = cursor.parameters.filter(([name]) => !replaced.has(name));
  return { kind: 'page', page: { ...cursor, parameters: [...kept, ...added] } };
}

function isAmong(parameters: readonly Parameter[], [name, value]: Parameter): boolean {
  return parameters.some((each) => each[0] === name && each[1] === value);
}

function changesSearch(name: string): SearchIssue {
  return invalid(
    `${printable(name)} can’t be changed between two pages, because _cursor has the parameters of its search. Leave it out, or start a new search.`,
  );
}

/**
 * The links of a page: `self` with the parameters that were used, and `next`.
 *
 * @param continuesAfter position of the last result, if more follow.
 */
export function pageLinks(
  { sha256 }: Pick<SearchDependencies, 'sha256'>,
  place: PagedPlace,
  { at, after }: RequestedPage,
  used: readonly Parameter[],
  continuesAfter: Position | undefined,
): { readonly self: string; readonly next?: string } {
  const { request, url } = place;
  const format = formatOf(request.parameters);
  // `_count` is repeated beside the cursor for clients that look for their own `_count` in the link.
  const count = used.filter(([name]) => name === '_count');
  const sent = request.parameters.filter(([name]) => name === '_cursor' || pageParameters.includes(name));
  const { repeated = [] } = request;
  const own = after === undefined ? used : [...sent.filter(([, value]) => value !== ''), ...repeated];
  const self = searchUrl(url, [...own, ...format]);
  if (continuesAfter === undefined) return { self };
  const cursor = formatCursor({ at, parameters: used, after: continuesAfter }, owner(place), sha256);
  return { self, next: searchUrl(url, [['_cursor', cursor], ...count, ...repeated, ...format]) };
}

function cursorsOf(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.filter(([name, value]) => name === '_cursor' && value !== '');
}

function owner({ request: { context }, search }: PagedPlace) {
  return { clientId: context.clientId, patientId: context.patientId, search };
}

function refused(issues: readonly SearchIssue[]): PageReading {
  return { kind: 'invalid', issues };
}
