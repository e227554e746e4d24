/** The ingest bucket, as loading uses it. */
export interface DropBucket {
  /** The bytes of an object's version from one offset to before another, in pieces. @throws where there is no such object. */
  read(key: string, versionId: string, from: number, to: number): AsyncIterable<Uint8Array>;
  /** Undefined where there is no such object. */
  head(key: string): Promise<{ readonly versionId: string; readonly bytes: number } | undefined>;
  readText(key: string, versionId?: string): Promise<string | undefined>;
  put(key: string, text: string, contentType: 'application/json' | 'application/x-ndjson'): Promise<void>;
  /** Every object whose key begins so, in the order of keys, and when it was written, in milliseconds since 1970. */
  objects(prefix?: string): AsyncIterable<{ readonly key: string; readonly writtenAt: number }>;
}

/** SHA-256 of a stream. */
export interface StreamDigest {
  push(chunk: Uint8Array): void;
  /** Hex. */
  end(): string;
}
