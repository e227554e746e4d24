/** Carries out `ops loads` commands in the function `load-operations`, and checks data freshness by schedule. */

import type { DropBucket } from '../ledger/drops.ts';
import { readFreshness } from '../ledger/freshness.ts';
import { addCounts, type Load, noRows, notStarted } from '../ledger/load.ts';
import { type LedgerRange, type LoadLedger, type LoadName, openRanges } from '../ledger/load-ledger-port.ts';
import { reportName } from '../ledger/manifest.ts';
import { rejectsKey } from '../ledger/rejects-key.ts';
import { aheadOf, mostInLine } from './admission.ts';
import { directoryRejects } from './directory-rejects.ts';
import { type LoadOperationAnswer, type LoadSummary, loadOperation } from './load-operations-contract.ts';
import type { Sweep } from './sweep-loads.ts';

export interface LoadOperationsDeps {
  readonly ledger: LoadLedger;
  readonly bucket: DropBucket;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Starts an execution of the state machine of loads. */
  readonly start: (input: object) => Promise<void>;
  /** Starts drops without a load, and fails loads without an execution. */
  readonly sweep: () => Promise<Sweep>;
  readonly bucketName: string;
  /** Logs a line that an alarm counts. */
  readonly reportLate: (lob: string) => void;
}

/** Most bytes of rejects in one response, below the 6 MB that a Lambda function can return. */
const mostRejectsBytes = 3_000_000;

/** Carries out an operator's request. The schedule's event, which has no action, checks which sources are late. */
export async function carryOutLoadOperation(
  deps: LoadOperationsDeps,
  payload: unknown,
): Promise<LoadOperationAnswer> {
  const { ledger } = deps;
  if (isScheduledEvent(payload)) {
    const clocks = await readFreshness(ledger, deps.now());
    for (const { lob, late } of clocks) if (late) deps.reportLate(lob);
    return { kind: 'freshness', clocks };
  }
  const operation = loadOperation.parse(payload);
  switch (operation.action) {
    case 'bucket':
      return { kind: 'bucket', bucket: deps.bucketName };
    case 'freshness':
      return { kind: 'freshness', clocks: await readFreshness(ledger, deps.now()) };
    case 'list': {
      const { lob, limit, after } = operation;
      const page = await ledger.loads(lob, limit, after);
      const loads = await Promise.all(
        page.loads.map(async (load) => ({
          ...summaryOf(load, await countedRanges(ledger, load)),
          ...placeOf(load, page.loads),
        })),
      );
      const { next } = page;
      return { kind: 'list', loads, ...(next !== undefined && { next }) };
    }
    case 'show':
      return await show(ledger, operation);
    case 'directory-rejects':
      return { kind: 'directory-rejects', loads: await directoryRejects(deps, summaryOf) };
    case 'rejects':
      return await rejects(deps, operation, operation.after ?? 0);
    case 'sweep':
      return await deps.sweep();
    case 'cancel':
      return await cancel(deps, operation);
    case 'retry':
      return await retry(deps, operation);
  }
}

function isScheduledEvent(payload: unknown): boolean {
  return (payload as { readonly source?: unknown } | null)?.source === 'aws.events';
}

const noSuchLoad = { kind: 'refused', reason: 'no_such_load' } as const;
const otherState = { kind: 'refused', reason: 'not_in_this_state' } as const;

async function show(ledger: LoadLedger, name: LoadName): Promise<LoadOperationAnswer> {
  const [load, files, ranges, { loads }] = await Promise.all([
    ledger.load(name),
    ledger.files(name),
    ledger.ranges(name),
    ledger.loads(name.lob, mostInLine),
  ]);
  if (load === undefined) return noSuchLoad;
  const open = new Set(openRanges(ranges));
  return {
    kind: 'show',
    load: { ...summaryOf(load, ranges), ...placeOf(load, loads) },
    files: load.manifest.files.map(({ name: file, type, rows }, at) => {
      const own = ranges.filter((range) => range.file === at);
      return {
        name: file,
        type,
        controlTotal: rows,
        counts: sumOf(own),
        refusal: files.find((one) => one.file === at)?.refusal,
        ranges: own.length,
        openRanges: own.filter((range) => open.has(range)).length,
      };
    }),
  };
}

