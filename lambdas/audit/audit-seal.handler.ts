/** Handler of `audit-seal`, which runs on a schedule: seals the audit events of each window of five minutes that is over. */

import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { KMSClient } from '@aws-sdk/client-kms';
import { tokenIssuers } from '../catalog/oauth/token-issuer.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { beginInvocation } from '../platform/runtime/invocation-deadline.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createSealSigner } from './aws/seal-signatures.ts';
import { createHeadWriter } from './store/audit-heads.ts';
import { createSealStore, createWindowEvents } from './store/seal-store.ts';
import type { Sealing } from './trail/audit-ports.ts';
import { sealFinished } from './trail/sealing.ts';

const { environment, tableName, auditSigningKey, auditHeadLog, auditHeadStream } = readEnvironment([
  'environment',
  'tableName',
  'auditSigningKey',
  'auditHeadLog',
  'auditHeadStream',
]);
/** Milliseconds that a run reserves at its end, to finish the parts in progress and anchor the newest seals. */
const endingMs = 15_000;
const table = createSignedTable({ tableName, patience: backgroundPatience });
const sealing: Omit<Sealing, 'endsAt'> = {
  environment,
  events: createWindowEvents(table),
  seals: createSealStore(table),
  signer: createSealSigner(new KMSClient({ retryStrategy: sdkRetries }), auditSigningKey),
  sha256: digests.sha256Hex,
  now: systemClock,
};
const heads = createHeadWriter(new CloudWatchLogsClient({ retryStrategy: sdkRetries }), {
  logGroupName: auditHeadLog,
  logStreamName: auditHeadStream,
});

/**
 * Seals the finished windows of every issuer and anchors the newest seals. If one issuer fails, the others are sealed nevertheless. Invoked
 * by a schedule; the next invocation continues where this one ended, and anchors seals that have not been anchored.
 */
export async function handler(
  _event: unknown,
  context: { readonly getRemainingTimeInMillis: () => number },
): Promise<void> {
  beginInvocation(context.getRemainingTimeInMillis(), systemClock());
  const endsAt = systemClock() + context.getRemainingTimeInMillis() - endingMs;
  const results = await Promise.allSettled(
    tokenIssuers.map((lob) => sealFinished({ ...sealing, endsAt }, lob)),
  );
  const newest = tokenIssuers.flatMap((lob, at) => {
    const result = results[at];
    const head = result?.status === 'fulfilled' ? result.value.head : undefined;
    return head === undefined ? [] : [[lob, head] as const];
  });
  const failures = results.flatMap((result, at) =>
    result.status === 'rejected' ? [{ lob: tokenIssuers[at], reason: result.reason as unknown }] : [],
  );
  for (const { lob, reason } of failures) {
    const errorName = reason instanceof Error ? reason.name : 'Error';
    consoleLog('error', 'audit_seal_failed', { ...(lob !== undefined && { lob }), errorName });
  }
  await heads.anchor(Object.fromEntries(newest), systemClock());
  if (failures.length > 0) throw new Error(`${failures.length} of the audit trails could not be sealed`);
}
