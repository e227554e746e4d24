import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';

const pages = [
  'README.md',
  ...readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(repositoryRoot, page), 'utf8');

  it('links only to files that exist', () => {
    const missing = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(repositoryRoot, dirname(page), target)));
    expect(missing).toEqual([]);
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
