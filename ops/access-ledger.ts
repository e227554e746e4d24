/**
 * Reads and writes the ledger of `ops audit metrics`: the counts so far of a line of business and year, so that a later run reads only
 * events that were sealed since.
 */

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AccessUsage } from '../lambdas/audit/trail/questions-contract.ts';
import { UsageError } from './command-line/command-line.ts';

/** Disclosures of a member's data to one application on one day (UTC). */
export type Transfer = Pick<AccessUsage, 'clientId' | 'day' | 'disclosures'>;

/** Counts of the members so far. */
export interface AccessLedger {
  /** Time up to which the audit trail was counted, ISO 8601; absent if nothing was counted. */
  countedUntil?: string;
  /** Transfers of each member, by the digest of the Patient's ID. */
  readonly members: Map<string, readonly Transfer[]>;
}

/**
 * Milliseconds before `countedUntil` in which transfers are not reduced yet: a later event of the same request may correct a disclosure.
 */
const settledMs = 86_400_000;

/**
 * Adds a page of usage. Of a member's older transfers it keeps at most three, which is all that the metrics need, so that memory and file
 * stay small however often an application reads.
 */
export function addUsage(ledger: AccessLedger, usage: readonly AccessUsage[]): void {
  const settled = settledBefore(ledger.countedUntil);
  for (const { member, clientId, day, disclosures } of usage) {
    const transfers = ledger.members.get(member) ?? [];
    const same = transfers.find((each) => each.clientId === clientId && each.day === day);
    const sum = { clientId, day, disclosures: (same?.disclosures ?? 0) + disclosures };
    const all = [...transfers.filter((each) => each !== same), ...(sum.disclosures === 0 ? [] : [sum])];
    const done = all.filter((each) => each.day < settled);
    const kept = done.length > 3 ? [...witnesses(done), ...all.filter((each) => each.day >= settled)] : all;
    ledger.members.set(member, kept);
  }
}

/** The day (UTC) before which no disclosure can be corrected any more. */
function settledBefore(countedUntil: string | undefined): string {
  if (countedUntil === undefined) return '';
  return new Date(Date.parse(countedUntil) - settledMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/**
 * Reduces transfers to at most three: one, one on another day, and one to another application. The metrics are the same with these alone.
 */
function witnesses(transfers: readonly Transfer[]): readonly Transfer[] {
  const [first] = transfers;
  const found = [
    first,
    transfers.find(({ day }) => day !== first?.day),
    transfers.find(({ clientId }) => clientId !== first?.clientId),
  ];
  return [...new Set(found.filter((each) => each !== undefined))];
}

/** Location of a ledger's file: one for each environment, line of business and year. */
export interface LedgerPlace {
  readonly folder: string;
  readonly environment: string;
  readonly lob: string;
  readonly year: number;
}

/**
 * Reads a ledger; an empty one if there is no file.
 *
 * @throws UsageError if the file is not a ledger
 */
export function readLedger(place: LedgerPlace): AccessLedger {
  const path = pathOf(place);
  if (!existsSync(path)) return { members: new Map() };
  try {
    const [head = '', ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n');
    const { countedUntil } = JSON.parse(head) as { readonly countedUntil: string };
    return { countedUntil, members: new Map(rows.map((row) => JSON.parse(row) as [string, Transfer[]])) };
  } catch {
    throw new UsageError(`--ledger: ${path} is not a ledger; remove it to count the year again`);
  }
}

/** Replaces a ledger's file, readable by its owner only. An interrupted run leaves the previous file. */
export function writeLedger(place: LedgerPlace, { countedUntil, members }: AccessLedger): void {
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  const path = pathOf(place);
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, `${JSON.stringify({ countedUntil })}\n`);
  for (const row of members) writeSync(file, `${JSON.stringify(row)}\n`);
  closeSync(file);
  renameSync(`${path}.new`, path);
}

function pathOf({ folder, environment, lob, year }: LedgerPlace): string {
  return join(folder, `access-${environment}-${lob}-${year}.ndjson`);
}
