/** A small synthetic directory, published in an SQLite file, and searches on it, for tests. */
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bundle, FhirResource } from 'fhir/r4.js';
import { type DirectoryType, directoryTypes } from '../../lambdas/catalog/fhir/directory-types.ts';
import {
  type BuildOptions,
  buildPublication,
} from '../../lambdas/provider-directory/build/build-publication.ts';
import type { DirectoryPublication } from '../../lambdas/provider-directory/publication/publication.ts';
import {
  type DirectorySearchAnswer,
  searchDirectory,
} from '../../lambdas/provider-directory/search/directory-search.ts';
import {
  createPublicationFile,
  openPublicationFile,
} from '../../lambdas/provider-directory/sqlite/publication-file.ts';
import { directoryOf } from '../../ops/generator/directory/directory.ts';

export const base = 'https://mapd.example/extfhirproviderdir/v1';
export const now = Date.UTC(2026, 10, 22);
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export type DirectoryTexts = ReadonlyMap<DirectoryType, readonly string[]>;

/** Serialized resources of a synthetic directory, by type. */
export function syntheticDirectory(roles: number, seed = 1): DirectoryTexts {
  return new Map(
    directoryTypes.map((type) => [
      type,
      [...directoryOf(type, { seed, roles })].map((each) => JSON.stringify(each)),
    ]),
  );
}

let folder: string | undefined;

/** Path of a file in a folder of the running test file. */
export function fileAt(name: string): string {
  folder ??= mkdtempSync(join(tmpdir(), 'directory-'));
  return join(folder, name);
}

export async function removeFolder(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  folder = undefined;
}

/** Builds a publication's file. Returns the build's result and the file's path. */
export async function built(texts: DirectoryTexts, options: Partial<BuildOptions> = {}) {
  const id = options.id ?? 'publication-1';
  const path = fileAt(`${id}.sqlite`);
  const file = createPublicationFile(path);
  const result = await buildPublication(file, (type) => texts.get(type) ?? [], {
    id,
    builtAt: now,
    mostLoss: 0.2,
    ...options,
  });
  file.close();
  return { result, path };
}

/** Builds and opens a publication of these texts. */
export async function published(texts: DirectoryTexts, options: Partial<BuildOptions> = {}) {
  const { result, path } = await built(texts, options);
  if (result.kind !== 'built') throw new Error(JSON.stringify(result.reasons));
  return openPublicationFile(path);
}

/** Searches a publication with the text of a query. */
export async function search(
  publication: DirectoryPublication,
  type: DirectoryType,
  query: string,
  options: { readonly strict?: boolean; readonly kept?: readonly DirectoryPublication[] } = {},
): Promise<DirectorySearchAnswer> {
  const kept = options.kept ?? [publication];
  return await searchDirectory(
    {
      publications: {
        current: async () => publication,
        kept: async (id) => kept.find((each) => each.id === id),
      },
      sha256,
      now: () => now,
    },
    { type, parameters: [...new URLSearchParams(query)], strict: options.strict ?? false, base },
  );
}

/**
 * The Bundle of an answer.
 *
 * @throws Error if the answer is not a Bundle.
 */
export function bundleOf(answer: DirectorySearchAnswer): Bundle<FhirResource> {
  if (answer.kind !== 'bundle') throw new Error(JSON.stringify(answer));
  return JSON.parse(answer.body);
}

/** The entries of a search mode as `Type/id`. */
export function namesOf(
  { entry = [] }: Bundle<FhirResource>,
  mode: 'match' | 'include' = 'match',
): readonly string[] {
  return entry
    .filter((each) => each.search?.mode === mode)
    .map(({ resource }) => `${resource?.resourceType}/${resource?.id}`);
}

/** The entries of all pages as `Type/id`, and the number of pages. */
export async function allPages(publication: DirectoryPublication, type: DirectoryType, query: string) {
  const names: string[] = [];
  let next: string | undefined = query;
  let pages = 0;
  while (next !== undefined) {
    const bundle: Bundle<FhirResource> = bundleOf(await search(publication, type, next));
    names.push(...namesOf(bundle));
    pages += 1;
    next = bundle.link?.find(({ relation }) => relation === 'next')?.url?.split('?')[1];
  }
  return { names, pages };
}
