import { describe, expect, it } from 'vitest';
import { isThere, namedTest, rowsOf } from './named-tests.ts';

describe('docs/conformance-oauth.md', () => {
  const rows = rowsOf('conformance-oauth.md');

  it('has a verdict in every row, and a reason where it is no', () => {
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows) {
      expect(row).toHaveLength(4);
      expect(row[2], row[1]).toMatch(/^(met\b|not met: .{20,})/);
    }
  });

  it('names a test that is there for all that is met', () => {
    for (const [, requirement, verdict, shown = ''] of rows) {
      const named = namedTest(shown);
      expect(named !== undefined && isThere(named), requirement).toBe(verdict?.startsWith('met'));
    }
  });
});
