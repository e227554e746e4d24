/** Port to the ingest bucket, with the operations that loads need. */
export interface DropBucket {
  /**
   * Streams the bytes of an object's version, from offset `from` up to, but not including, `to`.
   *
   * @throws if the object does not exist.
   */
  read(key: string, versionId: string, from: number, to: number): AsyncIterable<Uint8Array>;
  /** Undefined if the object does not exist. */
  head(key: string): Promise<{ readonly versionId: string; readonly bytes: number } | undefined>;
  readText(key: string, versionId?: string): Promise<string | undefined>;
  put(key: string, text: string, contentType: 'application/json' | 'application/x-ndjson'): Promise<void>;
  /** Lists the objects whose key begins with a prefix, in the order of keys. `writtenAt` is in milliseconds since 1970. */
  objects(prefix?: string): AsyncIterable<{ readonly key: string; readonly writtenAt: number }>;
}

/** SHA-256 of a stream. */
export interface StreamDigest {
  push(chunk: Uint8Array): void;
  /** Hex. */
  end(): string;
}
