import { KMSClient } from '@aws-sdk/client-kms';
import { tokenAuthorities } from '../catalog/token-authority.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { createSealMac } from '../storage/seal-mac.ts';
import { createSealStore, createWindowEvents } from '../storage/seal-store.ts';
import { createSignedTable } from '../storage/signed-table.ts';
import type { Sealing } from './ports.ts';
import { sealFinished } from './sealing.ts';

const { environment, tableName, auditSealKeyId } = readEnvironment([
  'environment',
  'tableName',
  'auditSealKeyId',
]);
const table = createSignedTable({ tableName });
const sealing: Sealing = {
  environment,
  events: createWindowEvents(table),
  seals: createSealStore(table),
  authenticate: createSealMac(new KMSClient({}), auditSealKeyId).authenticate,
  sha256: digests.sha256Hex,
  now: systemClock,
};

/**
 * Seals what is finished, of every authority: one that fails keeps no other from it. Called by a schedule; the next call takes
 * up what this one left.
 */
export async function handler(): Promise<void> {
  const outcomes = await Promise.allSettled(tokenAuthorities.map((lob) => sealFinished(sealing, lob)));
  let failed = 0;
  for (const [at, lob] of tokenAuthorities.entries()) {
    const outcome = outcomes[at];
    if (outcome?.status !== 'rejected') continue;
    failed += 1;
    const errorName = outcome.reason instanceof Error ? outcome.reason.name : 'Error';
    consoleLog('error', 'audit_seal_failed', { lob, errorName });
  }
  if (failed > 0) throw new Error(`${failed} of the audit trails could not be sealed`);
}
