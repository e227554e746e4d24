/** Loads one range of a file of a drop, in one invocation of a Distributed Map. */

import { createLineSplitter, type NdjsonLine } from '../../platform/kernel/ndjson-lines.ts';
import type { DropBucket } from '../ledger/drops.ts';
import { addCounts, type Load, type LoadCounts, noRows, rowsIn } from '../ledger/load.ts';
import type { LedgerFile, LedgerRange, LoadLedger, LoadName } from '../ledger/load-ledger-port.ts';
import { productOf } from '../ledger/manifest.ts';
import { type RejectCode, type RowReject, readRejects, rejectLine } from '../ledger/rejects.ts';
import { rejectsKey } from '../ledger/rejects-key.ts';
import { readDirectoryRow } from '../rows/directory-rows.ts';
import { type DirectoryLoadDeps, loadDirectoryRows } from '../rows/load-directory-rows.ts';
import { createRowLoader, type RowsOutcome } from '../rows/load-rows.ts';
import type { LoadRowsDeps } from '../rows/row-decisions.ts';
import { readRow } from '../rows/rows.ts';

export interface LoadRangeDeps extends LoadRowsDeps {
  readonly ledger: LoadLedger;
  readonly bucket: DropBucket;
  readonly directory: DirectoryLoadDeps['store'];
}

/** The item that a Distributed Map passes to one invocation. `look` is above 1 if the range is loaded again. */
export interface RangeItem extends LoadName {
  readonly file: number;
  readonly range: number;
  readonly look: number;
  /** Wave of an early look. It repeats the first look, so it does not increase the range's number of looks. */
  readonly early?: number | undefined;
}

export type RangeOutcome = 'loaded' | 'loaded_before' | 'cancelled';

/** Limits of a batch of rows, and how many batches are loaded at once: enough to hide the store's round trips. */
const batch = { rows: 150, bytes: 1_000_000, atOnce: 4 } as const;

/**
 * Loads one range of a file, and writes its rejects and counts. Repeatable: an interrupted invocation is completed by the next, and a
 * second one for the same look changes nothing.
 *
 * @throws Error if the range does not contain the planned number of rows, or the store is unavailable.
 */
export async function loadRange(deps: LoadRangeDeps, item: RangeItem): Promise<RangeOutcome> {
  const { ledger, bucket } = deps;
  const [load, file, range] = await Promise.all([
    ledger.load(item),
    ledger.file(item, item.file),
    ledger.range(item, item.file, item.range),
  ]);
  if (load === undefined || file === undefined || range === undefined) throw new Error('no such range');
  if (load.state !== 'running') return 'cancelled';
  const isEarly = item.early !== undefined && range.looks === item.look;
  if (range.looks >= item.look && !isEarly) return 'loaded_before';
  const before = range.looks === 0 ? undefined : await lastLook(bucket, load, range);
  const outcome = await loadLines(deps, load, file, { ...range, isAgain: item.look > 1 }, before);
  const rejects = await withMissingParts(deps, item, range, outcome.rejects);
  if (rowsIn(outcome.counts) !== range.rows) throw new Error('the range holds other rows than were planned');
  await bucket.put(rejectsKey(load, range), rejectsText(file, rejects), 'application/x-ndjson');
  await ledger.finishRange(item, isEarly ? range : { ...range, looks: item.look - 1 }, {
    looks: item.look,
    counts: outcome.counts,
    unresolved: rejects.filter(({ code }) => isUnresolved(code)).length,
  });
  return 'loaded';
}

/** Outcome of the earlier looks, and the lines with unresolved references, which are loaded again. */
interface LastLook extends RowsOutcome {
  readonly lines: ReadonlySet<number>;
}

/**
 * The outcome of the earlier looks, without the rows that are loaded again. A look may have stopped after it wrote the rejects but before
 * it wrote its counts to the ledger. A row that the ledger counts as rejected or older and that has no reject was then loaded by that look.
 */
async function lastLook(bucket: DropBucket, load: Load, range: LedgerRange): Promise<LastLook | undefined> {
  const text = await bucket.readText(rejectsKey(load, range));
  if (text === undefined || range.counts === undefined) return undefined;
  const all = readRejects(text);
  const rejects = all.filter(({ code }) => !isUnresolved(code));
  const lines = new Set(all.filter(({ code }) => isUnresolved(code)).map(({ line }) => line));
  const { loaded, unchanged, older, rejected } = range.counts;
  const olderRows = all.filter(({ code }) => code === 'older_version').length;
  const counts = {
    loaded: loaded + older + rejected - all.length,
    unchanged,
    older: olderRows,
    rejected: rejects.length - olderRows,
  };
  return { counts, rejects, lines };
}

