/** Filters resources by the categories that granted scopes are limited to (SMART App Launch 2.2). */

import { allowedCategories, allowsRead, allowsSearch } from '../../catalog/oauth/scopes.ts';
import type { Token } from '../values/expressions.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';
import { candidateOf } from './matching.ts';

/** Whether a resource with these categories is among the ones that granted scopes are limited to. */
export function isAllowedCategory(
  allowed: readonly string[] | undefined,
  categories: readonly Token[] = [],
): boolean {
  if (allowed === undefined) return true;
  return categories.some(([system, code]) => allowed.includes(`${system}|${code}`));
}

/**
 * Finds the entries that granted scopes allow: of their types, and where a scope is limited to a category, with that category.
 *
 * @param letter `r` for what is read or included, `s` for what a search finds.
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
