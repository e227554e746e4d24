import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../architecture/imports.ts';

/** A test that a page names: "`abuse/codes.engine.test.ts` buys nothing in another LOB". */
interface NamedTest {
  /** Path below test/. */
  readonly file: string;
  readonly title: string;
}

/** Reads the cell of a table that names a test. @returns undefined if it names none */
export function namedTest(cell: string): NamedTest | undefined {
  const [, file, title] = /^`([^`]+)` (.+)$/.exec(cell) ?? [];
  return file === undefined || title === undefined ? undefined : { file, title };
}

/** @returns whether the file has a test of this title, as written in its source */
export function isThere({ file, title }: NamedTest): boolean {
  const path = join(repositoryRoot, 'test', file);
  if (!existsSync(path)) return false;
  const found = readFileSync(path, 'utf8').matchAll(
    /(?:\bit\(|\]\)\(|,\s*\)\(|\)\()\s*(?:'([^']+)'|"([^"]+)")/g,
  );
  return [...found].some(([, single, double]) => (single ?? double) === title);
}

/** The cells of each row of a page's tables, without their headings. */
export function rowsOf(page: string): readonly (readonly string[])[] {
  const rule = /^\|(-+\|)+$/;
  const lines = readFileSync(join(repositoryRoot, 'docs', page), 'utf8').split('\n');
  return lines
    .filter((line, at) => line.startsWith('| ') && !rule.test(lines[at + 1] ?? ''))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split('|')
        .map((cell) => cell.trim()),
    );
}
