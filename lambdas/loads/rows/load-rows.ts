/** Loads the rows of a range in batches. */

import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { addCounts, type LoadCounts, noRows } from '../ledger/load.ts';
import type { RowReject } from '../ledger/rejects.ts';
import { cancelledClaim, isKeptWhenWithdrawn } from './cancelled-claim.ts';
import type { ChangeRow, WithdrawalRow } from './change-rows.ts';
import { contactDataOf } from './contact-data.ts';
import type { ChangeOrigin, ChangeOutcome, LeftBehind } from './load-store-port.ts';
import { createRowChanges } from './row-changes.ts';
import {
  createRowDecisions,
  type DecisionRules,
  type LoadRowsDeps,
  type RowsPlace,
  type RowVerdict,
  rowPlace,
} from './row-decisions.ts';
import type { LoadRow, ResourceRow } from './rows.ts';

export interface RowsOutcome {
  readonly counts: LoadCounts;
  readonly rejects: readonly RowReject[];
}

/** Most attempts to write one member, each after a lost write race. */
const mostAttempts = 6;

/**
 * Makes the function that loads a batch of rows. Repeatable: rows that are stored already count as unchanged. Between its calls the
 * function remembers the resources that references led to.
 */
export function createRowLoader(deps: LoadRowsDeps, place: RowsPlace, rules?: DecisionRules) {
  const decisions = createRowDecisions(deps, place, rules);
  const rowChanges = createRowChanges(deps);

  async function loadResources(rows: readonly ResourceRow[]): Promise<RowsOutcome> {
    let outcome: RowsOutcome = { counts: noRows, rejects: [] };
    let open = rows;
    for (let attempt = 0; open.length > 0; attempt += 1) {
      if (attempt === mostAttempts) throw new Error('a member changes faster than it can be loaded');
      const verdicts = await decisions.decide(open);
      const lost = await writeVerdicts(verdicts);
      outcome = joined(outcome, outcomeOf(verdicts.filter(({ row }) => !lost.has(row))));
      open = open.filter((row) => lost.has(row));
      decisions.forget(open);
    }
    return outcome;
  }

  /**
   * Writes the changes that the verdicts require.
   *
   * @returns the rows whose changes lost a write race.
   */
  async function writeVerdicts(verdicts: readonly RowVerdict[]): Promise<ReadonlySet<ResourceRow>> {
    const { shared, patients } = rowChanges.changesOf(verdicts);
    const [sharedWritten, written] = await Promise.all([
      shared.length === 0
        ? []
        : deps.store.writeShared(
            place.lob,
            shared.map(({ put }) => put),
          ),
      patients.length === 0
        ? []
        : deps.store.write(
            place.lob,
            place.jobId,
            patients.map(({ changes }) => changes),
          ),
    ]);
    return new Set([
      ...shared.filter((_, at) => !sharedWritten[at]).flatMap(({ rows }) => rows),
      ...patients.filter((_, at) => !written[at]).flatMap(({ rows }) => rows),
    ]);
  }

  return async (rows: readonly LoadRow[]): Promise<RowsOutcome> => {
    const rejects = rows.flatMap((row) => (row.kind === 'reject' ? [row.reject] : []));
    const resources = rows.filter((row) => row.kind === 'resource');
    let outcome = joined(await loadResources(resources), {
      counts: { ...noRows, rejected: rejects.length },
      rejects,
    });
    for (const row of rows) {
      if (row.kind === 'resource' || row.kind === 'reject') continue;
      outcome = joined(outcome, changeOutcome(row, await changed(deps, place, row)));
    }
    return outcome;
  };
}

/**
 * Carries out a change row.
 *
 * @returns its outcome in this load; for a repeated row, the outcome of its first time.
 */
