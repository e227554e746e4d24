/** Key of the object with the rejects of a range. A file of its own, so that readers of rejects don't load the rules of rows. */

import type { Load } from './load.ts';
import type { LedgerRange } from './load-ledger-port.ts';

export function rejectsKey({ folder, jobId }: Load, { file, range }: LedgerRange): string {
  const number = `${String(file).padStart(4, '0')}-${String(range).padStart(6, '0')}`;
  return `${folder}report/${jobId}/rejects/${number}.ndjson`;
}
