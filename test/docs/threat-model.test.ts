import { describe, expect, it } from 'vitest';
import { isThere, namedTest, rowsOf } from './named-tests.ts';

describe('docs/threat-model.md', () => {
  const rows = rowsOf('threat-model.md');

  it('has a kind of STRIDE and a measure for each threat', () => {
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows) {
      expect(row).toHaveLength(4);
      expect(row[1], row[0]).toMatch(/^[STRIDE]$/);
      expect(row[2]?.length, row[0]).toBeGreaterThan(5);
    }
  });

  it('names a test that is there for each threat', () => {
    for (const [threat, , , shown = ''] of rows) {
      const named = namedTest(shown);
      expect(named !== undefined && isThere(named), threat).toBe(true);
    }
  });
});
