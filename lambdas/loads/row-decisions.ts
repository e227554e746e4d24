/** Decides for each row of a drop whether it is new, newer than the stored version, unchanged, older, or rejected. */

import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import { nameOf, type ResourceName } from '../catalog/resource-name.ts';
import { contactDataOf } from './contact-data.ts';
import { referencesIn } from './fhir-json.ts';
import type {
  LoadStore,
  MarkedResource,
  OwnedName,
  PatientChanges,
  ResourcePut,
  SharedResource,
  StoredMark,
  StoredPatient,
} from './load-store-port.ts';
import { isSharedType, loadTypes } from './load-types.ts';
import type { RejectCode } from './rejects.ts';
import type { ResourceRow } from './rows.ts';

/** Services that decide and load the rows of a drop. */
export interface LoadRowsDeps {
  readonly store: LoadStore;
  /** Search values of a resource, serialized: the same text for the same resource. */
  readonly searchValues: (resource: unknown) => string;
  /** Digest of a text's UTF-8. */
  readonly digest: (text: string) => string;
  /** Digest of the rules of `searchValues`. */
  readonly rules: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Decision on a row. `copies`: shared resources whose copy in the member's record is missing or older. */
export type RowVerdict =
  | {
      readonly kind: 'load';
      readonly row: ResourceRow;
      readonly resource: MarkedResource;
      /** Serialized search values; empty for a shared resource, which is found by its copies. */
      readonly values: string;
      readonly replaces: string | undefined;
      readonly copies: readonly Copy[];
      readonly member?: PatientChanges['member'];
    }
  | { readonly kind: 'unchanged'; readonly row: ResourceRow; readonly copies: readonly Copy[] }
  | {
      readonly kind: 'reject';
      readonly row: ResourceRow;
      readonly code: RejectCode;
      readonly element?: string;
    };

/** The version a row replaces, if any; or why nothing of the row is written. */
type RowComparison =
  | { readonly kind: 'new'; readonly replaces: string | undefined }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refusal'; readonly code: 'older_version' | 'version_reused' };

interface Copy {
  readonly resource: SharedResource;
  readonly replaces: string | undefined;
}

/** Largest numbers of marks and shared resources remembered between batches; beyond them they are read again. */
const most = { marks: 50_000, shared: 5_000 } as const;

/** Stored state of a batch's rows and of the resources they refer to. Verdicts of earlier rows are written into it. */
interface Known {
  readonly marks: Map<string, StoredMark>;
  /** Rows that are unchanged, and that nothing else was read for. */
  readonly settled: ReadonlySet<ResourceRow>;
  readonly withdrawn: ReadonlyMap<string, string>;
  readonly patients: Map<string, StoredPatient>;
  readonly patientsOfMembers: Map<string, string>;
  readonly shared: ReadonlyMap<string, SharedResource>;
}

type OwnedRow = ResourceRow & { readonly patientId: string };

/** Decides, for the rows of a batch, whether each is new, newer, unchanged or wrong, by what the table says. */
export function createRowDecisions(deps: LoadRowsDeps, lob: LineOfBusiness) {
  const { store, searchValues, digest, rules } = deps;
  const marks = new Map<string, StoredMark>();
  const shared = new Map<string, SharedResource>();
  const sharedValues = new WeakMap<SharedResource, string>();
  const contents = new WeakMap<ResourceRow, string>();

  async function read(rows: readonly ResourceRow[]): Promise<Known> {
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
   * The rows that are stored as they are, and that nothing newer was shared for: a mark is in the record of its Patient, so that whose
   * it is needs no look. Not beside another version of the same resource.
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

  /** Digest of a row, made once. */
  function contentOf(row: ResourceRow): string {
    const known = contents.get(row) ?? digest(row.json);
    contents.set(row, known);
    return known;
  }

  /** Reads shared resources, and those they refer to in turn. */
  async function readShared(names: readonly ResourceName[]): Promise<void> {
    const asked = new Set<string>();
    for (let open = names; open.length > 0; ) {
      for (const name of open) asked.add(nameOf(name));
      await readMissing(open, shared, nameOf, (missing) => store.shared(lob, missing));
      open = unique(reached(open, shared), nameOf).filter((name) => !asked.has(nameOf(name)));
    }
  }

  /** References of a row that is stored as it is were resolved when it was loaded: only a shared resource may be newer. */
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

  async function verdictOf(row: ResourceRow, known: Known): Promise<RowVerdict> {
    const reject = (code: RejectCode, element?: string): RowVerdict => ({
      kind: 'reject',
      row,
      code,
      ...(element !== undefined && { element }),
    });
    if (row.patientId === undefined) return sharedVerdict(row, known);
    if (known.settled.has(row)) return { kind: 'unchanged', row, copies: [] };
    const owner = ownerFault(row, known);
    if (owner !== undefined) return reject(owner.code, owner.element);
    const key = ownedKey(owns(row.patientId, row));
    const mark = known.marks.get(key);
    const content = contentOf(row);
    const comparison = await compared(row, content, mark, known.withdrawn.get(key));
    if (comparison.kind === 'refusal') return reject(comparison.code);
    if (comparison.kind === 'unchanged') {
      return { kind: 'unchanged', row, copies: newerCopies(row, known, mark?.loadedAt ?? 0) };
    }
    const needed = neededCopies(row, known);
    if (needed.kind === 'unresolved') return reject('unresolved_reference', needed.element);
    const { copies } = needed;
    const resource = marked(row, content);
    const put = { resource, values: searchValues(row.content), replaces: comparison.replaces };
    if (!store.fits(lob, row.patientId, put)) return reject('too_large');
    known.marks.set(key, resource);
    const member = memberOf(row, known, deps.now());
    return { kind: 'load', row, ...put, copies, ...(member && { member }) };
  }

  async function sharedVerdict(row: ResourceRow, known: Known): Promise<RowVerdict> {
    const stored = known.shared.get(nameOf(row));
    const content = digest(row.json);
    const comparison = await compared(row, content, stored && { ...stored, rules }, undefined);
    if (comparison.kind === 'unchanged') return { kind: 'unchanged', row, copies: [] };
    if (comparison.kind === 'refusal') return { kind: 'reject', row, code: comparison.code };
    const missing = row.references.find((reference) => !known.shared.has(nameOf(reference)));
    if (missing !== undefined) {
      return { kind: 'reject', row, code: 'unresolved_reference', element: missing.element };
    }
    const resource = marked(row, content);
    shared.set(nameOf(row), resource);
    return { kind: 'load', row, resource, values: '', replaces: comparison.replaces, copies: [] };
  }

  /** A version says one thing only, and an older one takes no newer one's place. */
  async function compared(
    row: ResourceRow,
    content: string,
    mark: StoredMark | undefined,
    withdrawnAt: string | undefined,
  ): Promise<RowComparison> {
    const replace = (replaces: string | undefined) => ({ kind: 'new', replaces }) as const;
    const refuse = (code: 'older_version' | 'version_reused') => ({ kind: 'refusal', code }) as const;
    const unchanged = { kind: 'unchanged' } as const;
    const time = Date.parse(row.lastUpdated);
    if (mark === undefined) {
      if (withdrawnAt !== undefined && time <= Date.parse(withdrawnAt)) return refuse('older_version');
      return replace(undefined);
    }
    if (mark.versionId !== row.versionId) {
      return time >= Date.parse(mark.lastUpdated) ? replace(mark.versionId) : refuse('older_version');
    }
    if (mark.content === 'merged') return replace(mark.versionId);
    if (mark.content === undefined) {
      const isSame =
        row.patientId !== undefined && (await store.hasText(lob, owns(row.patientId, row), row.json));
      return isSame ? unchanged : refuse('version_reused');
    }
    if (mark.content !== content) return refuse('version_reused');
    // The service has learned to search by something else since: the values are made anew.
    return mark.rules === rules ? unchanged : replace(mark.versionId);
  }

  function marked(row: ResourceRow, content: string): MarkedResource {
    const { resourceType, id, versionId, lastUpdated, json } = row;
    const loadedAt = Math.floor(deps.now() / 1000);
    return { resourceType, id, versionId, lastUpdated, json, content, rules, loadedAt };
  }

  return {
    async decide(rows: readonly ResourceRow[]): Promise<readonly RowVerdict[]> {
      if (rows.length === 0) return [];
      const known = await read(rows);
      const verdicts: RowVerdict[] = [];
      // One after the other: what a row refers to may be a row before it.
      for (const row of rows) verdicts.push(await verdictOf(row, known));
      return verdicts;
    },

    /** Forgets what was remembered of rows that could not be written, so that it is read again. */
    forget(rows: readonly ResourceRow[]): void {
      if (rows.length === 0) return;
      marks.clear();
      shared.clear();
    },

    /** The writes of verdicts, by patient, each with the rows that need it. Of several versions of a resource the last. */
    changesOf(verdicts: readonly RowVerdict[]) {
      const loads = verdicts.filter((verdict) => verdict.kind !== 'reject');
      const sharedLoads = loads.filter(({ kind, row }) => kind === 'load' && row.patientId === undefined);
      const byPatient = Map.groupBy(
        loads.filter((verdict) => verdict.row.patientId !== undefined),
        ({ row }) => row.patientId ?? '',
      );
      return {
        shared: [...Map.groupBy(sharedLoads, ({ row }) => nameOf(row)).values()].map((group) => ({
          rows: group.map(({ row }) => row),
          put: lastPut(group),
        })),
        patients: [...byPatient].flatMap(([patientId, group]) => {
          const puts = putsOf(group);
          const members = group.flatMap((one) => (one.kind === 'load' && one.member ? [one.member] : []));
          const [first, last] = [members[0], members.at(-1)];
          // Of several versions of a Patient the first decides whether the member is new, the last what is known of them.
          const member = first && last && { ...last, known: first.known };
          if (puts.length === 0) return [];
          const changes: PatientChanges = { patientId, puts, ...(member && { member }) };
          return [{ rows: group.map(({ row }) => row), changes }];
        }),
      };
    },
  };

  function putsOf(verdicts: readonly Exclude<RowVerdict, { kind: 'reject' }>[]): readonly ResourcePut[] {
    const copies = new Map<string, ResourcePut>();
    for (const { resource, replaces } of verdicts.flatMap((verdict) => verdict.copies)) {
      const copy = { resource: { ...resource, rules }, values: valuesOfShared(resource), replaces };
      copies.set(nameOf(resource), copy);
    }
    const loads = Map.groupBy(
      verdicts.filter(({ kind }) => kind === 'load'),
      ({ row }) => nameOf(row),
    );
    return [...copies.values(), ...[...loads.values()].map(lastPut)];
  }

  /** Made once for all the members who get a copy. */
  function valuesOfShared(resource: SharedResource): string {
    const known = sharedValues.get(resource) ?? searchValues(JSON.parse(resource.json));
    sharedValues.set(resource, known);
    return known;
  }
}

/** The newest version of a resource, and the stored one that the first replaces. */
function lastPut(verdicts: readonly RowVerdict[]): ResourcePut {
  const loads = verdicts.filter((verdict) => verdict.kind === 'load');
  const [first, last] = [loads[0], loads.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('nothing to put');
  return { resource: last.resource, values: last.values, replaces: first.replaces };
}

/** Finds the fault of a row whose record is unknown, or not one member's. */
function ownerFault(
  row: ResourceRow,
  { patients, patientsOfMembers }: Known,
): { readonly code: RejectCode; readonly element: string } | undefined {
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
  return isWithdrawn ? { code: 'older_version', element: 'meta.lastUpdated' } : undefined;
}

function memberOf(row: ResourceRow, known: Known, nowMs: number): PatientChanges['member'] {
  const { memberId, id, content } = row;
  if (memberId === undefined) return undefined;
  const patient = known.patients.get(id);
  const isKnown = patient !== undefined && patient.withdrawnAt === undefined;
  known.patients.set(id, { memberId });
  known.patientsOfMembers.set(memberId, id);
  return { memberId, known: isKnown, contact: contactDataOf(content, nowMs) };
}

/** Lists the shared resources a row needs copied into the member's record, with those the copies refer to. */
function neededCopies(
  row: ResourceRow,
  known: Known,
):
  | { readonly kind: 'resolved'; readonly copies: readonly Copy[] }
  | { readonly kind: 'unresolved'; readonly element: string } {
  const copies = new Map<string, Copy>();
  for (const reference of row.references) {
    const isStored = known.marks.has(ownedKey(owns(row.patientId ?? '', reference)));
    if (!isStored && !known.shared.has(nameOf(reference)))
      return { kind: 'unresolved', element: reference.element };
  }
  addCopies(row, row.references, known, copies);
  return { kind: 'resolved', copies: [...copies.values()] };
}

/** Copies of shared resources that were loaded after the row was. */
function newerCopies(row: ResourceRow, known: Known, loadedAt: number): readonly Copy[] {
  const copies = new Map<string, Copy>();
  const newer = row.references.filter((name) => (known.shared.get(nameOf(name))?.loadedAt ?? 0) > loadedAt);
  addCopies(row, newer, known, copies);
  return [...copies.values()];
}

function addCopies(
  row: ResourceRow,
  names: readonly ResourceName[],
  known: Known,
  copies: Map<string, Copy>,
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

/** Lists the resources that the shared ones among the names refer to. */
function reached(
  names: readonly ResourceName[],
  shared: ReadonlyMap<string, SharedResource>,
): readonly ResourceName[] {
  return names.flatMap((name) => {
    const resource = shared.get(nameOf(name));
    // Most have no reference: no need to parse them.
    if (resource === undefined || !resource.json.includes('"reference"')) return [];
    return referencesIn(JSON.parse(resource.json)).flatMap(({ target }) => target ?? []);
  });
}

/** The names, and what their shared resources refer to, at any distance. */
function withReached(
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

function owns(patientId: string, { resourceType, id }: ResourceName): OwnedName {
  return { patientId, resourceType, id };
}

function ownedKey(name: OwnedName): string {
  return `${name.patientId}/${nameOf(name)}`;
}
