/** The report of a load, which lies beside its drop, and the counts that it and the verdict are made from. */

import type { DropBucket } from '../ledger/drops.ts';
import { addCounts, type FileTotals, type Load, type LoadCounts, noRows } from '../ledger/load.ts';
import { type LedgerFile, type LedgerRange, openRanges } from '../ledger/load-ledger-port.ts';
import { reportName, unnamedFiles } from '../ledger/manifest.ts';
import { fileRefusals } from '../ledger/rejects.ts';
import { rejectsKey } from '../ledger/rejects-key.ts';

/** Adds the counts of all files. */
export function sumOfFiles(totals: ReadonlyMap<number, FileTotals>): LoadCounts {
  return [...totals.values()].reduce((sum, file) => addCounts(sum, file.counts), noRows);
}

/** Adds the counts of each file's ranges, by the file's index in the manifest. */
export function totalsOfFiles(
  { manifest }: Load,
  files: readonly LedgerFile[],
  ranges: readonly LedgerRange[],
): ReadonlyMap<number, FileTotals> {
  const open = new Set(openRanges(ranges));
  return new Map(
    manifest.files.map(({ rows }, at) => {
      const file = files.find((one) => one.file === at);
      const own = ranges.filter((range) => range.file === at);
      const totals: FileTotals = {
        controlTotal: rows,
        counts: own.reduce((sum, range) => addCounts(sum, range.counts ?? noRows), noRows),
        refused: file?.refusal !== undefined,
        openRanges: file === undefined ? 1 : own.filter((range) => open.has(range)).length,
      };
      return [at, totals];
    }),
  );
}

/** Writes the report beside the drop: the outcome of each file, and the keys of its rejects. */
export async function writeReport(
  bucket: DropBucket,
  load: Load,
  totals: ReadonlyMap<number, FileTotals>,
  files: readonly LedgerFile[],
  ranges: readonly LedgerRange[],
): Promise<void> {
  const { jobId, lob, source, drop, kind, state, reason, attempt, acceptedAt, endedAt, counts } = load;
  const unnamed = unnamedFiles(load.folder, load.manifest, await keysIn(bucket, load.folder));
  const report = {
    jobId,
    lob,
    source,
    drop,
    kind,
    state,
    reason,
    attempt,
    acceptedAt,
    endedAt,
    controlTotal: load.manifest.files.reduce((sum, { rows }) => sum + rows, 0),
    ...counts,
    files: load.manifest.files.map(({ name, type }, at) => {
      const refusal = files.find(({ file }) => file === at)?.refusal;
      const { counts: ofFile = noRows, controlTotal = 0, openRanges = 0 } = totals.get(at) ?? {};
      const withRejects = ranges.filter(
        ({ file, counts: of }) => file === at && (of?.rejected ?? 0) + (of?.older ?? 0) > 0,
      );
      return {
        name,
        type,
        controlTotal,
        ...ofFile,
        openRanges,
        ...(refusal !== undefined && { refusal, ...fileRefusals[refusal] }),
        rejects: withRejects.map((range) => rejectsKey(load, range)),
      };
    }),
    ...(unnamed.length > 0 && { unnamed }),
  };
  await bucket.put(`${load.folder}${reportName}`, JSON.stringify(report, undefined, 2), 'application/json');
}

async function keysIn(bucket: DropBucket, folder: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.objects(folder)) keys.push(key);
  return keys;
}
