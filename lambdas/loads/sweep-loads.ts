/** Sweep of drops and loads: finds the drop whose event was lost and the load whose execution ended without it. */

import { lineOfBusinessCodes } from '../catalog/lines-of-business.ts';
import { mostInLine } from './admission.ts';
import type { DropBucket, DropList } from './drops.ts';
import { hasLoadEnded, notStarted } from './job.ts';
import type { LoadLedger } from './load-ledger-port.ts';
import { dropPlace, loadJobId } from './manifest.ts';

export interface SweepDeps {
  readonly ledger: LoadLedger;
  readonly bucket: DropBucket & DropList;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sha256: (text: string) => string;
  /** Starts an execution of the state machine of loads. */
  readonly start: (input: object) => Promise<void>;
  /** Whether the execution of this ARN still runs. */
  readonly isRunning: (execution: string) => Promise<boolean>;
  /** One line for the log, which an alarm counts. */
  readonly report: (code: 'drop_without_load' | 'load_without_execution', lob: string) => void;
}

export interface Sweep {
  readonly kind: 'swept';
  /** Keys of the manifests whose loads were started. */
  readonly started: readonly string[];
  /** Jobs that were failed. */
  readonly ended: readonly string[];
}

/** S3 and EventBridge normally deliver within seconds; a load that has not begun after this time will not by itself. */
const overdueMs = 15 * 60_000;
/** Older drops were dealt with: their jobs may have left the ledger. */
const forgottenMs = 7 * 24 * 3_600_000;

/** Starts each overdue drop that has neither a load nor a refusal, and fails each load that no execution carries out. */
export async function sweepLoads(deps: SweepDeps): Promise<Sweep> {
  return { kind: 'swept', ended: await endAbandoned(deps), started: await startOverdue(deps) };
}

async function endAbandoned({ ledger, isRunning, now, report }: SweepDeps): Promise<readonly string[]> {
  const ended: string[] = [];
  for (const lob of lineOfBusinessCodes) {
    for (const { jobId, state, execution } of (await ledger.jobs(lob, mostInLine)).jobs) {
      if (hasLoadEnded(state) || execution === notStarted || (await isRunning(execution))) continue;
      const endedAt = new Date(now()).toISOString();
      if (!(await ledger.act({ lob, jobId }, 'fail', { endedAt, reason: 'execution_failed' }))) continue;
      report('load_without_execution', lob);
      ended.push(jobId);
    }
  }
  return ended;
}

async function startOverdue(deps: SweepDeps): Promise<readonly string[]> {
  const { ledger, bucket, now, sha256, start, report } = deps;
  const started: string[] = [];
  for await (const { key, writtenAt } of bucket.manifests()) {
    const age = now() - writtenAt;
    const place = dropPlace(key);
    if (place === undefined || age < overdueMs || age > forgottenMs) continue;
    const head = await bucket.head(key);
    if (head === undefined) continue;
    const { versionId } = head;
    const isKnown =
      (await ledger.job({ lob: place.lob, jobId: loadJobId(place, versionId, sha256) })) !== undefined;
    // A manifest that could not be read has a report and no job.
    if (isKnown || (await bucket.head(`${place.folder}report.json`)) !== undefined) continue;
    await start({ detail: { object: { key, 'version-id': versionId } } });
    report('drop_without_load', place.lob);
    started.push(key);
  }
  return started;
}
