import { describe, expect, it } from 'vitest';
import { isThere, namedTest, rowsOf } from './named-tests.ts';

/**
 * Number of requirements of each section of ASVS 5.0.0 at levels 1 and 2. They are the first of their section; those of level 3 follow.
 *
 * @see https://github.com/OWASP/ASVS/tree/v5.0.0/5.0/en
 */
const sections = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
} as const;

const requirements = Object.entries(sections).flatMap(([chapter, counts]) =>
  counts.flatMap((count, section) =>
    Array.from({ length: count }, (_, index) => `${chapter}.${section + 1}.${index + 1}`),
  ),
);

/** A link to a document at the start of a cell. */
const document = /^\[[^\]]+\]\([^)]+\)/;

describe('docs/asvs.md', () => {
  const rows = rowsOf('asvs.md');

  it('has each requirement of levels 1 and 2 once, in order', () => {
    expect(requirements).toHaveLength(253);
    expect(rows.flatMap(([ids = '']) => ids.split(', '))).toEqual(requirements);
  });

  it('has a verdict in every row, and a reason where it is not met or not offered', () => {
    for (const row of rows) {
      expect(row).toHaveLength(4);
      expect(row[2], row[0]).toMatch(
        /^(met\b|not met: .{20,}|not met, as \d+\.\d+\.\d+$|not offered: .{15,})/,
      );
    }
  });

  it('names a test or a document that is there for all that is met', () => {
    for (const [id, , verdict, shown = ''] of rows) {
      const named = namedTest(shown);
      const isShown = named === undefined ? document.test(shown) : isThere(named);
      expect(isShown, id).toBe(verdict?.startsWith('met'));
    }
  });
});
