/**
 * S3 client of the ingest bucket, to which plans upload their drops. Loads read the version of an object that they started with, not its
 * newest content.
 */

import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { DropBucket } from '../ledger/drops.ts';

/** The ingest bucket. It is versioned: every object has a version. */
export function createDropBucket(client: S3Client, bucketName: string): DropBucket {
  const Bucket = bucketName;
  return {
    async *read(key, versionId, from, to) {
      if (from >= to) return;
      const Range = `bytes=${from}-${to - 1}`;
      const { Body } = await client.send(
        new GetObjectCommand({ Bucket, Key: key, VersionId: versionId, Range }),
      );
      if (Body === undefined) throw new Error('S3 sent no body');
      yield* Body as AsyncIterable<Uint8Array>;
    },

    async head(key) {
      try {
        const { VersionId, ContentLength = 0 } = await client.send(
          new HeadObjectCommand({ Bucket, Key: key }),
        );
        return { versionId: VersionId ?? 'null', bytes: ContentLength };
      } catch (error) {
        if (error instanceof NotFound) return undefined;
        throw error;
      }
    },

    async readText(key, versionId) {
      try {
        const { Body } = await client.send(
          new GetObjectCommand({
            Bucket,
            Key: key,
            ...(versionId !== undefined && { VersionId: versionId }),
          }),
        );
        return await Body?.transformToString('utf-8');
      } catch (error) {
        if (error instanceof NoSuchKey || (error as Error).name === 'NoSuchVersion') return undefined;
        throw error;
      }
    },

    async *objects(Prefix) {
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket,
            ...(Prefix !== undefined && { Prefix }),
            ...(ContinuationToken !== undefined && { ContinuationToken }),
          }),
        );
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key !== undefined) yield { key: Key, writtenAt: LastModified?.getTime() ?? 0 };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },

    async put(key, text, contentType) {
      await client.send(
        new PutObjectCommand({ Bucket, Key: key, Body: Buffer.from(text), ContentType: contentType }),
      );
    },
  };
}
