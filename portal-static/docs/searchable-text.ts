/** An entry of the documentation's search index. */
export interface SearchableText {
  /** Path with fragment: `/docs/errors#wrong-code`. */
  readonly path: string;
  /** Heading of the section, error code, or method and path of the operation. */
  readonly title: string;
  /** Title of the page. */
  readonly page: string;
  readonly text: string;
}

/** Path of the search index, a JSON array that is loaded at the first search. */
export const searchEntriesPath = '/docs/search.json';
