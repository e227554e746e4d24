import { describe, expect, it } from 'vitest';
import { english } from '../../../../lambdas/authorization/pages/words/english.ts';
import { spanish } from '../../../../lambdas/authorization/pages/words/spanish.ts';
import { pageText } from '../../../../lambdas/authorization/pages/words/words.ts';
import { dataGroups } from '../../../../lambdas/catalog/fhir/data-groups.ts';
import { languages } from '../../../../lambdas/catalog/languages.ts';

/** Lists every text of a table with its path. Functions are called with sample words. */
function texts(of: unknown, path = ''): [path: string, text: string][] {
  if (typeof of === 'string') return [[path, of]];
  if (typeof of === 'function') {
    const blanks = Array.from({ length: of.length }, (_, index) => `Blue Steps ${index}`);
    return texts((of as (...blanks: string[]) => unknown)(...blanks), path);
  }
  if (typeof of !== 'object' || of === null) return [];
  return Object.entries(of).flatMap(([name, value]) => texts(value, path === '' ? name : `${path}.${name}`));
}

const inEnglish = new Map(texts(english));
const inSpanish = new Map(texts(spanish));

/** Paths of texts that are the same in both languages, such as addresses. */
const sameInBoth = (path: string) => path.endsWith('.uri');

describe('the words of the pages', () => {
  it('say in each language all that they say in another', () => {
    expect(inEnglish.size).toBeGreaterThan(150);
    expect([...inSpanish.keys()]).toEqual([...inEnglish.keys()]);
    for (const language of languages) expect(pageText[language].language).toBe(language);
  });

  it('are nowhere empty, and nowhere English by accident', () => {
    const untranslated = [...inSpanish].filter(
      ([path, text]) => text.trim() === '' || (!sameInBoth(path) && text === inEnglish.get(path)),
    );
    expect(untranslated).toEqual([]);
    for (const { words: names } of dataGroups) {
      expect(names.es.name).not.toBe(names.en.name);
      expect(names.es.detail).not.toBe(names.en.detail);
    }
  });

  it('use a blank in each language where they use it in another', () => {
    const blanks = (text: string | undefined) => [...new Set(text?.match(/Blue Steps \d/g))].sort();
    for (const [path, text] of inEnglish) expect(blanks(inSpanish.get(path)), path).toEqual(blanks(text));
  });
});

/** An estimate of the syllables of an English word: its groups of vowels, without a silent e. */
function syllables(word: string): number {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '');
  if (letters.length <= 3) return 1;
  const spoken = letters.replace(/(?:[^laeiouy]es|[^td]ed|[^laeiouy]e)$/, '').replace(/^y/, '');
  return Math.max(1, spoken.match(/[aeiouy]{1,2}/g)?.length ?? 1);
}

/** Flesch–Kincaid grade level (Kincaid et al., 1975). */
function grade(text: string): number {
  const sentences = text.split(/[.!?:]+(?:\s|$)/).filter((sentence) => /[a-z]/i.test(sentence));
  const spoken = text.split(/\s+/).filter((word) => /[a-z]/i.test(word));
  const count = spoken.reduce((sum, word) => sum + syllables(word), 0);
  return 0.39 * (spoken.length / sentences.length) + 11.8 * (count / spoken.length) - 15.59;
}

describe('the reading level of the English pages', () => {
  it('is measured as the formula says', () => {
    expect(grade('The cat sat on the mat.')).toBeCloseTo(-1.45, 1);
    expect(
      grade(
        'Notwithstanding applicable confidentiality obligations, participating organizations may redisclose individually identifiable information.',
      ),
    ).toBeGreaterThan(20);
  });

  /** Only complete sentences: the reading level of a label of three words says nothing. */
  const pages = ['signIn', 'code', 'consent', 'connectedApps', 'otherPlans', 'guides', 'messages'].flatMap(
    (page) => {
      const own = [...inEnglish].filter(([path]) => path.startsWith(`${page}.`) && !sameInBoth(path));
      const parts = page === 'guides' ? ['choosing-an-app', 'privacy-laws', 'complaints'] : [''];
      return parts.map((part) => {
        const said = own.filter(([path]) => path.startsWith(`${page}.${part}`)).map(([, text]) => text);
        return [`${page} ${part}`.trim(), said] as const;
      });
    },
  );
  const groups = ['data groups', dataGroups.map(({ words: names }) => `${names.en.detail}.`)] as const;

  it.each([...pages, groups])('is grade 8 at most: %s', (_page, said) => {
    const sentences = said.map((text) => (/[.!?:]$/.test(text.trim()) ? text : `${text}.`));
    expect(grade(sentences.join(' '))).toBeLessThanOrEqual(8);
  });

  it('is no sentence of more than 25 words', () => {
    const long = [...inEnglish, ...inSpanish].flatMap(([path, text]) =>
      text
        .split(/[.!?:]+(?:\s|$)/)
        .filter((sentence) => sentence.split(/\s+/).length > 25)
        .map((sentence) => [path, sentence]),
    );
    expect(long).toEqual([]);
  });
});
