/** The publications of a LOB that are kept, as a function has them open. */
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

/** Milliseconds after which the pointer is read again: a new publication is answered from within a minute. */
const checkedForMs = 30_000;
/** Milliseconds until the next try after a failure of the bucket or the disk. */
const patienceMs = 5_000;
/**
 * Milliseconds for which a request waits for a new publication. Longer than reading the pointer takes; of the gigabytes of a large
 * directory's file each request waits for a part, because a function without a request stands still.
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
 * Opens the current publication at the first request, and each later one as its pointer is read. Where the bucket or the disk fails,
 * or a file is damaged, the last good publication keeps answering.
 */
export function createKeptPublications(options: KeptPublicationsOptions): DirectoryPublications {
  const { bucket, lob, folder, now, log } = options;
  const opened = new Map<string, OpenPublication>();
  const opening = new Map<string, Promise<OpenPublication>>();
  let known: { readonly etag: string; readonly pointer: PublicationPointer } | undefined;
  /** The publication that is answered from. */
  let current: OpenPublication | undefined;
  let checkAt = 0;
  let checking: Promise<void> | undefined;

  /** Opens a file once, however many requests wait for it. */
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

  /** Closes what is no longer kept: requests that had it have ended, since a search is carried out at once. */
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
    // Makes room on the disk first: the oldest of three files is not needed.
    await closeOthers([newest.id, previous?.id, current?.id]);
    const former = current;
    current = await openFile(newest);
    // Searches that began in the former one read its columns again: two sets of them would need twice the memory.
    if (former !== undefined) forgetIndex(former);
    await closeOthers([newest.id, previous?.id]);
  }

  function logFailure(error: unknown): void {
    const errorName = error instanceof Error ? error.name : 'Error';
    log('error', 'publication_not_opened', { lob, errorName });
  }

  /** One check at a time. A failure is logged, and the last publication stays. */
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

  /** A check that is due. Where there is a publication to answer from, it goes on beside the requests that it would keep waiting. */
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
      // An instance that is asked with cursors alone learns of publications, too. And a cursor may be of one that another instance has
      // opened and this one hasn't.
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
