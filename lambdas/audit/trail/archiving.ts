/** Copies sealed events, with their seals and public keys, to the audit archive. */

import type { Environment } from '../../catalog/environments.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import { type ArchiveFile, archiveFiles, archiveKey, eventLine, partLine, sealLine } from './archive-file.ts';
import type { EventReader, SealReader } from './audit-ports.ts';
import type { Seal } from './seal.ts';
import { sealedWindow } from './sealed-parts.ts';
import type { SealPublicKey } from './verification-contract.ts';

/** Seals that one request to the table reads. */
const sealsInPage = 25;

/** Files that are written once and never change. */
export interface ArchiveBucket {
  /**
   * Writes a file, compressed if its key ends in `.gz`, unless there is one with the same text.
   *
   * @returns false if the archive has a file with this key and another text
   */
  putOnce(key: string, text: string): Promise<boolean>;
}

/** The number of each issuer's last seal whose files are all in the archive. */
export interface ArchivePositions {
  last(issuer: TokenIssuer): Promise<number>;
  save(issuer: TokenIssuer, sequence: number): Promise<void>;
}

export interface Archiving {
  readonly seals: Pick<SealReader, 'from' | 'part'>;
  readonly events: EventReader;
  readonly positions: ArchivePositions;
  readonly bucket: ArchiveBucket;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Time after which a run begins no further file, milliseconds since 1970. The next run continues. */
  readonly endsAt: number;
}

/** Reason why a seal was not copied: it can't be read, or the archive has another file under its number. */
type NotArchivedReason = 'seal_damaged' | 'archive_differs';

export interface NotArchived {
  readonly sequence: number;
  readonly reason: NotArchivedReason;
}

/**
 * Copies an issuer's seals that are not in the archive yet, each in one or more files. The files of a seal are always the same, so a run
 * may be repeated or interrupted.
 *
 * @returns the seals that could not be copied. Seals after them are copied.
 * @throws the ports' errors; the next run continues after the last seal whose files were all written.
 */
export async function archiveSealed(
  archiving: Archiving,
  issuer: TokenIssuer,
): Promise<readonly NotArchived[]> {
  const { seals, positions, now, endsAt } = archiving;
  const failures: NotArchived[] = [];
  let last = await positions.last(issuer);
  for (;;) {
    const page = await seals.from(issuer, last + 1, sealsInPage);
    for (const seal of page) {
      if (now() > endsAt) return failures;
      const outcome = await archiveSeal(archiving, seal);
      if (outcome === 'out of time') return failures;
      if (outcome !== 'archived') failures.push({ sequence: seal.sequence, reason: outcome });
      last = seal.sequence;
      await positions.save(issuer, last);
    }
    if (page.length < sealsInPage) return failures;
  }
}

async function archiveSeal(
  archiving: Archiving,
  seal: Seal,
): Promise<'archived' | 'out of time' | NotArchivedReason> {
  if (Number.isNaN(sealedWindow(seal))) return 'seal_damaged';
  let isSame = true;
  for (const file of archiveFiles(seal)) {
    if (archiving.now() > archiving.endsAt) return 'out of time';
    const text = await textOf(archiving, seal, file);
    isSame = (await archiving.bucket.putOnce(archiveKey(seal, file), text)) && isSame;
  }
  return isSame ? 'archived' : 'archive_differs';
}

/** The text of a file. A part of a list that is not in the table any more has no events; the verifier reports it. */
async function textOf({ seals, events }: Archiving, seal: Seal, file: ArchiveFile): Promise<string> {
  const shards = { issuer: seal.authority, startMs: sealedWindow(seal) };
  const lines = [sealLine(seal, file)];
  for (const place of file.parts) {
    const stored = await seals.part({ ...shards, shard: place.shard }, place.part);
    const { chain = '', leaves = [] } = stored ?? {};
    const found = await events.read(leaves);
    lines.push(partLine(place, { chain, leaves }), ...leaves.map((leaf, at) => eventLine(leaf, found[at])));
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Puts the public keys of the seals into the archive, so that they outlive the account too.
 *
 * @returns the keys of which the archive has another text
 */
export async function archiveKeys(
  bucket: ArchiveBucket,
  environment: Environment,
  keys: readonly SealPublicKey[],
): Promise<readonly string[]> {
  const differing: string[] = [];
  for (const { keyId, publicKey } of keys) {
    const isSame = await bucket.putOnce(`${environment}/keys/${keyId}.pem`, publicKey);
    if (!isSame) differing.push(`key ${keyId} (archive_differs)`);
  }
  return differing;
}
