/** Bundles the functions and synthesizes the CDK app for the local system. */

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailed, runNode } from './run-node.ts';

interface CdkJson {
  /** Command of the CDK app: `node bin/app.ts`. */
  readonly app: string;
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Port in the addresses of a kept assembly. All systems with the same context share the assembly, and each has a port of its own. */
const keptPort = 65_535;
/** The port in an address of this machine, such as `http://portal.localhost:65535`, also where the address is an encoded parameter. */
const portInAddress = new RegExp(`(?<=localhost(?::|%3A))${keptPort}(?!\\d)`, 'g');
/** Age after which a kept assembly is deleted when another is made. Some contexts are used once. */
const longestKeptMs = 24 * 3_600_000;

/**
 * Makes the cloud assembly of the local system for a port in `directory`: a copy of the kept assembly of this context, with the port in its
 * addresses. Synthesis takes six seconds of CPU, the copy a third of a second.
 *
 * @param context values in addition to those of cdk.json and `configuration`.
 * @throws CommandFailed with the app's error output.
 */
export async function synthesize(
  projectDirectory: string,
  directory: string,
  port: number,
  context: Readonly<Record<string, unknown>> = {},
  log: (line: string) => void = () => {},
): Promise<void> {
  const release = await lockCache(projectDirectory, 'assemblies.lock', log);
  try {
    const kept = await keptAssembly(
      projectDirectory,
      { configuration: 'local', ...context, port: keptPort },
      log,
    );
    rmSync(directory, { recursive: true, force: true });
    cpSync(kept, directory, { recursive: true });
  } finally {
    release();
  }
  readdress(directory, port);
}

/** Writes a port into each address in the files of an assembly. */
function readdress(directory: string, port: number): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = readFileSync(path);
    if (!content.includes(String(keptPort))) continue;
    // Latin-1 has a character for each byte, so that all other bytes stay as they are.
    writeFileSync(path, content.toString('latin1').replace(portInAddress, String(port)), 'latin1');
  }
}

/**
 * The kept assembly of a context, which is synthesized if it is missing or older than a source. By the protocol of the CDK CLI, this runs
 * the `app` of cdk.json with the output folder in `CDK_OUTDIR`, and the context of cdk.json and of `context` in `CDK_CONTEXT_JSON`.
 *
 * @returns its folder.
 */
async function keptAssembly(
  projectDirectory: string,
  context: Readonly<Record<string, unknown>>,
  log: (line: string) => void,
): Promise<string> {
  const cdk = JSON.parse(readFileSync(join(projectDirectory, 'cdk.json'), 'utf8')) as CdkJson;
  const [program, ...args] = cdk.app.split(' ');
  if (program !== 'node') throw new CommandFailed(`cdk.json: app must start with node, not ${program}`);
  const contextJson = JSON.stringify({ ...cdk.context, ...context });
  const assemblies = join(cacheOf(projectDirectory), 'assemblies');
  const directory = join(assemblies, createHash('sha256').update(contextJson).digest('hex').slice(0, 16));
  // Is written last, so that a synthesis that was cut off is repeated.
  const complete = join(directory, 'complete');
  const sources = [
    'cdk.json',
    'package-lock.json',
    'dist/meta.json',
    ...filesOf(projectDirectory, [
      'bin',
      'lib',
      'lambdas/catalog',
      'lambdas/portal/catalog',
      'lambdas/portal/api',
      'portal-static',
    ]),
  ];
  if (!isOlder(projectDirectory, complete, sources)) return directory;
  log('Synthesizing the templates …');
  mkdirSync(assemblies, { recursive: true });
  for (const name of readdirSync(assemblies)) {
    const other = join(assemblies, name);
    if (other === directory || Date.now() - statSync(other).mtimeMs > longestKeptMs)
      rmSync(other, { recursive: true, force: true });
  }
  await runNode(projectDirectory, args, { CDK_OUTDIR: directory, CDK_CONTEXT_JSON: contextJson });
  writeFileSync(complete, '');
  return directory;
}

/**
 * Milliseconds after which a lock is stale, whatever process it names: much longer than bundling or several syntheses take beside forty busy
 * processes.
 */
const lockPatienceMs = 1_800_000;

/**
 * Bundles the functions, unless the bundles are newer than every source. Only one process bundles at a time, because the bundler empties
 * its folder first.
 */
export async function bundleIfStale(
  projectDirectory: string,
  log: (line: string) => void = () => {},
): Promise<void> {
  const release = await lockCache(projectDirectory, 'bundle.lock', log);
  try {
    const sources = [
      'bin/bundle.ts',
      'package-lock.json',
      ...filesOf(projectDirectory, ['lambdas', 'portal-static']),
    ];
    const stale = isOlder(projectDirectory, join(projectDirectory, 'dist', 'meta.json'), sources);
    if (!stale) return;
    log('Bundling the functions …');
    await runNode(projectDirectory, ['bin/bundle.ts']);
  } finally {
    release();
  }
}

/** The folder of what is made of the sources and kept until they change. */
function cacheOf(projectDirectory: string): string {
  return join(projectDirectory, 'node_modules', '.cache');
}

/**
 * Takes a lock in the project's cache.
 *
 * @returns a function that releases it.
 */
async function lockCache(
  projectDirectory: string,
  name: string,
  log: (line: string) => void,
): Promise<() => void> {
  const cache = cacheOf(projectDirectory);
  mkdirSync(cache, { recursive: true });
  const lock = join(cache, name);
  await takeLock(lock, log);
  return () => rmSync(lock, { recursive: true, force: true });
}

/** Takes a lock: a folder, which only one process can create, with the process's ID. A lock whose process is gone is removed. */
export async function takeLock(
  lock: string,
  log: (line: string) => void,
  patienceMs = lockPatienceMs,
): Promise<void> {
  const owner = join(lock, 'pid');
  let isSaid = false;
  for (const startedAt = Date.now(); !make(lock); await sleep(50)) {
    const pid = existsSync(owner) ? Number(readFileSync(owner, 'utf8')) : undefined;
    const left = pid !== undefined && pid > 0 && !isAlive(pid);
    if (left || Date.now() - startedAt > patienceMs) rmSync(lock, { recursive: true, force: true });
    else if (!isSaid) {
      isSaid = true;
      log('Waiting for another npm start that is bundling or synthesizing …');
    }
  }
  writeFileSync(owner, String(process.pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function make(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

/** The files in some folders of the project, relative to it. */
export function filesOf(projectDirectory: string, folders: readonly string[]): readonly string[] {
  return globSync(
    folders.map((folder) => `${folder}/**`),
    { cwd: projectDirectory },
  );
}

/** Whether a file is missing, or older than one of the sources (relative to the project). */
export function isOlder(projectDirectory: string, file: string, sources: readonly string[]): boolean {
  const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const madeAt = changedAt(file);
  return madeAt === 0 || sources.some((path) => changedAt(join(projectDirectory, path)) >= madeAt);
}
