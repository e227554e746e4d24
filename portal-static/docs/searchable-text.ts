/** A text that the search of the documentation finds. */
export interface SearchableText {
  /** `/docs/errors#wrong-code` */
  readonly path: string;
  /** Heading of the section, error code, or method and path of the call. */
  readonly title: string;
  /** Title of the page. */
  readonly page: string;
  readonly text: string;
}

/** Path of the entries, as a JSON array: loaded at the first search. */
export const searchEntriesPath = '/docs/search.json';
