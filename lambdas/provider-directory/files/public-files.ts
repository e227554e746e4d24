/** The public files of a publication, which anyone may download, and the port by which a build writes them. */

/** Writes files of one publication. Adapter: `lambdas/provider-directory/sqlite/publish-files.ts`. */
export interface PublicationFiles {
  /**
   * Writes a file, compressed with gzip; it is never changed.
   *
   * @param name within the publication: `bulk/Location-001.ndjson`.
   * @param text of the file, in pieces.
   */
  write(name: string, contentType: string, text: Iterable<string>): Promise<void>;
}

export const contentTypes = {
  ndjson: 'application/fhir+ndjson',
  fhirJson: 'application/fhir+json',
  csv: 'text/csv; charset=utf-8; header=present',
} as const;

/** Characters of a piece of text: enough to make the overhead of each piece small, and few enough for memory. */
const pieceLength = 65_536;

/** Joins small texts into pieces. */
export function* pieces(texts: Iterable<string>): Generator<string> {
  let waiting: string[] = [];
  let length = 0;
  for (const text of texts) {
    waiting.push(text);
    length += text.length;
    if (length < pieceLength) continue;
    yield waiting.join('');
    waiting = [];
    length = 0;
  }
  if (waiting.length > 0) yield waiting.join('');
}

/** Name of a file, with its number among the files of its type: `Location-001`. */
export function fileName(type: string, number: number): string {
  return `${type}-${String(number).padStart(3, '0')}`;
}

/** Splits items into groups of at most `most`. Each group must be consumed before the next begins. */
export function* partsOf<Item>(items: Iterable<Item>, most: number): Generator<Iterable<Item>> {
  const iterator = items[Symbol.iterator]();
  let next = iterator.next();
  while (next.done !== true) {
    yield (function* () {
      for (let count = 0; count < most && next.done !== true; count += 1) {
        yield next.value;
        next = iterator.next();
      }
    })();
  }
}
