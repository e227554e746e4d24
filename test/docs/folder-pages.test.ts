import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Expression, parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { partRights, type RoleName, rights } from '../../lib/rights/rights.ts';
import { repositoryRoot } from '../architecture/imports.ts';

/** The README of each capability, of each shared folder of `lambdas/`, and of the top folders. */

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .trim()
  .split('\n');
const paths = new Set(
  files.flatMap((file) =>
    file
      .split('/')
      .map((_, at, parts) => (at === parts.length - 1 ? file : parts.slice(0, at + 1).join('/'))),
  ),
);
const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const foldersIn = (folder: string) =>
  readdirSync(join(repositoryRoot, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const partsOfLambdas = foldersIn('lambdas').map((name) => `lambdas/${name}`);
const folders = [...partsOfLambdas, 'lib', 'local', 'ops', 'portal-static', 'bench', 'test'];
/** Folders of `test/` that correspond to a folder of the code. */
const mirrored = new Set(folders.map((folder) => folder.replace('lambdas/', '')));
/** Most lines of a README, about a screen; longer texts belong in docs/. */
const mostLines = 80;

const page = (folder: string) => read(`${folder}/README.md`);
/** The text below a heading, up to the next heading. */
const section = (text: string, heading: RegExp) =>
  text.split(/^## /m).find((part) => heading.test(part)) ?? '';
const codesOf = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const isPath = (code: string) => /^(?:[\w.-]+\/)+[\w.-]*$|^[\w-]+(?:\.[\w-]+)*\.(?:tsx?|md)$/.test(code);
/** Whether a path exists, below the page's folder or below the repository's root. */
const isThere = (folder: string, path: string) =>
  [`${folder}/${path}`, path].some((each) => paths.has(each.replace(/\/$/, '')));

/** The titles of the tests in a file, as written in the source. */
function titlesOf(path: string): readonly string[] {
  const source = read(path);
  const titles: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (!['it', 'test'].includes(rootOf(callee))) return;
      if (title?.type === 'Literal') titles.push(String(title.value));
      if (title?.type === 'TemplateLiteral') titles.push(source.slice(title.start + 1, title.end - 1));
    },
  }).visit(parseSync(path, source).program);
  return titles;
}

/** The name of the function that a call begins with: `it` for `it.each(rows)`. */
function rootOf(callee: Expression): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return rootOf(callee.object);
  return callee.type === 'CallExpression' ? rootOf(callee.callee) : '';
}

/** Partitions of the tables that functions write, and those that they only read. `<…>` is the owner, as in docs/rights.md. */
function partitionsOf(functions: readonly string[]): { written: readonly string[]; read: readonly string[] } {
  const reached = functions.flatMap((name) =>
    partRights(rights[name as RoleName])
      .filter(({ on }) => ['table', 'portalTable'].includes(on))
      .map(({ part, actions }) => ({
        partition: part.replace(/<[^>]+>|\bM2M\b/, '<…>'),
        isWritten: actions.some((action) => /^(?:Put|Update|Delete)Item$/.test(action)),
      })),
  );
  const written = new Set(reached.filter(({ isWritten }) => isWritten).map(({ partition }) => partition));
  const all = new Set(reached.map(({ partition }) => partition));
  return { written: [...written].sort(), read: [...all].filter((each) => !written.has(each)).sort() };
}

const invariants = (text: string) =>
  [...section(text, /^Invariants/).matchAll(/^- .*$/gm)].map(([line]) => ({
    line,
    ...(/"(?<title>[^"]+)", `(?<path>test\/[^`]+)`\.$/.exec(line)?.groups ?? {}),
  })) as readonly { readonly line: string; readonly title?: string; readonly path?: string }[];

describe.each(folders)('the page of %s', (folder) => {
  const text = page(folder);

  it('is a page, and says how to test the folder alone', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(mostLines);
    const [, tested] = /`npx vitest run (?:--project \w+ ?)+([^`]*)`/.exec(text) ?? [];
    expect(tested).toBeDefined();
    expect(tested?.split(' ').filter((path) => path !== '' && !isThere('.', path))).toEqual([]);
    expect(section(text, /^Where a change begins/)).not.toBe('');
  });

  it('names files and folders that exist', () => {
    const named = codesOf(text).filter(isPath);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !isThere(folder, path))).toEqual([]);
  });

  it('names each folder in it', () => {
    const named = codesOf(text);
    const inside = foldersIn(folder).filter((name) => folder !== 'test' || !mirrored.has(name));
    expect(inside.filter((name) => !named.some((path) => path.startsWith(`${name}/`)))).toEqual([]);
  });
});

describe.each(partsOfLambdas)('what the page of %s says of functions and tests', (folder) => {
  const text = page(folder);
  const functions = readdirSync(join(repositoryRoot, folder)).flatMap(
    (file) => /^(.+)\.handler\.ts$/.exec(file)?.[1] ?? [],
  );

  it('lists its functions', () => {
    const listed = [...section(text, /^Functions/).matchAll(/^- `([^`]+)`/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(functions.sort());
  });

  it('lists the partitions its functions write, and those they only read', () => {
    const listed = section(text, /^Partitions/);
    const { written, read: onlyRead } = partitionsOf(functions);
    const [before = '', after = ''] = listed.split('Only read:');
    expect(codesOf(before.split('Written:')[1] ?? '')).toEqual(written);
    expect(codesOf(after.split('\n')[0] ?? '')).toEqual(onlyRead);
  });

  it('has a test for each invariant, by its title and file', () => {
    const rows = invariants(text);
    expect(rows.length).toBeGreaterThan(3);
    for (const { line, title = '', path = '' } of rows) {
      expect(paths.has(path), line).toBe(true);
      expect(titlesOf(path), line).toContain(title);
    }
  });
});

it('the root’s README has a row for each folder with a page, and 60 links at most', () => {
  const readme = read('README.md');
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);
  expect(links.length).toBeLessThanOrEqual(60);
  expect(links).toEqual(expect.arrayContaining(folders.map((folder) => `${folder}/README.md`)));
});
