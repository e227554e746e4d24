/** Categories of sensitive data that a member shares apart, and the scopes that stand for them. */

/** The categories, in the order of the consent page. The codes of each are in `lambdas/fhir/labels/sensitive-codes.ts`, its words in `sensitive-words.ts`. */
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
 * Types that have no category: every application needs them to tell whose data it has, and none of them tells of care.
 * All other types are judged by their codes and labels.
 */
const plainTypes: readonly string[] = ['Patient', 'Coverage', 'RelatedPerson'];

/** Whether a resource of a type can be sensitive. */
export function mayBeSensitive(resourceType: string): boolean {
  return !plainTypes.includes(resourceType);
}

/**
 * Scope of a category. A grant has it if the member ticked the category. No application can request it: every consent page offers all
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
