/** Stores the resources that drops load, in patients' compartments and as shared resources. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { writeInGroups } from '../../fhir/store/grouped-writes.ts';
import { createRecordLabeling, type LabelWrites } from '../../fhir/store/label-writes.ts';
import {
  areShort,
  areStorable,
  isSendable,
  resourceChangeWrites,
  transactionLimits,
  writeBytes,
} from '../../fhir/store/resource-writes.ts';
import { decodeResource, encodeResource } from '../../fhir/store/stored-resource.ts';
import type { SealContact } from '../../platform/kernel/contact-data.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import type { Key } from '../../platform/table/key.ts';
import { createItemCount } from '../../platform/table/merge-attribute-changes.ts';
import type { Item, Table, Write } from '../../platform/table/table.ts';
import {
  memberIdKey,
  patientEntryKey,
  patientMemberKey,
  patientResourceKey,
  sharedResourceKey,
  withdrawalKey,
} from '../../platform/table/table-keys.ts';
import type {
  LoadStore,
  OwnedName,
  PatientChanges,
  ResourcePut,
  SharedPut,
  SharedResource,
  StoredMark,
  StoredPatient,
} from '../rows/load-store-port.ts';
import { readOutcome } from './change-outcomes.ts';
import { type LoadStoreOptions, loadEvent } from './load-event.ts';
import { createLoadExchanges } from './load-exchanges.ts';
import { createMerges } from './load-merges.ts';
import { createWithdrawals } from './load-withdrawals.ts';
import { createRepresentations } from './representations.ts';

const keysInRead = 100;

const markItem = z.object({
  versionId: z.string(),
  lastUpdated: z.string(),
  content: z.optional(z.string()),
  rules: z.optional(z.string()),
  loadedAt: z._default(z.number(), 0),
  row: z.optional(z.string()),
});
const patientItem = z.object({
  memberId: z.string(),
  mergedInto: z.optional(z.string()),
  withdrawnAt: z.optional(z.string()),
});
const sharedItem = z.object({
  resourceType: z.string(),
  id: z.string(),
  versionId: z.string(),
  lastUpdated: z.string(),
  content: z.string(),
  loadedAt: z.number(),
  row: z._default(z.string(), ''),
});

/** Stores the records that drops load in the environment's table. It has no access to accounts. */
export function createLoadStore(table: Table, options: LoadStoreOptions): LoadStore {
  async function read<Found>(keys: readonly Key[], parse: (item: Item) => Found) {
    const pages = Array.from({ length: Math.ceil(keys.length / keysInRead) }, (_, at) =>
      keys.slice(at * keysInRead, (at + 1) * keysInRead),
    );
    const items = (await Promise.all(pages.map((page) => table.batchGet(page)))).flat();
    return items.map((item) => (item === undefined ? undefined : parse(item)));
  }

  return {
    marks: (lob, names) =>
      read<StoredMark>(
        names.map((name) => entryKey(lob, name)),
        markItem.parse,
      ),
    withdrawals: (lob, names) =>
      read(
        names.map((name) => withdrawalKey(lob, name.patientId, name)),
        (item) => String(item.lastUpdated),
      ),
    patients: (lob, ids) =>
      read<StoredPatient>(
        ids.map((id) => patientMemberKey(lob, id)),
        patientItem.parse,
      ),
    patientsOfMembers: (lob, memberIds) =>
      read(
        memberIds.map((memberId) => memberIdKey(lob, memberId)),
        (item) => String(item.patientId),
      ),
    shared: (lob, names) =>
      read<SharedResource>(
        names.map(({ resourceType, id }) => sharedResourceKey(lob, resourceType, id)),
        (item) => ({
          ...sharedItem.parse(item),
          json: decodeResource(item).json,
          rules: '',
        }),
      ),
    async hasText(lob, { patientId, resourceType, id }, json) {
      const item = await table.get(patientResourceKey(lob, patientId, resourceType, id));
      if (item === undefined) return false;
      const stored = decodeResource(item);
      return stored.json === json || stored.fhirJson === json;
    },
    fits: (lob, patientId, put) =>
      areShort(put.resource.json, put.values) ||
      (isSendable(put.resource) && areStorable(putWrites(lob, patientId, put))),

    async write(lob, jobId, changes) {
      const labeling = createRecordLabeling(table, lob);
      const labels = await labeling.plan(changes.map(valuedPuts));
      const units = await Promise.all(
        changes.map(async (change, at) =>
          transactionsOf(lob, change, await memberWrites(lob, change, options.sealContact), labels[at]),
        ),
      );
      const written = changes.map(() => true);
      const event = (patientId: string) => loadEvent({ lob, patientId, jobId }, [], options);
      const single: { readonly at: number; readonly patientId: string; readonly writes: readonly Write[] }[] =
        [];
      const packed: (typeof single)[] = [];
      let [items, bytes] = [0, 0];
      for (const [at, transactions] of units.entries()) {
        const [writes = [], ...more] = transactions;
        const patientId = changes[at]?.patientId ?? '';
        if (more.length > 0) {
          single.push({ at, patientId, writes });
          continue;
        }
        const size = writeBytes(writes);
        const count = createItemCount().with(writes) + 1;
        const isFull = items + count > transactionLimits.items || bytes + size > transactionLimits.bytes;
        if (isFull || packed.length === 0) {
          packed.push([]);
          [items, bytes] = [0, 0];
        }
        packed.at(-1)?.push({ at, patientId, writes });
        items += count;
        bytes += size;
      }
      const attempt = async (
        transactions: readonly (readonly Write[])[],
        patientId: string,
      ): Promise<boolean> => {
        for (const writes of transactions) {
          if (!(await conditionHolds(table, [event(patientId), ...writes]))) return false;
        }
        return true;
      };
      await Promise.all([
        ...packed.map(async (group) => {
          const all = group.flatMap(({ patientId, writes }) => [event(patientId), ...writes]);
          if (await conditionHolds(table, all)) return;
          if (group.length === 1) {
            for (const { at } of group) written[at] = false;
            return;
          }
          // A write race was lost for one of the patients, so that each patient is written separately.
          for (const { at, patientId, writes } of group) written[at] = await attempt([writes], patientId);
        }),
        ...single.map(async ({ at, patientId }) => {
          written[at] = await attempt(units[at] ?? [], patientId);
        }),
      ]);
      const related = changes.filter((_, at) => written[at] && labels[at]?.isRelated);
      await labeling.settle(
        related.map(({ patientId }) => patientId),
        event,
      );
      return written;
    },

    writeShared: (lob, puts) =>
      writeInGroups(
        table,
        puts.map((put) => sharedWrite(lob, put)),
      ),

    outcomeOf: (lob, origin) => readOutcome(table, { lob, ...origin }),
    ...createWithdrawals(table, options),
    ...createMerges(table, options),
    ...createRepresentations(table, options),
    ...createLoadExchanges(table, options),
  };
}

