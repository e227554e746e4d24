/** Formats loads for the output of `ops loads`. */

import type { LoadSummary } from '../../lambdas/loads/course/load-operations-contract.ts';
import { table } from '../command-line/table.ts';

const columns = [
  ...['load', 'source', 'kind', 'state', 'reason', 'accepted'],
  ...['control total', 'loaded', 'unchanged', 'older', 'rejected'],
];

/** Formats a table with one load in each row. */
export function loadTable(loads: readonly LoadSummary[]): string {
  return table(columns, loads.map(rowOf));
}

/** A load's state, and, while it waits, the number of loads of the line of business before it. */
export function stateText({ state, ahead }: LoadSummary): string {
  return ahead === undefined ? state : `${state}, ${ahead === 0 ? 'next' : `${ahead} before it`}`;
}

function rowOf(load: LoadSummary): string[] {
  const { jobId, source, kind, reason, acceptedAt, controlTotal, counts } = load;
  const numbers = [controlTotal, counts.loaded, counts.unchanged, counts.older, counts.rejected].map(String);
  return [jobId, source, kind, stateText(load), reason ?? '', acceptedAt, ...numbers];
}
