/** Progress of `ops loads`: of an upload in bytes, of a load in rows. */

import { withoutControls } from '../../lambdas/platform/kernel/without-controls.ts';
import type { CommandContext } from '../command-line/operation.ts';

/** The part of a task that is done. */
export interface LoadProgress {
  readonly done: number;
  /** The file that is being sent or loaded. */
  readonly file?: string | undefined;
  readonly state?: string | undefined;
}

export interface ProgressDisplay {
  at(progress: LoadProgress): void;
  /** Ends the display; later output begins on a line of its own. */
  end(): void;
}

export interface LoadTask {
  /** Begins each line: a load's ID, or a drop's folder. */
  readonly subject: string;
  readonly unit: 'rows' | 'bytes';
  readonly total: number;
  /** Milliseconds since 1970. @default the system clock */
  readonly now?: () => number;
}

/** Time between two lines where standard error is no terminal: a log is not to be flooded. */
const quietMs = 10_000;

/** The rate is that of so much time: ranges end one by one, some seconds apart. */
const rateMs = 60_000;

/** On a terminal one line that is drawn again; elsewhere a line at once, every ten seconds and at the end. Both on standard error. */
export function showProgress(
  { live, note }: Pick<CommandContext, 'live' | 'note'>,
  task: LoadTask,
): ProgressDisplay {
  const { subject, total, now = Date.now } = task;
  // Samples of the last minute: a rate since the load's beginning would include its time in line and its pauses.
  let recent: readonly { readonly at: number; readonly done: number }[] = [];
  let notedAt = Number.NEGATIVE_INFINITY;
  let unsaid: string | undefined;
  return {
    at(progress) {
      const sample = { at: now(), done: progress.done };
      recent = [...recent.filter(({ at }) => sample.at - at <= rateMs), sample];
      const [first = sample] = recent;
      const elapsed = { ms: sample.at - first.at, done: sample.done - first.done };
      const text = progressText(task, progress, elapsed);
      if (live !== undefined) {
        const line = withoutControls(`${subject} ${bar(progress.done, total)} ${text}`);
        live.write(`\r\u001b[K${line.slice(0, live.columns - 1)}`);
      } else if (now() - notedAt >= quietMs) {
        notedAt = now();
        unsaid = undefined;
        note(`${subject} ${text}`);
      } else unsaid = `${subject} ${text}`;
    },
    end() {
      if (live !== undefined) live.write('\n');
      else if (unsaid !== undefined) note(unsaid);
    },
  };
}

const barWidth = 20;

function bar(done: number, total: number): string {
  return `[${'#'.repeat(Math.floor(share(done, total) * barWidth)).padEnd(barWidth, '.')}]`;
}

function share(done: number, total: number): number {
  return total === 0 ? 1 : Math.min(1, done / total);
}

/** `41 %, 12,034 of 45,989 rows, 1,520 rows/s, 22 s left, running, Observation.ndjson`. @param elapsed the time that the rate is of, and what was done in it. */
export function progressText(
  { unit, total }: Pick<LoadTask, 'unit' | 'total'>,
  { done, file, state }: LoadProgress,
  elapsed: { readonly ms: number; readonly done: number },
): string {
  const amount = unit === 'rows' ? grouped : megabytes;
  const perSecond = elapsed.ms < 1000 ? 0 : (elapsed.done * 1000) / elapsed.ms;
  const left = total - done;
  return [
    `${Math.floor(share(done, total) * 100)} %`,
    `${amount(done)} of ${amount(total)} ${unit === 'rows' ? 'rows' : 'MB'}`,
    ...(perSecond > 0 ? [`${amount(perSecond)} ${unit === 'rows' ? 'rows' : 'MB'}/s`] : []),
    ...(perSecond > 0 && left > 0 ? [`${duration(left / perSecond)} left`] : []),
    ...(state === undefined ? [] : [state]),
    ...(file === undefined ? [] : [file]),
  ].join(', ');
}

function grouped(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** `22 s`, `5 min`, `2 h 10 min`. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 90) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
