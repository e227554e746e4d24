/**
 * Reads the stored state that decisions on a batch's rows need: marks, patients and shared resources. Takes few calls of the load store,
 * and remembers results between batches. Used by `row-decisions.ts`.
 */

import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { isSharedType } from '../ledger/load-types.ts';
import { referencesIn } from './fhir-json.ts';
import type { LoadStore, OwnedName, SharedResource, StoredMark, StoredPatient } from './load-store-port.ts';
import type { ResourceRow } from './rows.ts';

/** Ports and functions that read the stored state. */
export interface StoredStateDeps {
  readonly store: LoadStore;
  /** Digest of a text's UTF-8. */
  readonly digest: (text: string) => string;
  /** Digest of the rules of search values. */
  readonly rules: string;
}

/** Stored state of a batch's rows and of the resources they refer to. Decisions on earlier rows are added to it. */
export interface StoredState {
  readonly marks: Map<string, StoredMark>;
  /** Rows that are stored unchanged; their patients were not read. */
  readonly settled: ReadonlySet<ResourceRow>;
  readonly withdrawn: ReadonlyMap<string, string>;
  readonly patients: Map<string, StoredPatient>;
  readonly patientsOfMembers: Map<string, string>;
  readonly shared: Map<string, SharedResource>;
}

type OwnedRow = ResourceRow & { readonly patientId: string };

/** Most marks and shared resources that are remembered between batches; beyond that they are discarded and read again. */
const most = { marks: 50_000, shared: 5_000 } as const;

/** Reads the stored state of batches of rows. */
export function createStoredStateReader({ store, digest, rules }: StoredStateDeps, lob: LineOfBusiness) {
  const marks = new Map<string, StoredMark>();
  const shared = new Map<string, SharedResource>();
  const contents = new WeakMap<ResourceRow, string>();

  async function read(rows: readonly ResourceRow[]): Promise<StoredState> {
    if (marks.size > most.marks) marks.clear();
    if (shared.size > most.shared) shared.clear();
    const owned = rows.filter(isOwned);
    const own = unique(
      owned.map((row) => owns(row.patientId, row)),
      ownedKey,
    );
    const sharedRows = rows.filter(({ patientId }) => patientId === undefined);
    const sharedNames = unique(
      [...sharedRows, ...rows.flatMap(({ references }) => references)].filter(({ resourceType }) =>
        isSharedType(resourceType),
      ),
      nameOf,
    );
    await Promise.all([
      lookUp(own, ownedKey, (names) => store.marks(lob, names)).then((found) => {
        for (const name of own) marks.delete(ownedKey(name));
        for (const [key, mark] of found) marks.set(key, mark);
      }),
      readShared(sharedNames),
    ]);
    const settled = settledRows(owned);
    const open = owned.filter((row) => !settled.has(row));
    const memberIds = open.flatMap(({ memberId }) => memberId ?? []);
    const absent = own.filter((name) => !marks.has(ownedKey(name)));
    const [patients, patientsOfMembers, withdrawn] = await Promise.all([
      lookUp([...new Set(open.map(({ patientId }) => patientId))], String, (ids) => store.patients(lob, ids)),
      lookUp([...new Set(memberIds)], String, (ids) => store.patientsOfMembers(lob, ids)),
      lookUp(absent, ownedKey, (names) => store.withdrawals(lob, names)),
      readMissing(neededTargets(open), marks, ownedKey, (names) => store.marks(lob, names)),
    ]);
    return { marks, settled, withdrawn, patients, patientsOfMembers, shared };
  }

  /**
   * The rows that are stored unchanged and whose shared resources are current. A mark belongs to one Patient's record, so the Patient need
   * not be read. If the batch has another version of the same resource, its rows are left out.
   */
  function settledRows(owned: readonly OwnedRow[]): ReadonlySet<ResourceRow> {
    const open = new Set(
      owned.filter((row) => !isSettled(row)).map((row) => ownedKey(owns(row.patientId, row))),
    );
    return new Set(owned.filter((row) => !open.has(ownedKey(owns(row.patientId, row)))));
  }

  function isSettled(row: OwnedRow): boolean {
    const mark = marks.get(ownedKey(owns(row.patientId, row)));
    return (
      mark?.versionId === row.versionId &&
      mark.rules === rules &&
      mark.content === contentOf(row) &&
      row.references.every((name) => (shared.get(nameOf(name))?.loadedAt ?? 0) <= mark.loadedAt)
    );
  }

  /** Digest of a row's text, computed once. */
  function contentOf(row: ResourceRow): string {
    const known = contents.get(row) ?? digest(row.json);
    contents.set(row, known);
    return known;
  }

  /** Reads shared resources, and the shared resources that they refer to. */
  async function readShared(names: readonly ResourceName[]): Promise<void> {
    const asked = new Set<string>();
    for (let open = names; open.length > 0; ) {
      for (const name of open) asked.add(nameOf(name));
      await readMissing(open, shared, nameOf, (missing) => store.shared(lob, missing));
      open = unique(reached(open, shared), nameOf).filter((name) => !asked.has(nameOf(name)));
    }
  }

  /**
   * The resources whose marks are needed to resolve the rows' references. References of a stored version were resolved when it was loaded,
   * so that only newer shared resources are needed for it.
   */
  function neededTargets(rows: readonly OwnedRow[]): readonly OwnedName[] {
    const needed = new Map<string, OwnedName>();
    for (const row of rows) {
      const mark = marks.get(ownedKey(owns(row.patientId, row)));
      const isStored = mark?.versionId === row.versionId && mark.content !== undefined;
      for (const target of withReached(row.references, shared)) {
        const isNewer = (shared.get(nameOf(target))?.loadedAt ?? 0) > (mark?.loadedAt ?? 0);
        const name = owns(row.patientId, target);
        if (!isStored || isNewer) needed.set(ownedKey(name), name);
      }
    }
    return [...needed.values()];
  }

  return {
    read,
    contentOf,

    /** Discards remembered marks and shared resources, so that they are read again. */
    forget(): void {
      marks.clear();
      shared.clear();
    },
  };
}

