/** Command `directory report`: the truth report of a LOB's published directory, and the records to correct. */
import { writeFileSync } from 'node:fs';
import type { DirectoryOperationAnswer } from '../../lambdas/provider-directory/build/directory-operations-contract.ts';
import type { CommandContext } from '../command-line/operation.ts';
import { table } from '../command-line/table.ts';
import type { ExitCode } from '../command-line/terminal.ts';

type ReportAnswer = Extract<DirectoryOperationAnswer, { readonly kind: 'report' }>;

const share = (part: number, whole: number) => `${whole === 0 ? '0.0' : ((part / whole) * 100).toFixed(1)} %`;

/** Prints the report. With `--findings FILE` also writes the records to correct: as CSV if the name ends with `.csv`, else as NDJSON. */
export async function printReport(
  { values, print }: CommandContext,
  { report, findingsUrl, csvUrl }: ReportAnswer,
): Promise<ExitCode> {
  if (report === undefined || findingsUrl === undefined) {
    print('nothing is published');
    return 1;
  }
  if (values.findings !== undefined) {
    const isCsv = values.findings.endsWith('.csv');
    const url = isCsv ? csvUrl : findingsUrl;
    if (url === undefined) {
      print('this publication has no CSV yet; the next build writes one, and NDJSON is there now');
      return 1;
    }
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`the list of findings was answered ${answer.status}`);
    const text = await answer.text();
    writeFileSync(values.findings, text);
    // The CSV begins with a header.
    print(`${text.split('\n').length - (isCsv ? 2 : 1)} findings in ${values.findings}`);
  }
  if (values.json === true) {
    print(JSON.stringify(report, undefined, 2));
    return 0;
  }
  const rows = Object.entries(report.types).map(([type, { records, verified30, verified90, clean }]) => [
    ...[type, String(records), share(verified30, records), share(verified90, records), share(clean, records)],
  ]);
  const { records, verified30, verified90, clean } = report;
  const sum = [
    'all',
    String(records),
    share(verified30, records),
    share(verified90, records),
    share(clean, records),
  ];
  print(table(['type', 'records', 'verified 30 d', 'verified 90 d', 'no fault'], [...rows, sum]));
  const faults = Object.entries(report.types).flatMap(([type, { findings }]) =>
    Object.entries(findings).map(([code, count]) => [type, code, String(count)]),
  );
  if (faults.length > 0) print(table(['type', 'fault', 'records'], faults));
  return 0;
}
