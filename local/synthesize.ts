/** Bundles the functions and synthesizes the CDK app for the local system. */

import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailed, runNode } from './run-node.ts';

interface CdkJson {
  /** Command of the CDK app: `node bin/app.ts`. */
  readonly app: string;
  readonly context?: Readonly<Record<string, unknown>>;
}

/**
 * Synthesizes the project's CDK app into `directory` by the protocol of the CDK CLI: it runs the `app` of cdk.json with the output folder
 * in `CDK_OUTDIR`, and the context of cdk.json and of `context` in `CDK_CONTEXT_JSON`. An assembly with the same context that is newer than
 * every source is kept.
 *
 * @throws CommandFailed with the app's error output.
 */
export async function synthesize(
  projectDirectory: string,
  directory: string,
  context: Readonly<Record<string, unknown>>,
  log: (line: string) => void = () => {},
): Promise<void> {
  const cdk = JSON.parse(readFileSync(join(projectDirectory, 'cdk.json'), 'utf8')) as CdkJson;
  const [program, ...args] = cdk.app.split(' ');
  if (program !== 'node') throw new CommandFailed(`cdk.json: app must start with node, not ${program}`);
  const contextJson = JSON.stringify({ ...cdk.context, ...context });
  const stamp = `${directory}.context.json`;
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
  const sameContext = existsSync(stamp) && readFileSync(stamp, 'utf8') === contextJson;
  if (sameContext && !isOlder(projectDirectory, stamp, sources)) return;
  log('Synthesizing the templates …');
  rmSync(directory, { recursive: true, force: true });
  rmSync(stamp, { force: true });
  await runNode(projectDirectory, args, { CDK_OUTDIR: directory, CDK_CONTEXT_JSON: contextJson });
  writeFileSync(stamp, contextJson);
}

/** Milliseconds after which a lock is stale, whatever process it names: much longer than bundling takes beside a dozen busy processes. */
const lockPatienceMs = 240_000;

/**
 * Bundles the functions, unless the bundles are newer than every source. Only one process bundles at a time, because the bundler empties
 * its folder first.
 */
export async function bundleIfStale(
  projectDirectory: string,
  log: (line: string) => void = () => {},
): Promise<void> {
  const cache = join(projectDirectory, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const lock = join(cache, 'bundle.lock');
  await takeLock(lock, log);
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
    rmSync(lock, { recursive: true, force: true });
  }
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
      log('Waiting for another npm start that is bundling …');
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
