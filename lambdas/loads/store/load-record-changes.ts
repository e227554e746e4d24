/** Stores the rows of a drop that change a patient's record and hold no resource: withdrawals, moves and merges. */

import * as z from 'zod/mini';
import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { createRecordLabeling, type ValuedPut } from '../../fhir/store/label-writes.ts';
import { decodeLabels } from '../../fhir/store/record-labels.ts';
import { resourceChangeWrites, resourceKeys } from '../../fhir/store/resource-writes.ts';
import { indexRemovals } from '../../fhir/store/search-index.ts';
import { decodeResource } from '../../fhir/store/stored-resource.ts';
import type { Label } from '../../fhir/values/label.ts';
import type { Key } from '../../platform/table/key.ts';
import type { Item, Table, Write } from '../../platform/table/table.ts';
import {
  memberIdKey,
  patientEntryPrefix,
  patientLabelsKey,
  patientMemberKey,
  patientPartition,
  withdrawalKey,
} from '../../platform/table/table-keys.ts';
import type { ChangeOrigin, ChangeOutcome, LeftBehind, LoadStore } from '../rows/load-store-port.ts';
import { mergedText } from '../rows/merged-text.ts';
import { rowChangeWrites } from './change-outcomes.ts';
import { type LoadStoreOptions, loadEvent } from './load-event.ts';
import { endGrants } from './load-grants.ts';

type RecordChanges = Pick<LoadStore, 'withdraw' | 'withdrawPatient' | 'recordMove' | 'merge'>;

interface Place extends ChangeOrigin {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
}

const entryItem = z.object({ sk: z.string(), versionId: z.string(), lastUpdated: z.string() });
const movedTo = z.object({ lastUpdated: z.string() });

/** Most resources in one step of a withdrawal or merge. Each takes up to three writes of a transaction, and is read and written whole. */
const entriesInStep = 20;

