/** Handler of `job-operations`, invoked by the operator's CLI, the portal's console and a schedule: lists, shows, cancels and sweeps asynchronous jobs. */

import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createJobExecutions, createJobFiles } from './aws/job-bucket.ts';
import { carryOutJobOperation } from './jobs/job-operations.ts';
import { createJobStore } from './store/job-store.ts';

const { environment, tableName, jobBucket, jobStateMachineTemplate } = readEnvironment([
  'environment',
  'tableName',
  'jobBucket',
  'jobStateMachineTemplate',
]);
const table = createSignedTable({ tableName });
const bucket = new S3Client({ retryStrategy: sdkRetries });

const states = new SFNClient({ retryStrategy: sdkRetries });

const deps = {
  storeOf: (lob: Parameters<typeof createJobStore>[1]) => createJobStore(table, lob),
  filesOf: (lob: Parameters<typeof createJobStore>[1]) => createJobFiles(bucket, jobBucket, lob),
  executionsOf: (lob: Parameters<typeof createJobStore>[1]) =>
    createJobExecutions(states, jobStateMachineTemplate.replace('{lob}', lob)),
  report: (code: string, fields: object) => consoleLog('error', code, fields),
  environment,
  now: systemClock,
  uuid: systemRandom.uuid,
};

/**
 * Lists, shows, cancels and sweeps asynchronous jobs. Called by the operator's CLI, the portal's console and a schedule. Reads and changes
 * jobs and removes their files; reads no file and no member's record.
 */
export const handler = guardInvocation('job-operations', (payload) => carryOutJobOperation(deps, payload));
