/** Loads as `ops loads` prints them. */

import type { LoadSummary } from '../../lambdas/loads/load-operations-contract.ts';
import { table } from '../table.ts';

const columns = [
  ...['load', 'source', 'kind', 'state', 'reason', 'accepted'],
  ...['control total', 'loaded', 'unchanged', 'rejected'],
];

/** A table of loads, one a line. */
export function loadTable(loads: readonly LoadSummary[]): string {
  return table(columns, loads.map(rowOf));
}

function rowOf(load: LoadSummary): string[] {
  const { jobId, source, kind, state, reason, acceptedAt, controlTotal, counts } = load;
  const numbers = [controlTotal, counts.loaded, counts.unchanged, counts.rejected].map(String);
  return [jobId, source, kind, state, reason ?? '', acceptedAt, ...numbers];
}
