import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { portalPages } from '../../lambdas/portal/catalog/pages.ts';
import { searchEntriesPath } from '../../portal-static/docs/searchable-text.ts';
import { siteFiles } from './site-files.ts';

let directory: string;
let outputs: Metafile['outputs'];

beforeAll(async () => {
  directory = await siteFiles();
  ({ outputs } = JSON.parse(readFileSync(join(directory, 'assets/meta.json'), 'utf8')) as Metafile);
});

const bytes = (path: string) => gzipSync(readFileSync(join(directory, 'assets', nameOf(path)))).length;
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Files that the browser loads before an entry runs: the entry and its static imports, also indirect ones. */
function loadedWith(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const { path, kind } of outputs[entry]?.imports ?? []) {
    if (kind === 'import-statement') loadedWith(path, seen);
  }
  return seen;
}

function outputOf(entryPoint: string): string {
  const found = Object.entries(outputs).find(([, it]) => it.entryPoint === entryPoint);
  if (found === undefined) throw new Error(`nothing was built from ${entryPoint}`);
  return found[0];
}

/** Files that an entry and its static imports load later, on demand. */
function laterOf(entry: string): readonly string[] {
  const imports = [...loadedWith(entry)].flatMap((file) => outputs[file]?.imports ?? []);
  return imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path);
}

const liveSandbox = () => outputOf('portal-static/pages/demonstration/demonstration.tsx');
const application = () => outputOf('portal-static/entry/application.tsx');
/** The views of the application page. Their modules are the ones with a default export: what a view loads later has none. */
const views = (folder: string) =>
  Object.values(outputs).filter(
    ({ entryPoint = '', exports }) =>
      entryPoint.startsWith(`portal-static/pages/${folder}/`) && exports.includes('default'),
  );
/** Kilobytes of gzipped script that each view of a folder loads before it is shown. */
const kilobytesOf = (folder: string) =>
  views(folder).map(({ entryPoint = '' }): readonly [string, number] => {
    const files = loadedWith(outputOf(entryPoint), loadedWith(application()));
    return [entryPoint, [...files].reduce((sum, file) => sum + bytes(file), 0) / 1000];
  });
const over = (limit: number, of: readonly (readonly [string, number])[]) =>
  of.filter(([, size]) => size > limit);

describe('what a first visit loads', () => {
  it('is at most 20 KB of gzipped script for each page that a visitor can open', () => {
    const kilobytes = kilobytesOf('account').filter(([path]) =>
      /\/(?:sign-|password-|invitation)/.test(path),
    );
    expect(kilobytes.length).toBeGreaterThan(5);
    expect(over(20, kilobytes)).toEqual([]);
  });

  it('is at most 22 KB for each page of an account', () => {
    expect(over(22, kilobytesOf('account'))).toEqual([]);
  });

  it('is at most 40 KB for each page of a developer’s applications and of the operators’', () => {
    for (const folder of ['applications', 'operations']) {
      const kilobytes = kilobytesOf(folder);
      expect(kilobytes.length).toBeGreaterThan(6);
      expect(over(40, kilobytes)).toEqual([]);
    }
  });

  it.each([
    ['try-page.tsx', 32],
    ['try-operation-page.tsx', 24],
    ['callback-page.tsx', 24],
    ['member-workbench.tsx', 40],
  ])('is at most, for the first call’s %s, %i KB of gzipped script', (page, most) => {
    const view = outputOf(`portal-static/pages/sandbox/${page}`);
    const files = loadedWith(view, loadedWith(application()));
    expect([...files].reduce((sum, file) => sum + bytes(file), 0) / 1000).toBeLessThan(most);
  });

  it('leaves the schemas, the bot check and its worker for later', () => {
    const first = ['account', 'applications', 'operations']
      .flatMap(views)
      .flatMap(({ entryPoint = '' }) => [...loadedWith(outputOf(entryPoint), loadedWith(application()))]);
    const inputs = new Set(first.flatMap((path) => Object.keys(outputs[path]?.inputs ?? {})));
    const later = /zod|fhir-resources|portal-api|proof-of-work|pbkdf2|recaptcha/;
    expect([...inputs].filter((path) => later.test(path))).toEqual([]);
  });

  it('is at most 18 KB of gzipped style', () => {
    const style = outputOf('portal-static/styles/portal.css');
    expect(bytes(style) / 1000).toBeLessThan(18);
  });

  it('needs no script for the pages that are read, but for the search of documentation and reference and the live sandbox', () => {
    const withScript = /^\/(?:$|(?:docs|reference)\b)/;
    for (const path of portalPages.prerendered.filter((it) => !withScript.test(it))) {
      expect(html(path)).not.toContain('<script');
      expect(html(portalPages.signedInFolder + path)).not.toContain('<script');
    }
  });

  it('is at most 3 KB of gzipped script for a page of the documentation, and 10 KB and 60 KB of entries for its first search', () => {
    const entry = outputOf('portal-static/entry/documentation.ts');
    const first = [...loadedWith(entry)];
    expect(first.reduce((sum, file) => sum + bytes(file), 0) / 1000).toBeLessThan(3);
    const later = laterOf(entry);
    expect(later).toHaveLength(2);
    const search = later.filter((path) => path !== liveSandbox());
    expect(search.reduce((sum, path) => sum + bytes(path), 0) / 1000).toBeLessThan(10);
    const entries = readFileSync(join(directory, searchEntriesPath));
    expect(gzipSync(entries).length / 1000).toBeLessThan(60);
  });

  it('is at most 1 KB of gzipped script for the home page, and 20 KB with the first press in its live sandbox', () => {
    const entry = outputOf('portal-static/entry/home.ts');
    const first = loadedWith(entry);
    expect([...first].reduce((sum, file) => sum + bytes(file), 0) / 1000).toBeLessThan(1);
    expect(laterOf(entry)).toEqual([liveSandbox()]);
    const pressed = loadedWith(liveSandbox(), first);
    expect([...pressed].reduce((sum, file) => sum + bytes(file), 0) / 1000).toBeLessThan(20);
  });
});

describe('the HTML files', () => {
  const files = () =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));

  it('have no script, style or handler inside', () => {
    expect(files().length).toBeGreaterThan(5);
    for (const file of files()) {
      const text = readFileSync(join(directory, file), 'utf8');
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)/);
      expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
    }
  });

  it('load nothing from another host', () => {
    for (const file of files()) {
      const loaded = readFileSync(join(directory, file), 'utf8').matchAll(
        /<(?:script|link|img)[^>]*(?:src|href)="([^"]+)"/g,
      );
      for (const [, address] of loaded) expect(address).toMatch(/^(?:\/(?!\/)|data:)/);
    }
  });
});

function html(path: string): string {
  return readFileSync(join(directory, path, 'index.html'), 'utf8');
}
