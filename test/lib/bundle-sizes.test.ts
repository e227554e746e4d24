import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleLimits } from '../../bench/bundles.ts';
import { bundle } from '../../bin/bundle.ts';

let outputs: Metafile['outputs'];
const outdir = mkdtempSync(join(tmpdir(), 'member-data-bundle-sizes-'));

beforeAll(async () => {
  ({ outputs } = await bundle({ outdir, only: Object.keys(bundleLimits) }));
});
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

function bundled(name: string) {
  const [, output] = Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.cjs`)) ?? [];
  if (output === undefined) throw new Error(`${name} was not bundled`);
  return output;
}

/** Names of the packages in a bundle: `node_modules/@middy/core/index.js` belongs to `@middy/core`. */
function packagesOf(name: string): readonly string[] {
  const found = Object.keys(bundled(name).inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(found)].sort();
}

describe('a function that a data request or a token waits for', () => {
  it.each(Object.entries(bundleLimits))('%s has at most %d KB', (name, limit) => {
    expect(bundled(name).bytes / 1_024).toBeLessThanOrEqual(limit);
  });

  it.each(Object.keys(bundleLimits))('%s loads no AWS SDK at its start', (name) => {
    expect(packagesOf(name).filter((each) => each.startsWith('@aws-sdk/'))).toEqual([]);
  });

  it.each([
    ['authorizer', ['canonicalize']],
    ['machine-authorizer', []],
    ['patient-access', ['@middy/core', 'canonicalize']],
  ])('%s loads no package but %j', (name, packages) => {
    expect(packagesOf(name)).toEqual(packages);
  });
});
