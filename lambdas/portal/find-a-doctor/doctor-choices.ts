/** The choices on the page "Find a doctor": languages, distances. The specialties are a table of the catalog. */

/**
 * Languages that practitioners state, by BCP 47 tag, in the order of how many people speak them at home in the United States (Census
 * Bureau, American Community Survey 2019, table B16001). A plan's languages are in the order of its own directory once it is chosen.
 */
export const languageChoices = {
  en: 'English',
  es: 'Spanish',
  zh: 'Chinese',
  tl: 'Tagalog',
  vi: 'Vietnamese',
  ar: 'Arabic',
  fr: 'French',
  ko: 'Korean',
  ru: 'Russian',
} as const;

/** A language of the table, by its tag. */
export type LanguageChoice = keyof typeof languageChoices;

/** The languages of the table, in its order. */
export const languageTags = Object.keys(languageChoices) as readonly LanguageChoice[];

/** Distances from a ZIP code, in miles. */
export const distanceChoices = [5, 10, 25, 50] as const;
