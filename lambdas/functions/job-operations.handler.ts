/** Handler of `job-operations`, invoked by the operator's CLI and the portal's console: lists, shows and cancels asynchronous jobs. */

import { S3Client } from '@aws-sdk/client-s3';
import { createJobFiles } from '../aws/job-bucket.ts';
import { carryOutJobOperation } from '../fhir/jobs/job-operations.ts';
import { systemClock } from '../runtime/clock.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createJobStore } from '../storage/payer/job-store.ts';
import { createSignedTable } from '../table/signed-table.ts';

const { environment, tableName, jobBucket } = readEnvironment(['environment', 'tableName', 'jobBucket']);
const table = createSignedTable({ tableName });
const bucket = new S3Client({ retryStrategy: sdkRetries });

const deps = {
  storeOf: (lob: Parameters<typeof createJobStore>[1]) => createJobStore(table, lob),
  filesOf: (lob: Parameters<typeof createJobStore>[1]) => createJobFiles(bucket, jobBucket, lob),
  environment,
  now: systemClock,
  uuid: systemRandom.uuid,
};

/** Answers operators about jobs. */
export const handler = guardInvocation('job-operations', (payload) => carryOutJobOperation(deps, payload));
