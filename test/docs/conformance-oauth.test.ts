import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';

/** docs/conformance-oauth.md: each test that the page names exists. */

const page = readFileSync(join(repositoryRoot, 'docs', 'conformance-oauth.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, section = '', demand = '', here = '', shown = '', ...more]) => {
    const [, file, title] = /^`([^`]+)` (.+)$/.exec(shown) ?? [];
    return { demand: `${section} ${demand}`, here, shown, file, title, cells: more.length };
  });

describe('docs/conformance-oauth.md', () => {
  it('has a verdict in every row, and a reason where it is no', () => {
    expect(rows.length).toBeGreaterThan(50);
    for (const { demand, here, cells } of rows) {
      expect(here, demand).toMatch(/^(met\b|not met: .{20,})/);
      expect(cells, demand).toBe(1);
    }
  });

  it('names a test that is there for all that is met', () => {
    for (const { demand, here, shown, file, title } of rows) {
      if (!here.startsWith('met')) expect(shown, demand).toBe('');
      else expect(titlesOf(file ?? ''), demand).toContain(title);
    }
  });
});

/** The titles of the tests in a file, as written in the source. */
function titlesOf(file: string): readonly string[] {
  const path = join(repositoryRoot, 'test', file);
  if (!existsSync(path)) return [];
  const found = readFileSync(path, 'utf8').matchAll(/(?:\bit\(|\]\)\(|,\s*\)\(|\)\()\s*'([^']+)'/g);
  return [...found].map(([, title = '']) => title);
}
