/** Writes the functions' output to log files. */

import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export interface FunctionLog {
  write(functionName: string, line: string): void;
  stop(): Promise<void>;
}

/** A file larger than this is renamed (`<function>.1.log`) when a system starts, replacing the one renamed before. */
const largestBytes = 10_000_000;

/**
 * Writes what functions print to `<directory>/<function>.log`, as Lambda does to CloudWatch Logs.
 *
 * @param complain logs that a file can't be written: a full disk loses log lines, but fails no calls.
 * @param alsoTo gets every line too.
 */
export function openFunctionLog(
  directory: string,
  complain: (line: string) => void,
  alsoTo?: (line: string) => void,
): FunctionLog {
  mkdirSync(directory, { recursive: true });
  const files = new Map<string, WriteStream>();
  const failing = new Set<string>();

  function open(functionName: string): WriteStream {
    const path = join(directory, `${functionName}.log`);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largestBytes)
      renameSync(path, join(directory, `${functionName}.1.log`));
    const file = createWriteStream(path, { flags: 'a' });
    // A failed stream is not used again; the next line opens a new one.
    file.on('error', (error) => {
      files.delete(functionName);
      if (!failing.has(functionName)) complain(`${path} can't be written: ${error.message}`);
      failing.add(functionName);
    });
    return file;
  }

  return {
    write(functionName, line) {
      const file = files.get(functionName) ?? open(functionName);
      files.set(functionName, file);
      file.write(`${line}\n`, (error) => {
        if (!error) failing.delete(functionName);
      });
      alsoTo?.(`${functionName}: ${line}`);
    },
    async stop() {
      await Promise.all([...files.values()].map((file) => new Promise((resolve) => file.end(resolve))));
    },
  };
}
