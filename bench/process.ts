/** Runs the processes of a benchmark and summarizes their figures. */

import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

/** Output of `bench/driver.mjs`. */
export interface Cost {
  readonly startToFirstAnswer: { readonly cpuMs: number; readonly wallMs: number };
  readonly cpuMsPerCall: number;
  readonly wallMsPerCall: number;
}

/** Runs bundled functions in a new process that has only the given environment. */
export async function run(options: {
  readonly bundles: readonly string[];
  readonly events: string;
  readonly calls: number;
  readonly warmUp: number;
  readonly environment: Readonly<Record<string, string>>;
}): Promise<Cost> {
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'driver.mjs'),
      options.bundles.join(','),
      options.events,
      String(options.calls),
      String(options.warmUp),
    ],
    { env: options.environment, stdio: ['ignore', 'pipe', 'pipe'], cwd: dirname(import.meta.dirname) },
  );
  let output = '';
  let complaint = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    complaint += String(chunk);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${options.bundles.join(', ')} failed: ${complaint.slice(-2_000)}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Cost;
}

/** The median: the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
