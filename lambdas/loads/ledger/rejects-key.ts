/** Key of the object with the rejects of a range. A file of its own, so that readers of rejects don't load the rules of rows. */

import type { LoadJob } from './load-job.ts';
import type { LedgerRange } from './load-ledger-port.ts';

export function rejectsKey({ folder, jobId }: LoadJob, { file, range }: LedgerRange): string {
  const number = `${String(file).padStart(4, '0')}-${String(range).padStart(6, '0')}`;
  return `${folder}report/${jobId}/rejects/${number}.ndjson`;
}