/** Lists the resources that the named shared resources refer to. */
function reached(
  names: readonly ResourceName[],
  shared: ReadonlyMap<string, SharedResource>,
): readonly ResourceName[] {
  return names.flatMap((name) => {
    const resource = shared.get(nameOf(name));
    // Most shared resources have no reference and need not be parsed.
    if (resource === undefined || !resource.json.includes('"reference"')) return [];
    return referencesIn(JSON.parse(resource.json)).flatMap(({ target }) => target ?? []);
  });
}

/** Lists the named resources, and all that their shared resources refer to, directly or through others. */
export function withReached(
  names: readonly ResourceName[],
  shared: ReadonlyMap<string, SharedResource>,
): readonly ResourceName[] {
  const all = new Map(names.map((name) => [nameOf(name), name]));
  for (let open = names; open.length > 0; ) {
    open = reached(open, shared).filter((name) => !all.has(nameOf(name)));
    for (const name of open) all.set(nameOf(name), name);
  }
  return [...all.values()];
}

async function lookUp<Name, Found>(
  names: readonly Name[],
  key: (name: Name) => string,
  ask: (names: readonly Name[]) => Promise<readonly (Found | undefined)[]>,
): Promise<Map<string, Found>> {
  const found = names.length === 0 ? [] : await ask(names);
  return new Map(
    names.flatMap((name, at) => {
      const one = found[at];
      return one === undefined ? [] : [[key(name), one] as const];
    }),
  );
}

async function readMissing<Name, Found>(
  names: readonly Name[],
  into: Map<string, Found>,
  key: (name: Name) => string,
  ask: (names: readonly Name[]) => Promise<readonly (Found | undefined)[]>,
): Promise<void> {
  const missing = names.filter((name) => !into.has(key(name)));
  for (const [name, found] of await lookUp(missing, key, ask)) into.set(name, found);
}

function unique<T>(all: readonly T[], key: (one: T) => string): readonly T[] {
  return [...new Map(all.map((one) => [key(one), one])).values()];
}

function isOwned(row: ResourceRow): row is OwnedRow {
  return row.patientId !== undefined;
}

export function owns(patientId: string, { resourceType, id }: ResourceName): OwnedName {
  return { patientId, resourceType, id };
}

export function ownedKey(name: OwnedName): string {
  return `${name.patientId}/${nameOf(name)}`;
}
