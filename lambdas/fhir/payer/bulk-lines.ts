/** Lines and names of NDJSON files of jobs, and work on many members at once. */

import type { OperationOutcome } from 'fhir/r4.js';
import type { SearchIssue } from '../search/search-issue.ts';

/** An OperationOutcome as a line of a job's error file. */
export function errorLine(issues: readonly SearchIssue[]): string {
  const outcome = {
    resourceType: 'OperationOutcome',
    issue: issues.map(({ code, diagnostics }) => ({ severity: 'error', code, diagnostics })),
  };
  return `${JSON.stringify(outcome as OperationOutcome)}\n`;
}

/** Results in the order of the items, with so many under way at once. A failure ends the work. */
export async function inGroupsOf<Item, Result>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = new Array(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as Item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

/** Name of a file of a part. */
export function partFileName(part: number, type: string, number: number): string {
  return `${String(part).padStart(6, '0')}.${type}.${number}.ndjson`;
}
