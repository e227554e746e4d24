/** Handler of `audit-archive`, which runs on a schedule: copies sealed audit events to the bucket that keeps them for years. */

import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { tokenIssuers } from '../catalog/oauth/token-issuer.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { beginInvocation } from '../platform/runtime/invocation-deadline.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createArchiveBucket } from './aws/archive-bucket.ts';
import { createSealKeys } from './aws/seal-signatures.ts';
import { createArchivePositions } from './store/archive-positions.ts';
import { createEventReader, createSealReader } from './store/seal-store.ts';
import { type Archiving, archiveKeys, archiveSealed } from './trail/archiving.ts';

const { environment, tableName, auditArchiveBucket, auditSigningKeys } = readEnvironment([
  'environment',
  'tableName',
  'auditArchiveBucket',
  'auditSigningKeys',
]);
/** Milliseconds that a run reserves at its end, to finish the file in progress. */
const endingMs = 30_000;
const table = createSignedTable({ tableName, patience: backgroundPatience });
const keys = createSealKeys(new KMSClient({ retryStrategy: sdkRetries }), auditSigningKeys);
const archiving: Omit<Archiving, 'endsAt'> = {
  seals: createSealReader(table),
  events: createEventReader(table),
  positions: createArchivePositions(table),
  bucket: createArchiveBucket(new S3Client({ retryStrategy: sdkRetries }), auditArchiveBucket),
  now: systemClock,
};

/**
 * Copies the seals of every issuer that are not in the archive yet, with their events, and the public keys. If one issuer fails, the others are copied
 * nevertheless. Invoked by a schedule; the next invocation continues where this one ended.
 */
export async function handler(
  _event: unknown,
  context: { readonly getRemainingTimeInMillis: () => number },
): Promise<void> {
  beginInvocation(context.getRemainingTimeInMillis(), systemClock());
  const endsAt = systemClock() + context.getRemainingTimeInMillis() - endingMs;
  const failures: string[] = [];
  // One after the other, because each holds a file in memory.
  for (const lob of tokenIssuers) {
    try {
      const notArchived = await archiveSealed({ ...archiving, endsAt }, lob);
      failures.push(...notArchived.map(({ sequence, reason }) => `${lob} seal ${sequence} (${reason})`));
    } catch (error) {
      failures.push(`${lob} (${error instanceof Error ? error.name : 'Error'})`);
    }
  }
  failures.push(...(await archiveKeys(archiving.bucket, environment, await keys.list())));
  for (const reason of failures) consoleLog('error', 'audit_not_archived', { reason });
  if (failures.length > 0) throw new Error(`not in the archive: ${failures.join(', ')}`);
}
