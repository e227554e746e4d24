import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../ops/command-line/command.ts';
import { commands } from '../../ops/program.ts';
import { repositoryRoot } from '../architecture/imports.ts';

const pages = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', ':!portal-static/docs'],
  { cwd: repositoryRoot, encoding: 'utf8' },
)
  .trim()
  .split('\n');
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

/** IDs of the headings as GitHub makes them. */
function headingsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function problemOf(words: readonly string[]): string {
  try {
    readCommandLine(commands, words);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(repositoryRoot, page), 'utf8');

  it('links only to files that exist', () => {
    const missing = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(repositoryRoot, dirname(page), target)));
    expect(missing).toEqual([]);
  });

  it('links only to headings that are there', () => {
    const missing = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].filter(
      ([, target = '', heading = '']) => {
        const file = target === '' ? page : join(dirname(page), target);
        return !headingsOf(readFileSync(join(repositoryRoot, file), 'utf8')).includes(heading);
      },
    );
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('shows only commands of the operator that can be read', () => {
    const lines = [...text.matchAll(/npm run ops -- ([^`\n\\]*)/g)].map(([, line = '']) => line.trim());
    for (const line of lines) {
      const words = line
        .replace('<environment>', 'sandbox')
        .replace(/<[^>]+>/g, 'x')
        .replace(/"[^"]*"/g, 'x')
        .split(' ');
      if (words.includes('--help') || line.includes('|')) continue;
      // A line may name a group of commands, or a command without its argument.
      const problem = problemOf(words.filter((word) => word !== ''));
      expect(problem, line).toMatch(/^$|^expected: |^[\w-]+ is not a command; use /);
    }
  });

  it('names only npm scripts that exist', () => {
    const unknown = [...text.matchAll(/npm\s+run\s+([a-z:]+)/g)]
      .map(([, script = '']) => script)
      .filter((script) => !scripts.includes(script));
    expect(unknown).toEqual([]);
  });
});

it('the README shows the two commands that are all the set-up', () => {
  const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
});

it('has a glossary that names files that exist', () => {
  const glossary = readFileSync(join(repositoryRoot, 'docs', 'glossary.md'), 'utf8');
  const places = [...glossary.matchAll(/`((?:[a-z-]+\/)+[\w.-]*)`/g)].map(([, place = '']) => place);
  expect(places.length).toBeGreaterThan(50);
  const isThere = (place: string) =>
    ['', 'lambdas'].some((top) => existsSync(join(repositoryRoot, top, place)));
  expect(places.filter((place) => !isThere(place))).toEqual([]);
});
