/** The steps of a load before and after its ranges, as the state machine calls them: start, scan the files, plan waves, end. */

import type { DropBucket, StreamDigest } from '../ledger/drops.ts';
import { hasLoadEnded, judgeLoad, type Load, type LoadVerdict, loadTransitions } from '../ledger/load.ts';
import {
  type LedgerFile,
  type LedgerRange,
  type LoadLedger,
  type LoadName,
  openRanges,
} from '../ledger/load-ledger-port.ts';
import { isLoadedType, productRules, waveOf } from '../ledger/load-products.ts';
import { changeWave, earlyLookAfter, hasEarlyLooks, secondLookWave } from '../ledger/load-types.ts';
import { dropPlace, loadIdOf, productOf, readManifest, reportName } from '../ledger/manifest.ts';
import { createRangeCutter, type FileScan } from '../ledger/ranges.ts';
import type { FileRefusal } from '../ledger/rejects.ts';
import { admitLoad, shareOfRanges } from './admission.ts';
import { sumOfFiles, totalsOfFiles, writeReport } from './load-report.ts';
import type { LoadRefusal, LoadStep, LoadStepAnswer } from './load-steps-contract.ts';

export interface LoadStepsDeps {
  readonly ledger: LoadLedger;
  readonly bucket: DropBucket;
  readonly sha256Stream: () => StreamDigest;
  readonly sha256: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Fewest bytes of a range. */
  readonly rangeBytes: number;
  /** Most ranges that the environment loads at once, of all LOBs together. */
  readonly rangesAtOnce: number;
  /** Highest percentage of rejected rows that a LOB tolerates. */
  readonly toleratedPercent: (lob: Load['lob']) => number;
  /** Logs a line: a load was refused, failed or did not reconcile. */
  readonly report: (code: 'load_refused' | 'load_failed' | 'load_not_reconciled', lob: string) => void;
}

/** Bytes of a file that are read at once while the file is scanned. */
const scanBytes = 8 * 1024 * 1024;

/** Carries out one step of a load's state machine. Every step is safe to repeat. */
export async function carryOutLoadStep(deps: LoadStepsDeps, step: LoadStep): Promise<LoadStepAnswer> {
  switch (step.step) {
    case 'accept':
      return await accept(deps, step);
    case 'admit':
      return await admitLoad(deps.ledger, step, step.execution, deps.now());
    case 'plan':
      return await plan(deps, step);
    case 'next':
      return await next(deps, step);
    case 'finish':
      return await finish(deps, step);
    case 'fail':
      return await fail(deps, step);
  }
}

async function accept(
  deps: LoadStepsDeps,
  { event, execution }: Extract<LoadStep, { step: 'accept' }>,
): Promise<LoadStepAnswer> {
  const { ledger, bucket } = deps;
  if (event.retry !== undefined) return await enlist(deps, event.retry, execution);
  if (event.detail === undefined) return { kind: 'refused', reason: 'not_a_drop' };
  const { key } = event.detail.object;
  const versionId = event.detail.object['version-id'];
  const place = dropPlace(key);
  if (place === undefined) return { kind: 'refused', reason: 'not_a_drop' };
  const text = await bucket.readText(key, versionId);
  if (text === undefined) return { kind: 'refused', reason: 'manifest_gone' };
  const reading = readManifest(text, place);
  const jobId = loadIdOf(place, versionId, deps.sha256);
  if (reading.kind === 'refused') {
    return await refuse(deps, { ...place, jobId }, 'manifest_invalid', reading.issues);
  }
  const { kind } = reading.manifest;
  const load: Load = {
    ...place,
    jobId,
    kind,
    state: 'accepted',
    manifest: reading.manifest,
    execution,
    attempt: 1,
    acceptedAt: new Date(deps.now()).toISOString(),
  };
  await ledger.accept(load);
  return await enlist(deps, load, execution);
}

/**
 * Refuses a manifest that can't be read. There is no load for it: a report beside the manifest has the refusal, with the ID that the load
 * would have had.
 */
async function refuse(
  { bucket, report }: LoadStepsDeps,
  { lob, folder, jobId }: Pick<Load, 'lob' | 'folder' | 'jobId'>,
  reason: LoadRefusal,
  issues: readonly { readonly path: string; readonly message: string }[],
): Promise<LoadStepAnswer> {
  const text = JSON.stringify({ jobId, state: 'refused', reason, issues }, undefined, 2);
  await bucket.put(`${folder}${reportName}`, text, 'application/json');
  report('load_refused', lob);
  return { kind: 'refused', reason };
}

