import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildPortal } from '../../portal-static/build/build.ts';
import { repositoryRoot } from '../architecture/imports.ts';

const cache = join(repositoryRoot, 'node_modules/.cache/portal-site');
/** Sources of the site's build. */
const sources = ['portal-static', 'lambdas', 'lib/config', 'ops/generator', 'package-lock.json'];
const patienceMs = 60_000;
const keptMs = 60 * 60 * 1000;

/**
 * Builds the site as it is deployed, once for the present sources; all test files read the same folder.
 *
 * @returns the folder, which must not be written to.
 */
export async function siteFiles(): Promise<string> {
  const folder = join(cache, fingerprint());
  const building = `${folder}.building`;
  for (const deadline = Date.now() + patienceMs; !existsSync(folder); ) {
    if (claimed(building)) await buildAt(folder, building);
    else if (Date.now() < deadline) await wait(50);
    // The process that built it has ended without finishing.
    else rmSync(building, { recursive: true, force: true });
  }
  return folder;
}

/** Creates a folder as a lock, which only one process can do. */
function claimed(folder: string): boolean {
  mkdirSync(cache, { recursive: true });
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

async function buildAt(folder: string, building: string): Promise<void> {
  try {
    // Another process may have finished just before the claim.
    if (existsSync(folder)) return;
    await buildPortal({ outdir: join(building, 'site') });
    renameSync(join(building, 'site'), folder);
    forgetOthers(folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesOf(join(repositoryRoot, source))) hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 32);
}

function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Deletes sites of earlier sources, unless a test may still read them. */
function forgetOthers(folder: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (path !== folder && age > keptMs) rmSync(path, { recursive: true, force: true });
  }
}
