import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from './client-doubles.ts';

/** The objects of one bucket by key, as the S3 clients in a test see them. */
export interface MemoryBucket {
  readonly objects: Map<string, Uint8Array>;
  /** Decides for each call whether it fails: throws to fail it, or returns `answer-lost` to carry it out and then fail it. */
  fault: (operation: string, key: string) => 'answer-lost' | undefined;
}

/** Replaces S3 with objects in memory. */
export function memoryBucket(): MemoryBucket {
  const objects = new Map<string, Uint8Array>();
  const bucket: MemoryBucket = { objects, fault: () => undefined };
  const s3 = mockClient(S3Client);
  const met = <Answer>(operation: string, key: string, carryOut: () => Answer): Answer => {
    const fault = bucket.fault(operation, key);
    const answer = carryOut();
    if (fault !== undefined) throw new Error('the answer is lost');
    return answer;
  };
  s3.on(PutObjectCommand).callsFake(({ Key, Body }) =>
    met('PutObject', Key, () => {
      objects.set(Key, new Uint8Array(Body));
      return {};
    }),
  );
  s3.on(GetObjectCommand).callsFake(({ Key }) =>
    met('GetObject', Key, () => {
      const body = objects.get(Key);
      if (body === undefined) throw new NoSuchKey({ $metadata: {}, message: 'no such key' });
      // The functions read a body as bytes.
      return { Body: { transformToByteArray: async () => body } as never };
    }),
  );
  s3.on(DeleteObjectCommand).callsFake(({ Key }) =>
    met('DeleteObject', Key, () => {
      objects.delete(Key);
      return {};
    }),
  );
  s3.on(ListObjectsV2Command).callsFake(({ Prefix }) =>
    met('ListObjectsV2', Prefix, () => ({
      Contents: [...objects.keys()].filter((key) => key.startsWith(Prefix)).map((Key) => ({ Key })),
    })),
  );
  return bucket;
}
