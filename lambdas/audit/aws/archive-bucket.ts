/** S3 client of the audit archive. */

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { ArchiveBucket } from '../trail/archiving.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

const isCompressed = (key: string) => key.endsWith('.gz');

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
