/** Finds what the newest load of each LOB's Provider Directory did not load, and why. */

import {
  type LineOfBusiness,
  lineOfBusinessCodes,
  linesOfBusiness,
} from '../../catalog/lines-of-business.ts';
import type { DropBucket } from '../ledger/drops.ts';
import type { Load } from '../ledger/load.ts';
import type { LedgerRange, LoadLedger } from '../ledger/load-ledger-port.ts';
import { productOf } from '../ledger/manifest.ts';
import { fileRefusals, type RejectCode, rejectCodes } from '../ledger/rejects.ts';
import { rejectsKey } from '../ledger/rejects-key.ts';
import type { DirectoryRejects, FileReject, LoadSummary } from './load-operations-contract.ts';

export interface DirectoryRejectsDeps {
  readonly ledger: Pick<LoadLedger, 'loads' | 'files' | 'ranges'>;
  readonly bucket: Pick<DropBucket, 'readText'>;
}

/** Newest loads of a LOB among which the directory's is looked for; most are of members. */
const mostLoads = 50;
/** Most objects of rejects that are read: each has those of one range. */
const mostObjects = 40;
const mostExamples = 3;

/** @param summaryOf makes the summary of a load from its ranges. */
export async function directoryRejects(
  deps: DirectoryRejectsDeps,
  summaryOf: (load: Load, ranges: readonly LedgerRange[]) => LoadSummary,
): Promise<readonly DirectoryRejects[]> {
  const lobs = lineOfBusinessCodes.filter((lob) => linesOfBusiness[lob].providerDirectory);
  const found = await Promise.all(lobs.map((lob) => newestOf(deps, lob, summaryOf)));
  return found.flatMap((each) => each ?? []);
}

async function newestOf(
  { ledger, bucket }: DirectoryRejectsDeps,
  lob: LineOfBusiness,
  summaryOf: (load: Load, ranges: readonly LedgerRange[]) => LoadSummary,
): Promise<DirectoryRejects | undefined> {
  const { loads } = await ledger.loads(lob, mostLoads);
  const load = loads.find(({ manifest }) => productOf(manifest) === 'directory');
  if (load === undefined) return undefined;
  const [files, ranges] = await Promise.all([ledger.files(load), ledger.ranges(load)]);
  const withRejects = ranges.filter(({ counts }) => (counts?.rejected ?? 0) > 0);
  const byCode = new Map<RejectCode, { rows: number; readonly examples: FileReject[] }>();
  let read = 0;
  for (const range of withRejects.slice(0, mostObjects)) {
    for (const reject of rejectsIn((await bucket.readText(rejectsKey(load, range))) ?? '')) {
      // An older version is no fault of the row: it counts apart.
      if (reject.code === 'older_version') continue;
      read += 1;
      const ofCode = byCode.get(reject.code) ?? { rows: 0, examples: [] };
      byCode.set(reject.code, ofCode);
      ofCode.rows += 1;
      if (ofCode.examples.length < mostExamples) ofCode.examples.push(reject);
    }
  }
  return {
    lob,
    load: summaryOf(load, ranges),
    refusedFiles: files.flatMap(({ file, refusal }) =>
      refusal === undefined
        ? []
        : [{ name: load.manifest.files[file]?.name ?? '', ...fileRefusals[refusal] }],
    ),
    rejects: [...byCode]
      .map(([code, { rows, examples }]) => ({ code, ...rejectCodes[code], rows, examples }))
      .sort((one, other) => other.rows - one.rows),
    ...(withRejects.length > mostObjects && { readRejects: read }),
  };
}

/** Parses a rejects file of this service. */
function rejectsIn(text: string): readonly FileReject[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { problem: _problem, fix: _fix, ...reject } = JSON.parse(line);
      return reject as FileReject;
    });
}
