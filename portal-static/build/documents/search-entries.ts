/** Entries of the documentation's search: sections of its pages, codes with an address of their own, and the calls of the interfaces. */

import { type SearchableText, stopWords } from '../../docs/searchable-text.ts';
import { type DescribedOperation, operationAddress } from '../reference/described-operations.ts';
import type { DocumentationSection, RenderedPage } from './documentation.ts';

export function searchEntries(
  chapters: readonly DocumentationSection[],
  operations: readonly DescribedOperation[],
): readonly SearchableText[] {
  const entries = [
    ...chapters.flatMap(({ pages }) => pages.flatMap(pageEntries)),
    ...operations.map(operationEntry),
  ];
  return entries.map((entry) => ({ ...entry, text: shortened(entry.text) }));
}

/** Characters of a text that a result can show. */
const shownCharacters = 160;

/**
 * Shortens a text for the index: its beginning, then each further word once, without words that every text has. It takes two thirds of the
 * bytes and is found by the same words.
 */
function shortened(text: string): string {
  const cut = text.indexOf(' ', shownCharacters);
  if (cut === -1) return text;
  const seen = new Set([...stopWords, ...wordsOf(text.slice(0, cut))]);
  const rest = wordsOf(text.slice(cut)).filter((word) => seen.size < seen.add(word).size);
  return [text.slice(0, cut), ...rest].join(' ');
}

/** Words in lowercase, without the punctuation around them. */
function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().split(' ');
  return words
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '');
}

function pageEntries({ path, title, description, html }: RenderedPage): readonly SearchableText[] {
  const [opening = '', ...sections] = html.split(/(?=<h[23] id=")/);
  return [
    { path, title, page: title, text: `${description} ${textOf(opening)}` },
    ...sections.map((section) => {
      const [heading = '', id = '', words = ''] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/.exec(section) ?? [];
      return {
        path: `${path}#${id}`,
        title: textOf(words),
        page: title,
        // A row with a code is an entry of its own.
        text: textOf(section.slice(heading.length).replace(codeRows, '')),
      };
    }),
    ...codes(html).map(([id, code, text]) => ({ path: `${path}#${id}`, title: code, page: title, text })),
  ];
}

/** Rows of tables whose code can be linked to. */
const codeRows = /<tr>(?:<td>[^<]*<\/td>)?<td><code id="([^"]+)">([^<]+)<\/code>(.*?)<\/tr>/g;

/** Codes that can be linked to, each in a row of its own. */
function codes(html: string): readonly (readonly [id: string, code: string, text: string])[] {
  return [...html.matchAll(codeRows)].map(
    ([, id = '', code = '', rest = '']) => [id, textOf(code), textOf(rest)] as const,
  );
}

function operationEntry(operation: DescribedOperation): SearchableText {
  const { method, path, summary, parameters } = operation;
  return {
    path: operationAddress(operation),
    title: `${method} ${path}`,
    page: 'API reference',
    text: [summary, ...parameters.map(({ name }) => name)].join(' '),
  };
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&amp;': '&',
};

/** Words of HTML that the build has made. */
function textOf(html: string): string {
  return html
    .replace(/<\/(?:p|li|td|th|h\d|pre)>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:lt|gt|quot|amp|#39|#x27);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}
