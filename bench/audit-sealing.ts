/** Measures whether the sealing of the audit trail keeps up with its events, against the real engine (`npm run bench:sealing`). */

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { auditWrite } from '../lambdas/audit/store/audit-events-contract.ts';
import {
  createEventReader,
  createSealReader,
  createSealStore,
  createWindowEvents,
} from '../lambdas/audit/store/seal-store.ts';
import type { Head } from '../lambdas/audit/trail/seal.ts';
import type { SealPosition } from '../lambdas/audit/trail/sealed-parts.ts';
import { sealFinished } from '../lambdas/audit/trail/sealing.ts';
import { verifySeals } from '../lambdas/audit/trail/verification.ts';
import { settledMs, windowMs } from '../lambdas/audit/trail/windows.ts';
import { digests } from '../lambdas/platform/runtime/digests.ts';
import { toAttributeMap } from '../lambdas/platform/table/attribute-values.ts';
import { createSignedTable } from '../lambdas/platform/table/signed-table.ts';
import { startTestEngine } from '../test/support/engine.ts';
import { createSealKey } from '../test/support/seal-key.ts';

/**
 * `npm run bench:sealing`: checks whether the sealing of the audit trail keeps up with its events, against the real engine. First it
 * writes and seals windows of one token issuer, one after the other. Then it writes the windows of an hour without sealing, and
 * seals them in runs as long as the deployed function's. Last, it verifies all of them. The exit code is 1 if a window takes longer
 * to seal than its events took to happen, or if the verification reports a finding.
 *
 *   --rate N      events a second (default 5000)
 *   --windows N   windows sealed one after the other (default 30)
 *   --seconds N   seconds of events in each five-minute window (default 10, a thirtieth of the real number at the same rate; at most 300)
 *   --stopped N   windows written without sealing (default 12: an hour)
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '5000' },
    windows: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '10' },
    stopped: { type: 'string', default: '12' },
  },
});
const [rate, windows, seconds, stopped] = [values.rate, values.windows, values.seconds, values.stopped].map(
  Number,
) as [number, number, number, number];

const issuer = 'DSNP';
/**
 * Duration of a run of the deployed function: its timeout less the time it keeps for its last seal (`lib/audit/audit-seals.ts`,
 * `audit-seal.handler.ts`).
 */
const runMs = 285_000;
const members = Array.from({ length: 5_000 }, () => randomUUID());
const firstMs = Date.UTC(2026, 0, 1);
const engine = await startTestEngine();
const table = createSignedTable(engine);
const client = new DynamoDBClient({
  endpoint: engine.endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIDBENCH', secretAccessKey: 'bench' },
});
const { signer, isSigned } = createSealKey();
const heads: (Head & { readonly at: number })[] = [];

function eventAt(timeMs: number, at: number) {
  return auditWrite({
    eventId: randomUUID(),
    time: new Date(timeMs).toISOString(),
    environment: 'sandbox',
    lob: issuer,
    action: 'ExplanationOfBenefit.read',
    outcome: 'disclosed',
    actor: 'bench-client',
    clientId: 'bench-client',
    grantId: 'bench-grant',
    patientId: members[at % members.length] ?? '',
    requestId: randomUUID(),
    resource: `ExplanationOfBenefit/${at}`,
  });
}

const batch = 25;
const writers = 16;

/** Writes the events of a window, evenly over its five minutes. */
async function writeWindow(window: number): Promise<void> {
  const count = rate * seconds;
  let next = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (next < count) {
        const from = next;
        next += batch;
        const requests = Array.from({ length: Math.min(batch, count - from) }, (_, at) => {
          const timeMs = firstMs + window * windowMs + Math.floor(((from + at) / count) * windowMs);
          const write = eventAt(timeMs, from + at);
          return { PutRequest: { Item: toAttributeMap('put' in write ? write.put : {}) as never } };
        });
        await client.send(new BatchWriteItemCommand({ RequestItems: { [engine.tableName]: requests } }));
      }
    }),
  );
}

