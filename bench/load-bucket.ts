import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DropBucket } from '../lambdas/loads/ledger/drops.ts';

/** Path of an object in a folder that stands for a bucket. */
export function objectPath(folder: string, key: string): string {
  return join(folder, key.replaceAll('/', '_'));
}

/** An ingest bucket in a folder, for benchmarks of loads. An object is a file and has one version. */
export function folderBucket(folder: string): DropBucket {
  const path = (key: string) => objectPath(folder, key);
  return {
    async *read(key, _versionId, from, to) {
      yield* createReadStream(path(key), { start: from, end: to - 1 });
    },
    head: async (key) => ({ versionId: '1', bytes: statSync(path(key)).size }),
    readText: async (key) => (existsSync(path(key)) ? readFileSync(path(key), 'utf8') : undefined),
    put: async (key, text) => writeFileSync(path(key), text),
    async *objects() {},
  };
}
