/** Handler of `audit-application-record`, invoked by the operator's CLI: whose data an application read, and what else it was permitted or refused. */

import { S3Client } from '@aws-sdk/client-s3';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createArchiveReader } from './aws/archive-bucket.ts';
import { createQuestionRecorder } from './store/question-recorder.ts';
import { applicationRecord } from './trail/application-record.ts';
import { applicationRecordRequest } from './trail/questions-contract.ts';

const { environment, tableName, auditArchiveBucket } = readEnvironment([
  'environment',
  'tableName',
  'auditArchiveBucket',
]);
/** Milliseconds after which a page ends at the next file. */
const pageMs = 5_000;
const archive = createArchiveReader(new S3Client({ retryStrategy: sdkRetries }), auditArchiveBucket);
const recordQuestion = createQuestionRecorder({
  table: createSignedTable({ tableName }),
  environment,
  now: systemClock,
  uuid: systemRandom.uuid,
});

/** Answers a page of an application's audit record, after it has recorded who asked and why. Reads the archive; of the table nothing. */
export const handler = guardInvocation('audit-application-record', async (payload) => {
  const request = applicationRecordRequest.parse(payload);
  await recordQuestion(request);
  const endsAt = systemClock() + pageMs;
  return await applicationRecord({ environment, archive, now: systemClock, endsAt }, request);
});
