/** Records the disclosure of search results, then builds the response. */

import type { Selection } from '../query/result-parameters.ts';
import type { Parameter } from '../query/search-issue.ts';
import type { SearchAnswer, SearchDependencies } from '../query/search-request.ts';
import type { AdmittedSearch } from './admitted-search.ts';
import { searchBundle } from './bundle.ts';
import { disclose } from './disclosure.ts';
import type { ResultPage } from './page.ts';
import { pageLinks } from './paging.ts';

/** Results of an admitted search. */
export interface SearchResult {
  readonly page: ResultPage;
  /** Number of matches on all pages. */
  readonly total: number;
  /** The parameters that were used; the link to the next page repeats them. */
  readonly used: readonly Parameter[];
  readonly selection: Selection;
  /** Names (`Type/id`) of withheld resources, which are masked in the response. */
  readonly withheld: ReadonlySet<string>;
  /** Warnings for the client. */
  readonly warnings: readonly string[];
}

/**
 * Records the disclosure, then builds the Bundle. Every search responds through this function.
 *
 * @throws the errors of the ports; nothing is disclosed then.
 */
export async function buildSearchAnswer(
  dependencies: SearchDependencies,
  { place, event, mediaType, page: asked, now }: AdmittedSearch,
  { page, total, used, selection, withheld, warnings }: SearchResult,
): Promise<SearchAnswer> {
  const { base } = place.request;
  const resources = await disclose(dependencies, event, page, { mediaType, selection, withheld });
  const links = pageLinks(dependencies, place, asked, used, page.continuesAfter);
  const body = searchBundle({ base, ...links, total, resources, warnings, now });
  return { kind: 'bundle', body, mediaType };
}
