/** Decides for each row of a drop whether it is new, newer than the stored version, unchanged, older, or rejected. */

import { nameOf } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { loadTypes } from '../ledger/load-types.ts';
import type { RejectCode } from '../ledger/rejects.ts';
import { contactDataOf } from './contact-data.ts';
import type { MarkedResource, PatientChanges, StoredMark } from './load-store-port.ts';
import type { ResourceRow } from './rows.ts';
import { neededCopies, newerCopies, type SharedCopy, unresolvedReference } from './shared-copies.ts';
import {
  createStoredStateReader,
  ownedKey,
  owns,
  type StoredState,
  type StoredStateDeps,
} from './stored-state.ts';

/** Ports and functions that decide on the rows of a drop and load them. */
export interface LoadRowsDeps extends StoredStateDeps {
  /** Makes the serialized search values of a resource, always the same text for the same resource. */
  readonly searchValues: (resource: unknown) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The decision on a row. `copies`: shared resources whose copy in the member's record is missing or older. */
export type RowVerdict =
  | {
      readonly kind: 'load';
      readonly row: ResourceRow;
      readonly resource: MarkedResource;
      /** Serialized search values; empty for a shared resource, which searches find only as copies in records. */
      readonly values: string;
      readonly replaces: string | undefined;
      readonly copies: readonly SharedCopy[];
      readonly member?: PatientChanges['member'];
    }
  | {
      readonly kind: 'unchanged';
      readonly row: ResourceRow;
      readonly copies: readonly SharedCopy[];
      /** Whether this load wrote this row before, and repeats it now. */
      readonly wasLoaded: boolean;
    }
  | { readonly kind: 'older'; readonly row: ResourceRow; readonly element: string }
  | {
      readonly kind: 'reject';
      readonly row: ResourceRow;
      readonly code: RejectCode;
      readonly element?: string;
    };

/** The result of comparing a row with the stored version: the version ID it replaces, or the reason why it is not written. */
type RowComparison =
  | { readonly kind: 'new'; readonly replaces: string | undefined }
  | { readonly kind: 'unchanged'; readonly wasLoaded: boolean }
  | { readonly kind: 'older' }
  | { readonly kind: 'refusal'; readonly code: 'version_reused' };

/** The load and file that rows come from. */
export interface RowsPlace {
  readonly lob: LineOfBusiness;
  readonly jobId: string;
  /** Position in the manifest. */
  readonly file: number;
}

/** Digest of a row's position in a load, by which a repeated load recognizes its own writes. */
export function rowPlace(digest: (text: string) => string, { jobId, file }: RowsPlace, line: number): string {
  return digest(`${jobId}/${file}/${line}`).slice(0, 12);
}

export interface DecisionRules {
  /** Whether to load a row of which a reference leads to nothing that is stored. Its own Patient must be stored all the same. */
  readonly keepsUnresolved: boolean;
}

/** Makes the function that decides, by the stored state, whether each row of a batch is new, newer, unchanged, older or rejected. */
export function createRowDecisions(
  deps: LoadRowsDeps,
  place: RowsPlace,
  { keepsUnresolved }: DecisionRules = { keepsUnresolved: false },
) {
  const { lob } = place;
  const { store, searchValues, digest, rules } = deps;
  const stateReader = createStoredStateReader(deps, lob);

  async function verdictOf(row: ResourceRow, known: StoredState): Promise<RowVerdict> {
    const reject = (code: RejectCode, element?: string): RowVerdict => ({
      kind: 'reject',
      row,
      code,
      ...(element !== undefined && { element }),
    });
    if (row.patientId === undefined) return sharedVerdict(row, known);
    const key = ownedKey(owns(row.patientId, row));
    if (known.settled.has(row)) {
      return { kind: 'unchanged', row, copies: [], wasLoaded: isFrom(row, known.marks.get(key)) };
    }
    const owner = ownerFault(row, known);
    if (owner?.code === 'older') return { kind: 'older', row, element: owner.element };
    if (owner !== undefined) return reject(owner.code, owner.element);
    const mark = known.marks.get(key);
    const content = stateReader.contentOf(row);
    const comparison = await compared(row, content, mark, known.withdrawn.get(key));
    if (comparison.kind === 'refusal') return reject(comparison.code);
    if (comparison.kind === 'older') return { kind: 'older', row, element: 'meta.lastUpdated' };
    if (comparison.kind === 'unchanged') {
      return { ...comparison, row, copies: newerCopies(row, known, mark?.loadedAt ?? 0) };
    }
    const unresolved = keepsUnresolved ? undefined : unresolvedReference(row, known);
    if (unresolved !== undefined) return reject('unresolved_reference', unresolved.element);
    const copies = neededCopies(row, known);
    const resource = marked(row, content);
    const put = { resource, values: searchValues(row.content), replaces: comparison.replaces };
    if (!store.fits(lob, row.patientId, put)) return reject('too_large');
    known.marks.set(key, resource);
    const member = memberOf(row, known, deps.now());
    return { kind: 'load', row, ...put, copies, ...(member && { member }) };
  }

  async function sharedVerdict(row: ResourceRow, known: StoredState): Promise<RowVerdict> {
    const stored = known.shared.get(nameOf(row));
    const content = digest(row.json);
    const comparison = await compared(row, content, stored && { ...stored, rules }, undefined);
    if (comparison.kind === 'unchanged') return { ...comparison, row, copies: [] };
    if (comparison.kind === 'older') return { kind: 'older', row, element: 'meta.lastUpdated' };
    if (comparison.kind === 'refusal') return { kind: 'reject', row, code: comparison.code };
    const missing = row.references.find((reference) => !known.shared.has(nameOf(reference)));
    if (missing !== undefined && !keepsUnresolved) {
      return { kind: 'reject', row, code: 'unresolved_reference', element: missing.element };
    }
    const resource = marked(row, content);
    known.shared.set(nameOf(row), resource);
    return { kind: 'load', row, resource, values: '', replaces: comparison.replaces, copies: [] };
  }

  /** Compares a row with the stored version. One version ID stands for one content, and an older version never replaces a newer one. */
  async function compared(
    row: ResourceRow,
    content: string,
    mark: StoredMark | undefined,
    withdrawnAt: string | undefined,
  ): Promise<RowComparison> {
    const replace = (replaces: string | undefined) => ({ kind: 'new', replaces }) as const;
    const reused = { kind: 'refusal', code: 'version_reused' } as const;
    const older = { kind: 'older' } as const;
    const unchanged = { kind: 'unchanged', wasLoaded: isFrom(row, mark) } as const;
    const time = Date.parse(row.lastUpdated);
    if (mark === undefined) {
      if (withdrawnAt !== undefined && time <= Date.parse(withdrawnAt)) return older;
      return replace(undefined);
    }
    if (mark.versionId !== row.versionId) {
      return time >= Date.parse(mark.lastUpdated) ? replace(mark.versionId) : older;
    }
    if (mark.content === 'merged') return replace(mark.versionId);
    if (mark.content === undefined) {
      const isSame =
        row.patientId !== undefined && (await store.hasText(lob, owns(row.patientId, row), row.json));
      return isSame ? unchanged : reused;
    }
    if (mark.content !== content) return reused;
    // If the rules of search values have changed since, the resource is written again with new values.
    return mark.rules === rules ? unchanged : replace(mark.versionId);
  }

  function isFrom({ line }: ResourceRow, mark: StoredMark | undefined): boolean {
    return mark?.row !== undefined && mark.row === rowPlace(digest, place, line);
  }

  function marked(row: ResourceRow, content: string): MarkedResource {
    const { resourceType, id, versionId, lastUpdated, json, line } = row;
    const loadedAt = Math.floor(deps.now() / 1000);
    const mark = { content, rules, loadedAt, row: rowPlace(digest, place, line) };
    return { resourceType, id, versionId, lastUpdated, json, ...mark };
  }

  return {
    async decide(rows: readonly ResourceRow[]): Promise<readonly RowVerdict[]> {
      if (rows.length === 0) return [];
      const known = await stateReader.read(rows);
      const verdicts: RowVerdict[] = [];
      // Rows are decided in order, because a row may refer to an earlier row.
      for (const row of rows) verdicts.push(await verdictOf(row, known));
      return verdicts;
    },

    /** Discards the remembered state if rows could not be written, so that it is read again. */
    forget(rows: readonly ResourceRow[]): void {
      if (rows.length > 0) stateReader.forget();
    },
  };
}

/** Finds the fault of a row whose Patient is unknown, was merged, or belongs to another member. */
function ownerFault(
  row: ResourceRow,
  { patients, patientsOfMembers }: StoredState,
): { readonly code: RejectCode | 'older'; readonly element: string } | undefined {
  const patient = patients.get(row.patientId ?? '');
  const element =
    row.resourceType === 'Patient' ? 'id' : `${loadTypes[row.resourceType]?.patientElement}.reference`;
  if (patient?.mergedInto !== undefined) return { code: 'patient_merged', element };
  if (row.memberId === undefined) {
    const isThere = patient !== undefined && patient.withdrawnAt === undefined;
    return isThere ? undefined : { code: 'unresolved_reference', element };
  }
  if (patient !== undefined && patient.memberId !== row.memberId) {
    return { code: 'other_member', element: 'identifier' };
  }
  const isTaken = (patientsOfMembers.get(row.memberId) ?? row.id) !== row.id;
  if (isTaken) return { code: 'member_id_taken', element: 'identifier' };
  const { withdrawnAt } = patient ?? {};
  const isWithdrawn = withdrawnAt !== undefined && Date.parse(row.lastUpdated) <= Date.parse(withdrawnAt);
  return isWithdrawn ? { code: 'older', element: 'meta.lastUpdated' } : undefined;
}

function memberOf(row: ResourceRow, known: StoredState, nowMs: number): PatientChanges['member'] {
  const { memberId, id, content } = row;
  if (memberId === undefined) return undefined;
  const patient = known.patients.get(id);
  const isKnown = patient !== undefined && patient.withdrawnAt === undefined;
  known.patients.set(id, { memberId });
  known.patientsOfMembers.set(memberId, id);
  return { memberId, known: isKnown, contact: contactDataOf(content, nowMs) };
}
