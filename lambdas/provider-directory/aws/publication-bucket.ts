/** S3 client of the bucket with the Provider Directory's publications. */
import { open } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as z from 'zod/mini';
import { directoryTypes } from '../../catalog/fhir/directory-types.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { PublicationBucket } from '../publication/publication-bucket-port.ts';
import { publicationFormat } from '../publication/publication-schema.ts';

const publishedFile = z.object({
  id: z.string(),
  key: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  builtAt: z.number(),
  resources: z.record(z.enum(directoryTypes), z.number()),
});
const pointerObject = z.object({ current: publishedFile, previous: z.optional(publishedFile) });

/** Bytes of one part of a multipart upload, which is held in memory. S3 accepts 10,000 parts of an object. */
const partBytes = 16 * 1024 * 1024;

/** Lifetime of a signed URL in seconds: longer than caches may keep the response that contains it. */
const signedSeconds = 900;

export function createPublicationBucket(client: S3Client, bucketName: string): PublicationBucket {
  const Bucket = bucketName;
  async function read<Content>(
    key: string,
    content: (body: NonNullable<GetObjectCommandOutput['Body']>) => Promise<Content>,
  ): Promise<Content | undefined> {
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
      return Body === undefined ? undefined : await content(Body);
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }
  // Key of a LOB's pointer. Each format has its own pointer, because functions of two releases run at the same time during a deployment.
  const pointerKey = (lob: LineOfBusiness) => `${lob}/publication-${publicationFormat}.json`;
  return {
    async readPointer(lob, etag) {
      try {
        const { Body, ETag = '' } = await client.send(
          new GetObjectCommand({
            Bucket,
            Key: pointerKey(lob),
            ...(etag !== undefined && { IfNoneMatch: etag }),
          }),
        );
        const text = (await Body?.transformToString('utf-8')) ?? '';
        return { kind: 'pointer', etag: ETag, pointer: pointerObject.parse(JSON.parse(text)) };
      } catch (error) {
        if (error instanceof NoSuchKey) return { kind: 'none' };
        if (statusOf(error) === 304) return { kind: 'unchanged' };
        throw error;
      }
    },

    async writePointer(lob, pointer, replaces) {
      try {
        await client.send(
          new PutObjectCommand({
            Bucket,
            Key: pointerKey(lob),
            Body: Buffer.from(JSON.stringify(pointer)),
            ContentType: 'application/json',
            ...(replaces === undefined ? { IfNoneMatch: '*' } : { IfMatch: replaces }),
          }),
        );
        return true;
      } catch (error) {
        // 412: the object was changed. 409: another conditional write of it was in progress.
        if ([409, 412].includes(statusOf(error))) return false;
        throw error;
      }
    },

    async *read(key, from, to) {
      const Range = `bytes=${from}-${to - 1}`;
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key, Range }));
      if (Body === undefined) throw new Error('S3 sent no body');
      yield* Body as AsyncIterable<Uint8Array>;
    },

    async readBytes(key) {
      return await read(key, (body) => body.transformToByteArray());
    },

    async readText(key) {
      return await read(key, (body) => body.transformToString('utf-8'));
    },

    async signedUrl(key, contentType, method = 'GET') {
      const input = { Bucket, Key: key, ResponseContentType: contentType, ResponseContentEncoding: 'gzip' };
      const expiry = { expiresIn: signedSeconds };
      return method === 'HEAD'
        ? await getSignedUrl(client, new HeadObjectCommand(input), expiry)
        : await getSignedUrl(client, new GetObjectCommand(input), expiry);
    },

    async upload(key, path) {
      const target = { Bucket, Key: key };
      const file = await open(path, 'r');
      try {
        const { size } = await file.stat();
        if (size <= partBytes) {
          const Body = await file.readFile();
          await client.send(
            new PutObjectCommand({ ...target, ContentType: 'application/octet-stream', Body }),
          );
          return;
        }
        const { UploadId } = await client.send(
          new CreateMultipartUploadCommand({ ...target, ContentType: 'application/octet-stream' }),
        );
        try {
          const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
          for (;;) {
            const { buffer, bytesRead } = await file.read(Buffer.alloc(partBytes), 0, partBytes);
            if (bytesRead === 0) break;
            const part = { ...target, UploadId, PartNumber: Parts.length + 1 };
            const { ETag } = await client.send(
              new UploadPartCommand({ ...part, Body: buffer.subarray(0, bytesRead) }),
            );
            Parts.push({ PartNumber: part.PartNumber, ETag });
          }
          await client.send(
            new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }),
          );
        } catch (error) {
          await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
          throw error;
        }
      } finally {
        await file.close();
      }
    },

    async removeAll(prefix) {
      let isTruncated = true;
      while (isTruncated) {
        const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
        for (const { Key } of page.Contents ?? [])
          await client.send(new DeleteObjectCommand({ Bucket, Key }));
        isTruncated = page.IsTruncated === true;
      }
    },
  };
}

function statusOf(error: unknown): number {
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? 0;
}
