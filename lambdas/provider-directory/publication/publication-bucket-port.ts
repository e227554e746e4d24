/** Port to the bucket of the Provider Directory's publications. Builds write it, and searches read it; its data is public. */

import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';

/** A publication's file in the bucket, which never changes. */
export interface PublishedFile {
  /** ID of the publication. */
  readonly id: string;
  readonly key: string;
  readonly bytes: number;
  /** SHA-256 of the file, in hex. */
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly builtAt: number;
  readonly resources: Readonly<Record<DirectoryType, number>>;
}

/** The object that names a LOB's two kept publications; the LOB's only object that changes. */
export interface PublicationPointer {
  readonly current: PublishedFile;
  /** The previous publication, kept for searches that began in it. */
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
  /**
   * Reads the pointer.
   *
   * @param etag of the pointer that the caller has.
   */
  readPointer(lob: LineOfBusiness, etag?: string): Promise<PointerReading>;
  /**
   * Writes the pointer if it has not changed since it was read.
   *
   * @param replaces entity tag of the pointer that was read; undefined if there was none.
   * @returns `false` if another writer changed it since.
   */
  writePointer(
    lob: LineOfBusiness,
    pointer: PublicationPointer,
    replaces: string | undefined,
  ): Promise<boolean>;
  /**
   * Streams the bytes of an object, from offset `from` up to, but not including, `to`.
   *
   * @throws if the object does not exist.
   */
  read(key: string, from: number, to: number): AsyncIterable<Uint8Array>;
  /** The bytes of an object; undefined if it does not exist. */
  readBytes(key: string): Promise<Uint8Array | undefined>;
  /** The text of a small object; undefined if it does not exist. */
  readText(key: string): Promise<string | undefined>;
  /**
   * A signed URL from which anyone may download an object for a quarter of an hour.
   *
   * @param contentType of the object, which is compressed with gzip.
   * @param method that the URL is signed for; S3 accepts no other.
   */
  signedUrl(key: string, contentType: string, method?: 'GET' | 'HEAD'): Promise<string>;
  /** Uploads a local file. */
  upload(key: string, path: string): Promise<void>;
  /** Removes every object whose key begins with the prefix. */
  removeAll(prefix: string): Promise<void>;
}
