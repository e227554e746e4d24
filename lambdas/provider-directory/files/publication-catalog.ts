/** The catalog of a publication's files: an object beside the files, from which manifests and indexes are made. */
import * as z from 'zod/mini';
import { findingCodes } from '../../catalog/fhir/directory-findings.ts';
import type { PublicationBucket } from '../publication/publication-bucket-port.ts';
import type { BulkFiles } from './bulk-files.ts';
import type { PlanFinderIndex } from './plan-finder-files.ts';
import type { RecordFinding, TruthReport } from './truth-report-contract.ts';

export interface PublicationCatalog {
  readonly publication: string;
  /** Milliseconds since 1970. */
  readonly builtAt: number;
  readonly bulk: BulkFiles;
  readonly planFinder: readonly PlanFinderIndex[];
  readonly truth: TruthReport;
  /** Some records to correct, for operators; absent in catalogs of earlier releases, whose publications have no CSV either. */
  readonly examples?: readonly RecordFinding[] | undefined;
}

const bulkFiles = z.array(z.object({ type: z.string(), name: z.string(), count: z.number() }));
const counts = { records: z.number(), verified30: z.number(), verified90: z.number(), clean: z.number() };

const catalogObject = z.object({
  publication: z.string(),
  builtAt: z.number(),
  bulk: z.object({
    output: bulkFiles,
    changes: z.optional(z.object({ since: z.string(), output: bulkFiles })),
    deleted: bulkFiles,
  }),
  planFinder: z.array(z.object({ contract: z.string(), year: z.number(), files: z.array(z.string()) })),
  truth: z.object({
    publication: z.string(),
    builtAt: z.string(),
    comparedWithNppes: z.boolean(),
    types: z.record(z.string(), z.object({ ...counts, findings: z.record(z.string(), z.number()) })),
    ...counts,
  }),
  examples: z.optional(
    z.array(z.object({ resource: z.string(), code: z.enum(findingCodes), message: z.string() })),
  ),
});

/**
 * Parses a catalog.
 *
 * @throws ZodError if the text is not a catalog.
 */
function parseCatalog(text: string): PublicationCatalog {
  return catalogObject.parse(JSON.parse(text)) as PublicationCatalog;
}

/** The names of the public files. */
export function fileNames({ bulk, planFinder }: PublicationCatalog): ReadonlySet<string> {
  return new Set([
    ...[...bulk.output, ...(bulk.changes?.output ?? []), ...bulk.deleted].map(({ name }) => name),
    ...planFinder.flatMap(({ files }) => files),
  ]);
}

/** Keys of a publication's objects, below its prefix. */
export const publicationKeys = {
  catalog: (lob: string, id: string) => `${lob}/${id}/catalog.json`,
  file: (lob: string, id: string, name: string) => `${lob}/${id}/${name}`,
  /** NDJSON of the records to correct, for operators. */
  findings: 'findings.ndjson',
  /** The same as CSV. */
  findingsCsv: 'findings.csv',
} as const;

/** Most catalogs in memory: those of the two kept publications, and of one that was kept before. */
const mostCatalogs = 3;

/** Makes the function that reads the catalogs of a LOB's publications, each once. */
export function createPublicationCatalogs(bucket: Pick<PublicationBucket, 'readText'>, lob: string) {
  const known = new Map<string, PublicationCatalog>();
  return async (id: string): Promise<PublicationCatalog | undefined> => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const text = await bucket.readText(publicationKeys.catalog(lob, id));
    if (text === undefined) return undefined;
    const catalog = parseCatalog(text);
    if (known.size >= mostCatalogs) known.delete(known.keys().next().value ?? '');
    known.set(id, catalog);
    return catalog;
  };
}
