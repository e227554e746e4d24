/** Publication files on a function's own disk: those that a build creates, and those that searches download. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltFile } from '../build/publish-directory.ts';
import type { PublicationBucket, PublishedFile } from '../publication/publication-bucket-port.ts';
import { createPublicationFile, openPublicationFile, PublicationDamaged } from './publication-file.ts';

/**
 * Creates the file of a build.
 *
 * @param folder on the function's own disk, used by builds only. Files that a killed build left there are removed.
 */
export async function createBuiltFile(folder: string, id: string): Promise<BuiltFile> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${id}.sqlite`);
  const file = createPublicationFile(path);
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    file.close();
  };
  return {
    path,
    writer: file,
    async finish() {
      close();
      openPublicationFile(path).close();
      const { size } = await stat(path);
      return { bytes: size, sha256: await sha256OfFile(path) };
    },
    async remove() {
      try {
        close();
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Bytes of one ranged read, of which several run at once. S3 recommends 8 to 16 MB; fewer concurrent reads would not use the network
 * bandwidth of a function with 3,008 MB of memory.
 */
const partBytes = 16 * 1024 * 1024;
const partsAtOnce = 4;
/** Most attempts to read one part: the connections of a function that was frozen between two requests are closed. */
const partTries = 5;

/**
 * Downloads a publication by concurrent ranged reads into one file, and checks its digest against the pointer's.
 *
 * @returns the path of the file.
 * @throws PublicationDamaged if the digest differs; otherwise the error of the bucket or the disk. Nothing is left on the disk then.
 */
export async function downloadPublication(
  bucket: Pick<PublicationBucket, 'read'>,
  folder: string,
  { id, key, bytes, sha256 }: PublishedFile,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${id}.sqlite`);
  const part = `${path}.part`;
  try {
    const file = await open(part, 'w');
    let next = 0;
    const reader = async () => {
      while (next < bytes) {
        const from = next;
        next += partBytes;
        const to = Math.min(bytes, next);
        await withTries(() => readPart(bucket.read(key, from, to), file, from, to));
      }
    };
    try {
      // After a failure the other readers finish their part and stop, so that the file is closed after the last of them.
      const stop = (error: unknown) => {
        next = bytes;
        throw error;
      };
      const readers = Array.from({ length: partsAtOnce }, () => reader().catch(stop));
      await Promise.allSettled(readers);
      await Promise.all(readers);
    } finally {
      await file.close();
    }
    if ((await sha256OfFile(part)) !== sha256) throw new PublicationDamaged(`${id} has another content`);
    await rename(part, path);
    return path;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function readPart(
  pieces: AsyncIterable<Uint8Array>,
  file: FileHandle,
  from: number,
  to: number,
): Promise<void> {
  let at = from;
  for await (const piece of pieces) {
    await file.write(piece, 0, piece.length, at);
    at += piece.length;
  }
  if (at !== to) throw new Error(`S3 sent ${at - from} bytes instead of ${to - from}`);
}

async function withTries(read: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await read();
      return;
    } catch (error) {
      if (tries === partTries) throw error;
    }
  }
}
