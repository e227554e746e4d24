/** Local S3: stored objects and versions. */

import { createHash, randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { State } from '../protocol/state.ts';

/** A version of an object. */
export interface ObjectVersion {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
  readonly bytes: number;
  /** Entity tag in quotes. */
  readonly etag: string;
  readonly contentType: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
}

/** The objects of versioned buckets. A write is on disk before it gets its response. */
export interface ObjectStore {
  put(bucket: string, key: string, body: Buffer, contentType: string): ObjectVersion;
  /** Finds the newest version, or the version with an ID. */
  find(bucket: string, key: string, versionId?: string): ObjectVersion | undefined;
  /** The newest versions of objects whose keys begin with a prefix and come after another key, in the order of keys. */
  list(bucket: string, prefix: string, after: string, most: number): readonly ObjectVersion[];
  /** Reads the bytes from offset `from` up to, but not including, `to`. */
  read(object: ObjectVersion, from: number, to: number): Buffer;
  /** Removes an object with all its versions, since nothing here reads versions of removed objects. */
  remove(bucket: string, key: string): void;
  beginUpload(bucket: string, key: string, contentType: string): string;
  /**
   * Stores a part of an upload.
   *
   * @returns the part's ETag; undefined if there is no such upload.
   */
  putPart(uploadId: string, part: number, body: Buffer): string | undefined;
  /** Joins the parts in order; undefined if there is no such upload, or a part is missing. */
  completeUpload(uploadId: string, parts: readonly number[]): ObjectVersion | undefined;
  abortUpload(uploadId: string): void;
}

const columns =
  'bucket, key, version_id AS versionId, bytes, etag, content_type AS contentType, last_modified AS lastModified';

/**
 * Opens the store.
 *
 * @param folder contains the bodies, one file for each.
 */
export function objectStore(state: State, folder: string, now: () => number): ObjectStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  state.define(`CREATE TABLE IF NOT EXISTS s3_objects (
    number INTEGER PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, version_id TEXT NOT NULL, bytes INTEGER NOT NULL,
    etag TEXT NOT NULL, content_type TEXT NOT NULL, last_modified INTEGER NOT NULL)`);
  state.define(`CREATE TABLE IF NOT EXISTS s3_uploads (
    upload_id TEXT PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, content_type TEXT NOT NULL)`);
  state.define(`CREATE TABLE IF NOT EXISTS s3_parts (
    upload_id TEXT NOT NULL, part INTEGER NOT NULL, bytes INTEGER NOT NULL, etag TEXT NOT NULL, PRIMARY KEY (upload_id, part))`);
  const file = (name: string) => join(folder, name);
  const partFile = (uploadId: string, part: number) => file(`${uploadId}.${part}`);

  function record(object: ObjectVersion): ObjectVersion {
    const { bucket, key, versionId, bytes, etag, contentType, lastModified } = object;
    state.write(
      'INSERT INTO s3_objects (bucket, key, version_id, bytes, etag, content_type, last_modified) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[bucket, key, versionId, bytes, etag, contentType, lastModified],
    );
    return object;
  }

  function uploadOf(uploadId: string) {
    return state.one<{ bucket: string; key: string; contentType: string }>(
      'SELECT bucket, key, content_type AS contentType FROM s3_uploads WHERE upload_id = ?',
      uploadId,
    );
  }

  function end(uploadId: string): void {
    const parts = state.all<{ part: number }>('SELECT part FROM s3_parts WHERE upload_id = ?', uploadId);
    for (const { part } of parts) rmSync(partFile(uploadId, part), { force: true });
    state.write('DELETE FROM s3_parts WHERE upload_id = ?', uploadId);
    state.write('DELETE FROM s3_uploads WHERE upload_id = ?', uploadId);
  }

  return {
    put(bucket, key, body, contentType) {
      const versionId = randomUUID();
      writeFileSync(file(versionId), body, { mode: 0o600 });
      const [bytes, lastModified] = [body.length, now()];
      return record({ bucket, key, versionId, bytes, etag: etagOf(body), contentType, lastModified });
    },

    find(bucket, key, versionId) {
      const which = versionId === undefined ? '' : 'AND version_id = ?';
      return state.one<ObjectVersion>(
        `SELECT ${columns} FROM s3_objects WHERE bucket = ? AND key = ? ${which} ORDER BY number DESC LIMIT 1`,
        ...[bucket, key, ...(versionId === undefined ? [] : [versionId])],
      );
    },

    list(bucket, prefix, after, most) {
      return state.all<ObjectVersion>(
        `SELECT ${columns} FROM s3_objects WHERE number IN (
           SELECT max(number) FROM s3_objects WHERE bucket = ? AND substr(key, 1, length(?)) = ? AND key > ? GROUP BY key)
         ORDER BY key LIMIT ?`,
        ...[bucket, prefix, prefix, after, most],
      );
    },

    read({ versionId }, from, to) {
      const body = Buffer.alloc(Math.max(0, to - from));
      const opened = openSync(file(versionId), 'r');
      try {
        const read = readSync(opened, body, 0, body.length, from);
        return body.subarray(0, read);
      } finally {
        closeSync(opened);
      }
    },

    remove(bucket, key) {
      const versions = state.all<{ versionId: string }>(
        'SELECT version_id AS versionId FROM s3_objects WHERE bucket = ? AND key = ?',
        ...[bucket, key],
      );
      state.write('DELETE FROM s3_objects WHERE bucket = ? AND key = ?', bucket, key);
      for (const { versionId } of versions) rmSync(file(versionId), { force: true });
    },

    beginUpload(bucket, key, contentType) {
      const uploadId = randomUUID();
      state.write('INSERT INTO s3_uploads VALUES (?, ?, ?, ?)', uploadId, bucket, key, contentType);
      return uploadId;
    },

    putPart(uploadId, part, body) {
      if (uploadOf(uploadId) === undefined) return undefined;
      writeFileSync(partFile(uploadId, part), body, { mode: 0o600 });
      const etag = etagOf(body);
      state.write('INSERT OR REPLACE INTO s3_parts VALUES (?, ?, ?, ?)', uploadId, part, body.length, etag);
      return etag;
    },

    completeUpload(uploadId, parts) {
      const upload = uploadOf(uploadId);
      const known = state.all<{ part: number; bytes: number; etag: string }>(
        'SELECT part, bytes, etag FROM s3_parts WHERE upload_id = ? ORDER BY part',
        uploadId,
      );
      const chosen = known.filter(({ part }) => parts.includes(part));
      if (upload === undefined || chosen.length !== parts.length) return undefined;
      const versionId = randomUUID();
      for (const { part } of chosen) {
        writeFileSync(file(versionId), readFileSync(partFile(uploadId, part)), { flag: 'a', mode: 0o600 });
      }
      const md5 = createHash('md5');
      for (const { etag } of chosen) md5.update(Buffer.from(etag.slice(1, -1), 'hex'));
      const etag = `"${md5.digest('hex')}-${chosen.length}"`;
      const bytes = chosen.reduce((sum, part) => sum + part.bytes, 0);
      const object = record({ ...upload, versionId, bytes, etag, lastModified: now() });
      end(uploadId);
      return object;
    },

    abortUpload: end,
  };
}

function etagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}
