/** Builds the portal's static site to `dist/portal-static`. */

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import type { EnvironmentOrigins } from '../../lambdas/catalog/addresses.ts';
import type { PublishedService } from '../../lambdas/catalog/published-service.ts';
import { changelogFeedPath, payerCheckFile } from '../../lambdas/portal/catalog/documentation-pages.ts';
import { publishedService } from '../../lib/config/published-service.ts';
import {
  type ConfigurationContext,
  readConfigurations,
  readPortalConfiguration,
} from '../../lib/config/read-configurations.ts';
import { searchEntriesPath } from '../docs/searchable-text.ts';
import { changelogFeed } from './documents/changelog-feed.ts';
import { type DocumentationSection, documentation } from './documents/documentation.ts';
import { downloads } from './documents/downloads.ts';
import { memberOpenApi } from './documents/openapi.ts';
import { searchEntries } from './documents/search-entries.ts';
import { siteDocuments } from './documents/site-documents.ts';
import { type DocumentAssets, htmlDocument } from './html-document.ts';
import { recordsPath, sandboxRecords } from './members/sandbox-members.ts';
import { fileAddresses, planColors, uswds } from './plugins.ts';
import type { PrerenderedPage } from './prerendered-page.ts';
import { describedOperations } from './reference/described-operations.ts';
import { type ApiReference, apiReference } from './reference/reference.ts';

const root = join(import.meta.dirname, '../..');

export interface PortalBuild {
  readonly outdir?: string;
  /** Values of the deployment that the pages show. @default the configuration files */
  readonly service?: PublishedService;
}

/**
 * Builds the portal's static site to `dist/portal-static`: HTML files, and everything else under `assets/` with a hash in its
 * name, so that it can be kept for ever. No file has script or style inside its HTML: the Content-Security-Policy allows none.
 *
 * @returns esbuild's metafile of scripts and styles.
 * @throws Error when something doesn't compile.
 */
export async function buildPortal(options: PortalBuild = {}): Promise<Metafile> {
  const outdir = options.outdir ?? join(root, 'dist/portal-static');
  const service = options.service ?? configuredService({});
  const define = { SUPPORT_EMAIL: JSON.stringify(service.supportEmail) };
  rmSync(outdir, { recursive: true, force: true });
  const chapters = documentation(service);
  const openApi = memberOpenApi(service);
  const reference = apiReference(service, openApi);
  const [metafile, pages] = await Promise.all([
    buildAssets(outdir, define),
    prerender(define, { chapters, reference, sandbox: service.environments.sandbox.origins }),
    bundlePayerCheck(join(outdir, 'docs', payerCheckFile)),
  ]);
  const assets = documentAssets(metafile, outdir);
  for (const page of pages) write(outdir, page.file, htmlDocument(page, assets));
  for (const [name, text] of Object.entries(downloads(service))) write(outdir, `docs/${name}`, text);
  const entries = searchEntries(chapters, describedOperations(openApi));
  write(outdir, searchEntriesPath.slice(1), JSON.stringify(entries));
  const all = [...chapters, { title: 'API reference', pages: [reference.contents] }, ...reference.chapters];
  write(outdir, changelogFeedPath.slice(1), changelogFeed(service));
  const documents = siteDocuments(service, all, new Date().getUTCFullYear());
  for (const [name, text] of Object.entries(documents)) write(outdir, name, text);
  const { folder, members } = sandboxRecords(service);
  mkdirSync(join(outdir, recordsPath), { recursive: true });
  for (const { memberId } of members) {
    copyFileSync(join(folder, `${memberId}.json.gz`), join(outdir, recordsPath, `${memberId}.json.gz`));
  }
  writeFileSync(join(outdir, 'assets/meta.json'), JSON.stringify(metafile));
  return metafile;
}

/** @param context as `cdk` has it: `configuration=local` and `port` for the one-machine system. */
export function configuredService(context: ConfigurationContext): PublishedService {
  const environments = readConfigurations(context);
  return publishedService(readPortalConfiguration(context, environments), environments);
}

