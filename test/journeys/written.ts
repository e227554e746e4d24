import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';

/**
 * Returns everything that the system wrote outside its databases since `from`, with the file's name: its output, its logs, and each file
 * except templates and bundles.
 */
function everythingWritten(stateDirectory: string, from: ReadonlyMap<string, number>): [string, string][] {
  return files(stateDirectory).map((path) => {
    const bytes = readFileSync(path);
    const before = from.get(path) ?? 0;
    // A file that is shorter than before was replaced, so it is read from the beginning.
    return [basename(path), bytes.subarray(before > bytes.length ? 0 : before).toString('utf8')];
  });
}

/**
 * Returns the same once the last call is logged. A call is logged a moment after its answer, and after the calls that ended before.
 *
 * @param requestId `X-Request-Id` of the last call
 */
export async function everythingWrittenUntil(
  requestId: string | null | undefined,
  stateDirectory: string,
  from: ReadonlyMap<string, number>,
): Promise<[string, string][]> {
  if (!requestId) throw new Error('the last call had no X-Request-Id');
  const written = () => everythingWritten(stateDirectory, from);
  await expect
    .poll(() =>
      written()
        .map(([, text]) => text)
        .join('\n'),
    )
    .toContain(requestId);
  return written();
}

/** The present length of each file. */
export function writtenSoFar(stateDirectory: string): ReadonlyMap<string, number> {
  return new Map(files(stateDirectory).map((path) => [path, statSync(path).size]));
}

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'assembly' ? [] : files(path);
    return /\.sqlite(-\w+)?$/.test(entry.name) ? [] : [path];
  });
}
