/**
 * Port of the bucket of the Provider Directory's publications. Called by builds, which write it, and by searches, which read it; the data
 * are public.
 */

import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';

/** A publication's file in the bucket. It is never written again. */
export interface PublishedFile {
  /** ID of the publication. */
  readonly id: string;
  readonly key: string;
  readonly bytes: number;
  /** Hex, of the bytes. */
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly builtAt: number;
  readonly resources: Readonly<Record<DirectoryType, number>>;
}

/** The publications that are kept: a LOB's only object in the bucket that changes. */
export interface PublicationPointer {
  readonly current: PublishedFile;
  /** The previous publication, for searches that began in it. */
  readonly previous?: PublishedFile | undefined;
}

export type PointerReading =
  | { readonly kind: 'pointer'; readonly etag: string; readonly pointer: PublicationPointer }
  /** The pointer has not changed since the given tag. */
  | { readonly kind: 'unchanged' }
  /** Nothing has been published. */
  | { readonly kind: 'none' };

/** The bucket of publications. */
export interface PublicationBucket {
  /** @param etag of the pointer the caller has. */
  readPointer(lob: LineOfBusiness, etag?: string): Promise<PointerReading>;
  /**
   * Writes the pointer, only where it is still as it was read.
   *
   * @param replaces tag of the pointer that was read; undefined where there was none.
   * @returns `false` where somebody else has written it since.
   */
  writePointer(
    lob: LineOfBusiness,
    pointer: PublicationPointer,
    replaces: string | undefined,
  ): Promise<boolean>;
  /** Bytes of an object from `from` up to, but without, `to`, in pieces. @throws where there is no such object. */
  read(key: string, from: number, to: number): AsyncIterable<Uint8Array>;
  /** The bytes of an object; undefined where there is none. */
  readBytes(key: string): Promise<Uint8Array | undefined>;
  /** The text of a small object; undefined where there is none. */
  readText(key: string): Promise<string | undefined>;
  /**
   * A signed address from which anybody may download an object for a quarter of an hour.
   *
   * @param contentType of the object, which is compressed with gzip.
   * @param method that the address is for: S3 takes no other.
   */
  signedUrl(key: string, contentType: string, method?: 'GET' | 'HEAD'): Promise<string>;
  /** Uploads a file of this machine. */
  upload(key: string, path: string): Promise<void>;
  /** Removes every object whose key begins with the prefix. */
  removeAll(prefix: string): Promise<void>;
}
