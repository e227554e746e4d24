/** The errors of a page's operations as a table: each once, with a link to what helps. */

import { code, markdownTable } from '../documents/markdown-table.ts';
import type { DescribedOperation } from './described-operations.ts';

interface Refused {
  readonly status: string;
  readonly name: string;
  readonly says: string;
  readonly word: string;
  /** Tables of the errors' page that may have its row. */
  readonly tables: readonly string[];
}

/** Names of rows on the page of errors that differ from the code in the OpenAPI document. */
const rowNames: Readonly<Record<string, string>> = {
  defect: 'server-defect',
  unavailable: 'server-busy',
  'publication-unavailable': 'server-busy',
  'unknown-path': 'not-found',
  DEFAULT_5XX: 'server_error',
};

/** @param anchors of the page of errors */
export function errorTable(operations: readonly DescribedOperation[], anchors: ReadonlySet<string>): string {
  const rows = new Map<string, { readonly refused: Refused; readonly calls: string[] }>();
  for (const operation of operations) {
    for (const refused of refusalsOf(operation)) {
      const key = `${refused.status} ${refused.name} ${refused.says}`;
      const row = rows.get(key) ?? { refused, calls: [] };
      row.calls.push(operation.summary);
      rows.set(key, row);
    }
  }
  const sorted = [...rows.values()].sort((one, other) =>
    one.refused.status.localeCompare(other.refused.status),
  );
  return markdownTable(
    ['Status', 'Code', 'Description', 'Calls'],
    sorted.map(({ refused, calls }) => [
      refused.status,
      linked(refused, anchors),
      refused.says,
      calls.length === operations.length ? 'all' : calls.join(', '),
    ]),
  );
}

function linked({ name, word, tables }: Refused, anchors: ReadonlySet<string>): string {
  if (word === '') return '[page](/docs/errors#errors-the-member-sees)';
  const row = rowNames[name] ?? name;
  const found = tables.map((table) => `${table}-${row}`).find((id) => anchors.has(id));
  return `[${code(word)}](/docs/errors${found === undefined ? '' : `#${found}`})`;
}

function refusalsOf({ page, responses }: DescribedOperation): readonly Refused[] {
  return responses
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description, content = {} }]) =>
      Object.entries(content).flatMap(([type, { examples }]) =>
        examples === undefined
          ? [{ status, name: '', says: description, word: '', tables: [] }]
          : Object.entries(examples).map(([name, { summary, value }]) => ({
              status,
              name,
              says: summary,
              word: wordOf(value),
              tables: tablesOf(type, page),
            })),
      ),
    );
}

function tablesOf(type: string, page: string): readonly string[] {
  if (type.includes('fhir')) return ['fhir', 'gateway-fhir'];
  return [page === 'userinfo' ? 'bearer' : 'token', 'gateway-oauth'];
}

/** Finds the code that a program reads: in an OperationOutcome or in an OAuth error. */
function wordOf(value: unknown): string {
  const { issue, error = '' } = value as {
    readonly issue?: readonly { readonly code: string }[];
    readonly error?: string;
  };
  return issue?.[0]?.code ?? error;
}
