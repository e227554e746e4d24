/**
 * Writes the bulk files of a publication: each type's resources as NDJSON, the changes since the previous publication, and the deletions
 * (Bulk Data Access 4.0 ballot, `$bulk-publish`).
 */
import { type DirectoryType, directoryTypes } from '../../catalog/fhir/directory-types.ts';
import type { DirectoryPublication } from '../publication/publication.ts';
import { type IndexedRow, indexOf } from '../publication/publication-index.ts';
import { contentTypes, fileName, type PublicationFiles, partsOf, pieces } from './public-files.ts';

/** Most resources in one file. */
const mostResources = 100_000;

export interface BulkFile {
  readonly type: string;
  readonly name: string;
  readonly count: number;
}

export interface BulkFiles {
  /** Files with all resources of the directory. */
  readonly output: readonly BulkFile[];
  /** Files with the resources that are new or changed since the previous publication; absent if there was none. */
  readonly changes?: { readonly since: string; readonly output: readonly BulkFile[] };
  /** Files with one Bundle on each line: a DELETE for each resource that only the previous publication has. */
  readonly deleted: readonly BulkFile[];
}

/** Computes a digest of a resource, by which changes are found. */
export type ResourceDigest = (json: string) => string;

export async function writeBulkFiles(
  publication: DirectoryPublication,
  previous: DirectoryPublication | undefined,
  files: PublicationFiles,
  digest: ResourceDigest,
): Promise<BulkFiles> {
  const output: BulkFile[] = [];
  const changed: BulkFile[] = [];
  const deleted: BulkFile[] = [];
  for (const type of directoryTypes) {
    const before = new Map<string, string>();
    if (previous !== undefined) {
      for (const { id, json } of indexOf(previous).each(type)) before.set(id, digest(json));
    }
    const changes: IndexedRow[] = [];
    const noted = function* (): Generator<IndexedRow> {
      for (const row of indexOf(publication).each(type)) {
        if (previous !== undefined && before.get(row.id) !== digest(row.json)) changes.push(row);
        before.delete(row.id);
        yield row;
      }
    };
    output.push(...(await writeNdjson(files, 'bulk', type, noted())));
    changed.push(...(await writeNdjson(files, 'changes', type, changes)));
    deleted.push(...(await writeDeleted(files, type, [...before.keys()])));
  }
  const changes = previous && { since: new Date(previous.builtAt).toISOString(), output: changed };
  return { output, ...(changes !== undefined && { changes }), deleted };
}

async function writeNdjson(
  files: PublicationFiles,
  folder: string,
  type: DirectoryType,
  rows: Iterable<IndexedRow>,
): Promise<readonly BulkFile[]> {
  const written: BulkFile[] = [];
  for (const part of partsOf(rows, mostResources)) {
    let count = 0;
    const lines = function* (): Generator<string> {
      for (const { json } of part) {
        count += 1;
        yield `${json}\n`;
      }
    };
    const name = `${folder}/${fileName(type, written.length + 1)}.ndjson`;
    await files.write(name, contentTypes.ndjson, pieces(lines()));
    written.push({ type, name, count });
  }
  return written;
}

async function writeDeleted(
  files: PublicationFiles,
  type: DirectoryType,
  ids: readonly string[],
): Promise<readonly BulkFile[]> {
  if (ids.length === 0) return [];
  const entries = ids.map((id) => ({ request: { method: 'DELETE', url: `${type}/${id}` } }));
  const bundle = { resourceType: 'Bundle', type: 'transaction', entry: entries };
  const name = `deleted/${type}.ndjson`;
  await files.write(name, contentTypes.ndjson, [`${JSON.stringify(bundle)}\n`]);
  return [{ type: 'Bundle', name, count: 1 }];
}

/**
 * Makes the manifest of `$bulk-publish` (Bulk Data Access 4.0 ballot, BulkPublishManifest).
 *
 * @param url makes the URL of a file from its name.
 */
export function bulkManifest(
  builtAt: number,
  { output, changes, deleted }: BulkFiles,
  url: (name: string) => string,
): Readonly<Record<string, unknown>> {
  const listed = listing(url);
  const time = new Date(builtAt).toISOString();
  return {
    manifestType: 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition/bulk-publish',
    epochStartTime: time,
    transactionTime: time,
    updateCadence: 'P1D',
    requiresAccessToken: false,
    outputFormat: contentTypes.ndjson,
    output: output.map(listed),
    deleted: deleted.map(listed),
    error: [],
    ...(changes !== undefined && {
      extension: { changes: { since: changes.since, output: changes.output.map(listed) } },
    }),
  };
}

const listing =
  (url: (name: string) => string) =>
  ({ type, name, count }: BulkFile) => ({ type, url: url(name), count });

/**
 * Makes the manifest of a complete system `$export` (Bulk Data Access 2.0, "Response - Complete Status"), with the same files.
 *
 * @param request URL of the kick-off request.
 * @param types only files of these types; all if empty.
 */
export function exportManifest(
  builtAt: number,
  { output }: BulkFiles,
  url: (name: string) => string,
  request: string,
  types: readonly string[],
): Readonly<Record<string, unknown>> {
  const asked = output.filter(({ type }) => types.length === 0 || types.includes(type));
  return {
    transactionTime: new Date(builtAt).toISOString(),
    request,
    requiresAccessToken: false,
    output: asked.map(listing(url)),
    error: [],
  };
}
