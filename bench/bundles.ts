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

/** Functions a data request waits for; their size determines the cold start. */
const hot = ['authorizer', 'patient-access', 'payer-access', 'provider-directory'];

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
      return hot.includes(name) ? atMost(row, 600) : row;
    });
}
