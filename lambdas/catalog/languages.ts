/** Languages of the members' pages by BCP 47 tag: the two that most members read. The first is the default. */
export const languages = ['en', 'es'] as const;

export type Language = (typeof languages)[number];

/**
 * The first language in a list of BCP 47 tags that the pages have, by primary subtag: `es-US` is Spanish.
 *
 * @returns undefined if the list has none of them.
 */
export function preferredLanguage(tags: readonly string[]): Language | undefined {
  for (const tag of tags) {
    const primary = tag.trim().toLowerCase().split('-', 1).join();
    const known = languages.find((language) => language === primary);
    if (known !== undefined) return known;
  }
  return undefined;
}
