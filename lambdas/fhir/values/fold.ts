/**
 * A text without what a string search doesn't look at: case, accents, spaces at the ends and doubled (R4, search.html#string).
 * Upper case first, since `ß` and `ﬁ` are two letters there.
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