/** The ranges to sum up for a load without counts: it is running, was cancelled, or its execution failed. */
async function countedRanges(ledger: LoadLedger, load: Load): Promise<readonly LedgerRange[]> {
  return load.counts === undefined && load.state !== 'accepted' ? await ledger.ranges(load) : [];
}

/** The number of loads of the LOB that come before this one, while it waits. */
function placeOf(load: Load, loads: readonly Load[]): { readonly ahead?: number } {
  if (load.state !== 'accepted' || load.execution === notStarted) return {};
  return { ahead: aheadOf(load, loads, loads.filter(({ state }) => state === 'running').length) };
}

function summaryOf(load: Load, ranges: readonly LedgerRange[]): LoadSummary {
  const { lob, jobId, source, kind, state, reason, attempt, acceptedAt, endedAt, folder, manifest } = load;
  return {
    lob,
    jobId,
    source,
    kind,
    state,
    reason,
    attempt,
    acceptedAt,
    endedAt,
    controlTotal: manifest.files.reduce((sum, { rows }) => sum + rows, 0),
    counts: load.counts ?? sumOf(ranges),
    report: `${folder}${reportName}`,
  };
}

function sumOf(ranges: readonly LedgerRange[]) {
  return ranges.reduce((sum, { counts }) => addCounts(sum, counts ?? noRows), noRows);
}

async function rejects(
  { ledger, bucket }: LoadOperationsDeps,
  name: LoadName,
  after: number,
): Promise<LoadOperationAnswer> {
  const [load, ranges] = await Promise.all([ledger.load(name), ledger.ranges(name)]);
  if (load === undefined) return noSuchLoad;
  let text = '';
  for (let at = after; at < ranges.length; at += 1) {
    const range = ranges[at];
    const { rejected = 0, older = 0 } = range?.counts ?? {};
    if (range === undefined || rejected + older === 0) continue;
    if (text.length > mostRejectsBytes) return { kind: 'rejects', text, next: at };
    text += (await bucket.readText(rejectsKey(load, range))) ?? '';
  }
  return { kind: 'rejects', text };
}

/** Cancels a load. Loaded rows stay stored; ranges in progress are finished, and no further range is started. */
async function cancel({ ledger, now }: LoadOperationsDeps, name: LoadName): Promise<LoadOperationAnswer> {
  const endedAt = new Date(now()).toISOString();
  if (await ledger.act(name, 'cancel', { endedAt, reason: 'operator' })) {
    return { kind: 'done', state: 'cancelled' };
  }
  return (await ledger.load(name)) === undefined ? noSuchLoad : otherState;
}

async function retry({ ledger, start }: LoadOperationsDeps, name: LoadName): Promise<LoadOperationAnswer> {
  const { lob, jobId } = name;
  const load = await ledger.load(name);
  if (load === undefined) return noSuchLoad;
  const rejected = load.counts?.rejected;
  if (load.state === 'reconciled' && rejected === 0) return { kind: 'refused', reason: 'nothing_to_retry' };
  // A load whose retry has no execution yet is still `accepted`; repeating the request starts it.
  if (load.state !== 'accepted' && !(await ledger.act(name, 'retry', { execution: notStarted })))
    return otherState;
  // A load has no counts if it was cancelled or its execution failed; a retry then continues where it stopped.
  const wasJudged = load.counts !== undefined;
  for (const range of wasJudged ? await ledger.ranges(name) : []) {
    if (range.looks > 0 && (range.counts?.rejected ?? 0) > 0) await ledger.reopenRange(name, range);
  }
  await start({ retry: { lob, jobId } });
  return { kind: 'done', state: 'accepted', ...(rejected !== undefined && { rejected }) };
}
