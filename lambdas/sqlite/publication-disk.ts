/** Publications on a function's own disk: new ones of a build, and downloaded ones of the search. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicationBucket, PublishedFile } from '../fhir/directory/publication-bucket-port.ts';
import type { BuiltFile } from '../fhir/directory/publish-directory.ts';
import { createPublicationFile, openPublicationFile, PublicationDamaged } from './publication-file.ts';

/**
 * Creates the file of a build.
 *
 * @param folder on the function's own disk, for builds alone: one that was killed may have left its files there, which are removed.
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
 * Downloads a publication, and compares it with what the pointer says of it.
 *
 * @returns the path of the file.
 * @throws PublicationDamaged where it is another; else what the bucket or the disk says. Nothing is left on the disk.
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
    const hash = createHash('sha256');
    const file = await open(part, 'w');
    try {
      for await (const chunk of bucket.read(key, bytes)) {
        hash.update(chunk);
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    if (hash.digest('hex') !== sha256) throw new PublicationDamaged(`${id} has another content`);
    await rename(part, path);
    return path;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
