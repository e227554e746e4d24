import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';

/** Citations in comments and pages: each rule of docs/service.md and each file that they name exists. */

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .trim()
  .split('\n');

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

/** Comments of a source, each with the line it begins on, from 1. */
function commentsOf(path: string, source: string): readonly (readonly [line: number, text: string])[] {
  return parseSync(path, source).comments.map(({ start, value }) => [
    source.slice(0, start).split('\n').length,
    value,
  ]);
}

const comments = files
  .filter((path) => /\.(?:tsx?|mjs)$/.test(path))
  .flatMap((path) =>
    commentsOf(path, read(path)).map(([line, text]) => ({ place: `${path}:${line}`, text })),
  );
const pages = files.filter((path) => path.endsWith('.md')).map((path) => ({ place: path, text: read(path) }));

/** Numbers of the rules that a page states, such as `S5.2`: at the start of a row, or in parentheses after a sentence. */
function rulesOf(page: string): ReadonlySet<string> {
  return new Set(
    [...page.matchAll(/^\| (S\d+\.\d+) \||\((S\d+\.\d+)\)\.$/gm)].map(
      ([, row, behind]) => row ?? behind ?? '',
    ),
  );
}

/** Numbers of rules that a text cites. */
function citedRules(text: string): readonly string[] {
  return [...text.matchAll(/\bS\d+\.\d+\b/g)].map(([rule]) => rule);
}

const file = String.raw`(?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|md)(?![\w/.*-]*\w)`;
const folder = String.raw`(?:bench|bin|lambdas|lib|local|ops|portal-static|test)\/[\w/-]*[\w-](?![\w/.*-]*[\w*])`;
const named = new RegExp(String.raw`(?<![\w:/.@*{}<>…-])(?:${file}|${folder})`, 'g');

/** Paths of sources, pages and folders of the repository that a comment names. */
function namedPaths(text: string): readonly string[] {
  return [...text.matchAll(named)].map(([path]) => path.replace(/^(?:\.{1,2}\/)+/, ''));
}

/** Whether the path exists. A comment may omit the leading folders, so the end of a path is enough. */
const exists = (path: string) =>
  files.some((name) => name === path || name.endsWith(`/${path}`) || name.startsWith(`${path}/`));

describe('a rule of docs/service.md', () => {
  const rules = rulesOf(read('docs/service.md'));

  it('exists wherever it is cited', () => {
    const unknown = [...comments, ...pages].flatMap(({ place, text }) =>
      citedRules(text).flatMap((rule) => (rules.has(rule) ? [] : [`${place} ${rule}`])),
    );
    expect(rules.size).toBeGreaterThan(40);
    expect(unknown).toEqual([]);
  });

  it('is read from a row and from a sentence, and not from a citation', () => {
    const page = '| S1.1 | One. |\n| S1.2 | Two, as S9.9. |\n\nThree (S1.3).\nFour (S9.8), and more.';
    expect([...rulesOf(page)]).toEqual(['S1.1', 'S1.2', 'S1.3']);
    expect(citedRules('docs/service.md S1.2, S10.11; S3 Applications')).toEqual(['S1.2', 'S10.11']);
  });
});

describe('a file or folder that a comment names', () => {
  it('exists', () => {
    const gone = comments.flatMap(({ place, text }) =>
      namedPaths(text).flatMap((path) => (exists(path) ? [] : [`${place} ${path}`])),
    );
    expect(gone).toEqual([]);
  });

  it('is found in prose, and not in a URL, a package or a pattern', () => {
    expect(namedPaths('As `lambdas/oauth/a.ts`, b.handler.ts and local/aws.')).toEqual([
      'lambdas/oauth/a.ts',
      'b.handler.ts',
      'local/aws',
    ]);
    expect(namedPaths('https://example.org/c.md, *.test.ts, lambdas/**/d.ts, lib/*, e.tsx.bak')).toEqual([]);
  });
});

it('every row of CODEOWNERS has a file', () => {
  const patterns = [...read('.github/CODEOWNERS').matchAll(/^\/(\S+)/gm)].map(([, pattern = '']) =>
    pattern.replace(/\/$/, '/**'),
  );
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.filter((pattern) => !files.some((path) => matchesGlob(path, pattern)))).toEqual([]);
});
