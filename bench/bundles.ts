import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { atMost, type Row } from './figures.ts';

export const dist = join(dirname(import.meta.dirname), 'dist');

/** The bundle of a function that would be deployed. @throws Error where it was not bundled yet. */
export function bundleOf(name: string): string {
  const path = join(dist, name, 'index.cjs');
  if (!existsSync(path)) throw new Error(`dist/${name} is missing: run npm run bundle`);
  return path;
}

/** Bundles a yardstick of `bench/minimal` the way the functions are. @returns the file's path. */
export async function bundleMinimal(name: string): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'member-data-minimal-')), `${name}.cjs`);
  await build({
    entryPoints: [join(import.meta.dirname, 'minimal', `${name}.ts`)],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  return outfile;
}

/**
 * KB of the functions that a data request or a token waits for, at most: Node compiles a whole bundle at a cold start. Each is the best
 * figure reached and a tenth.
 */
export const bundleLimits: Readonly<Record<string, number>> = {
  authorizer: 36,
  'machine-authorizer': 26,
  'machine-token': 123,
  'patient-access': 132,
  'payer-access': 230,
  token: 163,
};

export function measureBundles(): readonly Row[] {
  return readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const row = {
        section: 'Bundles, minified',
        what: name,
        value: Math.round(statSync(bundleOf(name)).size / 1_024),
        unit: 'KB',
      };
      const limit = bundleLimits[name];
      return limit === undefined ? row : atMost(row, limit);
    });
}
