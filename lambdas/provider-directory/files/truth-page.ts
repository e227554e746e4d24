/** Renders the public page of a truth report. */
import { html } from 'hono/html';
import { type FindingCode, findingWords } from '../../catalog/fhir/directory-findings.ts';
import type { TruthReport } from './truth-report-contract.ts';

const share = (part: number, whole: number) =>
  `${whole === 0 ? 0 : Math.floor((part / whole) * 1000) / 10} %`;

/** Adds line-break opportunities between the words of a type's name, so that the table fits on a phone. */
const breakable = (type: string) =>
  type.split(/(?=[A-Z])/).map((word, place) => (place === 0 ? word : html`<wbr>${word}`));

/** Renders the report as a complete HTML page without scripts. */
export function truthPage(report: TruthReport): string {
  const types = Object.entries(report.types);
  const faults = Object.entries(findingWords).flatMap(([code, says]) => {
    const records = types.reduce((sum, [, { findings }]) => sum + (findings[code as FindingCode] ?? 0), 0);
    return records === 0 ? [] : [html`<tr><th scope="row">${says}</th><td>${records}</td></tr>`];
  });
  const rows = types.map(
    ([type, { records, verified30, verified90, clean }]) =>
      html`<tr><th scope="row">${breakable(type)}</th><td>${records}</td><td>${share(verified30, records)}</td><td>${share(verified90, records)}</td><td>${share(clean, records)}</td></tr>`,
  );
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Provider Directory: how much of it is verified</title>
</head>
<body>
<main>
<h1>How much of this Provider Directory is verified</h1>
<p>${share(report.verified30, report.records)} of ${report.records} records were verified by their source within the last 30 days, ${share(report.verified90, report.records)} within the last 90 days. The directory was published on ${report.builtAt.slice(0, 10)}.</p>
<h2>By type of record</h2>
<table>
<thead><tr><th scope="col">Type</th><th scope="col">Records</th><th scope="col">Verified in 30 days</th><th scope="col">Verified in 90 days</th><th scope="col">Without any fault</th></tr></thead>
<tbody>${rows}</tbody>
</table>
<h2>Faults</h2>
<table>
<thead><tr><th scope="col">Fault</th><th scope="col">Records</th></tr></thead>
<tbody>${faults}</tbody>
</table>
</main>
</body>
</html>`);
}
