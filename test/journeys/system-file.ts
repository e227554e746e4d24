import { inject } from 'vitest';

/** `system.json` of the system this worker's journeys run against; vitest numbers its workers from 1. */
export function systemFile(): string {
  const files = inject('systemFiles');
  const worker = Number(process.env.VITEST_POOL_ID);
  const file = files[worker - 1];
  if (file === undefined) throw new Error(`worker ${worker} has no system: there are ${files.length}`);
  return file;
}
