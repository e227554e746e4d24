/** Key of the object that holds the rejects of a range, apart from the rules of rows: readers of rejects don't load those. */

import type { LoadJob } from './load-job.ts';
import type { LedgerRange } from './load-ledger-port.ts';

/** Makes the key of the object that holds the rejects of a range. */
export function rejectsKey({ folder, jobId }: LoadJob, { file, range }: LedgerRange): string {
  const number = `${String(file).padStart(4, '0')}-${String(range).padStart(6, '0')}`;
  return `${folder}report/${jobId}/rejects/${number}.ndjson`;
}
