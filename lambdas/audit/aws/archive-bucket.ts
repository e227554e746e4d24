/** S3 client of the audit archive. */

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { ArchiveReader } from '../trail/application-record.ts';
import type { ArchiveBucket } from '../trail/archiving.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

const isCompressed = (key: string) => key.endsWith('.gz');

/** Files that are downloaded before they are asked for. The largest have some 25 MB uncompressed. */
const filesAhead = 8;

/** Creates the reader of the archive's files. It downloads some ahead, because S3 takes longer to answer than the reader to read. */
export function createArchiveReader(client: S3Client, Bucket: string): ArchiveReader {
  const download = async (key: string) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
    if (Body === undefined) throw new Error('S3 sent no body');
    return { key, bytes: await expand(await Body.transformToByteArray()) };
  };
  async function* keys(Prefix: string, StartAfter: string, until: string) {
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix, StartAfter })) {
      for (const { Key: key = '' } of Contents) {
        if (key >= until) return;
        yield key;
      }
    }
  }
  return {
    async *files(prefix, after, until) {
      const ahead: ReturnType<typeof download>[] = [];
      for await (const key of keys(prefix, after, until)) {
        const file = download(key);
        // The error is thrown when the file is read, or not at all where the reader stops before.
        file.catch(() => undefined);
        ahead.push(file);
        if (ahead.length > filesAhead) yield await (ahead.shift() as ReturnType<typeof download>);
      }
      for (const file of ahead) yield await file;
    },
  };
}

/**
 * Creates the adapter of the bucket. A write has the condition that there is no object with the key; the bucket refuses others. Texts are
 * compared instead of compressed bytes, which may differ between releases of zlib.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export function createArchiveBucket(client: S3Client, bucketName: string): ArchiveBucket {
  const Bucket = bucketName;
  return {
    async putOnce(key, text) {
      try {
        await client.send(
          new PutObjectCommand({
            Bucket,
            Key: key,
            Body: isCompressed(key) ? await compress(text) : text,
            ContentType: isCompressed(key) ? 'application/gzip' : 'application/x-pem-file',
            IfNoneMatch: '*',
          }),
        );
        return true;
      } catch (error) {
        if (!(error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412)) throw error;
      }
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
      if (Body === undefined) throw new Error('S3 sent no body');
      const bytes = await Body.transformToByteArray();
      return (isCompressed(key) ? await expand(bytes) : Buffer.from(bytes)).toString('utf8') === text;
    },
  };
}
