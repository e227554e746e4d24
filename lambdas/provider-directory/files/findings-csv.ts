/** Records to correct as CSV, for the people who keep a directory's data in a spreadsheet. */
import type { RecordFinding } from './truth-report-contract.ts';

/** Formats a CSV cell (RFC 4180). Text that begins like a formula gets an apostrophe in front, so that no spreadsheet runs it. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/**
 * Formats findings as CSV.
 *
 * @param lines of the NDJSON, a finding each.
 * @returns the header, and then a row for each finding.
 */
export function* findingsCsv(lines: Iterable<string>): Generator<string> {
  yield 'resource,fault,message\r\n';
  for (const line of lines) {
    const { resource, code, message } = JSON.parse(line) as RecordFinding;
    yield `${[resource, code, message].map(cell).join(',')}\r\n`;
  }
}
