/** Formats lines and names of the NDJSON files of jobs. */

import type { OperationOutcome } from 'fhir/r4.js';
import type { SearchIssue } from '../../fhir/query/search-issue.ts';
import { partNumber } from './payer-job.ts';

/** An OperationOutcome as a line of a job's error file. */
export function errorLine(issues: readonly SearchIssue[]): string {
  const outcome = {
    resourceType: 'OperationOutcome',
    issue: issues.map(({ code, diagnostics }) => ({ severity: 'error', code, diagnostics })),
  };
  return `${JSON.stringify(outcome as OperationOutcome)}\n`;
}

/** Name of a file that a part of a job writes: `<part>.<type>.<number>.ndjson`. */
export function partFileName(part: number, type: string, number: number): string {
  return `${partNumber(part)}.${type}.${number}.ndjson`;
}
