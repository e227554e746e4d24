/**
 * Folds a text for string searches: without case, accents, and leading, trailing or repeated spaces (R4, search.html#string). Upper-casing
 * comes first, because it turns `ß` and `ﬁ` into two letters.
 */
export function fold(text: string): string {
  return text
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ς', 'σ')
    .replace(/\s+/g, ' ')
    .trim();
}
