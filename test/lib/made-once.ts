import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

const made = new Map<string, unknown>();

/**
 * Returns a JSON value that takes seconds to make, such as an app's templates. The first test of a run that asks for the name makes the
 * value; all others get it frozen. The workers of the project `templates` share it; in other projects each worker makes its own.
 *
 * @throws the error of `make`; the next test that asks for the name calls `make` again.
 */
export function madeOnce<Value>(name: string, make: () => Value): Value {
  const value = made.get(name) ?? frozen(sharedAmongWorkers(name, make));
  made.set(name, value);
  return value as Value;
}

function sharedAmongWorkers<Value>(name: string, make: () => Value): Value {
  const folder = inject('madeOnce');
  if (folder === undefined) return make();
  const file = join(folder, createHash('sha256').update(name).digest('hex'));
  const claim = `${file}.claim`;
  // Waits without a promise, since synthesis is synchronous.
  for (; !claimed(claim); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  }
  try {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
    const value = make();
    writeFileSync(`${file}.new`, JSON.stringify(value));
    renameSync(`${file}.new`, file);
    return value;
  } finally {
    rmSync(claim, { recursive: true, force: true });
  }
}

/** Creates a folder as a lock, which only one process can do. */
function claimed(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Freezes a value and everything in it, so that no test can change what another one reads. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
