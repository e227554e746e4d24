/** Reads a drop from a folder, for `ops loads`. */

import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import {
  type DropManifest,
  type DropPlace,
  dropPlace,
  manifestName,
  readManifest,
} from '../../lambdas/loads/ledger/manifest.ts';
import { createRangeCutter } from '../../lambdas/loads/ledger/ranges.ts';
import { UsageError } from '../command-line/command-line.ts';

/** A drop in a local folder. */
export interface DropFolder {
  readonly path: string;
  readonly place: DropPlace;
  readonly manifest: DropManifest;
  /** Text of the manifest that is uploaded. */
  readonly manifestText: string;
  /** Total size of all files in bytes. */
  readonly bytes: number;
  /** NDJSON files in the folder that the manifest does not name; they are not uploaded. */
  readonly unnamed: readonly string[];
}

export interface DropFolderOptions {
  readonly lob: LineOfBusiness;
  readonly source?: string | undefined;
  /**
   * The drop's name.
   *
   * @default the folder's name
   */
  readonly drop?: string | undefined;
  readonly kind?: string | undefined;
  /**
   * Product of the drop.
   *
   * @default members
   */
  readonly product?: string | undefined;
}

/**
 * Reads a drop: its `manifest.json`, or a manifest made from the folder's `.ndjson` files, whose names begin with their resource type
 * (`Patient.ndjson`, `ExplanationOfBenefit-2.ndjson`). Files of any size are read as streams.
 *
 * @throws UsageError
 */
export async function readDropFolder(folder: string, options: DropFolderOptions): Promise<DropFolder> {
  const path = resolve(folder);
  const names = namesIn(path);
  const own = names.includes(manifestName) ? readFileSync(join(path, manifestName), 'utf8') : undefined;
  const source = options.source ?? sourceIn(own) ?? 'default';
  const name = options.drop ?? basename(path).toLowerCase();
  const place = dropPlace(`${options.lob}/${source}/${name}/${manifestName}`);
  if (place === undefined) {
    throw new UsageError('--source and --drop are lowercase letters, digits and hyphens, at most 40');
  }
  const manifestText = own ?? (await makeManifest(path, names, place, options));
  const reading = readManifest(manifestText, place);
  if (reading.kind === 'refused') {
    const lines = reading.issues.map((issue) => `  ${issue.path}: ${issue.message}`);
    throw new UsageError(`the manifest of ${path} is wrong:\n${lines.join('\n')}`);
  }
  const { manifest } = reading;
  const missing = manifest.files.find((file) => !names.includes(file.name));
  if (missing !== undefined) throw new UsageError(`${path} has no file ${missing.name}`);
  const bytes = manifest.files.reduce((sum, file) => sum + statSync(join(path, file.name)).size, 0);
  const named = new Set(manifest.files.map((file) => file.name));
  const unnamed = names.filter((each) => each.endsWith('.ndjson') && !named.has(each)).sort();
  return { path, place, manifest, manifestText, bytes, unnamed };
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    throw new UsageError(`${path} is no folder that can be read`);
  }
}

function sourceIn(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : String((JSON.parse(text) as { source?: unknown }).source);
  } catch {
    return undefined;
  }
}

async function makeManifest(
  path: string,
  names: readonly string[],
  { lob, source }: DropPlace,
  { kind = 'delta', product }: DropFolderOptions,
): Promise<string> {
  const files = [];
  for (const name of names.filter((each) => each.endsWith('.ndjson')).sort()) {
    const [type = ''] = name.split(/[-_.]/);
    files.push({ name, type, ...(await totalsOf(join(path, name))) });
  }
  if (files.length === 0) throw new UsageError(`${path} has no .ndjson file`);
  return JSON.stringify(
    { lob, source, kind, product, createdAt: new Date().toISOString(), files },
    undefined,
    2,
  );
}

/** Computes the row count and SHA-256 of a file. */
export async function totalsOf(file: string): Promise<{ readonly rows: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  const cutter = createRangeCutter(Number.POSITIVE_INFINITY);
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
    cutter.push(chunk);
  }
  return { rows: cutter.end().rows, sha256: hash.digest('hex') };
}
