/** Store of loads: writes a member's resources with their index entries, in transactions as large as DynamoDB takes. */

import * as z from 'zod/mini';
import type { Environment } from '../catalog/environments.ts';
import { longestResource } from '../catalog/fhir-resources.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import { nameOf, type ResourceName } from '../catalog/resource-name.ts';
import type { LinkedLoad, MemberStore, ResourceChange, StoredVersion } from '../members/ingest.ts';
import { putItems } from '../table/dynamodb-table.ts';
import type { Key } from '../table/key.ts';
import { ConditionFailed, type Item, type Table, type Write } from '../table/table.ts';
import { auditWrite } from './audit-store.ts';
import { memberKey, patientEntryKey, patientMemberKey, patientResourceKey } from './keys.ts';
import {
  decodeResource,
  decodeValues,
  encodeResource,
  encodeValues,
  type StoredForm,
  storedValues,
} from './stored-resource.ts';

/**
 * An item holds 400 KB; a transaction at most 100 items and 4 MB, and a read of several at most 100 keys. A transaction here
 * holds less, so that it is sent and answered within the second a store call has.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const most = {
  itemBytes: 400 * 1024,
  itemsInTransaction: 98,
  bytesInTransaction: 1_000_000,
  resourcesInRead: 50,
} as const;

const storedMember = z.object({ memberId: z.string(), sub: z.string(), accountSha256: z.string() });

interface LoaderOptions {
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
}

/** Writes members and their resources; the only writer of both. */
export function createMemberLoader(table: Table, options: LoaderOptions): MemberStore {
  return {
    async memberOf(lob, patientId) {
      const item = await table.get(patientMemberKey(lob, patientId));
      return item === undefined ? undefined : storedMember.parse(item);
    },
    async patientOf(lob, sub) {
      const item = await table.get(memberKey(lob, sub));
      return item === undefined ? undefined : String(item.patientId);
    },
    async stored(lob, patientId, resources) {
      const items: (StoredVersion | undefined)[] = [];
      for (let from = 0; from < resources.length; from += most.resourcesInRead) {
        const page = resources.slice(from, from + most.resourcesInRead);
        const keys = page.flatMap((resource) => keysOf(lob, patientId, resource));
        const read = await table.batchGet(keys);
        items.push(...page.map((_, at) => storedVersion(read[2 * at], read[2 * at + 1])));
      }
      return items;
    },
    holds(lob, patientId, resource, values) {
      const put: ResourceChange = { kind: 'put', resource, values };
      // `decodeValues` reads no more than a resource may be long.
      return (
        Buffer.byteLength(values) <= longestResource &&
        putItems(changeWrites({ lob, patientId }, put)).every((item) => itemBytes(item) <= most.itemBytes)
      );
    },
    async write(load) {
      const linked = await table.get(memberKey(load.lob, load.sub));
      const signsIn = linked?.memberId === load.memberId && linked.displayName === load.displayName;
      const owner = isOwner(load) ? [] : [ownerWrite(load)];
      if (signsIn && owner.length === 0 && load.changes.length === 0) return 'written';
      const transactions = inTransactions(load, owner).map(({ writes, removed }, at, { length }) => [
        loadEvent(load, removed, options),
        ...writes,
        ...(at === length - 1 ? [linkWrite(load)] : []),
      ]);
      for (const [at, writes] of transactions.entries()) {
        try {
          await table.transact(writes);
        } catch (error) {
          if (error instanceof ConditionFailed) return at === 0 ? 'conflict' : 'interrupted';
          throw error;
        }
      }
      return 'written';
    },
  };
}

/** Whether the table says already whose record the patient is. */
function isOwner({ replaces, memberId, sub, accountSha256 }: LinkedLoad): boolean {
  return replaces?.memberId === memberId && replaces.sub === sub && replaces.accountSha256 === accountSha256;
}

/** A patient is one member's in a LOB, for good: of two members with new loads of one patient, one writes. */
function ownerWrite({ lob, patientId, memberId, sub, accountSha256, replaces }: LinkedLoad): Write {
  return {
    put: { ...patientMemberKey(lob, patientId), memberId, sub, accountSha256 },
    condition:
      replaces === undefined
        ? { expression: 'attribute_not_exists(pk)' }
        : {
            expression: 'memberId = :memberId AND #sub = :sub AND accountSha256 = :account',
            names: { '#sub': 'sub' },
            values: {
              ':memberId': replaces.memberId,
              ':sub': replaces.sub,
              ':account': replaces.accountSha256,
            },
          },
  };
}