/** Queues the load in its LOB for this execution, unless another execution carries it out. */
async function enlist({ ledger }: LoadStepsDeps, name: LoadName, execution: string): Promise<LoadStepAnswer> {
  const enlisted = await ledger.enlist(name, execution);
  const load = await ledger.load(name);
  if (load === undefined) return { kind: 'refused', reason: 'no_such_load' };
  if (!enlisted && (hasLoadEnded(load.state) || load.execution !== execution)) return { kind: 'duplicate' };
  const { lob, jobId } = load;
  return {
    kind: 'accepted',
    lob,
    jobId,
    files: load.manifest.files.map((_, file) => ({ lob, jobId, file })),
  };
}

/** Reads a file once: checks its hash and encoding, counts its rows, and cuts it into ranges. */
async function plan(
  deps: LoadStepsDeps,
  { lob, jobId, file: number }: Extract<LoadStep, { step: 'plan' }>,
): Promise<LoadStepAnswer> {
  const { ledger, bucket } = deps;
  const load = await ledger.load({ lob, jobId });
  const declared = load?.manifest.files[number];
  if (load === undefined || declared === undefined) throw new Error('no such file');
  const known = await ledger.file(load, number);
  if (known !== undefined && known.refusal === undefined) return { kind: 'planned' };
  const { name, type, rows, sha256 } = declared;
  if (!isLoadedType(productOf(load.manifest), type)) {
    const unknown = { versionId: '', bytes: 0, rowsFound: 0, refusal: 'file_of_unknown_type' } as const;
    await ledger.plan(load, { file: number, name, type, rows, ...unknown }, []);
    return { kind: 'planned' };
  }
  const head = await bucket.head(`${load.folder}${name}`);
  const base = { file: number, name, type, rows };
  if (head === undefined) {
    const missing = { ...base, versionId: '', bytes: 0, rowsFound: 0, refusal: 'file_missing' } as const;
    await ledger.plan(load, missing, []);
    return { kind: 'planned' };
  }
  const { scan, hash } = await scanFile(deps, `${load.folder}${name}`, head);
  const refusal: FileRefusal | undefined =
    scan.refusal ?? (hash === sha256 ? undefined : 'file_sha256_differs');
  const file: LedgerFile = { ...base, ...head, rowsFound: scan.rows, ...(refusal && { refusal }) };
  const ranges = refusal === undefined ? scan.ranges : [];
  await ledger.plan(
    load,
    file,
    ranges.map((range, at) => ({
      ...range,
      file: number,
      range: at,
      wave: waveOf(productOf(load.manifest), type),
      looks: 0,
      unresolved: 0,
      resolved: 0,
    })),
  );
  return { kind: 'planned' };
}

async function scanFile(
  { bucket, sha256Stream, rangeBytes }: LoadStepsDeps,
  key: string,
  { versionId, bytes }: { readonly versionId: string; readonly bytes: number },
): Promise<{ readonly scan: FileScan; readonly hash: string }> {
  const cutter = createRangeCutter(rangeBytes);
  const digest = sha256Stream();
  for (let from = 0; from < bytes; from += scanBytes) {
    for await (const chunk of bucket.read(key, versionId, from, Math.min(bytes, from + scanBytes))) {
      digest.push(chunk);
      cutter.push(chunk);
    }
  }
  return { scan: cutter.end(), hash: digest.end() };
}

/**
 * Plans the next wave of ranges. Types that are referred to come first. Rows that change records come last, and only if every other range
 * was loaded: after a merge, the rows of a failed range would be rejected.
 */
