/** Stores the rows of a drop that withdraw a resource or a whole record. */

import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import { resourceChangeWrites, resourceKeys } from '../../fhir/store/resource-writes.ts';
import { indexRemovals } from '../../fhir/store/search-index.ts';
import { decodeResource } from '../../fhir/store/stored-resource.ts';
import type { Key } from '../../platform/table/key.ts';
import type { Item, Table } from '../../platform/table/table.ts';
import { memberIdKey, patientMemberKey, withdrawalKey } from '../../platform/table/table-keys.ts';
import type { ChangeOutcome, LeftBehind, LoadStore } from '../rows/load-store-port.ts';
import { rowChangeWrites } from './change-outcomes.ts';
import type { LoadStoreOptions } from './load-event.ts';
import { endGrants } from './load-grants.ts';
import {
  type ChangedRecord,
  entryItem,
  isAfter,
  labelsOf,
  labelsRemoval,
  someEntries,
} from './record-entries.ts';

/** Carries out withdrawals of resources and records. Each is safe to repeat. */
export function createWithdrawals(
  table: Table,
  options: LoadStoreOptions,
): Pick<LoadStore, 'withdraw' | 'withdrawPatient'> {
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
  };

  /** Replaces a withdrawn resource by the resource that stays in its place. */
  async function leave(place: ChangedRecord, resourceKey: Key, left: LeftBehind): Promise<ChangeOutcome> {
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
      ...(await labelsOf(table, place, { resource, values, isNew: false })),
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
    place: ChangedRecord,
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

  /**
   * Removes all resources of a record.
   *
   * @returns how many were removed.
   */
  async function emptyRecord(place: ChangedRecord): Promise<number> {
    let removed = 0;
    for (;;) {
      const { entries, isRest } = await someEntries(table, place);
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
}

function versionIs(versionId: string) {
  return { expression: 'versionId = :replaced', values: { ':replaced': versionId } };
}
