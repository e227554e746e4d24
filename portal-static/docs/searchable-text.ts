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

/** Words that say nothing about what is searched: the index leaves them out, and a query is found without them. */
export const stopWords: ReadonlySet<string> = new Set(
  'a an and are as at be been but by can do does for from has have if in is it its may more no not of on one or that the their them then there they this to until was what when which who will with you your'.split(
    ' ',
  ),
);

/** Path of the search index, a JSON array that is loaded at the first search. */
export const searchEntriesPath = '/docs/search.json';
