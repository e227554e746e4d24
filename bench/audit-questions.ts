/** Measures operators' questions about the audit trail on a day of a million events (`npm run bench:questions`). */

import { randomUUID } from 'node:crypto';
import { type AttributeValue, BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
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
 * Writes a day of 1,000,000 reads by a hundred applications to the archive and the table of the production of a running system
 * (`npm start`), which `npm start -- --fresh` takes back. Then asks for a member of 1,000 reads, for one application, and for an application
 * that nobody knows. Events are in the table as they are in the archive, without seals: questions read none.
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
let written = 0;

/** Writes items to the table; one in a thousand is of the member who is asked for. */
async function store(items: readonly Record<string, unknown>[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, at) =>
    items.slice(at * 25, (at + 1) * 25),
  );
  const next = batches.values();
  const write = async () => {
    for (const batch of next) {
      const puts = batch.map((item) => {
        written += 1;
        const own = written % 1_000 === 0 ? { pk: `AUDIT#DSNP#PATIENT#${patientId}`, patientId } : {};
        return {
          PutRequest: { Item: toAttributeMap({ ...item, ...own }) as Record<string, AttributeValue> },
        };
      });
      await database.send(new BatchWriteItemCommand({ RequestItems: { [outputs.TableName ?? '']: puts } }));
    }
  };
  await Promise.all([write(), write(), write(), write()]);
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
    const lines = text.split('\n').filter((line) => line.includes('"pk":'));
    if (process.argv.includes('--table')) await store(lines.map((line) => JSON.parse(line)));
  }
  return { events, inTable: written };
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
