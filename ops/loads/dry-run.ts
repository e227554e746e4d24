/** `ops loads start --dry-run`: validates a drop on this machine. */

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { readDirectoryRow } from '../../lambdas/loads/directory-rows.ts';
import { createLineSplitter } from '../../lambdas/loads/lines.ts';
import { productOf } from '../../lambdas/loads/manifest.ts';
import { createRangeCutter } from '../../lambdas/loads/ranges.ts';
import { type FileRefusal, type RowReject, rejectLine } from '../../lambdas/loads/rejects.ts';
import { readRow } from '../../lambdas/loads/rows.ts';
import { type DropFolder, totalsOf } from './drop-folder.ts';

export interface DryRunFile {
  readonly name: string;
  readonly controlTotal: number;
  readonly rows: number;
  readonly rejected: number;
  readonly refusal?: FileRefusal;
}

/**
 * Checks a drop on this machine and writes nothing: hashes, counts, encodings, and every rule that can be seen from a row alone. What
 * references lead to, and which versions are stored, is only known when it is loaded.
 *
 * @param rejected takes a reject as its line of NDJSON.
 */
export async function checkDrop(
  { path, place, manifest }: DropFolder,
  rejected: (line: string) => void,
): Promise<readonly DryRunFile[]> {
  const now = Date.now();
  const files: DryRunFile[] = [];
  const isDirectory = productOf(manifest) === 'directory';
  for (const { name, type, rows: controlTotal, sha256 } of manifest.files) {
    const file = join(path, name);
    const totals = await totalsOf(file);
    const encoding = await encodingFault(file);
    const refusal = encoding ?? (totals.sha256 === sha256 ? undefined : 'file_sha256_differs');
    let count = 0;
    const tell = (reject: RowReject) => {
      count += 1;
      rejected(rejectLine(name, reject));
    };
    if (refusal === undefined) {
      const splitter = createLineSplitter();
      const read = (lines: ReturnType<typeof splitter.push>) => {
        for (const line of lines) {
          const row = isDirectory
            ? readDirectoryRow(line, type, now)
            : readRow(line, type, { lob: place.lob, now });
          if (row.kind === 'reject') tell(row.reject);
        }
      };
      for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
        read(splitter.push(chunk));
      read(splitter.end());
    }
    files.push({ name, controlTotal, rows: totals.rows, rejected: count, ...(refusal && { refusal }) });
  }
  return files;
}

async function encodingFault(file: string): Promise<FileRefusal | undefined> {
  const cutter = createRangeCutter(Number.POSITIVE_INFINITY);
  for await (const chunk of createReadStream(file, { end: 2 })) cutter.push(chunk);
  return cutter.end().refusal;
}
