/** Reads an application's record in the audit archive, for an operator's question. */

import * as z from 'zod/mini';
import type { Environment } from '../../catalog/environments.ts';
import { archiveDay, sequenceIn } from './archive-file.ts';
import type { StoredEvent } from './event-digest.ts';
import type {
  ApplicationRecordAnswer,
  ApplicationRecordRequest,
  RecordedEvent,
} from './questions-contract.ts';
import { asRecorded } from './recorded-event.ts';

/** Events of a page, some 300 bytes each without the resources of searches. Lambda answers with 6 MB at most. */
const eventsInPage = 5_000;
const charactersInPage = 3_000_000;
/** Missing seals that an answer names. */
const mostMissing = 20;

/** Reads the files of the archive. */
export interface ArchiveReader {
  /**
   * Reads files under a prefix in the order of their keys, uncompressed.
   *
   * @param after keys up to this one are left out
   * @param until keys from this one on are left out
   */
  files(
    prefix: string,
    after: string,
    until: string,
  ): AsyncIterable<{ readonly key: string; readonly bytes: Buffer }>;
}

export interface ApplicationRecordPorts {
  readonly environment: Environment;
  readonly archive: ArchiveReader;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Time after which a page begins no further file, milliseconds since 1970. */
  readonly endsAt: number;
}

const firstLine = z.object({ seal: z.object({ statement: z.string() }) });
const statement = z.object({ until: z.string() });

/**
 * Reads a page of an application's events from the archive. The table has no index of them by application: such an index would be written
 * with each disclosure, and a day of a million events is read from the archive in seconds (docs/decisions/0075).
 *
 * @throws the port's errors, and Error for a file that is not of the archive's format.
 */
export async function applicationRecord(
  { environment, archive, now, endsAt }: ApplicationRecordPorts,
  { lob, clientId, from, until, next }: Omit<ApplicationRecordRequest, 'askedBy' | 'purpose'>,
): Promise<ApplicationRecordAnswer> {
  const prefix = `${environment}/${lob}/`;
  const start = next?.after ?? `${prefix}${archiveDay(from)}`;
  // A seal's period is within one day, and the last day is that of the millisecond before `until`.
  const end = `${prefix}${archiveDay(new Date(Date.parse(until) - 1).toISOString())}/~`;
  const needle = Buffer.from(`"clientId":${JSON.stringify(clientId)}`);
  const isWanted = (event: StoredEvent) =>
    event.clientId === clientId && String(event.sk) >= from && String(event.sk) < until;
  const events: RecordedEvent[] = [];
  const missing: number[] = [];
  let [last, sealedUntil, offset, size] = [
    next?.after,
    undefined as string | undefined,
    next?.offset ?? 0,
    0,
  ];
  const page = () => ({ events, missing, ...(sealedUntil !== undefined && { until: sealedUntil }) });
  for await (const { key, bytes } of archive.files(prefix, start, end)) {
    // A page that begins within a file follows one that has named the gap before it.
    if (offset === 0) missing.push(...between(last, key).slice(0, mostMissing - missing.length));
    sealedUntil = untilOf(bytes);
    for (const { line, nextAt } of linesWith(bytes, needle, offset)) {
      const event = JSON.parse(line) as StoredEvent;
      if (isWanted(event)) {
        events.push(asRecorded(event));
        size += line.length;
      }
      if (events.length >= eventsInPage || size >= charactersInPage) {
        return { ...page(), next: { ...(last !== undefined && { after: last }), offset: nextAt } };
      }
    }
    [last, offset] = [key, 0];
    if (now() > endsAt) return { ...page(), next: { after: key, offset: 0 } };
  }
  return page();
}

/** Numbers of the seals between those of two keys; none where there is no first key. */
function between(first: string | undefined, second: string): readonly number[] {
  if (first === undefined) return [];
  const from = sequenceIn(first) + 1;
  return Array.from({ length: Math.max(0, sequenceIn(second) - from) }, (_, at) => from + at);
}

function untilOf(bytes: Buffer): string {
  const { seal } = firstLine.parse(JSON.parse(bytes.toString('utf8', 0, bytes.indexOf('\n'))));
  return statement.parse(JSON.parse(seal.statement)).until;
}

/** The lines that contain some bytes, each with the offset of the line after it. Other lines are not parsed. */
function* linesWith(bytes: Buffer, needle: Buffer, offset: number) {
  for (let at = bytes.indexOf(needle, offset); at !== -1; ) {
    const nextAt = bytes.indexOf('\n', at) + 1;
    yield { line: bytes.toString('utf8', bytes.lastIndexOf('\n', at) + 1, nextAt - 1), nextAt };
    at = bytes.indexOf(needle, nextAt);
  }
}
