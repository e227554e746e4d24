/** Stores the rows of a drop that merge a Patient's record into another, or record that a member moved to another LOB. */

import * as z from 'zod/mini';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { decodeLabels } from '../../fhir/store/record-labels.ts';
import { resourceChangeWrites, resourceKeys } from '../../fhir/store/resource-writes.ts';
import { decodeResource } from '../../fhir/store/stored-resource.ts';
import type { Label } from '../../fhir/values/label.ts';
import type { Item, Table, Write } from '../../platform/table/table.ts';
import { memberIdKey, patientLabelsKey, patientMemberKey } from '../../platform/table/table-keys.ts';
import type { LoadStore } from '../rows/load-store-port.ts';
import { mergedText } from '../rows/merged-text.ts';
import { rowChangeWrites } from './change-outcomes.ts';
import { type LoadStoreOptions, loadEvent } from './load-event.ts';
import {
  type ChangedRecord,
  isAfter,
  labelsOf,
  labelsRemoval,
  type RecordEntry,
  someEntries,
} from './record-entries.ts';

const movedTo = z.object({ lastUpdated: z.string() });

/** Carries out moves and merges of patients' records. Each is safe to repeat. */
export function createMerges(
  table: Table,
  options: LoadStoreOptions,
): Pick<LoadStore, 'recordMove' | 'merge'> {
  return {
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

  /** Begins a merge: later rows of the Patient are rejected, and its member identifier leads to the other Patient. */
  async function beginMerge(
    place: ChangedRecord,
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
   * Moves all resources of a record to another Patient.
   *
   * @returns how many were moved.
   */
  async function moveRecord(place: ChangedRecord, intoPatientId: string): Promise<number> {
    let moved = 0;
    for (;;) {
      const { entries, isRest } = await someEntries(table, place);
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
    place: ChangedRecord,
    entry: RecordEntry,
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
      ...(await labelsOf(table, into, { resource: name, values: put.values, isNew: present === undefined })),
      ...removal,
    ]);
  }
}

/**
 * Adds to a moved resource's search values its whole label, including inherited categories: the resources that it inherits from may be
 * moved after it.
 */
function withLabel(values: string, label: Label | undefined): string {
  return label === undefined ? values : JSON.stringify({ ...JSON.parse(values), label });
}
