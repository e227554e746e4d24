/** Filters resources by the categories that granted scopes are limited to (SMART App Launch 2.2). */

import { allowedCategories, allowsRead, allowsSearch } from '../../catalog/oauth/scopes.ts';
import type { Token } from '../values/expressions.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';
import { candidateOf } from './matching.ts';

/** Whether a resource has a category that the granted scopes are limited to. */
export function isAllowedCategory(
  allowed: readonly string[] | undefined,
  categories: readonly Token[] = [],
): boolean {
  if (allowed === undefined) return true;
  return categories.some(([system, code]) => allowed.includes(`${system}|${code}`));
}

/**
 * Makes a filter of the entries that the granted scopes allow: by type, and by category if a scope is limited to one.
 *
 * @param letter the permission needed: `r` to read or include a resource, `s` to find it by a search.
 */
export function scopeFilter(scope: string, letter: 'r' | 's'): (entry: SearchEntry) => boolean {
  const byType = new Map<
    string,
    { readonly covered: boolean; readonly categories: readonly string[] | undefined }
  >();
  return (entry) => {
    const { resourceType } = entry;
    const known = byType.get(resourceType) ?? {
      covered: letter === 'r' ? allowsRead(scope, resourceType) : allowsSearch(scope, resourceType),
      categories: allowedCategories(scope, resourceType, letter),
    };
    byType.set(resourceType, known);
    if (!known.covered || known.categories === undefined) return known.covered;
    return isAllowedCategory(known.categories, candidateOf(entry).values.tokens.category);
  };
}
