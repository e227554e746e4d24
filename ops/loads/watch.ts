/** Waits for a load, until it begins and until it ends. */

import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type {
  LoadFileSummary,
  LoadOperationAnswer,
} from '../../lambdas/loads/course/load-operations-contract.ts';
import { hasLoadEnded, rowsIn } from '../../lambdas/loads/ledger/load.ts';
import { InvocationFailed } from '../command-line/invoke.ts';
import { type CommandContext, functionName } from '../command-line/operation.ts';
import type { ExitCode } from '../command-line/terminal.ts';
import { loadTable, stateText } from './load-table.ts';
import { type ProgressDisplay, showProgress } from './progress.ts';

/** The LOB and ID of a load. */
export interface WatchedLoad {
  readonly lob: LineOfBusiness;
  readonly jobId: string;
}

/** Waiting times of the commands in milliseconds. */
export interface Patience {
  readonly pollMs: number;
  /** Longest wait for a load to begin; the event of an upload normally arrives within seconds. */
  readonly beginMs: number;
  /** Longest time in which all requests may fail. A load continues without the command, and the system may be unreachable for a while. */
  readonly failingMs: number;
}

const patient: Patience = { pollMs: 700, beginMs: 60_000, failingMs: 600_000 };

type Shown = Extract<LoadOperationAnswer, { kind: 'show' }>;

/**
 * Watches a load until it ends, repeating failed requests.
 *
 * @param isNew whether the load may not have begun yet.
 */
export async function watchLoad(
  operation: CommandContext,
  load: WatchedLoad,
  isNew = false,
  patience = patient,
): Promise<ExitCode> {
  const begun = Date.now();
  let progress: ProgressDisplay | undefined;
  for (;;) {
    const shown = await showPatiently(operation, load, patience);
    if (shown === undefined) {
      if (!isNew) return refused(operation, 'no such load');
      if (Date.now() - begun > patience.beginMs) {
        return refused(operation, `load ${load.jobId} has not begun: ${comeBack(load)}, or upload it again`);
      }
    } else {
      const { load, files } = shown;
      progress ??= showProgress(operation, {
        ...{ subject: load.jobId, unit: 'rows', total: load.controlTotal },
      });
      progress.at({ done: rowsIn(load.counts), state: stateText(load), file: fileAtWork(files) });
      if (hasLoadEnded(load.state)) {
        progress.end();
        if (operation.values.json === true) operation.print(JSON.stringify(load, undefined, 2));
        else operation.print(loadTable([load]));
        return load.state === 'reconciled' ? 0 : 1;
      }
    }
    await pause(patience.pollMs);
  }
}

/** The text with the command that continues watching a load after this command has ended. */
export function comeBack({ lob, jobId }: WatchedLoad): string {
  return `loads watch ${jobId} --lob ${lob} comes back to it`;
}

function refused({ print, values }: CommandContext, message: string): ExitCode {
  print(values.json === true ? JSON.stringify({ kind: 'refused', message }) : `refused: ${message}`);
  return 1;
}

async function showPatiently(
  operation: CommandContext,
  load: WatchedLoad,
  { pollMs, failingMs }: Patience,
): Promise<Shown | undefined> {
  const name = functionName(operation, 'loadOperations');
  const since = Date.now();
  for (let failures = 0; ; failures += 1) {
    try {
      const answer = (await operation.invoke(name, { action: 'show', ...load })) as LoadOperationAnswer;
      if (failures > 0) operation.note(`${load.jobId} is watched again`);
      return answer.kind === 'show' ? answer : undefined;
    } catch (error) {
      if (!(error instanceof InvocationFailed)) throw error;
      if (Date.now() - since >= failingMs) {
        throw new InvocationFailed(
          `${error.message}\nload ${load.jobId} may be running still: ${comeBack(load)}`,
        );
      }
      if (failures === 0)
        operation.note(
          `${load.jobId}: ${error.message}. The load does not depend on this command, which asks again`,
        );
      await pause(Math.min(pollMs * 2 ** failures, 15_000));
    }
  }
}

/** The first file that has begun and not ended, and how many files have ended. */
function fileAtWork(files: readonly LoadFileSummary[]): string | undefined {
  const isDone = ({ ranges, openRanges, refusal, controlTotal }: LoadFileSummary) =>
    refusal !== undefined || (ranges > 0 && openRanges === 0) || controlTotal === 0;
  const open = files.filter((file) => !isDone(file));
  const file = open.find(({ ranges, openRanges }) => openRanges < ranges) ?? open[0];
  return file && `${file.name} (${files.length - open.length} of ${files.length} files done)`;
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
