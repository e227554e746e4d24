import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';

/** docs/conformance.md: each test that the page names exists, and each conformance test is named by the page. */

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

interface Row {
  readonly ids: string;
  readonly verdict: string;
  readonly test: string;
}

/** The rows of the table under a heading. */
function rowsOf(heading: string): readonly Row[] {
  const [, section = ''] = read('docs/conformance.md').split(`## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => /^\| (?!Module|Test)/.test(line));
  return lines.map((line) => {
    const [, ids = '', , verdict = '', test = ''] = line.split('|').map((cell) => cell.trim());
    return { ids, verdict, test };
  });
}

/** The titles of the tests in these files, as written in the source. */
function titlesOf(files: readonly string[]): readonly string[] {
  return [
    ...files
      .map(read)
      .join('\n')
      .matchAll(/^\s*(?:it\(|\]\)\()'([^']+)'/gm),
  ].map(([, title = '']) => title);
}

describe.each([
  [
    'OpenID Connect Basic OP',
    ['test/journeys/conformance-oidc.test.ts', 'test/journeys/conformance-oidc-late.test.ts'],
  ],
  [
    'SMART App Launch 2.2 and ONC (g)(10)',
    ['test/journeys/conformance-smart.test.ts', 'test/journeys/conformance-smart-keys.test.ts'],
  ],
])('docs/conformance.md on %s', (heading, files) => {
  const rows = rowsOf(heading);
  const titles = titlesOf(files);

  it('has a verdict in every row', () => {
    expect(rows.length).toBeGreaterThan(20);
    for (const { ids, verdict } of rows) {
      expect(verdict, ids).toMatch(/^(met(: | for |$)|(not met|does not apply)[: ])/);
    }
  });

  it('names a test of the files where it says met, and nowhere one that is not there', () => {
    for (const { ids, verdict, test } of rows) {
      if (verdict.startsWith('met')) expect(test, ids).not.toBe('');
      if (test !== '') expect(titles, ids).toContain(test);
    }
  });

  it('names every test of the files', () => {
    const named = new Set(rows.map(({ test }) => test));
    expect(titles.length).toBeGreaterThan(20);
    expect(titles.filter((title) => !named.has(title))).toEqual([]);
  });

  it('has each test of the plan once', () => {
    const ids = rows.flatMap((row) => row.ids.split(', '));
    expect(ids.filter((id, at) => ids.indexOf(id) !== at && id.startsWith('`'))).toEqual([]);
  });
});
