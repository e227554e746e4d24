/** Handler of `audit-verify`, invoked by the operator's CLI: verifies seals and answers questions about a patient's record. */

import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { KMSClient } from '@aws-sdk/client-kms';
import * as z from 'zod/mini';
import { accessUsage } from '../audit/access-usage.ts';
import type { SealVerification } from '../audit/audit-ports.ts';
import { patientRecord } from '../audit/patient-record.ts';
import { accessUsageRequest, patientRecordRequest } from '../audit/questions-contract.ts';
import { unsealedEvents } from '../audit/unsealed-events.ts';
import { verifySeals } from '../audit/verification.ts';
import { unsealedEventsRequest, verificationRequest } from '../audit/verification-contract.ts';
import { createSealMac } from '../aws/seal-mac.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createHeadReader } from '../storage/audit/audit-heads.ts';
import { createEventPlaces } from '../storage/audit/event-places.ts';
import { createPatientRecords } from '../storage/audit/patient-records.ts';
import { createEventReader, createSealReader, createWindowEvents } from '../storage/audit/seal-store.ts';
import { backgroundPatience } from '../table/background-patience.ts';
import { createSignedTable, signedSend } from '../table/signed-table.ts';

const { tableName, auditSealKeyId, auditHeadLog } = readEnvironment([
  'tableName',
  'auditSealKeyId',
  'auditHeadLog',
]);
const table = createSignedTable({ tableName });
const seals = createSealReader(table);
const verification: SealVerification = {
  events: { ...createWindowEvents(table), ...createEventReader(table) },
  seals,
  heads: createHeadReader(new CloudWatchLogsClient({ retryStrategy: sdkRetries }), auditHeadLog),
  authentic: createSealMac(new KMSClient({ retryStrategy: sdkRetries }), auditSealKeyId).authentic,
  sha256: digests.sha256Hex,
  now: systemClock,
};

const records = createPatientRecords(table);

const places = createEventPlaces({ tableName, send: signedSend(), patience: backgroundPatience });

const questions = z.discriminatedUnion('question', [
  unsealedEventsRequest,
  patientRecordRequest,
  accessUsageRequest,
]);

/**
 * Verifies one page of an authority's seals, or answers a question about what is on record; invoked by the plan's operators, and
 * may change nothing.
 */
export const handler = guardInvocation('audit-verify', async (payload) => {
  const page = verificationRequest.safeParse(payload);
  if (page.success) return await verifySeals(verification, page.data);
  const request = questions.parse(payload);
  if (request.question === 'unsealed-events') {
    return await unsealedEvents({ places, seals, now: systemClock }, request);
  }
  if (request.question === 'patient-record') return await patientRecord(records, request);
  return await accessUsage(verification, request);
});
