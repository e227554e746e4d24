/**
 * Compares names as a member sees them: "Medlcare", "MEDICARE" and "Мedicare" look like "Medicare".
 *
 * Implements a small part of the skeletons of UTS #39 section 4: compatibility forms, letters of other alphabets that look Latin, and
 * digits that resemble letters.
 */

const lookalikes: Readonly<Record<string, string>> = {
  // Cyrillic letters.
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
  // Greek letters.
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

/** Splits a name into words, with each character replaced by the one it looks like. */
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

/** Least length of a name that is searched for inside other names; shorter names occur in too many. */
const shortestPart = 5;

/** Whether a name contains a protected name or a look-alike of it. */
export function namesProtected(name: string, isProtected: string): boolean {
  const [words, wanted] = [skeletonWords(name), skeletonWords(isProtected).join('')];
  if (wanted === '') return false;
  const whole = words.join('');
  if (words.includes(wanted) || whole === wanted) return true;
  if (wanted.length < shortestPart) return false;
  return whole.includes(wanted) || words.some((word) => isNear(word, wanted));
}

/** Whether two names could be mistaken for each other. */
export function isSimilar(one: string, other: string): boolean {
  const [short = '', long = ''] = [skeletonWords(one).join(''), skeletonWords(other).join('')].sort(
    (left, right) => left.length - right.length,
  );
  if (short === '') return false;
  if (short === long) return true;
  if (short.length < shortestPart) return false;
  return isNear(short, long) || (long.includes(short) && short.length * 2 >= long.length);
}

/** Whether two names differ by at most one typing error, or two if both have nine characters or more. */
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
