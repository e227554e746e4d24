/** The languages of the member's pages, by BCP 47 tag: what most of the plans' members read. The first is the default. */
export const languages = ['en', 'es'] as const;

export type Language = (typeof languages)[number];

/**
 * The language that a list of BCP 47 tags asks for first, by its primary subtag: `es-US` is Spanish.
 *
 * @returns undefined where the list names none of ours.
 */
export function preferredLanguage(tags: readonly string[]): Language | undefined {
  for (const tag of tags) {
    const primary = tag.trim().toLowerCase().split('-', 1).join();
    const known = languages.find((language) => language === primary);
    if (known !== undefined) return known;
  }
  return undefined;
}