/**
 * Reads and loads the range's lines.
 *
 * @param before outcome of the earlier looks; lines that are already decided are skipped.
 */
async function loadLines(
  deps: LoadRangeDeps,
  load: Load,
  file: LedgerFile,
  range: LedgerRange & { readonly isAgain: boolean },
  before: LastLook | undefined,
): Promise<RowsOutcome> {
  const loadLinesOf = linesLoader(deps, load, file, range.isAgain);
  const splitter = createLineSplitter(range.firstLine);
  let counts: LoadCounts = before?.counts ?? noRows;
  const rejects: RowReject[] = [...(before?.rejects ?? [])];
  const underWay = new Set<Promise<void>>();
  let waiting: NdjsonLine[] = [];
  let bytes = 0;

  const send = async (lines: readonly NdjsonLine[]): Promise<void> => {
    const outcome = await loadLinesOf(lines);
    counts = addCounts(counts, outcome.counts);
    rejects.push(...outcome.rejects);
  };
  const take = async (lines: readonly NdjsonLine[]): Promise<void> => {
    for (const line of lines) {
      if (before?.lines.has(line.line) === false) continue;
      waiting.push(line);
      bytes += line.kind === 'text' ? line.text.length : 0;
      if (waiting.length < batch.rows && bytes < batch.bytes) continue;
      await begin();
    }
  };
  const begin = async (): Promise<void> => {
    const sent = send(waiting);
    [waiting, bytes] = [[], 0];
    const tracked = sent.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    // Prevents an unhandled rejection; `Promise.race` or `Promise.all` rethrows the error.
    tracked.catch(() => {});
    if (underWay.size >= batch.atOnce) await Promise.race(underWay);
  };

  const { folder } = load;
  for await (const chunk of deps.bucket.read(`${folder}${file.name}`, file.versionId, range.from, range.to)) {
    await take(splitter.push(chunk));
  }
  await take(splitter.end());
  if (waiting.length > 0) await begin();
  await Promise.all(underWay);
  return { counts, rejects: rejects.sort((a, b) => a.line - b.line) };
}

/**
 * Makes the function that parses and loads lines, by the drop's product.
 *
 * @param isAgain whether all other resources of the drop are stored. A received row is then loaded even if a reference leads nowhere: a
 * payer may withhold what it refers to, or send it later.
 */
function linesLoader(
  deps: LoadRangeDeps,
  load: Load,
  { type, file }: LedgerFile,
  isAgain: boolean,
): (lines: readonly NdjsonLine[]) => Promise<RowsOutcome> {
  const place = { lob: load.lob, jobId: load.jobId, file };
  const product = productOf(load.manifest);
  if (product === 'directory') {
    const { directory: store, digest } = deps;
    return (lines) =>
      loadDirectoryRows(
        { store, digest },
        place,
        lines.map((line) => readDirectoryRow(line, type, deps.now())),
      );
  }
  const loadRows = createRowLoader(deps, place, { keepsUnresolved: product === 'received' && isAgain });
  const { lob } = load;
  return (lines) => loadRows(lines.map((line) => readRow(line, type, { lob, product, now: deps.now() })));
}

const isUnresolved = (code: RejectCode) => code === 'unresolved_reference' || code === 'part_not_loaded';

/**
 * Changes the code of unresolved references to `part_not_loaded` if a file or an earlier range of the drop could not be loaded: the fault
 * may not be the row's.
 */
async function withMissingParts(
  { ledger }: LoadRangeDeps,
  load: LoadName,
  { wave }: LedgerRange,
  rejects: readonly RowReject[],
): Promise<readonly RowReject[]> {
  if (!rejects.some(({ code }) => code === 'unresolved_reference')) return rejects;
  const [files, ranges] = await Promise.all([ledger.files(load), ledger.ranges(load)]);
  const isMissing =
    files.some(({ refusal }) => refusal !== undefined) ||
    ranges.some((range) => range.looks === 0 && range.wave < wave);
  if (!isMissing) return rejects;
  return rejects.map((reject) =>
    reject.code === 'unresolved_reference' ? { ...reject, code: 'part_not_loaded' } : reject,
  );
}

function rejectsText({ name }: LedgerFile, rejects: readonly RowReject[]): string {
  return rejects.map((reject) => `${rejectLine(name, reject)}\n`).join('');
}
