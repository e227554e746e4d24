import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { atMost, type Row } from './figures.ts';

export const dist = join(dirname(import.meta.dirname), 'dist');

/**
 * Path of the bundle of a deployed function.
 *
 * @throws Error if the bundle does not exist yet.
 */
export function bundleOf(name: string): string {
  const path = join(dist, name, 'index.cjs');
  if (!existsSync(path)) throw new Error(`dist/${name} is missing: run npm run bundle`);
  return path;
}

/**
 * Bundles a reference function of `bench/minimal` with the settings of the deployed functions.
 *
 * @returns the file's path.
 */
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
 * Largest bundles, in KB, of the functions that a data request or a token request waits for: Node compiles the whole bundle at a cold
 * start. Each limit is the best size reached and a tenth more.
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