/** Carries out withdrawals, moves and merges of patients' records. Each is safe to repeat. */
export function createRecordChanges(table: Table, options: LoadStoreOptions): RecordChanges {
  return {
    async withdraw(lob, origin, name, lastUpdated, left) {
      const place = { lob, patientId: name.patientId, ...origin };
      const [resourceKey, entryKey] = resourceKeys(lob, name.patientId, name);
      const markKey = withdrawalKey(lob, name.patientId, name);
      const [entry, mark, member] = await table.batchGet([
        entryKey,
        markKey,
        patientMemberKey(lob, name.patientId),
      ]);
      if (entry === undefined) {
        return member === undefined ? 'not_stored' : await keepOut(place, name, entryKey, mark, lastUpdated);
      }
      const stored = entryItem.parse(entry);
      if (isAfter(stored.lastUpdated, lastUpdated)) return 'older_version';
      if (left !== undefined) return await leave(place, resourceKey, left);
      await table.transact([
        ...rowChangeWrites(place, [name], options),
        { delete: resourceKey, condition: versionIs(stored.versionId) },
        { delete: entryKey },
        ...indexRemovals({ lob, patientId: name.patientId }, name),
        { put: { ...markKey, lastUpdated } },
      ]);
      return 'changed';
    },

    async withdrawPatient(lob, origin, patientId, lastUpdated) {
      const place = { lob, patientId, ...origin };
      const [member, [patient]] = await Promise.all([
        table.get(patientMemberKey(lob, patientId)),
        table.batchGet([resourceKeys(lob, patientId, { resourceType: 'Patient', id: patientId })[1]]),
      ]);
      if (member === undefined) {
        const name = { resourceType: 'Patient', id: patientId };
        const mark = await table.get(withdrawalKey(lob, patientId, name));
        return await keepOut(place, name, patientMemberKey(lob, patientId), mark, lastUpdated);
      }
      if (member.mergedInto !== undefined) return 'patient_merged';
      if (patient !== undefined && isAfter(String(patient.lastUpdated), lastUpdated)) return 'older_version';
      const already = member.withdrawnAt;
      const isNew = already === undefined || isAfter(lastUpdated, String(already));
      if (isNew) {
        const set = { expression: 'SET withdrawnAt = :at', condition: 'attribute_exists(pk)' };
        const update = { key: patientMemberKey(lob, patientId), ...set, values: { ':at': lastUpdated } };
        const forget = {
          key: memberIdKey(lob, String(member.memberId)),
          expression: 'SET patientId = :patientId, withdrawnAt = :at REMOVE contact',
          condition: 'attribute_not_exists(pk) OR patientId = :patientId',
          values: { ':patientId': patientId, ':at': lastUpdated },
        };
        await table.transact([...rowChangeWrites(place, [], options), { update }, { update: forget }]);
      }
      const removed = await emptyRecord(place);
      const ended = await endGrants(table, options, { ...place, because: 'member_withdrawn' });
      return isNew || removed > 0 || ended > 0 ? 'changed' : 'unchanged';
    },

    async recordMove(lob, origin, { patientId, toLob, toPatientId, lastUpdated }) {
      const member = await table.get(patientMemberKey(lob, patientId));
      if (member === undefined) return 'not_stored';
      const before = movedTo.safeParse(member.movedTo).data?.lastUpdated;
      if (before === lastUpdated) return 'unchanged';
      if (before !== undefined && isAfter(before, lastUpdated)) return 'older_version';
      const to = { lob: toLob, patientId: toPatientId, lastUpdated };
      await table.transact([
        ...rowChangeWrites({ lob, patientId, ...origin }, [], options),
        {
          update: {
            key: patientMemberKey(lob, patientId),
            expression: 'SET movedTo = :to',
            condition: 'attribute_exists(pk)',
            values: { ':to': to },
          },
        },
      ]);
      return 'changed';
    },

    async merge(lob, origin, patientId, intoPatientId) {
      const place = { lob, patientId, ...origin };
      const [source, target] = await table.batchGet([
        patientMemberKey(lob, patientId),
        patientMemberKey(lob, intoPatientId),
      ]);
      if (source === undefined || target === undefined) return 'not_stored';
      const isNew = source.mergedInto === undefined;
      if (isNew && target.mergedInto !== undefined) return 'patient_merged';
      if (!isNew && source.mergedInto !== intoPatientId) return 'patient_merged';
      const into = { patientId: intoPatientId, memberId: String(target.memberId) };
      if (isNew) await beginMerge(place, String(source.memberId), into);
      const moved = await moveRecord(place, await lastTarget(lob, intoPatientId, target));
      return isNew || moved > 0 ? 'changed' : 'unchanged';
    },
  };

  /** Replaces a withdrawn resource by the resource that stays in its place. */
  async function leave(place: Place, resourceKey: Key, left: LeftBehind): Promise<ChangeOutcome> {
    const item = await table.get(resourceKey);
    // Another writer removed the resource after its entry was read; the error makes the load try again.
    if (item === undefined) throw new Error('a resource was removed while it was withdrawn');
    const { json } = decodeResource(item);
    const put = left({ json, versionId: String(item.versionId) });
    if (put === undefined) return 'unchanged';
    const { resource, values } = put;
    const { content, rules, loadedAt, row } = resource;
    await table.transact([
      ...rowChangeWrites(place, [], options),
      ...resourceChangeWrites(
        place,
        { kind: 'put', resource, values, replaces: { versionId: String(item.versionId) } },
        { content, rules, loadedAt, row },
      ),
      ...(await labelsOf(place, { resource, values, isNew: false })),
    ]);
    return 'changed';
  }

  /**
   * Records the withdrawal of a resource that isn't stored, so that a later load refuses versions older than the withdrawal. Of several
   * withdrawals the latest counts.
   *
   * @param absent key of the item that must not exist.
   */
  async function keepOut(
    place: Place,
    name: ResourceName,
    absent: Key,
    mark: Item | undefined,
    lastUpdated: string,
  ): Promise<ChangeOutcome> {
    const before = mark && String(mark.lastUpdated);
    if (before !== undefined && !isAfter(lastUpdated, before)) return 'unchanged';
    const condition =
      before === undefined
        ? { expression: 'attribute_not_exists(pk)' }
        : { expression: 'lastUpdated = :before', values: { ':before': before } };
    const outcome = before === undefined ? 'not_stored' : 'changed';
    await table.transact([
      ...rowChangeWrites(place, [], options, outcome),
      { check: absent, condition: { expression: 'attribute_not_exists(pk)' } },
      { put: { ...withdrawalKey(place.lob, place.patientId, name), lastUpdated }, condition },
    ]);
    return outcome;
  }

  /** Begins a merge: later rows of the Patient are rejected, and its member identifier leads to the other Patient. */
  async function beginMerge(
    place: Place,
    memberId: string,
    into: { readonly patientId: string; readonly memberId: string },
  ): Promise<void> {
    const { lob, patientId } = place;
    await table.transact([
      ...rowChangeWrites(place, [], options),
      {
        update: {
          key: patientMemberKey(lob, patientId),
          expression: 'SET mergedInto = :into',
          condition: 'memberId = :memberId AND attribute_not_exists(mergedInto)',
          values: { ':into': into.patientId, ':memberId': memberId },
        },
      },
      // The old contact data is dropped; the other member's is used.
      { put: { ...memberIdKey(lob, memberId), ...into } },
    ]);
  }

  /**
   * The Patient who has the record of a merge's target now: the target itself, or, if it was merged since, the last Patient of that chain
   * of merges.
   */
  async function lastTarget(lob: LineOfBusiness, patientId: string, { mergedInto }: Item): Promise<string> {
    if (mergedInto === undefined) return patientId;
    const next = String(mergedInto);
    return await lastTarget(lob, next, (await table.get(patientMemberKey(lob, next))) ?? {});
  }

  /**
   * Removes all resources of a record.
   *
   * @returns how many were removed.
   */
  async function emptyRecord(place: Place): Promise<number> {
    let removed = 0;
    for (;;) {
      const { entries, isRest } = await someEntries(place);
      if (entries.length === 0) return removed;
      await table.transact([
        ...rowChangeWrites(
          place,
          entries.map(({ name }) => name),
          options,
        ),
        ...entries.flatMap(({ name, versionId }) =>
          resourceChangeWrites(place, { kind: 'remove', resource: name, replaces: { versionId } }),
        ),
        ...(isRest ? [labelsRemoval(place)] : []),
      ]);
      removed += entries.length;
    }
  }

  /**
   * Moves all resources of a record to another Patient.
   *
   * @returns how many were moved.
   */
  async function moveRecord(place: Place, intoPatientId: string): Promise<number> {
    let moved = 0;
    for (;;) {
      const { entries, isRest } = await someEntries(place);
      if (entries.length === 0) return moved;
      for (const [at, entry] of entries.entries()) {
        const isLast = isRest && at === entries.length - 1;
        await moveResource(place, entry, intoPatientId, isLast ? [labelsRemoval(place)] : []);
        moved += 1;
      }
    }
  }

  /**
   * Moves a resource into another record. If both records have it, such as an Organization, the newer version stays.
   *
   * @param last writes that accompany the record's last resource.
   */
  async function moveResource(
    place: Place,
    entry: StoredEntry,
    intoPatientId: string,
    last: readonly Write[],
  ): Promise<void> {
    const { lob, patientId } = place;
    const { name, versionId, lastUpdated } = entry;
    const into = { ...place, patientId: intoPatientId };
    const [resourceKey] = resourceKeys(lob, patientId, name);
    const [, targetEntryKey] = resourceKeys(lob, intoPatientId, name);
    const [resource, present, labels] = await table.batchGet([
      resourceKey,
      targetEntryKey,
      patientLabelsKey(lob, patientId),
    ]);
    const isPatient = name.resourceType === 'Patient';
    const isKept = present === undefined || isAfter(lastUpdated, String(present.lastUpdated));
    const removal: readonly Write[] = [
      ...resourceChangeWrites(place, { kind: 'remove', resource: name, replaces: { versionId } }),
      ...last,
    ];
    const events: Write[] = [...rowChangeWrites(place, [name], options), loadEvent(into, [], options)];
    if (resource === undefined || isPatient || !isKept) {
      await table.transact([...events, ...removal]);
      return;
    }
    const { json, fhirJson } = decodeResource(resource);
    const rewrite = (text: string) => mergedText(text, patientId, intoPatientId);
    const merged = rewrite(json);
    const put = {
      kind: 'put',
      resource: {
        ...name,
        versionId,
        lastUpdated,
        json: merged,
        ...(fhirJson !== undefined && { fhirJson: rewrite(fhirJson) }),
      },
      values: withLabel(options.searchValues(JSON.parse(merged)), decodeLabels(labels).get(nameOf(name))),
      ...(present !== undefined && { replaces: { versionId: String(present.versionId) } }),
    } as const;
    await table.transact([
      ...events,
      ...resourceChangeWrites(into, put, { content: 'merged', loadedAt: Math.floor(options.now() / 1000) }),
      ...(await labelsOf(into, { resource: name, values: put.values, isNew: present === undefined })),
      ...removal,
    ]);
  }

  async function labelsOf({ lob, patientId }: Place, put: ValuedPut): Promise<readonly Write[]> {
    const [labels] = await createRecordLabeling(table, lob).plan([{ patientId, puts: [put] }]);
    return labels === undefined ? [] : [...labels.others, ...labels.with(put.resource)];
  }

  /**
   * Removes the record's labels, in the transaction of its last resource. Removed later, they would stay if the load were interrupted,
   * because a repeat finds an empty record and does nothing.
   */
  function labelsRemoval({ lob, patientId }: Place): Write {
    return { delete: patientLabelsKey(lob, patientId) };
  }

  /** The next entries of a record, and whether they are the last. */
  async function someEntries({
    lob,
    patientId,
  }: Place): Promise<{ readonly entries: readonly StoredEntry[]; readonly isRest: boolean }> {
    // Reads one entry more than a step takes, to see whether a further step follows.
    const { items, next } = await table.query({
      pk: patientPartition(lob, patientId),
      skBeginsWith: patientEntryPrefix(),
      limit: entriesInStep + 1,
    });
    const entries = items.slice(0, entriesInStep).map((item) => {
      const { sk, versionId, lastUpdated } = entryItem.parse(item);
      const [, resourceType = '', id = ''] = sk.split('#');
      return { name: { resourceType, id }, versionId, lastUpdated };
    });
    return { entries, isRest: next === undefined && items.length <= entriesInStep };
  }
}

/**
 * Adds to a moved resource's search values its whole label, including inherited categories: the resources that it inherits from may be
 * moved after it.
 */
function withLabel(values: string, label: Label | undefined): string {
  return label === undefined ? values : JSON.stringify({ ...JSON.parse(values), label });
}

interface StoredEntry {
  readonly name: ResourceName;
  readonly versionId: string;
  readonly lastUpdated: string;
}

function isAfter(one: string, other: string): boolean {
  return Date.parse(one) > Date.parse(other);
}

function versionIs(versionId: string) {
  return { expression: 'versionId = :replaced', values: { ':replaced': versionId } };
}