async function next(
  { ledger, bucket, rangesAtOnce }: LoadStepsDeps,
  { lob, jobId, after }: Extract<LoadStep, { step: 'next' }>,
): Promise<LoadStepAnswer> {
  const [load, files, ranges] = await Promise.all([
    ledger.load({ lob, jobId }),
    ledger.files({ lob, jobId }),
    ledger.ranges({ lob, jobId }),
  ]);
  if (load?.state !== 'running') return { kind: 'no-wave' };
  const typeOf = (range: LedgerRange) => load.manifest.files[range.file]?.type ?? '';
  const looked = new Map<string, number>();
  for (const range of ranges) looked.set(typeOf(range), (looked.get(typeOf(range)) ?? 0) + range.resolved);
  const looksEarly = productOf(load.manifest) !== 'directory' && hasEarlyLooks(looked, after);
  const open = openRanges(ranges).map((range) => {
    const early = looksEarly && range.looks === 1 ? earlyLookAfter(typeOf(range), after) : undefined;
    const again = early ?? secondLookWave + range.looks - 1;
    return { ...range, wave: range.looks === 0 ? range.wave : again, isEarly: early !== undefined };
  });
  const wave = Math.min(...open.map((range) => range.wave).filter((each) => each > after));
  const chosen = open.filter((range) => range.wave === wave);
  const isHeld = files.length < load.manifest.files.length || open.some((range) => range.wave < wave);
  if (chosen.length === 0 || (wave === changeWave && isHeld)) return { kind: 'no-wave' };
  const key = `${load.folder}report/${jobId}/wave-${wave}.json`;
  const items = chosen.map(({ file, range, looks, isEarly }) => ({
    lob,
    jobId,
    file,
    range,
    ...(isEarly ? { look: looks, early: wave } : { look: looks + 1 }),
  }));
  await bucket.put(key, JSON.stringify(items), 'application/json');
  return { kind: 'wave', wave, key, rangesAtOnce: await shareOfRanges(ledger, rangesAtOnce) };
}

async function finish(deps: LoadStepsDeps, step: LoadName): Promise<LoadStepAnswer> {
  const { ledger } = deps;
  const [load, files, ranges] = await Promise.all([
    ledger.load(step),
    ledger.files(step),
    ledger.ranges(step),
  ]);
  if (load === undefined) throw new Error('no such load');
  const totals = totalsOfFiles(load, files, ranges);
  const { hasClock, followUp, toleratedPercent } = productRules[productOf(load.manifest)];
  const configured = toleratedPercent ?? deps.toleratedPercent(load.lob);
  const tolerated = Math.min(configured, load.manifest.toleratedFailurePercent ?? configured);
  const verdict = judgeLoad([...totals.values()], tolerated);
  const counts = sumOfFiles(totals);
  const endedAt = new Date(deps.now()).toISOString();
  const act = actOf(verdict);
  const sets = { endedAt, counts, ...(verdict.kind === 'reconciled' ? {} : { reason: verdict.reason }) };
  const ending: Load = { ...load, ...sets, state: loadTransitions[act].to };
  // Writes the report first, so that a load that has ended always has one.
  if (load.state === 'running') await writeReport(deps.bucket, ending, totals, files, ranges);
  const { lob, jobId, source } = load;
  const clock = act === 'reconcile' && hasClock ? { lob, source, jobId, reconciledAt: endedAt } : undefined;
  const hasEndedNow = await ledger.act(step, act, sets, clock);
  const ended = hasEndedNow ? ending : ((await ledger.load(step)) ?? load);
  if (!hasEndedNow) await writeReport(deps.bucket, ended, totals, files, ranges);
  if (ended.state === 'failed') deps.report('load_failed', load.lob);
  if (ended.state === 'not-reconciled') deps.report('load_not_reconciled', load.lob);
  return {
    kind: 'ended',
    lob,
    state: ended.state,
    followUp: ended.state === 'reconciled' ? followUp : 'none',
  };
}

function actOf(verdict: LoadVerdict) {
  const acts = { reconciled: 'reconcile', 'not-reconciled': 'leave-unreconciled', failed: 'fail' } as const;
  return acts[verdict.kind];
}

/** Fails a load whose execution failed. Loaded rows stay stored, and a retry continues. */
async function fail(deps: LoadStepsDeps, step: Extract<LoadStep, { step: 'fail' }>): Promise<LoadStepAnswer> {
  const { lob, jobId } = step;
  if (lob === undefined || jobId === undefined) {
    deps.report('load_failed', '');
    return { kind: 'ended', state: 'failed', followUp: 'none' };
  }
  const endedAt = new Date(deps.now()).toISOString();
  const name = { lob, jobId };
  await deps.ledger.act(name, 'fail', { endedAt, reason: 'execution_failed' });
  // The load has ended already, so that the next load of the LOB can start while the report is written.
  const [load, files, ranges] = await Promise.all([
    deps.ledger.load(name),
    deps.ledger.files(name),
    deps.ledger.ranges(name),
  ]);
  if (load?.reason === 'execution_failed') {
    const totals = totalsOfFiles(load, files, ranges);
    await writeReport(deps.bucket, { ...load, counts: sumOfFiles(totals) }, totals, files, ranges);
  }
  deps.report('load_failed', lob);
  const state = load !== undefined && hasLoadEnded(load.state) ? load.state : 'failed';
  return { kind: 'ended', lob, state, followUp: 'none' };
}
