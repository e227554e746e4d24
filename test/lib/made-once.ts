import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

const made = new Map<string, unknown>();

/**
 * A value of JSON that takes seconds to make, such as the templates of an app: made by the first test of a run that asks for its name, and given, frozen,
 * to every other one. Tests of the project `templates` share it among their workers, those of other projects within one.
 *
 * @throws what `make` throws; whoever asks next makes it again.
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
  // Synchronous, as the synthesis is.
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

/** Only one process makes a folder. */
function claimed(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** All the way down: no test changes what another one reads. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
