/**
 * Measures a search function's first answer in a process of its own: `node directory-start.mjs FILE POINTER`. Copies the publication FILE
 * as the function fetches it from S3 (in parts, onto its own disk, checked by digest), opens it, searches, and prints the milliseconds
 * since the process started. POINTER is the publication's `PublishedFile` as JSON.
 */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digests } from '../lambdas/platform/runtime/digests.ts';
import { searchDirectory } from '../lambdas/provider-directory/search/directory-search.ts';
import { createKeptPublications } from '../lambdas/provider-directory/sqlite/kept-publications.ts';

const [path = '', pointer = '{}'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'member-data-directory-start-'));
const publications = createKeptPublications({
  bucket: {
    readPointer: async () => ({ kind: 'pointer', etag: '1', pointer: { current: JSON.parse(pointer) } }),
    read: (_key, from, to) => createReadStream(path, { start: from, end: to - 1, highWaterMark: 64 * 1024 }),
  },
  lob: 'MAPD',
  folder,
  now: Date.now,
  log: console.error,
});
const services = { publications, sha256: digests.sha256Hex, now: Date.now };
const parameters = [
  ['specialty', '207RC0000X'],
  ['_include', 'PractitionerRole:practitioner'],
] as const;
const answer = await searchDirectory(services, {
  type: 'PractitionerRole',
  parameters,
  strict: true,
  base: 'https://bench.example',
});
console.log(answer.kind === 'bundle' ? performance.now() : answer.kind);
rmSync(folder, { recursive: true });
