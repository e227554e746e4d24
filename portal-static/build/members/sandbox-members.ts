/** The sandbox's members for the public documentation, from the generator's records. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { EnvironmentOrigins } from '../../../lambdas/catalog/addresses.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import type { SandboxMember } from '../../../ops/generator/sandbox-records.ts';

const root = join(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache/portal-static');

/** Folder of the members' records below the site's root. */
export const recordsPath = '/docs/members';

export interface SandboxRecords {
  readonly members: readonly SandboxMember[];
  /** Holds `<memberId>.json.gz` of each member. */
  readonly folder: string;
}

const read = new Map<string, SandboxRecords>();

/**
 * Returns the records of this month. Making them takes seconds, so they are cached under a hash of the bundled program and its arguments.
 */
export function sandboxRecords({ environments: { sandbox } }: PublishedService): SandboxRecords {
  const month = `${new Date().toISOString().slice(0, 7)}-01`;
  const origins: EnvironmentOrigins = sandbox.origins;
  const key = `${month} ${JSON.stringify(origins)}`;
  const known = read.get(key) ?? readRecords(month, JSON.stringify(origins));
  read.set(key, known);
  return known;
}

function readRecords(month: string, origins: string): SandboxRecords {
  const program = bundledProgram();
  const hash = createHash('sha256').update(program).update(month).update(origins).digest('hex').slice(0, 32);
  const folder = join(cache, `members-${hash}`);
  if (!existsSync(folder)) makeRecords(folder, program, [month, origins]);
  return { members: JSON.parse(readFileSync(join(folder, 'members.json'), 'utf8')), folder };
}

function bundledProgram(): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: ['ops/generator/write-sandbox-records.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/** Makes the folder in a temporary place and renames it, so that it appears whole; if another process made it first, that one stays. */
function makeRecords(folder: string, program: string, words: readonly string[]): void {
  const own = `${folder}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  try {
    const file = join(own, 'program.mjs');
    writeFileSync(file, program);
    execFileSync(process.execPath, [file, join(own, 'records'), ...words]);
    if (!existsSync(folder)) renameSync(join(own, 'records'), folder);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
