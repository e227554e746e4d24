/** Progress bar of `ops loads`. */

import type { CommandContext } from '../operation.ts';

/** Progress of a task with a known end. */
export interface ProgressBar {
  at(done: number): void;
  end(): void;
}

const width = 40;

/** A bar on standard error, where that is a terminal and a person reads; else nothing. */
export function showProgress({ values }: CommandContext, what: string, total: number): ProgressBar {
  const stream = process.stderr;
  if (values.json === true || !stream.isTTY) return { at: () => {}, end: () => {} };
  return {
    at(done) {
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
      stream.write(`\r[${bar}] ${String(Math.floor(share * 100)).padStart(3)} % ${what}`);
    },
    end: () => void stream.write('\n'),
  };
}
