/** Copies of shared resources, such as organizations, that a row needs in its member's record. */

import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { SharedResource } from './load-store-port.ts';
import type { ResourceRow } from './rows.ts';
import { ownedKey, owns, type StoredState, withReached } from './stored-state.ts';

/** Shared resource to write into a member's record, and the version of the copy it replaces. */
export interface SharedCopy {
  readonly resource: SharedResource;
  readonly replaces: string | undefined;
}

/** Lists the shared resources a row needs copied into the member's record, with those the copies refer to. */
export function neededCopies(
  row: ResourceRow,
  known: StoredState,
):
  | { readonly kind: 'resolved'; readonly copies: readonly SharedCopy[] }
  | { readonly kind: 'unresolved'; readonly element: string } {
  const copies = new Map<string, SharedCopy>();
  for (const reference of row.references) {
    const isStored = known.marks.has(ownedKey(owns(row.patientId ?? '', reference)));
    if (!isStored && !known.shared.has(nameOf(reference)))
      return { kind: 'unresolved', element: reference.element };
  }
  addCopies(row, row.references, known, copies);
  return { kind: 'resolved', copies: [...copies.values()] };
}

/** Copies of shared resources that were loaded after the row was. */
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
