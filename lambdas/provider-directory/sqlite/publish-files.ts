/** Writes the files of a publication beside it in the bucket: bulk files, Plan Finder files, truth report, and their catalog. */
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { digests } from '../../platform/runtime/digests.ts';
import { writeBulkFiles } from '../files/bulk-files.ts';
import { findingsCsv } from '../files/findings-csv.ts';
import { readKnownNpis } from '../files/known-npis.ts';
import { writePlanFinderFiles } from '../files/plan-finder-files.ts';
import { contentTypes, type PublicationFiles, pieces } from '../files/public-files.ts';
import { type PublicationCatalog, publicationKeys } from '../files/publication-catalog.ts';
import { reportTruth } from '../files/truth-report.ts';
import type { RecordFinding } from '../files/truth-report-contract.ts';
import type { PublicationBucket, PublishedFile } from '../publication/publication-bucket-port.ts';
import { downloadPublication } from './publication-disk.ts';
import { openPublicationFile, PublicationDamaged } from './publication-file.ts';

export interface PublishFilesOptions {
  readonly bucket: PublicationBucket;
  /** Folder on the function's own disk. */
  readonly folder: string;
  readonly lob: LineOfBusiness;
  /** FHIR base URL of the directory. */
  readonly base: string;
  /** Path of the new publication's file on the disk. */
  readonly path: string;
  readonly id: string;
  readonly previous: PublishedFile | undefined;
}

/**
 * Writes all files.
 *
 * @throws if a file can't be written; the next build removes the files written before.
 */
export async function publishFiles(options: PublishFilesOptions): Promise<void> {
  const { bucket, folder, lob, base, path, id } = options;
  const write = async (key: string, text: Iterable<string>, isCompressed: boolean) => {
    const file = join(folder, 'file.part');
    await mkdir(folder, { recursive: true });
    try {
      const gzip = isCompressed ? [createGzip({ level: 4 })] : [];
      await pipeline([Readable.from(text), ...gzip, createWriteStream(file)]);
      await bucket.upload(key, file);
    } finally {
      await rm(file, { force: true });
    }
  };
  const files: PublicationFiles = {
    write: async (name, _contentType, text) => await write(publicationKeys.file(lob, id, name), text, true),
  };
  const publication = openPublicationFile(path);
  const previous = await openPrevious(options);
  try {
    const bulk = await writeBulkFiles(publication, previous, files, digests.sha256Hex);
    const planFinder = await writePlanFinderFiles(publication, files, base);
    const lines: string[] = [];
    const examples = exampleFindings();
    const truth = reportTruth(
      publication,
      (finding) => {
        lines.push(`${JSON.stringify(finding)}\n`);
        examples.add(finding);
      },
      await readKnownNpis(bucket),
    );
    await files.write(publicationKeys.findings, contentTypes.ndjson, pieces(lines));
    await files.write(publicationKeys.findingsCsv, contentTypes.csv, pieces(findingsCsv(lines)));
    const catalog: PublicationCatalog = {
      publication: id,
      builtAt: publication.builtAt,
      bulk,
      planFinder,
      truth,
      examples: examples.kept,
    };
    await write(publicationKeys.catalog(lob, id), [JSON.stringify(catalog)], false);
  } finally {
    publication.close();
    previous?.close();
    if (options.previous !== undefined)
      await rm(join(folder, `${options.previous.id}.sqlite`), { force: true });
  }
}

/** Examples that are kept of each fault of each type. */
const mostExamples = 3;

/** Keeps the first findings of each fault of each type. */
function exampleFindings() {
  const counts = new Map<string, number>();
  const kept: RecordFinding[] = [];
  return {
    kept,
    add(finding: RecordFinding): void {
      const kind = `${finding.resource.split('/', 1)[0]} ${finding.code}`;
      const count = counts.get(kind) ?? 0;
      if (count >= mostExamples) return;
      counts.set(kind, count + 1);
      kept.push(finding);
    },
  };
}

/** Opens the previous publication, to find what changed; undefined if there is none that can be read. */
async function openPrevious({ bucket, folder, previous }: PublishFilesOptions) {
  if (previous === undefined) return undefined;
  try {
    return openPublicationFile(await downloadPublication(bucket, folder, previous));
  } catch (error) {
    // If the previous publication has another format or is damaged, the manifest lists no changes.
    if (error instanceof PublicationDamaged) return undefined;
    throw error;
  }
}
