/** Shows the progress of an upload in bytes, and of a load in rows. */

import { withoutControls } from '../../lambdas/platform/kernel/without-controls.ts';
import type { CommandContext } from '../command-line/operation.ts';

/** The completed part of a task. */
export interface LoadProgress {
  readonly done: number;
  /** Name of the file being uploaded or loaded. */
  readonly file?: string | undefined;
  readonly state?: string | undefined;
}

export interface ProgressDisplay {
  at(progress: LoadProgress): void;
  /** Ends the display; later output begins on a new line. */
  end(): void;
}

export interface LoadTask {
  /** Beginning of each line: a load's ID, or a drop's folder. */
  readonly subject: string;
  readonly unit: 'rows' | 'bytes';
  readonly total: number;
  /** Milliseconds since 1970. @default the system clock */
  readonly now?: () => number;
}

/** Milliseconds between two lines if standard error is not a terminal, so that logs stay short. */
const quietMs = 10_000;

/** Milliseconds over which the rate is computed: ranges end one by one, some seconds apart. */
const rateMs = 60_000;

/**
 * Shows progress on standard error. A terminal gets one line that is overwritten; otherwise a line is printed at once, every ten seconds
 * and at the end.
 */
export function showProgress(
  { live, note }: Pick<CommandContext, 'live' | 'note'>,
  task: LoadTask,
): ProgressDisplay {
  const { subject, total, now = Date.now } = task;
  // Samples of the last minute. A rate since the beginning of the load would include its waiting time and pauses.
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

/**
 * Formats progress: `41 %, 12,034 of 45,989 rows, 1,520 rows/s, 22 s left, running, Observation.ndjson`.
 *
 * @param elapsed time over which the rate is computed, and what was done in it.
 */
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

/** Formats a duration: `22 s`, `5 min`, `2 h 10 min`. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 90) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