function entryKey(lob: LineOfBusiness, { patientId, resourceType, id }: OwnedName): Key {
  return patientEntryKey(lob, patientId, resourceType, id);
}

function putWrites(
  lob: LineOfBusiness,
  patientId: string,
  { resource, values, replaces }: ResourcePut,
): Write[] {
  const { content, rules, loadedAt, row } = resource;
  const change = {
    kind: 'put',
    resource,
    values,
    ...(replaces !== undefined && { replaces: { versionId: replaces } }),
  } as const;
  return resourceChangeWrites({ lob, patientId }, change, { content, rules, loadedAt, row });
}

function valuedPuts({ patientId, puts }: PatientChanges) {
  return { patientId, puts: puts.map((put) => ({ ...put, isNew: put.replaces === undefined })) };
}

/**
 * Groups a patient's writes into transactions, as many as fit beside the audit event.
 *
 * @param first writes of the record's member, which come first.
 */
function transactionsOf(
  lob: LineOfBusiness,
  { patientId, puts }: PatientChanges,
  first: readonly Write[],
  labels: LabelWrites | undefined,
): readonly Write[][] {
  const transactions: Write[][] = [[...first, ...(labels?.others ?? [])]];
  let items = createItemCount();
  items.add(transactions[0] ?? []);
  let bytes = 0;
  for (const put of puts) {
    const writes = [...putWrites(lob, patientId, put), ...(labels?.with(put.resource) ?? [])];
    const size = writeBytes(writes);
    if (
      items.with(writes) + 1 > transactionLimits.items ||
      (bytes > 0 && bytes + size > transactionLimits.bytes)
    ) {
      transactions.push([]);
      items = createItemCount();
      bytes = 0;
    }
    transactions.at(-1)?.push(...writes);
    items.add(writes);
    bytes += size;
  }
  return transactions;
}

/**
 * The writes that link a Patient to its member. In a LOB, a Patient ID belongs to one member, and a member identifier to one Patient. A
 * member's account stays linked. Contact data is written with each version of the Patient.
 */
async function memberWrites(
  lob: LineOfBusiness,
  { patientId, member }: PatientChanges,
  sealContact: SealContact,
): Promise<readonly Write[]> {
  if (member === undefined) return [];
  const { memberId, known } = member;
  const owner: Write = {
    update: {
      key: patientMemberKey(lob, patientId),
      expression: 'SET memberId = :memberId REMOVE withdrawnAt',
      condition: '(attribute_not_exists(pk) OR memberId = :memberId) AND attribute_not_exists(mergedInto)',
      values: { ':memberId': memberId },
    },
  };
  const contact = await sealContact({ lob, patientId, memberId }, member.contact);
  const link: Write = {
    put: { ...memberIdKey(lob, memberId), patientId, contact },
    condition: {
      expression: 'attribute_not_exists(pk) OR patientId = :patientId',
      values: { ':patientId': patientId },
    },
  };
  return [...(known ? [] : [owner]), link];
}

function sharedWrite(lob: LineOfBusiness, { resource, replaces }: SharedPut): Write {
  const { resourceType, id, versionId, lastUpdated, content, loadedAt, row } = resource;
  const key = sharedResourceKey(lob, resourceType, id);
  return {
    put: {
      ...key,
      ...encodeResource(resource),
      resourceType,
      id,
      versionId,
      lastUpdated,
      content,
      loadedAt,
      row,
    },
    condition:
      replaces === undefined
        ? { expression: 'attribute_not_exists(pk)' }
        : { expression: 'versionId = :replaced', values: { ':replaced': replaces } },
  };
}
