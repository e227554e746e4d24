/** Builds a publication from a LOB's loaded directory, and makes it the current one. */
import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import { type LineOfBusiness, linesOfBusiness } from '../../catalog/lines-of-business.ts';
import type { PublicationBucket, PublishedFile } from '../publication/publication-bucket-port.ts';
import { type BuildRefusal, buildPublication, type PublicationWriter } from './build-publication.ts';
import type { BuildState, DirectoryBuild, DirectoryBuildRequest } from './directory-operations-contract.ts';

/** The records of builds, which operators read. */
export interface DirectoryBuilds {
  begin(build: DirectoryBuild): Promise<void>;
  /** Ends the record of a running build; the record of one that has ended is not changed. */
  end(build: DirectoryBuild): Promise<void>;
  /** Lists builds, newest first. */
  list(lob: LineOfBusiness, most: number): Promise<readonly DirectoryBuild[]>;
}

/** A new publication file on the function's own disk. */
export interface BuiltFile {
  readonly path: string;
  readonly writer: PublicationWriter;
  /**
   * Closes the file and reads it again.
   *
   * @returns its size in bytes and SHA-256.
   * @throws if the file can't be opened.
   */
  finish(): Promise<{ readonly bytes: number; readonly sha256: string }>;
  /** Removes the file from the disk. */
  remove(): Promise<void>;
}

export interface PublishDeps {
  readonly builds: DirectoryBuilds;
  readonly bucket: PublicationBucket;
  /** Streams the serialized resources of a type that a LOB has loaded. */
  readonly texts: (lob: LineOfBusiness, type: DirectoryType) => AsyncIterable<string>;
  readonly createFile: (id: string) => Promise<BuiltFile>;
  /**
   * Writes the other files of a publication to the bucket, below its prefix.
   *
   * @throws if a file can't be written.
   */
  readonly publishFiles: (
    lob: LineOfBusiness,
    built: { readonly id: string; readonly path: string },
    previous: PublishedFile | undefined,
  ) => Promise<void>;
  /** Share of a type's resources, 0 to 1, that may be missing compared with the previous publication. */
  readonly toleratedLoss: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
  /** Logs a line that an alarm counts. */
  readonly report: (code: 'directory_build_refused', lob: string, reason: string) => void;
}

export type PublishOutcome =
  | { readonly kind: 'published'; readonly id: string }
  | { readonly kind: 'refused'; readonly reasons: readonly BuildRefusal[] }
  | { readonly kind: 'no_directory' };

/** Milliseconds after which a running build counts as killed; Lambda's longest timeout is a quarter of an hour. */
const longestBuildMs = 20 * 60_000;

/** Key prefix of a publication's objects in the bucket. */
function prefixOf(lob: LineOfBusiness, id: string): string {
  return `${lob}/${id}/`;
}

/**
 * Builds and publishes the loaded resources. A refused build changes nothing.
 *
 * @throws if the store or the disk fails, or another build was published meanwhile; the call may be repeated.
 */
export async function publishDirectory(
  deps: PublishDeps,
  { lob, acceptLoss }: DirectoryBuildRequest,
): Promise<PublishOutcome> {
  if (!linesOfBusiness[lob].providerDirectory) return { kind: 'no_directory' };
  const { builds, now } = deps;
  await removeLeftovers(deps, lob);
  const startedAt = new Date(now()).toISOString();
  const id = `${startedAt.replace(/[-:]|\..*/g, '')}-${deps.uuid().slice(0, 8)}`;
  const build: DirectoryBuild = { lob, id, startedAt, state: 'running' };
  await builds.begin(build);
  const end = async (state: BuildState, rest: Partial<DirectoryBuild>) =>
    await builds.end({ ...build, ...rest, state, endedAt: new Date(now()).toISOString() });
  try {
    const result = await publish(deps, build, acceptLoss);
    if (result.kind === 'refused') {
      await end('refused', { reasons: result.reasons });
      deps.report('directory_build_refused', lob, result.reasons[0]?.code ?? '');
      return result;
    }
    const { resources, bytes } = result.file;
    await end('published', { resources, bytes });
    return { kind: 'published', id };
  } catch (error) {
    const code = error instanceof Overtaken ? 'overtaken' : 'defect';
    await end('failed', { reasons: [{ code, message: failures[code] }] });
    throw error;
  }
}

const failures = {
  overtaken: 'Another build was published in between. This one is tried again.',
  defect: 'The build could not be carried out. It is tried again.',
} as const;

/** Another build was published after this one began. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

async function publish(
  { bucket, texts, createFile, publishFiles, toleratedLoss, now }: PublishDeps,
  { lob, id }: DirectoryBuild,
  acceptLoss: boolean,
): Promise<
  | { readonly kind: 'published'; readonly file: PublishedFile }
  | { readonly kind: 'refused'; readonly reasons: readonly BuildRefusal[] }
> {
  const before = await bucket.readPointer(lob);
  const pointer = before.kind === 'pointer' ? before : undefined;
  const previous = pointer?.pointer.current;
  const builtAt = now();
  const built = await createFile(id);
  try {
    const result = await buildPublication(built.writer, (type) => texts(lob, type), {
      id,
      builtAt,
      previous,
      mostLoss: acceptLoss ? 1 : toleratedLoss,
    });
    if (result.kind === 'refusal') return { kind: 'refused', reasons: result.reasons };
    const { bytes, sha256 } = await built.finish();
    const key = `${prefixOf(lob, id)}directory.sqlite`;
    await bucket.upload(key, built.path);
    await publishFiles(lob, { id, path: built.path }, previous);
    const file = { id, key, bytes, sha256, builtAt, resources: result.resources };
    if (!(await bucket.writePointer(lob, { current: file, previous }, pointer?.etag))) {
      await bucket.removeAll(prefixOf(lob, id));
      throw new Overtaken();
    }
    const dropped = pointer?.pointer.previous;
    if (dropped !== undefined) await bucket.removeAll(prefixOf(lob, dropped.id));
    return { kind: 'published', file };
  } finally {
    await built.remove();
  }
}

/** Number of newest builds that are checked for leftovers. */
const mostExamined = 20;

/**
 * Ends the records of killed builds, and removes files that no kept publication needs: those of killed and failed builds, and those of
 * older publications that a killed build didn't remove.
 */
async function removeLeftovers({ builds, bucket, now }: PublishDeps, lob: LineOfBusiness): Promise<void> {
  const oldest = now() - longestBuildMs;
  const known = await builds.list(lob, mostExamined);
  const reading = await bucket.readPointer(lob);
  const pointer = reading.kind === 'pointer' ? reading.pointer : undefined;
  for (const build of known) {
    const { id, state, startedAt } = build;
    const isKept = id === pointer?.current.id || id === pointer?.previous?.id;
    const isKilled = state === 'running' && Date.parse(startedAt) < oldest;
    // IDs begin with the time of the build, so that they sort by it.
    const isOlder = state === 'published' && pointer?.previous !== undefined && id < pointer.previous.id;
    if (!isKept && (isKilled || isOlder || state === 'failed')) await bucket.removeAll(prefixOf(lob, id));
    if (!isKilled) continue;
    // A killed build whose publication is kept was killed after it changed the pointer, so it counts as published.
    const endedAt = new Date(now()).toISOString();
    await builds.end({ ...build, state: isKept ? 'published' : 'abandoned', endedAt });
  }
}
