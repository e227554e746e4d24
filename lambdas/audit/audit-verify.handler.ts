/** Handler of `audit-verify`, invoked by the operator's CLI: verifies seals, shows their public keys, and counts disclosures. */

import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { KMSClient } from '@aws-sdk/client-kms';
import * as z from 'zod/mini';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSignedTable, signedSend } from '../platform/table/signed-table.ts';
import { createSealKeys } from './aws/seal-signatures.ts';
import { createHeadReader } from './store/audit-heads.ts';
import { createEventPlaces } from './store/event-places.ts';
import { createEventReader, createSealReader, createWindowEvents } from './store/seal-store.ts';
import { accessUsage } from './trail/access-usage.ts';
import type { SealVerification } from './trail/audit-ports.ts';
import { accessUsageRequest } from './trail/questions-contract.ts';
import { unsealedEvents } from './trail/unsealed-events.ts';
import { verifySeals } from './trail/verification.ts';
import {
  sealKeysRequest,
  unsealedEventsRequest,
  verificationRequest,
} from './trail/verification-contract.ts';

const { tableName, auditSigningKeys, auditHeadLog } = readEnvironment([
  'tableName',
  'auditSigningKeys',
  'auditHeadLog',
]);
const table = createSignedTable({ tableName });
const seals = createSealReader(table);
const keys = createSealKeys(new KMSClient({ retryStrategy: sdkRetries }), auditSigningKeys);
const verification: SealVerification = {
  events: { ...createWindowEvents(table), ...createEventReader(table) },
  seals,
  heads: createHeadReader(new CloudWatchLogsClient({ retryStrategy: sdkRetries }), auditHeadLog),
  isSigned: keys.isSigned,
  sha256: digests.sha256Hex,
  now: systemClock,
};

const places = createEventPlaces({ tableName, send: signedSend(), patience: backgroundPatience });

const questions = z.discriminatedUnion('question', [
  unsealedEventsRequest,
  accessUsageRequest,
  sealKeysRequest,
]);

/**
 * Verifies one page of an issuer's seals, shows the public keys of seals, or counts disclosures. Called by the operator's CLI. Reads audit
 * events, seals and the log of anchored seals; writes nothing.
 */
export const handler = guardInvocation('audit-verify', async (payload) => {
  const page = verificationRequest.safeParse(payload);
  if (page.success) return await verifySeals(verification, page.data);
  const request = questions.parse(payload);
  if (request.question === 'unsealed-events') {
    return await unsealedEvents({ places, seals, now: systemClock }, request);
  }
  if (request.question === 'seal-keys') return { keys: await keys.list() };
  return await accessUsage(verification, request);
});
