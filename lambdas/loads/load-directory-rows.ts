/** Loading of rows of the Provider Directory: which are written, which stay as they are, which are rejected. */

import { nameOf } from '../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { DirectoryRow } from './directory-rows.ts';
import type { DirectoryMark, DirectoryPut, DirectoryStore } from './directory-store-port.ts';
import { addCounts, type LoadCounts, noRows } from './job.ts';
import type { RejectCode, RowReject } from './rejects.ts';
import type { RejectedRow } from './reject-row.ts';

export interface DirectoryLoadDeps {
  readonly store: DirectoryStore;
  /** Digest of a text's UTF-8. */
  readonly digest: (text: string) => string;
}

interface RowsOutcome {
  readonly counts: LoadCounts;
  readonly rejects: readonly RowReject[];
}

/** Somebody else writing the same resource at the same time; one more than this in a row has lost every time. */
const mostAttempts = 6;

/** Loads a batch of rows. Repeatable: what is stored already stays as it is and counts as unchanged. */
export async function loadDirectoryRows(
  deps: DirectoryLoadDeps,
  lob: LineOfBusiness,
  rows: readonly (DirectoryRow | RejectedRow)[],
): Promise<RowsOutcome> {
  const unread = rows.flatMap((row) => (row.kind === 'reject' ? [row.reject] : []));
  let counts: LoadCounts = { ...noRows, rejected: unread.length };
  const rejects: RowReject[] = [...unread];
  let open = rows.filter((row) => row.kind !== 'reject');
  for (let attempt = 0; open.length > 0; attempt += 1) {
    if (attempt === mostAttempts) throw new Error('a resource changes faster than it can be loaded');
    const decided = await decide(deps, lob, open);
    const written = await deps.store.write(
      lob,
      decided.puts.map(({ put }) => put),
    );
    const lost = new Set(decided.puts.flatMap((each, at) => (written[at] ? [] : each.rows)));
    counts = addCounts(counts, countsOf(decided, lost));
    rejects.push(...decided.rejects);
    open = open.filter((row) => lost.has(row));
  }
  return { counts, rejects };
}

interface Decided {
  /** The last version of each resource, with the rows that come to it. */
  readonly puts: readonly { readonly put: DirectoryPut; readonly rows: readonly DirectoryRow[] }[];
  readonly unchanged: number;
  readonly rejects: readonly RowReject[];
}

function countsOf({ puts, unchanged, rejects }: Decided, lost: ReadonlySet<DirectoryRow>): LoadCounts {
  const loaded = puts.flatMap(({ rows }) => rows).filter((row) => !lost.has(row)).length;
  return { loaded, unchanged, rejected: rejects.length };
}

async function decide(
  { store, digest }: DirectoryLoadDeps,
  lob: LineOfBusiness,
  rows: readonly DirectoryRow[],
): Promise<Decided> {
  const names = [...new Map(rows.map((row) => [nameOf(row), row])).values()];
  const found = await store.marks(lob, names);
  const stored = new Map(names.map((name, at) => [nameOf(name), found[at]]));
  const marks = new Map(stored);
  const puts = new Map<string, { put: DirectoryPut; rows: DirectoryRow[] }>();
  const rejects: RowReject[] = [];
  let unchanged = 0;
  for (const row of rows) {
    const name = nameOf(row);
    const { resourceType, id, versionId, lastUpdated } = row;
    const isWithdrawn = row.kind === 'withdrawal';
    const mark = { versionId, lastUpdated, content: digest(row.json), isWithdrawn };
    const put: DirectoryPut = {
      ...mark,
      ...{ resourceType, id, json: isWithdrawn ? '' : row.json },
      replaces: stored.get(name)?.content,
    };
    const verdict = compared(mark, marks.get(name));
    if (verdict.kind === 'unchanged') unchanged += 1;
    else if (verdict.kind === 'refusal') rejects.push({ line: row.line, code: verdict.code, resource: name });
    else if (!store.fits(put)) rejects.push({ line: row.line, code: 'too_large', resource: name });
    else {
      marks.set(name, mark);
      puts.set(name, { put, rows: [...(puts.get(name)?.rows ?? []), row] });
    }
  }
  return { puts: [...puts.values()], unchanged, rejects };
}

/** The version with the later `lastUpdated` wins, whichever arrives first; a withdrawal is one of them. */
function compared(
  row: DirectoryMark,
  stored: DirectoryMark | undefined,
): { readonly kind: 'load' | 'unchanged' } | { readonly kind: 'refusal'; readonly code: RejectCode } {
  // A withdrawal that arrives before its resource keeps older versions of it out.
  if (stored === undefined) return { kind: 'load' };
  if (stored.content === row.content || (stored.isWithdrawn && row.isWithdrawn)) return { kind: 'unchanged' };
  if (stored.versionId === row.versionId) return { kind: 'refusal', code: 'version_reused' };
  const isNewer = Date.parse(row.lastUpdated) > Date.parse(stored.lastUpdated);
  return isNewer ? { kind: 'load' } : { kind: 'refusal', code: 'older_version' };
}