async function changed(deps: LoadRowsDeps, place: RowsPlace, row: ChangeRow): Promise<ChangeOutcome> {
  const origin = { jobId: place.jobId, row: rowPlace(deps.digest, place, row.line) };
  const outcome = await carryOut(deps, place, origin, row);
  if (outcome === 'changed') return outcome;
  return (await deps.store.outcomeOf(place.lob, origin)) ?? outcome;
}

async function carryOut(
  deps: LoadRowsDeps,
  place: RowsPlace,
  origin: ChangeOrigin,
  row: ChangeRow,
): Promise<ChangeOutcome> {
  const { lob } = place;
  const { store } = deps;
  const { patientId, lastUpdated } = row;
  switch (row.kind) {
    case 'withdrawal':
      return row.resource.resourceType === 'Patient'
        ? await store.withdrawPatient(lob, origin, patientId, lastUpdated)
        : await store.withdraw(
            lob,
            origin,
            { ...row.resource, patientId },
            lastUpdated,
            leftBehind(deps, place, row),
          );
    case 'representation':
      return await store.represent(lob, origin, { ...row, contact: contactDataOf(row.person, deps.now()) });
    case 'representation-end':
      return await store.endRepresentation(lob, origin, row);
    case 'exchange':
      return await store.changeExchange(lob, origin, row);
    case 'exchange-end':
      return await store.endExchange(lob, origin, row);
    case 'move':
      return await store.recordMove(lob, origin, row);
    case 'merge':
      return await store.merge(lob, origin, patientId, row.intoPatientId);
  }
}

/** Makes the cancelled claim that replaces a withdrawn one; undefined for other types, which are removed. */
function leftBehind(
  { searchValues, digest, rules, now }: LoadRowsDeps,
  place: RowsPlace,
  { resource, lastUpdated, line }: WithdrawalRow,
): LeftBehind | undefined {
  if (!isKeptWhenWithdrawn(resource.resourceType)) return undefined;
  return (stored) => {
    const claim = cancelledClaim(stored, lastUpdated);
    if (claim === undefined) return undefined;
    const { json, versionId } = claim;
    const mark = {
      content: digest(json),
      rules,
      loadedAt: Math.floor(now() / 1000),
      row: rowPlace(digest, place, line),
    };
    return {
      resource: { ...resource, versionId, lastUpdated, json, ...mark },
      values: searchValues(JSON.parse(json)),
      replaces: stored.versionId,
    };
  };
}

function changeOutcome(row: ChangeRow, outcome: ChangeOutcome): RowsOutcome {
  if (outcome === 'changed') return { counts: { ...noRows, loaded: 1 }, rejects: [] };
  if (outcome === 'unchanged') return { counts: { ...noRows, unchanged: 1 }, rejects: [] };
  const resource = row.kind === 'withdrawal' ? nameOf(row.resource) : `Patient/${row.patientId}`;
  return {
    counts: { ...noRows, ...(outcome === 'older_version' ? { older: 1 } : { rejected: 1 }) },
    rejects: [{ line: row.line, code: outcome, resource, element: 'parameter' }],
  };
}

function outcomeOf(verdicts: readonly RowVerdict[]): RowsOutcome {
  const counts = { loaded: 0, unchanged: 0, older: 0, rejected: 0 };
  const rejects: RowReject[] = [];
  for (const verdict of verdicts) {
    const { row, kind } = verdict;
    if (kind === 'load' || (kind === 'unchanged' && verdict.wasLoaded)) counts.loaded += 1;
    else if (kind === 'unchanged') counts.unchanged += 1;
    else {
      counts[kind === 'older' ? 'older' : 'rejected'] += 1;
      const code = kind === 'older' ? 'older_version' : verdict.code;
      const { element } = verdict;
      rejects.push({
        line: row.line,
        code,
        resource: nameOf(row),
        ...(element !== undefined && { element }),
      });
    }
  }
  return { counts, rejects };
}

function joined(a: RowsOutcome, b: RowsOutcome): RowsOutcome {
  return { counts: addCounts(a.counts, b.counts), rejects: [...a.rejects, ...b.rejects] };
}
