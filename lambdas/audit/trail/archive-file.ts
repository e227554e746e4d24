/** Format of the files in the audit archive: NDJSON that a verifier can read without this service. */

import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import type { StoredEvent } from './event-digest.ts';
import { type Leaf, type ListPart, type Seal, statementText } from './seal.ts';
import { sealedWindow } from './sealed-parts.ts';

/** Maximum parts of a seal's lists in one file: 32,768 events, some 25 MB (10^6 bytes) before compression. */
const partsInFile = 32;

/** A part of one of a seal's lists. */
export interface PartPlace {
  readonly shard: number;
  readonly part: number;
}

/** One file of a seal: consecutive parts of its lists, in the order of the lists. */
export interface ArchiveFile {
  /** Number of the file: 1, 2, 3 … */
  readonly file: number;
  /** Number of the seal's files. */
  readonly files: number;
  readonly parts: readonly PartPlace[];
}

/** Divides a seal into files. A seal without events has one file, with the seal alone. */
export function archiveFiles({ lists }: Pick<Seal, 'lists'>): readonly ArchiveFile[] {
  const parts = lists.flatMap(({ shard, parts: count }) =>
    Array.from({ length: count }, (_, part) => ({ shard, part })),
  );
  const files = Math.max(1, Math.ceil(parts.length / partsInFile));
  return Array.from({ length: files }, (_, at) => ({
    file: at + 1,
    files,
    parts: parts.slice(at * partsInFile, (at + 1) * partsInFile),
  }));
}

/** Key of a file: `production/DSNP/2026/11/20/0000000042-0001.ndjson.gz`, by the day of the sealed events. */
export function archiveKey(seal: Seal, { file }: Pick<ArchiveFile, 'file'>): string {
  const { environment, authority, sequence } = seal;
  const day = archiveDay(new Date(sealedWindow(seal)).toISOString());
  return `${environment}/${authority}/${day}/${padded(sequence, 10)}-${padded(file, 4)}.ndjson.gz`;
}

/** The folder of a day, `2026/11/20`, of a time in ISO 8601. */
export function archiveDay(time: string): string {
  return time.slice(0, 10).replaceAll('-', '/');
}

/** Number of the seal that a key of the archive names. */
export function sequenceIn(key: string): number {
  return Number(key.slice(key.lastIndexOf('/') + 1, key.lastIndexOf('-')));
}

const padded = (number: number, digits: number) => String(number).padStart(digits, '0');

/**
 * The first line of a file: the seal, as the text that is signed and its signature, so that a verifier needs no canonical form of its own.
 */
export function sealLine(seal: Seal, { file, files }: ArchiveFile): string {
  const { signature } = seal;
  return JSON.stringify({ format: 1, seal: { statement: statementText(seal), signature }, file, files });
}

/**
 * The line before the events of a part: its place, its chain, and the sealed digests in the order of the events. By the digests a verifier
 * names an event that was altered, removed or moved.
 */
export function partLine({ shard, part }: PartPlace, { chain, leaves }: Pick<ListPart, 'chain' | 'leaves'>) {
  return JSON.stringify({ shard, part, chain, digests: leaves.map(({ digest }) => digest) });
}

/**
 * The line of an event: canonical JSON of its item without the attribute `digest`, so that the SHA-256 of the line is the sealed digest. An
 * event that is not in the table any more has its key only.
 */
export function eventLine({ pk, sk }: Leaf, event: StoredEvent | undefined): string {
  const { digest: _sealed, ...rest } = event ?? { pk, sk };
  return canonicalJson(rest);
}
