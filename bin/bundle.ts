/** `node bin/bundle.ts`: bundles the functions with esbuild, before a deployment and before a local start. */

import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Metafile } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** The name of a function: `<name>` of `<name>.handler.ts`. */
function functionName(path: string): string {
  return basename(path, '.handler.ts');
}

/**
 * Bundles every function once, to `dist/<name>/index.cjs`, for the deployment and for one machine. CommonJS,
 * because an ES module's imports of Node's own modules add 35 ms to a cold start (docs/decisions/0002). The AWS SDK is
 * bundled too, so that its version is pinned. `dist/meta.json` lists the inputs of each bundle.
 *
 * @returns esbuild's metafile.
 * @throws Error when two handlers have the same name, or one does not compile.
 */
export async function bundle(options: { readonly outdir?: string } = {}): Promise<Metafile> {
  const outdir = options.outdir ?? join(root, 'dist');
  const handlers = globSync('lambdas/**/*.handler.ts', { cwd: root }).sort();
  const names = new Set(handlers.map(functionName));
  if (names.size !== handlers.length) throw new Error(`two handlers share a name: ${handlers.join(', ')}`);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: handlers.map((path) => ({ in: path, out: `${functionName(path)}/index` })),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // The module build of a package tree-shakes where its main build does not.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    sourcemap: false,
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(join(outdir, 'meta.json'), JSON.stringify(metafile));
  return metafile;
}

// cdk.json's `build` runs this before synthesis, without output.
if (import.meta.main) {
  const { outputs } = await bundle();
  if (!process.argv.includes('--quiet')) print(outputs);
}

function print(outputs: Metafile['outputs']): void {
  for (const [path, { bytes }] of Object.entries(outputs)) {
    console.log(`${(bytes / 1000).toFixed(0).padStart(6)} KB  ${path}`);
  }
}
