/** Loads rows of the Provider Directory: decides which are new, unchanged, older or rejected, and writes the new ones. */

import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { addCounts, type LoadCounts, noRows } from '../ledger/load.ts';
import type { RejectCode, RowReject } from '../ledger/rejects.ts';
import type { DirectoryRow } from './directory-rows.ts';
import type { DirectoryMark, DirectoryPut, DirectoryStore } from './directory-store-port.ts';
import type { RejectedRow } from './reject-row.ts';
import { type RowsPlace, rowPlace } from './row-decisions.ts';

export interface DirectoryLoadDeps {
  readonly store: DirectoryStore;
  /** Digest of a text's UTF-8. */
  readonly digest: (text: string) => string;
}

interface RowsOutcome {
  readonly counts: LoadCounts;
  readonly rejects: readonly RowReject[];
}

/** Most attempts to write one resource, each after a lost write race. */
const mostAttempts = 6;

/** Loads a batch of rows. Repeatable: rows that are stored already count as unchanged. */
export async function loadDirectoryRows(
  deps: DirectoryLoadDeps,
  place: RowsPlace,
  rows: readonly (DirectoryRow | RejectedRow)[],
): Promise<RowsOutcome> {
  const unread = rows.flatMap((row) => (row.kind === 'reject' ? [row.reject] : []));
  let counts: LoadCounts = { ...noRows, rejected: unread.length };
  const rejects: RowReject[] = [...unread];
  let open = rows.filter((row) => row.kind !== 'reject');
  for (let attempt = 0; open.length > 0; attempt += 1) {
    if (attempt === mostAttempts) throw new Error('a resource changes faster than it can be loaded');
    const decided = await decide(deps, place, open);
    const written = await deps.store.write(
      place.lob,
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
  /** The last version of each resource, with all rows of the batch that led to it. */
  readonly puts: readonly { readonly put: DirectoryPut; readonly rows: readonly DirectoryRow[] }[];
  /** Counts of the rows that are not written. */
  readonly others: LoadCounts;
  readonly rejects: readonly RowReject[];
}

function countsOf({ puts, others }: Decided, lost: ReadonlySet<DirectoryRow>): LoadCounts {
  const loaded = puts.flatMap(({ rows }) => rows).filter((row) => !lost.has(row)).length;
  return addCounts(others, { ...noRows, loaded });
}

async function decide(
  { store, digest }: DirectoryLoadDeps,
  place: RowsPlace,
  rows: readonly DirectoryRow[],
): Promise<Decided> {
  const names = [...new Map(rows.map((row) => [nameOf(row), row])).values()];
  const found = await store.marks(place.lob, names);
  const stored = new Map(names.map((name, at) => [nameOf(name), found[at]]));
  const marks = new Map(stored);
  const puts = new Map<string, { put: DirectoryPut; rows: DirectoryRow[] }>();
  const rejects: RowReject[] = [];
  const others = { ...noRows } as { -readonly [Outcome in keyof LoadCounts]: number };
  for (const row of rows) {
    const name = nameOf(row);
    const { resourceType, id, versionId, lastUpdated } = row;
    const isWithdrawn = row.kind === 'withdrawal';
    const from = rowPlace(digest, place, row.line);
    const mark = { versionId, lastUpdated, content: digest(row.json), row: from, isWithdrawn };
    const put: DirectoryPut = {
      ...mark,
      resourceType,
      id,
      json: isWithdrawn ? '' : row.json,
      replaces: stored.get(name)?.content,
    };
    const known = marks.get(name);
    const verdict = compared(mark, known);
    const tell = (code: RejectCode, outcome: 'older' | 'rejected') => {
      others[outcome] += 1;
      rejects.push({ line: row.line, code, resource: name });
    };
    if (verdict.kind === 'unchanged') others[known?.row === from ? 'loaded' : 'unchanged'] += 1;
    else if (verdict.kind === 'older') tell('older_version', 'older');
    else if (verdict.kind === 'reused') tell('version_reused', 'rejected');
    else if (!store.fits(put)) tell('too_large', 'rejected');
    else {
      marks.set(name, mark);
      puts.set(name, { put, rows: [...(puts.get(name)?.rows ?? []), row] });
    }
  }
  return { puts: [...puts.values()], others, rejects };
}

/** Compares a row with the stored version. The later `lastUpdated` wins, whichever arrives first; that holds for withdrawals too. */
function compared(
  row: DirectoryMark,
  stored: DirectoryMark | undefined,
): { readonly kind: 'load' | 'unchanged' | 'older' | 'reused' } {
  // A withdrawal is stored even without its resource, so that older versions that arrive later are refused.
  if (stored === undefined) return { kind: 'load' };
  if (stored.content === row.content || (stored.isWithdrawn && row.isWithdrawn)) return { kind: 'unchanged' };
  if (stored.versionId === row.versionId) return { kind: 'reused' };
  const isNewer = Date.parse(row.lastUpdated) > Date.parse(stored.lastUpdated);
  return { kind: isNewer ? 'load' : 'older' };
}
