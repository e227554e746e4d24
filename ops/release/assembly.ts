/** Reads a cloud assembly: its fingerprint, and the templates of a stage. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTemplate, type StackTemplate } from './template-changes.ts';

const fingerprintFile = 'release.sha256';

/** The fingerprint of a release is missing, or the assembly is not the one that was built. */
export class AssemblyChanged extends Error {
  override readonly name = 'AssemblyChanged';
}

/** Whether a file is the fingerprint's own, or one that the CDK CLI writes during a deployment: its locks, and assets that it zipped. */
function isOfTheCli(path: string): boolean {
  return path.endsWith(fingerprintFile) || path.endsWith('.lock') || path.startsWith('/.cache/');
}

/** SHA-256 (hex) over the paths and contents of all files of an assembly: templates, manifests and assets. */
export function fingerprintOf(folder: string): string {
  const hash = createHash('sha256');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    const path = file.slice(folder.length);
    if (isOfTheCli(path)) continue;
    hash.update(`${path}\0`).update(createHash('sha256').update(readFileSync(file)).digest());
  }
  return hash.digest('hex');
}

/** Writes the fingerprint into the assembly, and returns it. */
export function writeFingerprint(folder: string): string {
  const fingerprint = fingerprintOf(folder);
  writeFileSync(join(folder, fingerprintFile), `${fingerprint}\n`);
  return fingerprint;
}

/**
 * Compares the assembly with the fingerprint that was written after the build.
 *
 * @throws AssemblyChanged
 */
export function verifyFingerprint(folder: string): string {
  const file = join(folder, fingerprintFile);
  if (!existsSync(file)) {
    throw new AssemblyChanged(
      `${folder} has no fingerprint. Build the release first: npm run release -- build fingerprint`,
    );
  }
  const expected = readFileSync(file, 'utf8').trim();
  const found = fingerprintOf(folder);
  if (found === expected) return found;
  throw new AssemblyChanged(
    `${folder} is not the release that was built: expected the fingerprint ${expected}, found ${found}. Build it again, and deploy only what was built.`,
  );
}

interface Manifest {
  readonly artifacts: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly environment?: string;
        readonly properties?: { readonly templateFile?: string; readonly stackName?: string };
      }
    >
  >;
}

/** A stack of an assembly. */
export interface AssemblyStack {
  readonly name: string;
  readonly region: string;
  readonly account: string;
  readonly template: StackTemplate;
}

/** The stacks of a stage. */
export function stacksOf(folder: string, stage: string): readonly AssemblyStack[] {
  const nested = join(folder, `assembly-${stage}`);
  const { artifacts } = JSON.parse(readFileSync(join(nested, 'manifest.json'), 'utf8')) as Manifest;
  return Object.entries(artifacts).flatMap(([id, { type, environment = '', properties = {} }]) => {
    if (type !== 'aws:cloudformation:stack' || properties.templateFile === undefined) return [];
    const [, account = '', region = ''] = /^aws:\/\/([^/]+)\/(.+)$/.exec(environment) ?? [];
    const template = parseTemplate(readFileSync(join(nested, properties.templateFile), 'utf8'));
    return [{ name: properties.stackName ?? id, account, region, template }];
  });
}
