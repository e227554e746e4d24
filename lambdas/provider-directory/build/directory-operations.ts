/** Carries out operators' requests about the Provider Directory: its builds, publications and truth reports. */

import {
  type LineOfBusiness,
  lineOfBusinessCodes,
  linesOfBusiness,
} from '../../catalog/lines-of-business.ts';
import { contentTypes } from '../files/public-files.ts';
import { createPublicationCatalogs, publicationKeys } from '../files/publication-catalog.ts';
import type { PublicationBucket, PublishedFile } from '../publication/publication-bucket-port.ts';
import {
  type DirectoryBuildRequest,
  type DirectoryOperationAnswer,
  type DirectoryToFix,
  directoryOperation,
  type KeptPublication,
} from './directory-operations-contract.ts';
import type { DirectoryBuilds } from './publish-directory.ts';

export interface DirectoryOperationsDeps {
  readonly builds: Pick<DirectoryBuilds, 'list'>;
  readonly bucket: Pick<PublicationBucket, 'readPointer' | 'readText' | 'signedUrl'>;
  readonly bucketName: string;
  /** Starts a build without waiting for it. */
  readonly start: (request: DirectoryBuildRequest) => Promise<void>;
}

/** Carries out an operator's request about the Provider Directory. */
export async function carryOutDirectoryOperation(
  { builds, bucket, bucketName, start }: DirectoryOperationsDeps,
  payload: unknown,
): Promise<DirectoryOperationAnswer> {
  const operation = directoryOperation.parse(payload);
  if (operation.action === 'to-fix') {
    const lobs = lineOfBusinessCodes.filter((lob) => linesOfBusiness[lob].providerDirectory);
    return { kind: 'to-fix', directories: await Promise.all(lobs.map((lob) => toFix(builds, bucket, lob))) };
  }
  const { lob } = operation;
  if (!linesOfBusiness[lob].providerDirectory) return { kind: 'refused', reason: 'no_directory' };
  switch (operation.action) {
    case 'builds':
      return { kind: 'builds', builds: await builds.list(lob, operation.limit) };
    case 'show': {
      const reading = await bucket.readPointer(lob);
      if (reading.kind !== 'pointer') return { kind: 'show' };
      const { current, previous } = reading.pointer;
      return { kind: 'show', current: keptOf(current), previous: previous && keptOf(previous) };
    }
    case 'bucket':
      return { kind: 'bucket', bucket: bucketName };
    case 'report':
      return await report(bucket, lob);
    case 'publish':
      await start({ lob, acceptLoss: operation.acceptLoss });
      return { kind: 'started' };
  }
}

async function report(
  bucket: DirectoryOperationsDeps['bucket'],
  lob: LineOfBusiness,
): Promise<DirectoryOperationAnswer> {
  const reading = await bucket.readPointer(lob);
  if (reading.kind !== 'pointer') return { kind: 'report' };
  const { id } = reading.pointer.current;
  const catalog = await createPublicationCatalogs(bucket, lob)(id);
  const findings = publicationKeys.file(lob, id, publicationKeys.findings);
  const findingsUrl = await bucket.signedUrl(findings, contentTypes.ndjson);
  const csv = publicationKeys.file(lob, id, publicationKeys.findingsCsv);
  const csvUrl = catalog?.examples === undefined ? undefined : await bucket.signedUrl(csv, contentTypes.csv);
  return { kind: 'report', report: catalog?.truth, findingsUrl, csvUrl };
}

async function toFix(
  builds: DirectoryOperationsDeps['builds'],
  bucket: DirectoryOperationsDeps['bucket'],
  lob: LineOfBusiness,
): Promise<DirectoryToFix> {
  const [[lastBuild], reading] = await Promise.all([builds.list(lob, 1), bucket.readPointer(lob)]);
  if (reading.kind !== 'pointer') return { lob, lastBuild, examples: [] };
  const catalog = await createPublicationCatalogs(bucket, lob)(reading.pointer.current.id);
  return { lob, lastBuild, report: catalog?.truth, examples: catalog?.examples ?? [] };
}

function keptOf({ id, builtAt, bytes, sha256, resources }: PublishedFile): KeptPublication {
  return { id, builtAt: new Date(builtAt).toISOString(), bytes, sha256, resources };
}
