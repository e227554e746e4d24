/** Parses a directory search: the query that all searches share, with the directory's additions. */

import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import type { CriterionContext } from '../../fhir/query/criteria.ts';
import { parseQuery, type SearchQuery } from '../../fhir/query/query.ts';
import type { SortKey } from '../../fhir/query/result-parameters.ts';
import { invalid, type Parameter, type SearchIssue } from '../../fhir/query/search-issue.ts';
import type { Circle, OwnCriterion } from './directory-criterion.ts';
import { directorySearch } from './directory-searches.ts';

export interface DirectoryQuery extends SearchQuery<OwnCriterion> {
  /** Sort keys. Resources with equal keys, and those without a key, keep the publication's order. */
  readonly sort: readonly SortKey[];
  /** Whether inactive resources are left out: always, unless the query has `active`, `status` or `_id`. */
  readonly listedOnly: boolean;
  /** Whether to count the matches on all pages. */
  readonly countsAll: boolean;
}

/** Parameters with which a query finds inactive resources too. */
const askingForUnlisted: readonly string[] = ['active', 'status', '_id'];

/**
 * Parses the parameters of a directory search.
 *
 * @param parameters decoded, in the order sent.
 * @param context as for the searches of other interfaces.
 */
export function parseDirectoryQuery(
  type: DirectoryType,
  parameters: readonly Parameter[],
  context: CriterionContext & { readonly strict: boolean },
):
  | { readonly kind: 'query'; readonly query: DirectoryQuery }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] } {
  const parsed = parseQuery(directorySearch(type), parameters, context);
  if (parsed.kind === 'invalid') return parsed;
  const { criteria, used, selection, total, sort } = parsed.query;
  const near = nearOf(criteria);
  if (near === undefined && sort?.some(({ name }) => name === 'near')) {
    return {
      kind: 'invalid',
      issues: [invalid('_sort=near needs the parameter near, which names a place.')],
    };
  }
  return {
    kind: 'query',
    query: {
      ...parsed.query,
      sort: sort ?? (near === undefined ? [] : [{ name: 'near', descending: false }]),
      listedOnly: !used.some(([name]) => askingForUnlisted.includes(name.split(':', 1)[0] ?? '')),
      countsAll: selection.summary === 'count' || total === 'accurate' || total === 'estimate',
    },
  };
}

/** The position that `near` measures distances from. */
export function nearOf(criteria: DirectoryQuery['criteria']): Circle | undefined {
  return criteria.find((criterion) => criterion.kind === 'near')?.anyOf[0];
}
