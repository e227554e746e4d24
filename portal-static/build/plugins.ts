/** esbuild plugins of the portal's pages: USWDS styles, and imports of files by their URL. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import type { BrandColors, PlanBrand } from '../../lambdas/catalog/plan-brand.ts';
import { readBrand } from '../../lib/config/read-brand.ts';

const root = join(import.meta.dirname, '../..');
const packages = join(root, 'node_modules/@uswds/uswds');
const cache = join(root, 'node_modules/.cache/portal-static');
const stylesheet = join(root, 'portal-static/styles/uswds.scss');

/**
 * Resolves `@import 'uswds'` to the compiled `styles/uswds.scss`. Sass takes a second or two, so the result is cached under a hash of the
 * inputs.
 */
export const uswds: Plugin = {
  name: 'uswds',
  setup({ onResolve, onLoad }) {
    // The path is relative, because hashes in file names are computed from it and must be the same in every checkout.
    onResolve({ filter: /^uswds$/ }, () => ({ path: relative(root, stylesheet), namespace: 'uswds' }));
    onLoad({ filter: /.*/, namespace: 'uswds' }, async () => ({
      contents: await compiled(),
      loader: 'css',
      resolveDir: packages,
    }));
    onResolve({ filter: /^\/assets\// }, ({ path }) => ({
      path: join(packages, 'dist/img', path.slice('/assets/'.length)),
    }));
    onResolve({ filter: /^uswds-fonts\// }, ({ path }) => ({
      path: join(packages, 'dist/fonts', path.slice('uswds-fonts/'.length)),
    }));
  },
};

async function compiled(): Promise<string> {
  const version = readFileSync(join(packages, 'package.json'));
  const key = createHash('sha256').update(version).update(readFileSync(stylesheet)).digest('hex');
  const file = join(cache, `uswds-${key}.css`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const { compile } = await import('sass');
    const { css } = compile(stylesheet, {
      loadPaths: [join(packages, 'packages')],
      quietDeps: true,
      style: 'expanded',
    });
    mkdirSync(cache, { recursive: true });
    writeFileSync(file, css);
    return css;
  }
}

/** Resolves `@import 'plan-brand'` to the plan's colors on "Find a doctor"; to nothing if no brand is configured. */
export const planColors: Plugin = {
  name: 'plan colors',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^plan-brand$/ }, ({ path }) => ({ path, namespace: 'plan-brand' }));
    onLoad({ filter: /.*/, namespace: 'plan-brand' }, () => ({
      contents: colorRules(readBrand()),
      loader: 'css',
    }));
  },
};

/** The custom properties of the portal's style sheet that the plan's colors replace on its page. */
export function colorRules(brand: PlanBrand | undefined): string {
  if (brand === undefined) return '';
  const rule = ({ action, onAction }: BrandColors) =>
    `.page--branded{--accent:${action};--accent-strong:${action};--on-accent:${onAction}}`;
  const { light, dark } = brand.colors;
  return `${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}`;
}

/** Handles `import address from 'package/file?url'`: copies the file, and the import is its URL. */
export const fileAddresses: Plugin = {
  name: 'file addresses',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /\?url$/ }, async ({ path, resolveDir, kind }) => {
      const found = await resolve(path.slice(0, -'?url'.length), { resolveDir, kind });
      return { ...found, path: relative(root, found.path), namespace: 'address' };
    });
    onLoad({ filter: /.*/, namespace: 'address' }, ({ path }) => ({
      contents: readFileSync(join(root, path)),
      loader: 'file',
    }));
  },
};
