import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type ApplicationRecordPorts,
  applicationRecord,
} from '../../lambdas/audit/trail/application-record.ts';
import type {
  ApplicationRecordAnswer,
  ArchivePlace,
  RecordedEvent,
} from '../../lambdas/audit/trail/questions-contract.ts';
import { createSealKey } from '../support/seal-key.ts';
import { archiveDirectory, archivedTrail } from './archived-trail.ts';

/** Two hours before and after midnight, and an hour in which more events are sealed than a page has. */
const folder = mkdtempSync(join(tmpdir(), 'application-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const store = archiveDirectory(folder);
const windowsInDay = 288;
const counts = Array.from({ length: windowsInDay + 24 }, (_, at) => (at === 5 ? 12_000 : 3));
const { signer } = createSealKey();
for await (const { key, text } of archivedTrail(signer, 'DSNP', counts)) store.write(key, text, 1);
const keys = store.keys();

const readsOf = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n`);

/** Reads the files of the directory as the bucket's reader does. */
function archive(leftOut: readonly string[] = []) {
  const read: string[] = [];
  const reader: ApplicationRecordPorts['archive'] = {
    async *files(prefix, after, until) {
      for (const key of keys) {
        const isThere = key.startsWith(prefix) && key > after && key < until && !leftOut.includes(key);
        if (!isThere) continue;
        read.push(key);
        yield { key, bytes: readsOf(store.lines(key)) };
      }
    },
  };
  return { reader, read };
}

const day = { from: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' };

async function recordOf(
  options: {
    readonly reader?: ApplicationRecordPorts['archive'];
    readonly span?: typeof day;
    readonly clientId?: string;
    readonly endsAt?: number;
  } = {},
) {
  const {
    reader = archive().reader,
    span = day,
    clientId = 'app-1',
    endsAt = Number.POSITIVE_INFINITY,
  } = options;
  const events: RecordedEvent[] = [];
  const missing: number[] = [];
  let [pages, until] = [0, undefined as string | undefined];
  for (let next: ArchivePlace | undefined, more = true; more; more = next !== undefined) {
    const page: ApplicationRecordAnswer = await applicationRecord(
      { environment: 'production', archive: reader, now: () => 0, endsAt },
      { lob: 'DSNP', clientId, ...span, ...(next !== undefined && { next }) },
    );
    pages += 1;
    events.push(...page.events);
    missing.push(...page.missing);
    until = page.until ?? until;
    next = page.next;
  }
  return { events, missing, pages, until };
}

const whole = 12_000 + 287 * 3;

describe('the record of an application', () => {
  it('is all of a day in pages, each event once, and nothing of the next day', async () => {
    const { events, missing, pages, until } = await recordOf();
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(whole);
    expect([events.length, missing, pages]).toEqual([whole, [], 3]);
    expect(until).toBe('2026-01-02T00:00:00.000Z');
    expect(events.every(({ time, clientId }) => time < day.until && clientId === 'app-1')).toBe(true);
    expect(events[0]).toMatchObject({ action: 'ExplanationOfBenefit.read', outcome: 'disclosed' });
    expect(events[0]?.patientId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('begins and ends at the millisecond, and reads no file of another day', async () => {
    const { reader, read } = archive();
    const span = { from: '2026-01-02T00:00:00.000Z', until: '2026-01-02T00:01:40.001Z' };
    const { events } = await recordOf({ reader, span });
    // Three events in five minutes: at 0:00, 1:40 and 3:20.
    expect(events.map(({ time }) => time).sort()).toEqual([span.from, '2026-01-02T00:01:40.000Z']);
    expect(read.every((key) => key.includes('/2026/01/02/'))).toBe(true);
  });

  it('is of one application: another whose ID begins alike, or a text with its ID, is not taken for it', async () => {
    const [first = ''] = keys;
    const lines = store.lines(first);
    const [head = '', part = '', event = '{}'] = lines;
    const foreign = JSON.stringify({
      ...JSON.parse(event),
      clientId: 'app-1b',
      clientRequestId: '"clientId":"app-1"',
    });
    const reader: ApplicationRecordPorts['archive'] = {
      async *files() {
        yield { key: first, bytes: readsOf([head, part, foreign, event]) };
      },
    };
    expect((await recordOf({ reader })).events).toHaveLength(1);
    expect((await recordOf({ clientId: 'app' })).events).toEqual([]);
  });

  it('goes on after each file where time has run out', async () => {
    const { events, pages } = await recordOf({ endsAt: -1 });
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(whole);
    expect(pages).toBeGreaterThan(288);
  });

  it('names the seals that the archive lacks, once each', async () => {
    const leftOut = [keys[3] ?? '', keys[4] ?? '', keys[287] ?? ''];
    const { missing, events } = await recordOf({ reader: archive(leftOut).reader, endsAt: -1 });
    // The last seal of the day is not in the archive, and nothing of this day follows it.
    expect(missing).toEqual([4, 5]);
    expect(events).toHaveLength(whole - 9);
  });

  it('has no end where the archive has nothing', async () => {
    const { reader } = archive(keys);
    expect(await recordOf({ reader })).toEqual({ events: [], missing: [], pages: 1, until: undefined });
  });
});