/**
 * Runs the sealing once, at the time when the events up to this window may be sealed.
 *
 * @returns its milliseconds
 */
async function run(afterWindow: number): Promise<{ readonly tookMs: number; readonly outcome: string }> {
  const startedAt = Date.now();
  // The clock given to the sealing starts at the end of the windows and runs at real speed.
  const offset = firstMs + (afterWindow + 1) * windowMs + settledMs - startedAt;
  const { outcome, head } = await sealFinished(
    {
      environment: 'sandbox',
      events: createWindowEvents(table),
      seals: createSealStore(table),
      signer,
      sha256: digests.sha256Hex,
      now: () => Date.now() + offset,
      endsAt: startedAt + offset + runMs,
    },
    issuer,
  );
  const tookMs = Date.now() - startedAt;
  if (head !== undefined) heads.push({ ...head, at: Date.now() + offset });
  return { tookMs, outcome };
}

async function verify(): Promise<{ readonly events: number; readonly findings: number }> {
  const ports = {
    events: { ...createWindowEvents(table), ...createEventReader(table) },
    seals: createSealReader(table),
    heads: {
      between: async (_authority: string, from: number, until: number) =>
        heads.filter(({ at }) => at >= from && at <= until),
    },
    isSigned,
    sha256: digests.sha256Hex,
    now: () => firstMs + (windows + stopped) * windowMs + settledMs,
  };
  let [events, findings] = [0, 0];
  for (let next: SealPosition | undefined = { sequence: 1 }; next !== undefined; ) {
    const page = await verifySeals(ports, { issuer, ...next });
    events += page.events;
    findings += page.findings.length;
    for (const finding of page.findings.slice(0, 5)) console.log(JSON.stringify(finding));
    next = page.next;
  }
  return { events, findings };
}

const inWindow = rate * seconds;
const say = (text: string) => console.log(text);
try {
  say(`${inWindow} events in a window: ${rate} a second for ${seconds} seconds`);
  await run(-1);
  const sealedMs: number[] = [];
  const writtenMs: number[] = [];
  for (let window = 0; window < windows; window += 1) {
    const startedAt = Date.now();
    await writeWindow(window);
    writtenMs.push(Date.now() - startedAt);
    const { tookMs, outcome } = await run(window);
    if (outcome !== 'sealed') throw new Error(`window ${window}: ${outcome}`);
    sealedMs.push(tookMs);
  }
  const sorted = sealedMs.toSorted((a, b) => a - b);
  const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  say(`written: ${Math.round((inWindow * windows) / (sum(writtenMs) / 1_000))} events a second`);
  say(
    `sealed, ${windows} windows as they came: median ${median} ms, longest ${longest} ms, first ${sealedMs[0]}, last ${sealedMs.at(-1)}`,
  );
  say(`sealed: ${Math.round(inWindow / (median / 1_000))} events a second`);
  for (let window = windows; window < windows + stopped; window += 1) await writeWindow(window);
  let [runs, caughtUpMs] = [0, 0];
  for (let outcome = ''; stopped > 0 && outcome !== 'sealed'; runs += 1) {
    const one = await run(windows + stopped - 1);
    caughtUpMs += one.tookMs;
    outcome = one.outcome;
  }
  if (stopped > 0) say(`caught up with ${stopped} windows: ${caughtUpMs} ms, ${runs} runs`);
  const startedAt = Date.now();
  const { events, findings } = await verify();
  say(`verified: ${events} events in ${Date.now() - startedAt} ms, ${findings} findings`);
  const expected = inWindow * (windows + stopped);
  const keepsUp = longest < seconds * 1_000 && caughtUpMs < stopped * seconds * 1_000 + 1;
  process.exitCode = keepsUp && findings === 0 && events === expected ? 0 : 1;
} finally {
  client.destroy();
  await engine.stop();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
