/** Opens the kept publications of a LOB in a function, and notices new ones. */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Log } from '../../platform/runtime/log.ts';
import {
  type DirectoryPublication,
  type DirectoryPublications,
  PublicationUnavailable,
} from '../publication/publication.ts';
import type {
  PublicationBucket,
  PublicationPointer,
  PublishedFile,
} from '../publication/publication-bucket-port.ts';
import { forgetIndex } from '../publication/publication-index.ts';
import { downloadPublication } from './publication-disk.ts';
import { openPublicationFile } from './publication-file.ts';

/** Milliseconds after which the pointer is read again, so that a new publication is used within a minute. */
const checkedForMs = 30_000;
/** Milliseconds until the next attempt after a failure of the bucket or the disk. */
const patienceMs = 5_000;
/**
 * Most milliseconds for which a request waits for a new publication: enough to read the pointer. The download of a large directory takes
 * longer, and goes on only while requests are served, because Lambda freezes a function without one; so each request waits a little.
 */
const waitForNewMs = 500;

export interface KeptPublicationsOptions {
  readonly bucket: Pick<PublicationBucket, 'read' | 'readPointer'>;
  readonly lob: LineOfBusiness;
  /** Folder on the function's own disk. */
  readonly folder: string;
  readonly now: () => number;
  readonly log: Log;
}

interface OpenPublication extends DirectoryPublication {
  readonly path: string;
  close(): void;
}

/**
 * Opens the current publication at the first request, and later ones when the pointer names them. If the bucket or the disk fails, or a
 * file is damaged, the last good publication stays in use.
 */
export function createKeptPublications(options: KeptPublicationsOptions): DirectoryPublications {
  const { bucket, lob, folder, now, log } = options;
  const opened = new Map<string, OpenPublication>();
  const opening = new Map<string, Promise<OpenPublication>>();
  let known: { readonly etag: string; readonly pointer: PublicationPointer } | undefined;
  /** The publication in use. */
  let current: OpenPublication | undefined;
  let checkAt = 0;
  let checking: Promise<void> | undefined;

  /** Downloads and opens a file, once for all requests that wait for it. */
  async function openFile(file: PublishedFile): Promise<OpenPublication> {
    const found = opened.get(file.id) ?? opening.get(file.id);
    if (found !== undefined) return await found;
    const begun = openDownloaded(file).finally(() => opening.delete(file.id));
    opening.set(file.id, begun);
    return await begun;
  }

  async function openDownloaded(file: PublishedFile): Promise<OpenPublication> {
    const path = await downloadPublication(bucket, folder, file);
    try {
      const publication = { ...openPublicationFile(path), path };
      opened.set(file.id, publication);
      return publication;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Closes publications that are no longer kept. No request uses them any more, because a search runs without interruption. */
  async function closeOthers(kept: readonly (string | undefined)[]): Promise<void> {
    for (const [id, publication] of opened) {
      if (kept.includes(id)) continue;
      opened.delete(id);
      publication.close();
      await rm(publication.path, { force: true });
    }
  }

  async function check(): Promise<void> {
    const reading = await bucket.readPointer(lob, known?.etag);
    if (reading.kind === 'none') return;
    if (reading.kind === 'pointer') known = reading;
    if (known === undefined || current?.id === known.pointer.current.id) return;
    const { current: newest, previous } = known.pointer;
    // Frees disk space before the download: of three publications the oldest is not needed.
    await closeOthers([newest.id, previous?.id, current?.id]);
    const former = current;
    current = await openFile(newest);
    // Frees the columns of the former publication, since two sets need twice the memory. Searches that began in it read them again.
    if (former !== undefined) forgetIndex(former);
    await closeOthers([newest.id, previous?.id]);
  }

  function logFailure(error: unknown): void {
    const errorName = error instanceof Error ? error.name : 'Error';
    log('error', 'publication_not_opened', { lob, errorName });
  }

  /** Checks the pointer, one check at a time. A failure is logged, and the last publication stays in use. */
  async function checked(): Promise<void> {
    checking ??= check()
      .then(() => {
        checkAt = now() + checkedForMs;
      })
      .catch((error: unknown) => {
        checkAt = now() + patienceMs;
        logFailure(error);
      })
      .finally(() => {
        checking = undefined;
      });
    await checking;
  }

  /**
   * Makes a check that is due. If a publication is open, the request waits only `waitForNewMs`, and the check goes on in the background.
   */
  async function checkedInTime(): Promise<void> {
    if (current === undefined) return await checked();
    const end = new AbortController();
    await Promise.race([
      checked().finally(() => end.abort()),
      sleep(waitForNewMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined),
    ]);
  }

  return {
    async current() {
      if (current === undefined || now() >= checkAt) await checkedInTime();
      if (current === undefined) throw new PublicationUnavailable();
      return current;
    },

    async kept(id) {
      const isKnown = () => [known?.pointer.current, known?.pointer.previous].find((file) => file?.id === id);
      // An instance that gets only requests with cursors must notice new publications too. And a cursor may be from a publication that
      // another instance has opened, but not this one.
      if (now() >= checkAt) await checkedInTime();
      if (opened.get(id) === undefined && isKnown() === undefined) await checked();
      const found = opened.get(id);
      if (found !== undefined) return found;
      const file = isKnown();
      if (file === undefined && known === undefined) throw new PublicationUnavailable();
      if (file === undefined) return undefined;
      try {
        return await openFile(file);
      } catch (error) {
        logFailure(error);
        throw new PublicationUnavailable();
      }
    },
  };
}
