/** `node bin/bundle.ts`: bundles the functions with esbuild, before a deployment and before a local start. */

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import type { PlanBrand } from '../lambdas/catalog/plan-brand.ts';
import { ConfigurationError } from '../lib/config/common-fields.ts';
import { readBrand } from '../lib/config/read-brand.ts';

const root = join(import.meta.dirname, '..');

/** The name of a function: `<name>` of `<name>.handler.ts`. */
function functionName(path: string): string {
  return basename(path, '.handler.ts');
}

/**
 * Modules that a function imports only when it first needs them (`await import`), because their packages or tables are large and most calls
 * do not use them. Each becomes a file of its own beside the function's bundle, because Node compiles a whole file at a cold start. Such a
 * file has its own copies of shared modules: it shares no class and no state with the bundle.
 */
const loadedLater: Readonly<Record<string, readonly string[]>> = {
  authorize: [
    'platform/aws/code-digest',
    'platform/aws/data-keys',
    'platform/aws/lambda-invoke',
    'platform/aws/messages',
    'platform/aws/text-numbers',
  ],
  'patient-access': ['catalog/oauth/smart-configuration', 'fhir/capability-statement'],
  'payer-access': ['payer-access/aws/job-clients'],
};

const apart: Plugin = {
  name: 'loaded-later',
  setup({ onResolve }) {
    const modules = new Set(Object.values(loadedLater).flat());
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
      const module = relative(join(root, 'lambdas'), join(resolveDir, path)).replace(/\.ts$/, '');
      if (kind !== 'dynamic-import' || !modules.has(module)) return undefined;
      return { path: `./${basename(module)}.cjs`, external: true };
    });
  },
};

/** Puts the configured brand in the place of the constant `planBrand`. */
function branded(brand: PlanBrand | undefined): Plugin {
  return {
    name: 'brand',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]lambdas[\\/]catalog[\\/]plan-brand\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(
          /(export const planBrand[^=]*=) undefined/,
          (_, start: string) => `${start} ${JSON.stringify(brand)}`,
        ),
        loader: 'ts',
      }));
    },
  };
}

/**
 * Bundles every function to `dist/<name>/index.cjs`, for the deployment and for one machine. The format is CommonJS, because imports of
 * Node's own modules in an ES module add 35 ms to a cold start (docs/decisions/0002). The AWS SDK is bundled too, so that its version is
 * pinned. `dist/meta.json` lists the inputs of each bundle.
 *
 * @param options.only names of functions. @default all
 * @param options.brand the plan's brand. @default the configured one
 * @returns esbuild's metafile.
 * @throws ConfigurationError for a brand that is not valid.
 * @throws Error when two handlers have the same name, or one does not compile.
 */
export async function bundle(
  options: {
    readonly outdir?: string;
    readonly only?: readonly string[];
    readonly brand?: PlanBrand | undefined;
  } = {},
): Promise<Metafile> {
  const { outdir = join(root, 'dist'), only, brand = readBrand() } = options;
  const isAsked = (name: string) => only === undefined || only.includes(name);
  const handlers = globSync('lambdas/**/*.handler.ts', { cwd: root })
    .filter((path) => isAsked(functionName(path)))
    .sort();
  const names = new Set(handlers.map(functionName));
  if (names.size !== handlers.length) throw new Error(`two handlers share a name: ${handlers.join(', ')}`);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...handlers.map((path) => ({ in: path, out: `${functionName(path)}/index` })),
      ...Object.entries(loadedLater)
        .filter(([name]) => isAsked(name))
        .flatMap(([name, modules]) =>
          modules.map((module) => ({ in: `lambdas/${module}.ts`, out: `${name}/${basename(module)}` })),
        ),
    ],
    plugins: [apart, branded(brand)],
    // Compiles `import()` to `require`, so that Node does not start its ES module loader for a file beside the bundle.
    supported: { 'dynamic-import': false },
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Prefers the ES module build of a package, because esbuild can tree-shake it.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    sourcemap: false,
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(join(outdir, 'meta.json'), JSON.stringify(metafile));
  return metafile;
}

// cdk.json's `build` command runs this file with `--quiet` before synthesis.
if (import.meta.main) {
  try {
    const { outputs } = await bundle();
    if (!process.argv.includes('--quiet')) print(outputs);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

function print(outputs: Metafile['outputs']): void {
  for (const [path, { bytes }] of Object.entries(outputs)) {
    console.log(`${(bytes / 1000).toFixed(0).padStart(6)} KB  ${path}`);
  }
}
