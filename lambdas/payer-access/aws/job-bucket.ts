/** S3 client of the bucket of asynchronous jobs, and the Step Functions client that starts them. */

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { StoreUnavailable } from '../../platform/table/table.ts';
import type { JobExecutions, JobFiles } from '../jobs/job-ports.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Most objects that one call removes. */
const removals = 20;

/** The objects of one LOB in the job bucket. Their keys begin with the LOB, and the roles of its functions are limited to that prefix. */
export function createJobFiles(client: S3Client, bucketName: string, lob: LineOfBusiness): JobFiles {
  const Bucket = bucketName;
  const whole = (key: string) => `${lob}/${key}`;

  return {
    async put(key, text) {
      const Body = await compress(text);
      await reached(() =>
        client.send(new PutObjectCommand({ Bucket, Key: whole(key), Body, ContentType: 'application/gzip' })),
      );
    },

    async readText(key) {
      return await reached(async () => {
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: whole(key) }));
          if (Body === undefined) throw new Error('S3 sent no body');
          return (await expand(await Body.transformToByteArray())).toString('utf8');
        } catch (error) {
          if (error instanceof NoSuchKey) return undefined;
          throw error;
        }
      });
    },

    async keys(prefix) {
      const found: string[] = [];
      let next: string | undefined;
      do {
        const page = await reached(() =>
          client.send(
            new ListObjectsV2Command({
              Bucket,
              Prefix: whole(prefix),
              ...(next !== undefined && { ContinuationToken: next }),
            }),
          ),
        );
        found.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(lob.length + 1)));
        next = page.NextContinuationToken;
      } while (next !== undefined);
      return found;
    },

    async remove(keys) {
      for (let from = 0; from < keys.length; from += removals) {
        const some = keys.slice(from, from + removals);
        await reached(() =>
          Promise.all(some.map((key) => client.send(new DeleteObjectCommand({ Bucket, Key: whole(key) })))),
        );
      }
    },

    async signedUrl(key, contentType, seconds) {
      const command = new GetObjectCommand({
        Bucket,
        Key: whole(key),
        ResponseContentType: contentType,
        ResponseContentEncoding: 'gzip',
      });
      return await reached(() => getSignedUrl(client, command, { expiresIn: seconds }));
    },
  };
}

/** Starts and finds executions of the state machine that carries out a LOB's jobs. */
export function createJobExecutions(client: SFNClient, stateMachineArn: string): JobExecutions {
  return {
    async isRunning(name) {
      const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
      return await reached(async () => {
        try {
          return (await client.send(new DescribeExecutionCommand({ executionArn }))).status === 'RUNNING';
        } catch (error) {
          // Step Functions deletes an execution's history after 90 days.
          if (error instanceof ExecutionDoesNotExist) return false;
          throw error;
        }
      });
    },

    async start(jobId, expiresAt, name) {
      const input = JSON.stringify({ jobId, expiresAt: new Date(expiresAt * 1000).toISOString() });
      await reached(async () => {
        try {
          await client.send(new StartExecutionCommand({ stateMachineArn, input, name }));
        } catch (error) {
          if (!(error instanceof ExecutionAlreadyExists)) throw error;
        }
      });
    },
  };
}

/** Calls a service, and maps its failure to StoreUnavailable, so that the request can be repeated. */
async function reached<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw new StoreUnavailable(error);
  }
}
