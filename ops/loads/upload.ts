/** Uploads a drop to the ingest bucket. */

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { manifestName } from '../../lambdas/loads/ledger/manifest.ts';
import { InvocationFailed } from '../command-line/invoke.ts';
import type { DropFolder } from './drop-folder.ts';

/** Bytes of one part, which is held in memory. S3 accepts 10,000 parts of an object: at this size 156 GB. */
const partBytes = 16 * 1024 * 1024;

/**
 * Uploads a drop, its files in parts, and its manifest last.
 *
 * @param sent gets the total number of bytes sent so far, and the current file.
 * @returns the version ID of the manifest.
 * @throws InvocationFailed if the bucket can't be written to.
 */
export async function uploadDrop(
  client: S3Client,
  bucket: string,
  { path, place, manifest, manifestText }: DropFolder,
  sent: (bytes: number, file: string) => void,
): Promise<string> {
  let bytes = 0;
  try {
    for (const { name } of manifest.files) {
      sent(bytes, name);
      await uploadFile(
        client,
        { Bucket: bucket, Key: `${place.folder}${name}` },
        join(path, name),
        (more) => {
          bytes += more;
          sent(bytes, name);
        },
      );
    }
    const key = { Bucket: bucket, Key: `${place.folder}${manifestName}` };
    const manifestObject = { ...key, Body: manifestText, ContentType: 'application/json' };
    const { VersionId } = await client.send(new PutObjectCommand(manifestObject));
    return VersionId ?? 'null';
  } catch (error) {
    const { name = 'Error', message = '' } = error as Partial<Error>;
    throw new InvocationFailed(
      `the drop can't be uploaded to ${bucket}: ${name}: ${message}. Without its manifest no load has begun: repeat the command`,
    );
  }
}

async function uploadFile(
  client: S3Client,
  key: { readonly Bucket: string; readonly Key: string },
  file: string,
  sent: (bytes: number) => void,
): Promise<void> {
  const ContentType = 'application/x-ndjson';
  const source = await open(file, 'r');
  try {
    const buffer = Buffer.alloc(partBytes);
    let { bytesRead } = await source.read(buffer, 0, partBytes);
    if (bytesRead < partBytes) {
      await client.send(new PutObjectCommand({ ...key, Body: buffer.subarray(0, bytesRead), ContentType }));
      sent(bytesRead);
      return;
    }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...key, ContentType }));
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
      while (bytesRead > 0) {
        const PartNumber = Parts.length + 1;
        const Body = buffer.subarray(0, bytesRead);
        const { ETag } = await client.send(new UploadPartCommand({ ...key, UploadId, PartNumber, Body }));
        Parts.push({ PartNumber, ETag });
        sent(bytesRead);
        ({ bytesRead } = await source.read(buffer, 0, partBytes));
      }
      await client.send(new CompleteMultipartUploadCommand({ ...key, UploadId, MultipartUpload: { Parts } }));
    } catch (error) {
      await client.send(new AbortMultipartUploadCommand({ ...key, UploadId })).catch(() => undefined);
      throw error;
    }
  } finally {
    await source.close();
  }
}
