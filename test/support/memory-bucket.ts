import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from './client-doubles.ts';

/** Objects of one bucket by their keys, as the S3 clients of the functions in a test see them. */
export interface MemoryBucket {
  readonly objects: Map<string, Uint8Array>;
  /** Throws where a call is to fail. */
  fault: (operation: string, key: string) => void;
}

/** Replaces S3 by objects in memory. */
export function memoryBucket(): MemoryBucket {
  const objects = new Map<string, Uint8Array>();
  const bucket: MemoryBucket = { objects, fault: () => {} };
  const s3 = mockClient(S3Client);
  s3.on(PutObjectCommand).callsFake(({ Key, Body }) => {
    bucket.fault('PutObject', Key);
    objects.set(Key, new Uint8Array(Body));
    return {};
  });
  s3.on(GetObjectCommand).callsFake(({ Key }) => {
    bucket.fault('GetObject', Key);
    const body = objects.get(Key);
    if (body === undefined) throw new NoSuchKey({ $metadata: {}, message: 'no such key' });
    // The functions take a body as bytes.
    return { Body: { transformToByteArray: async () => body } as never };
  });
  s3.on(DeleteObjectCommand).callsFake(({ Key }) => {
    bucket.fault('DeleteObject', Key);
    objects.delete(Key);
    return {};
  });
  s3.on(ListObjectsV2Command).callsFake(({ Prefix }) => {
    bucket.fault('ListObjectsV2', Prefix);
    return { Contents: [...objects.keys()].filter((key) => key.startsWith(Prefix)).map((Key) => ({ Key })) };
  });
  return bucket;
}