function write(outdir: string, file: string, text: string): void {
  const path = join(outdir, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
  legalComments: 'none',
} as const satisfies BuildOptions;

const applicationEntry = { application: 'portal-static/entry/application.tsx' };
const publicEntries = {
  documentation: 'portal-static/entry/documentation.ts',
  home: 'portal-static/entry/home.ts',
  portal: 'portal-static/styles/portal.css',
};
const entryPoints = { ...applicationEntry, ...publicEntries };

/**
 * Builds the application page apart from the public pages. Chunks that both shared would cut the application's first script into small
 * files, which compress worse: 1.5 KB of gzipped script for each of its pages.
 */
async function buildAssets(outdir: string, define: Readonly<Record<string, string>>): Promise<Metafile> {
  const [one, other] = await Promise.all(
    [applicationEntry, publicEntries].map((entries) => buildEntries(outdir, define, entries)),
  );
  return {
    inputs: { ...one?.inputs, ...other?.inputs },
    outputs: { ...one?.outputs, ...other?.outputs },
  };
}

/** Each entry is loaded by a page on its own; what several need is a chunk they share. */
async function buildEntries(
  outdir: string,
  define: Readonly<Record<string, string>>,
  entries: Readonly<Record<string, string>>,
): Promise<Metafile> {
  const { metafile } = await build({
    ...common,
    entryPoints: entries,
    outdir,
    publicPath: '/',
    mainFields: ['module', 'main'],
    entryNames: 'assets/[name]-[hash]',
    // Chunks have no names, because the application's first script lists the address of every view.
    chunkNames: 'assets/[hash]',
    assetNames: 'assets/[name]-[hash]',
    splitting: true,
    // The router is without side effects, so its import in `kernel.ts` only decides its chunk.
    logOverride: { 'ignored-bare-import': 'silent' },
    minify: true,
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17.2'],
    loader: { '.woff2': 'file', '.svg': 'dataurl' },
    define: { ...define, 'process.env.NODE_ENV': '"production"' },
    plugins: [uswds, planColors, fileAddresses],
    metafile: true,
  });
  return metafile;
}

/** Bundles the partners' self-test into one file, which runs without packages. */
async function bundlePayerCheck(outfile: string): Promise<void> {
  const entryPoints = ['ops/payer-check/main.ts'];
  await build({ ...common, entryPoints, outfile, platform: 'node', target: 'node22' });
}

/** Contents of the pages that the build makes. */
interface PageSources {
  readonly chapters: readonly DocumentationSection[];
  readonly reference: ApiReference;
  /** Hosts that the live sandbox calls. */
  readonly sandbox: EnvironmentOrigins;
}

/** The pages are components too: they are bundled for Node and rendered here. */
async function prerender(
  define: Readonly<Record<string, string>>,
  sources: PageSources,
): Promise<readonly PrerenderedPage[]> {
  const file = join(root, `node_modules/.cache/portal-static/prerender-${process.pid}.mjs`);
  await build({
    ...common,
    entryPoints: ['portal-static/build/prerender.tsx'],
    outfile: file,
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node24',
    define: { ...define },
    plugins: [emptyAddresses],
  });
  try {
    const { prerenderedPages } = (await import(`${pathToFileURL(file)}?${performance.now()}`)) as {
      readonly prerenderedPages: (sources: PageSources) => readonly PrerenderedPage[];
    };
    return prerenderedPages(sources);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Pages that are rendered here use no address of a file. */
const emptyAddresses: Plugin = {
  name: 'empty addresses',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?url$/ }, ({ path }) => ({ path, namespace: 'empty' }));
    onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default ""' }));
  },
};

function documentAssets(metafile: Metafile, outdir: string): DocumentAssets {
  const addresses = new Map(
    Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint === undefined ? [] : [[entryPoint, address(path, outdir)] as const],
    ),
  );
  const of = (entry: keyof typeof entryPoints) => {
    const found = addresses.get(entryPoints[entry]);
    if (found === undefined) throw new Error(`esbuild wrote nothing for ${entryPoints[entry]}`);
    return found;
  };
  return {
    style: of('portal'),
    scripts: {
      application: of('application'),
      documentation: of('documentation'),
      home: of('home'),
    },
  };
}

function address(path: string, outdir: string): string {
  return `/${join(root, path).slice(outdir.length + 1)}`;
}

if (import.meta.main) {
  const started = performance.now();
  const [configuration, port] = process.argv.slice(2);
  const { outputs } = await buildPortal({ service: configuredService({ configuration, port }) });
  for (const [path, { bytes }] of Object.entries(outputs)) {
    console.log(`${(bytes / 1000).toFixed(1).padStart(8)} KB  ${path}`);
  }
  console.log(`${(performance.now() - started).toFixed(0)} ms`);
}
