/** Finds the shared resources, such as organizations, that a row needs as copies in its member's record. */

import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { SharedResource } from './load-store-port.ts';
import type { ResourceRow, RowReference } from './rows.ts';
import { ownedKey, owns, type StoredState, withReached } from './stored-state.ts';

/** A shared resource to copy into a member's record, and the version ID of the copy it replaces. */
export interface SharedCopy {
  readonly resource: SharedResource;
  readonly replaces: string | undefined;
}

/** The first reference of a row that leads to nothing that is stored. */
export function unresolvedReference(row: ResourceRow, known: StoredState): RowReference | undefined {
  return row.references.find(
    (reference) =>
      !known.marks.has(ownedKey(owns(row.patientId ?? '', reference))) &&
      !known.shared.has(nameOf(reference)),
  );
}

/** Lists the shared resources that a row refers to, directly or through other shared resources, if the member's record needs a copy. */
export function neededCopies(row: ResourceRow, known: StoredState): readonly SharedCopy[] {
  const copies = new Map<string, SharedCopy>();
  addCopies(row, row.references, known, copies);
  return [...copies.values()];
}

/** Lists the copies of shared resources that were loaded after the row. */
export function newerCopies(row: ResourceRow, known: StoredState, loadedAt: number): readonly SharedCopy[] {
  const copies = new Map<string, SharedCopy>();
  const newer = row.references.filter((name) => (known.shared.get(nameOf(name))?.loadedAt ?? 0) > loadedAt);
  addCopies(row, newer, known, copies);
  return [...copies.values()];
}

function addCopies(
  row: ResourceRow,
  names: readonly ResourceName[],
  known: StoredState,
  copies: Map<string, SharedCopy>,
): void {
  for (const name of withReached(names, known.shared)) {
    const resource = known.shared.get(nameOf(name));
    if (resource === undefined) continue;
    const key = ownedKey(owns(row.patientId ?? '', name));
    const mark = known.marks.get(key);
    if (mark !== undefined && Date.parse(mark.lastUpdated) >= Date.parse(resource.lastUpdated)) continue;
    copies.set(nameOf(name), { resource, replaces: mark?.versionId });
    known.marks.set(key, resource);
  }
}
