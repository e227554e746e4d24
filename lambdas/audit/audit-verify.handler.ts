import { KMSClient } from '@aws-sdk/client-kms';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { createSealMac } from '../storage/seal-mac.ts';
import { createEventReader, createSealReader, createWindowEvents } from '../storage/seal-store.ts';
import { createSignedTable } from '../storage/signed-table.ts';
import type { Verification } from './ports.ts';
import { verifySeals } from './verification.ts';
import { verificationRequest } from './verification-contract.ts';

const { tableName, auditSealKeyId } = readEnvironment(['tableName', 'auditSealKeyId']);
const table = createSignedTable({ tableName });
const verification: Verification = {
  events: { ...createWindowEvents(table), ...createEventReader(table) },
  seals: createSealReader(table),
  authentic: createSealMac(new KMSClient({}), auditSealKeyId).authentic,
  sha256: digests.sha256Hex,
  now: systemClock,
};

/** Verifies one page of an authority's seals; invoked by the plan's operators, and may change nothing. */
export const handler = guardInvocation(
  'audit-verify',
  async (payload) => await verifySeals(verification, verificationRequest.parse(payload)),
);
