/** Builds a LOB's directory into a publication, and switches to it. */
import type { DirectoryType } from '../../catalog/directory-resources.ts';
import { type LineOfBusiness, linesOfBusiness } from '../../catalog/lines-of-business.ts';
import { type BuildRefusal, buildPublication, type PublicationWriter } from './build-publication.ts';
import type { BuildState, DirectoryBuild, DirectoryBuildRequest } from './directory-operations-contract.ts';
import type { PublicationBucket, PublishedFile } from './publication-bucket-port.ts';

/** Record of builds, for operators. */
export interface DirectoryBuilds {
  begin(build: DirectoryBuild): Promise<void>;
  /** Ends a build that is running; one that has ended stays as it is. */
  end(build: DirectoryBuild): Promise<void>;
  /** The newest first. */
  list(lob: LineOfBusiness, most: number): Promise<readonly DirectoryBuild[]>;
}

/** A new file on the builder's own disk. */
export interface BuiltFile {
  readonly path: string;
  readonly writer: PublicationWriter;
  /** Ends writing. @returns size and digest of the file, which was read again. @throws where it can't be opened. */
  finish(): Promise<{ readonly bytes: number; readonly sha256: string }>;
  /** Removes it from the disk. */
  remove(): Promise<void>;
}

export interface PublishDeps {
  readonly builds: DirectoryBuilds;
  readonly bucket: PublicationBucket;
  /** Texts of a LOB's resources of a type, as they are loaded. */
  readonly texts: (lob: LineOfBusiness, type: DirectoryType) => AsyncIterable<string>;
  readonly createFile: (id: string) => Promise<BuiltFile>;
  /** Writes the other files of a publication to the bucket. @returns their keys. @throws where they can't be written; none is left. */
  readonly publishFiles: (
    lob: LineOfBusiness,
    built: { readonly id: string; readonly path: string },
    previous: PublishedFile | undefined,
  ) => Promise<readonly string[]>;
  /** Share of a type's resources that may be fewer than before, 0 to 1. */
  readonly toleratedLoss: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
  /** One line for the log, which an alarm counts. */
  readonly report: (code: 'directory_build_refused', lob: string, reason: string) => void;
}

export type PublishOutcome =
  | { readonly kind: 'published'; readonly id: string }
  | { readonly kind: 'refused'; readonly reasons: readonly BuildRefusal[] }
  | { readonly kind: 'no_directory' };

/** A build that is running for longer was ended: Lambda's longest time is a quarter of an hour. */
const longestBuildMs = 20 * 60_000;

/** Key of a publication's file in the bucket. */
function keyOf(lob: LineOfBusiness, id: string): string {
  return `${lob}/${id}/directory.sqlite`;
}

/**
 * Builds and publishes what is loaded. A refused build changes nothing.
 *
 * @throws where the store or the disk fails, or another build was published in between: to be tried again.
 */
export async function publishDirectory(
  deps: PublishDeps,
  { lob, acceptLoss }: DirectoryBuildRequest,
): Promise<PublishOutcome> {
  if (!linesOfBusiness[lob].providerDirectory) return { kind: 'no_directory' };
  const { builds, now } = deps;
  await abandon(deps, lob);
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

/** Another build was published since this one began. */
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
    const key = keyOf(lob, id);
    await bucket.upload(key, built.path);
    const files = await publishFiles(lob, { id, path: built.path }, previous);
    const file = { id, key, bytes, sha256, builtAt, resources: result.resources, files };
    if (!(await bucket.writePointer(lob, { current: file, previous }, pointer?.etag))) {
      await removeAll(bucket, file);
      throw new Overtaken();
    }
    const dropped = pointer?.pointer.previous;
    if (dropped !== undefined) await removeAll(bucket, dropped);
    return { kind: 'published', file };
  } finally {
    await built.remove();
  }
}

async function removeAll(bucket: PublicationBucket, { key, files }: PublishedFile): Promise<void> {
  for (const each of [key, ...files]) await bucket.remove(each);
}

/** Ends the records of builds that were killed, and removes the files they may have left. */
async function abandon({ builds, bucket, now }: PublishDeps, lob: LineOfBusiness): Promise<void> {
  const oldest = now() - longestBuildMs;
  const killed = (await builds.list(lob, 20)).filter(
    ({ state, startedAt }) => state === 'running' && Date.parse(startedAt) < oldest,
  );
  if (killed.length === 0) return;
  const reading = await bucket.readPointer(lob);
  const pointer = reading.kind === 'pointer' ? reading.pointer : undefined;
  for (const build of killed) {
    const isKept = build.id === pointer?.current.id || build.id === pointer?.previous?.id;
    // Killed between the switch and its record: it is published.
    if (!isKept) await bucket.remove(keyOf(lob, build.id));
    await builds.end({
      ...build,
      state: isKept ? 'published' : 'abandoned',
      endedAt: new Date(now()).toISOString(),
    });
  }
}
