import { inject } from 'vitest';

let own: string | undefined;

/** Has this file's journeys run against a system it started itself, under another configuration. */
export function runAgainst(stateDirectory: string): void {
  own = `${stateDirectory}/system.json`;
}

/** `system.json` of the system this worker's journeys run against; vitest numbers its workers from 1. */
export function systemFile(): string {
  if (own !== undefined) return own;
  const files = inject('systemFiles');
  const worker = Number(process.env.VITEST_POOL_ID);
  const file = files[worker - 1];
  if (file === undefined) throw new Error(`worker ${worker} has no system: there are ${files.length}`);
  return file;
}