/** A resource and its entry, side by side. */
function keysOf(lob: LineOfBusiness, patientId: string, { resourceType, id }: ResourceName): [Key, Key] {
  return [
    patientResourceKey(lob, patientId, resourceType, id),
    patientEntryKey(lob, patientId, resourceType, id),
  ];
}

function storedVersion(resource: Item | undefined, entry: Item | undefined): StoredVersion | undefined {
  if (resource === undefined) return undefined;
  const { versionId, lastUpdated } = resource as unknown as StoredVersion;
  const values = entry?.versionId === versionId ? { values: decodeValues(storedValues.parse(entry)) } : {};
  return { ...decodeResource(resource as unknown as StoredForm), versionId, lastUpdated, ...values };
}

/** An account is one patient in a LOB, for good. */
function linkWrite({ lob, sub, patientId, memberId, displayName }: LinkedLoad): Write {
  return {
    put: { ...memberKey(lob, sub), patientId, memberId, displayName },
    condition: {
      expression: 'attribute_not_exists(pk) OR patientId = :patientId',
      values: { ':patientId': patientId },
    },
  };
}

interface Transaction {
  readonly writes: Write[];
  /** `<type>/<id>` of what it takes back. */
  readonly removed: string[];
}

/**
 * The changes of a load in their order, as many in a transaction as one can hold beside the event and the link; at least one.
 * @param first stands in the first of them.
 */
function inTransactions(load: LinkedLoad, first: readonly Write[]): readonly Transaction[] {
  let current: Transaction = { writes: [...first], removed: [] };
  const transactions = [current];
  let bytes = 0;
  for (const change of load.changes) {
    const writes = changeWrites(load, change);
    const size = putItems(writes).reduce((sum, item) => sum + itemBytes(item), 0);
    const items = current.writes.length + writes.length;
    if (items > most.itemsInTransaction || (bytes > 0 && bytes + size > most.bytesInTransaction)) {
      current = { writes: [], removed: [] };
      transactions.push(current);
      bytes = 0;
    }
    current.writes.push(...writes);
    if (change.kind === 'remove') current.removed.push(nameOf(change.resource));
    bytes += size;
  }
  return transactions;
}

/** The resource and its entry, or neither: a search finds what there is, and says what it says. */
function changeWrites(
  { lob, patientId }: Pick<LinkedLoad, 'lob' | 'patientId'>,
  change: ResourceChange,
): Write[] {
  const [resourceKey, entryKey] = keysOf(lob, patientId, change.resource);
  if (change.kind === 'remove') {
    return [{ delete: resourceKey, condition: ifStill(change.replaces.versionId) }, { delete: entryKey }];
  }
  const { versionId, lastUpdated } = change.resource;
  const entry = { put: { ...entryKey, versionId, lastUpdated, ...encodeValues(change.values) } };
  if (change.kind === 'values') return [{ check: resourceKey, condition: ifStill(versionId) }, entry];
  const condition =
    change.replaces === undefined
      ? { expression: 'attribute_not_exists(pk)' }
      : ifStill(change.replaces.versionId);
  return [
    { put: { ...resourceKey, ...encodeResource(change.resource), versionId, lastUpdated }, condition },
    entry,
  ];
}

function ifStill(versionId: string) {
  return { expression: 'versionId = :replaced', values: { ':replaced': versionId } };
}

/**
 * Size of an item of texts and bytes, as DynamoDB counts it: names and values.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) =>
      sum + name.length + (value instanceof Uint8Array ? value.byteLength : Buffer.byteLength(String(value))),
    0,
  );
}

/** Each transaction has one, so that nothing is stored or taken back without: a load may end between two. */
function loadEvent(load: LinkedLoad, removed: readonly string[], options: LoaderOptions): Write {
  const eventId = options.uuid();
  return auditWrite({
    eventId,
    time: new Date(options.now()).toISOString(),
    environment: options.environment,
    lob: load.lob,
    action: 'member.load',
    outcome: 'succeeded',
    actor: 'ingest',
    patientId: load.patientId,
    requestId: eventId,
    ...(removed.length > 0 && { resources: removed }),
  });
}
