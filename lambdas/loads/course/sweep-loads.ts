/** Finds drops whose event was lost, loads whose execution ended without finishing them, and files that no manifest names. */

import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { DropBucket } from '../ledger/drops.ts';
import { hasLoadEnded, notStarted } from '../ledger/load.ts';
import type { LoadLedger } from '../ledger/load-ledger-port.ts';
import {
  dropPlace,
  loadIdOf,
  manifestName,
  readManifest,
  reportName,
  unnamedFiles,
} from '../ledger/manifest.ts';
import { mostInLine } from './admission.ts';

export interface SweepDeps {
  readonly ledger: LoadLedger;
  readonly bucket: DropBucket;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sha256: (text: string) => string;
  /** Starts an execution of the state machine of loads. */
  readonly start: (input: object) => Promise<void>;
  /** Whether the execution with this ARN is running. */
  readonly isRunning: (execution: string) => Promise<boolean>;
  /** Logs a line that an alarm counts. */
  readonly report: (
    code: 'drop_without_load' | 'load_without_execution' | 'file_without_manifest',
    lob: string,
  ) => void;
}

export interface Sweep {
  readonly kind: 'swept';
  /** Keys of the manifests whose loads were started. */
  readonly started: readonly string[];
  /** IDs of the loads that were failed. */
  readonly ended: readonly string[];
  /** Keys of files that no manifest names. */
  readonly unnamed: readonly string[];
}

type BucketObject = { readonly key: string; readonly writtenAt: number };

/** Milliseconds after which an event counts as lost: S3 and EventBridge normally deliver within seconds. */
const overdueMs = 15 * 60_000;
/** Milliseconds after which a drop is ignored, because its load may have been removed from the ledger. */
const forgottenMs = 7 * 24 * 3_600_000;
/**
 * Milliseconds after which files without a manifest are reported. Until then the upload may be in progress: the manifest is uploaded last.
 */
const unnamedMs = 24 * 3_600_000;

/**
 * Starts each overdue drop that has neither a load nor a refusal, fails each load that no execution carries out, and reports files that no
 * manifest has named for a day.
 */
export async function sweepLoads(deps: SweepDeps): Promise<Sweep> {
  const ended = await endAbandoned(deps);
  const manifests: BucketObject[] = [];
  const folders = new Map<string, string[]>();
  for await (const object of deps.bucket.objects()) {
    const { key, writtenAt } = object;
    const age = deps.now() - writtenAt;
    const folder = /^(?:[^/]*\/){0,3}/.exec(key)?.[0] ?? '';
    if (age > forgottenMs) continue;
    if (key.endsWith(`/${manifestName}`)) manifests.push(object);
    else if (age > unnamedMs) folders.set(folder, [...(folders.get(folder) ?? []), key]);
  }
  return {
    kind: 'swept',
    ended,
    started: await startOverdue(deps, manifests),
    unnamed: await tellUnnamed(deps, folders),
  };
}

async function endAbandoned({ ledger, isRunning, now, report }: SweepDeps): Promise<readonly string[]> {
  const ended: string[] = [];
  for (const lob of lineOfBusinessCodes) {
    for (const { jobId, state, execution } of (await ledger.loads(lob, mostInLine)).loads) {
      if (hasLoadEnded(state) || execution === notStarted || (await isRunning(execution))) continue;
      const endedAt = new Date(now()).toISOString();
      if (!(await ledger.act({ lob, jobId }, 'fail', { endedAt, reason: 'execution_failed' }))) continue;
      report('load_without_execution', lob);
      ended.push(jobId);
    }
  }
  return ended;
}

async function startOverdue(deps: SweepDeps, manifests: readonly BucketObject[]): Promise<readonly string[]> {
  const { ledger, bucket, now, sha256, start, report } = deps;
  const started: string[] = [];
  for (const { key, writtenAt } of manifests) {
    const place = dropPlace(key);
    if (place === undefined || now() - writtenAt < overdueMs) continue;
    const head = await bucket.head(key);
    if (head === undefined) continue;
    const { versionId } = head;
    const jobId = loadIdOf(place, versionId, sha256);
    if ((await ledger.load({ lob: place.lob, jobId })) !== undefined) continue;
    // The manifest could not be read: it has a report with this load ID, and no load. A report of an earlier manifest does not count.
    if ((await bucket.readText(`${place.folder}${reportName}`))?.includes(`"${jobId}"`) === true) continue;
    await start({ detail: { object: { key, 'version-id': versionId } } });
    report('drop_without_load', place.lob);
    started.push(key);
  }
  return started;
}

/**
 * Reports the files that no manifest names.
 *
 * @param folders keys of files, by the folder that a drop would have.
 */
async function tellUnnamed(
  { bucket, report }: SweepDeps,
  folders: ReadonlyMap<string, readonly string[]>,
): Promise<readonly string[]> {
  const unnamed: string[] = [];
  for (const [folder, keys] of folders) {
    const key = `${folder}${manifestName}`;
    const place = dropPlace(key);
    const text = place && (await bucket.readText(key));
    const reading = place && text !== undefined ? readManifest(text, place) : undefined;
    // A manifest that can't be read has its own report.
    if (reading?.kind === 'refused') continue;
    const found = unnamedFiles(folder, reading?.manifest ?? { files: [] }, keys);
    if (found.length === 0) continue;
    report('file_without_manifest', place?.lob ?? '');
    unnamed.push(...found.map((name) => `${folder}${name}`));
  }
  return unnamed;
}
