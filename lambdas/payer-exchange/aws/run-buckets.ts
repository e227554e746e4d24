/** S3 clients of a run: its objects in the bucket of jobs, and the drop that it writes to the ingest bucket. */

import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { inGroupsOf } from '../../platform/kernel/in-groups-of.ts';
import type { DropWriter, RunFiles } from '../runs/run-ports.ts';

/** Objects that are removed at once. */
const removals = 20;

async function readObject(client: S3Client, Bucket: string, Key: string): Promise<Uint8Array | undefined> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return await Body?.transformToByteArray();
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

/** The objects of one LOB's runs. */
export function createRunFiles(client: S3Client, Bucket: string, lob: LineOfBusiness): RunFiles {
  const whole = (key: string) => `${lob}/${key}`;
  return {
    async put(key, body) {
      await client.send(new PutObjectCommand({ Bucket, Key: whole(key), Body: body }));
    },
    async read(key) {
      return await readObject(client, Bucket, whole(key));
    },
    async keys(prefix) {
      const found: string[] = [];
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: whole(prefix),
            ...(ContinuationToken !== undefined && { ContinuationToken }),
          }),
        );
        found.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(lob.length + 1)));
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
      return found;
    },
    async remove(keys) {
      await inGroupsOf(removals, keys, async (key) => {
        await client.send(new DeleteObjectCommand({ Bucket, Key: whole(key) }));
      });
    },
  };
}

/** The ingest bucket, for drops of received data. */
export function createDropWriter(client: S3Client, Bucket: string): DropWriter {
  return {
    async put(key, body, contentType) {
      await client.send(new PutObjectCommand({ Bucket, Key: key, Body: body, ContentType: contentType }));
    },
    async readText(key) {
      const bytes = await readObject(client, Bucket, key);
      return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
    },
  };
}
