/** Categories of sensitive data that a member shares separately, and the scopes that stand for them. */

/**
 * The categories, in the order of the consent page. Their codes are in `lambdas/fhir/labels/sensitive-codes.ts`, their names in
 * `sensitive-words.ts`.
 */
export const sensitiveCategories = [
  'mental-health',
  'substance-use',
  'sexual-health',
  'reproductive-health',
  'genetics',
  'violence',
  'restricted',
] as const;

export type SensitiveCategory = (typeof sensitiveCategories)[number];

/**
 * Types that are never sensitive: every application needs them to identify the member and the coverage, and they contain nothing about
 * care. Other types are judged by codes and labels.
 */
const plainTypes: readonly string[] = ['Patient', 'Coverage', 'RelatedPerson'];

/** Whether resources of a type can be of a sensitive category. */
export function mayBeSensitive(resourceType: string): boolean {
  return !plainTypes.includes(resourceType);
}

/**
 * Scope of a category. A grant has it if the member ticked the category. Applications can't request it: the consent page always offers all
 * categories.
 */
export function sensitiveScope(category: SensitiveCategory): string {
  return `sensitive/${category}`;
}

/** The scopes of all categories, space-separated. */
export const everySensitiveScope = sensitiveCategories.map(sensitiveScope).join(' ');

/** The categories in granted scopes (space-separated). */
export function sharedCategories(scope: string): ReadonlySet<SensitiveCategory> {
  const tokens = scope.split(' ');
  return new Set(sensitiveCategories.filter((category) => tokens.includes(sensitiveScope(category))));
}
