/** Writes a population as a drop: a file for each resource type, and the manifest with its control totals. */

import { createHash, type Hash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isSharedType } from '../../lambdas/loads/ledger/load-types.ts';
import { type DropManifest, manifestName } from '../../lambdas/loads/ledger/manifest.ts';
import { type Population, populationMembers } from './population.ts';

/** Characters of a file that are buffered before they are written. */
const bufferedCharacters = 1_000_000;

export interface PopulationDrop extends Population {
  readonly folder: string;
  readonly members: number;
}

/**
 * Streams members into the folder's files. Memory holds one member and a megabyte for each type.
 *
 * @returns the manifest that was written.
 * @throws Error if a file exists already.
 */
export function writePopulationDrop({ folder, members, ...population }: PopulationDrop): DropManifest {
  mkdirSync(folder, { recursive: true });
  const files = new Map<string, DropFile>();
  // Names of shared resources that were written already: providers, locations and drugs.
  const shared = new Set<string>();
  for (const { resources } of populationMembers(population, members)) {
    for (const { resourceType, id, json, fhirJson } of resources) {
      const name = `${resourceType}/${id}`;
      if (isSharedType(resourceType)) {
        if (shared.has(name)) continue;
        shared.add(name);
      }
      const file = files.get(resourceType) ?? createDropFile(join(folder, `${resourceType}.ndjson`));
      files.set(resourceType, file);
      file.add(fhirJson ?? json);
    }
  }
  const totals = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const manifest: DropManifest = {
    lob: population.lob,
    source: 'population',
    kind: 'full',
    createdAt: `${population.month}T05:00:00Z`,
    files: totals.map(([type, file]) => ({ name: `${type}.ndjson`, type, ...file.end() })),
  };
  writeFileSync(join(folder, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`, { flag: 'wx' });
  return manifest;
}

interface DropFile {
  add(row: string): void;
  end(): { readonly rows: number; readonly sha256: string };
}

function createDropFile(path: string): DropFile {
  const descriptor = openSync(path, 'wx');
  const hash: Hash = createHash('sha256');
  let rows = 0;
  let waiting: string[] = [];
  let characters = 0;
  const write = () => {
    const bytes = Buffer.from(waiting.join(''));
    hash.update(bytes);
    writeSync(descriptor, bytes);
    waiting = [];
    characters = 0;
  };
  return {
    add(row) {
      rows += 1;
      waiting.push(row, '\n');
      characters += row.length;
      if (characters > bufferedCharacters) write();
    },
    end() {
      write();
      closeSync(descriptor);
      return { rows, sha256: hash.digest('hex') };
    },
  };
}
