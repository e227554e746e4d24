import { inject } from 'vitest';

let own: string | undefined;

/** Lets the journeys of this file run against a system that the file starts itself, with another configuration. */
export function runAgainst(stateDirectory: string): void {
  own = `${stateDirectory}/system.json`;
}

/** Path of `system.json` of the system for this worker's journeys. vitest numbers its workers from 1. */
export function systemFile(): string {
  if (own !== undefined) return own;
  const files = inject('systemFiles');
  const worker = Number(process.env.VITEST_POOL_ID);
  const file = files[worker - 1];
  if (file === undefined) throw new Error(`worker ${worker} has no system: there are ${files.length}`);
  return file;
}
