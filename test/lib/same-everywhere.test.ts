import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { bundle } from '../../bin/bundle.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { siteFiles } from '../portal-static/site-files.ts';

/** Result of a build: its folder and esbuild's metafile. */
interface Built {
  readonly folder: string;
  readonly metafile: Metafile;
}

const folder = mkdtempSync(join(tmpdir(), 'member-data-bundles-'));
const functions: Built = { folder, metafile: await bundle({ outdir: folder }) };
const pages = await siteFiles();
const metafile = JSON.parse(readFileSync(join(pages, 'assets/meta.json'), 'utf8')) as Metafile;
const site: Built = { folder: pages, metafile };
afterAll(() => rmSync(functions.folder, { recursive: true, force: true }));

/** The path of an input that a plugin resolved, which esbuild names `namespace:path`. */
const pathOf = (input: string) => input.slice(input.indexOf(':') + 1);

// Builds must not depend on the checkout's path; otherwise a deployment from another checkout, such as a pipeline's, would replace every
// function and script.
describe.each([
  ['the functions', () => functions],
  ['the pages', () => site],
])('what is built of %s', (_what, built) => {
  it('is made of files that are named by their place in the repository', () => {
    const inputs = Object.keys(built().metafile.inputs);
    expect(inputs.length).toBeGreaterThan(100);
    expect(inputs.filter((input) => isAbsolute(pathOf(input)))).toEqual([]);
  });

  it('does not say where the checkout is', () => {
    const files = globSync('**/*.{cjs,js,css,html}', { cwd: built().folder });
    expect(files.length).toBeGreaterThan(10);
    const saying = files.filter((file) =>
      readFileSync(join(built().folder, file), 'utf8').includes(repositoryRoot),
    );
    expect(saying).toEqual([]);
  });
});
