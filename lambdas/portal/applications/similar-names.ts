/**
 * Compares names as a member reads them: "Medlcare", "MEDICARE" and "Мedicare" look like "Medicare".
 *
 * A small part of the skeletons of UTS #39 section 4: compatible forms, letters of other alphabets that look Latin, and digits that stand
 * for letters.
 */

const lookalikes: Readonly<Record<string, string>> = {
  // Cyrillic.
  а: 'a',
  в: 'b',
  с: 'c',
  е: 'e',
  н: 'h',
  і: 'l',
  ј: 'j',
  к: 'k',
  м: 'm',
  о: 'o',
  р: 'p',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  ԁ: 'd',
  ԛ: 'q',
  ԝ: 'w',
  // Greek.
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'l',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ω: 'w',
  // Latin letters and digits that look alike.
  ı: 'l',
  i: 'l',
  '1': 'l',
  '|': 'l',
  '!': 'l',
  '0': 'o',
  '3': 'e',
  '5': 's',
  $: 's',
  '@': 'a',
};

/** The words of a name, reduced to what they look like. */
function skeletonWords(name: string): readonly string[] {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const latin = Array.from(plain, (letter) => lookalikes[letter] ?? letter).join('');
  return (
    latin
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Characters of a name below which it is part of too many others. */
const shortestPart = 5;

/** Whether a name contains a protected one, written in whichever way looks like it. */
export function namesProtected(name: string, isProtected: string): boolean {
  const [words, wanted] = [skeletonWords(name), skeletonWords(isProtected).join('')];
  if (wanted === '') return false;
  const whole = words.join('');
  if (words.includes(wanted) || whole === wanted) return true;
  if (wanted.length < shortestPart) return false;
  return whole.includes(wanted) || words.some((word) => isNear(word, wanted));
}

/** Whether two names could be taken for one another. */
export function isSimilar(one: string, other: string): boolean {
  const [short = '', long = ''] = [skeletonWords(one).join(''), skeletonWords(other).join('')].sort(
    (left, right) => left.length - right.length,
  );
  if (short === '') return false;
  if (short === long) return true;
  if (short.length < shortestPart) return false;
  return isNear(short, long) || (long.includes(short) && short.length * 2 >= long.length);
}

/** Whether two names differ by one typing error, in long names by two. */
function isNear(one: string, other: string): boolean {
  const most = Math.min(one.length, other.length) < 9 ? 1 : 2;
  return Math.abs(one.length - other.length) <= most && distance(one, other) <= most;
}

/** Levenshtein distance of two texts. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let from = 1; from <= one.length; from += 1) {
    const next = [from];
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (one[from - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
