/** Measures operators' questions about the audit trail on a day of a million events (`npm run bench:questions`). */

import { randomUUID } from 'node:crypto';
import { type AttributeValue, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { createArchiveBucket } from '../lambdas/audit/aws/archive-bucket.ts';
import type {
  ApplicationRecordAnswer,
  ArchivePlace,
  PatientRecordAnswer,
} from '../lambdas/audit/trail/questions-contract.ts';
import { toAttributeMap } from '../lambdas/platform/table/attribute-values.ts';
import { createInvoke } from '../ops/command-line/invoke.ts';
import { awsConfiguration, readLocalSystem } from '../ops/command-line/system.ts';
import { archivedTrail } from '../test/audit/archived-trail.ts';
import { createSealKey } from '../test/support/seal-key.ts';

/**
 * Writes a day of 1,000,000 reads by a hundred applications to the archive of a running system's production (`npm start`), and 1,000 reads of
 * one member to its table. `npm start -- --fresh` takes them back. Then asks for the member, for an application, and for one without
 * events.
 */
const system = readLocalSystem();
const { auditPatientRecord, auditApplicationRecord } = system?.functions.production ?? {};
const outputs = system?.outputs?.['production-Data'] ?? {};
if (auditPatientRecord === undefined || auditApplicationRecord === undefined) {
  throw new Error('no local system is running; run `npm start` first');
}
const configuration = awsConfiguration(system);
const bucket = createArchiveBucket(
  new S3Client({ ...configuration, forcePathStyle: true }),
  outputs.AuditArchiveBucketName ?? '',
);
const database = new DynamoDBClient(configuration);
const invoke = createInvoke(system);

const windows = 288;
const events = 1_000_000;
const counts = Array.from(
  { length: windows },
  (_, at) => Math.floor(((at + 1) * events) / windows) - Math.floor((at * events) / windows),
);
const patientId = randomUUID();
const reads = 1_000;

/** Writes reads of one member to the table, without seals: questions read none. */
async function storeMember(): Promise<void> {
  for (let number = 0; number < reads; number += 1) {
    const [eventId, time] = [randomUUID(), new Date(Date.UTC(2026, 0, 1) + number * 86_000).toISOString()];
    const event = {
      ...{ pk: `AUDIT#DSNP#PATIENT#${patientId}`, sk: `${time}#${eventId}`, time, environment: 'production' },
      ...{ lob: 'DSNP', action: 'ExplanationOfBenefit.read', outcome: 'disclosed', actor: 'app-1' },
      ...{ clientId: 'app-1', patientId, requestId: randomUUID() },
    };
    const Item = toAttributeMap(event) as Record<string, AttributeValue>;
    await database.send(new PutItemCommand({ TableName: outputs.TableName ?? '', Item }));
  }
}

async function timed<T>(what: string, act: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await act();
  console.log(
    `${what}: ${((performance.now() - startedAt) / 1_000).toFixed(2)} s, ${JSON.stringify(result)}`,
  );
  return result;
}

await timed('written', async () => {
  for await (const { key, text } of archivedTrail(createSealKey().signer, 'DSNP', counts, 100)) {
    await bucket.putOnce(key, text);
  }
  await storeMember();
  return { events, reads };
});

const question = {
  ...{ lob: 'DSNP', from: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' },
  ...{ askedBy: 'command-line:bench', purpose: 'review' },
};

async function askAbout(clientId: string) {
  const found = { events: 0, pages: 0 };
  for (let next: ArchivePlace | undefined, more = true; more; more = next !== undefined) {
    const request = { ...question, clientId, ...(next !== undefined && { next }) };
    const page = (await invoke(auditApplicationRecord ?? '', request)) as ApplicationRecordAnswer;
    found.events += page.events.length;
    found.pages += 1;
    next = page.next;
  }
  return found;
}

await timed('what an application read', async () => await askAbout('app-7'));
await timed('again', async () => await askAbout('app-8'));
await timed('an application without events', async () => await askAbout('app-0'));
await timed('who accessed a member’s data', async () => {
  let count = 0;
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const request = { ...question, patientId, ...(after !== undefined && { after }) };
    const page = (await invoke(auditPatientRecord ?? '', request)) as PatientRecordAnswer;
    count += page.events.length;
    after = page.next;
  }
  return { events: count };
});
