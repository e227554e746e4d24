import type { Environment } from '../catalog/environments.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { Change, LinkedLoad, MemberStore, ResourceName, StoredVersion } from '../members/ingest.ts';
import { auditWrite } from './audit-store.ts';
import { type Key, memberKey, patientEntryKey, patientResourceKey } from './keys.ts';
import { decodeResource, encodeResource, type StoredForm } from './stored-resource.ts';
import { ConditionFailed, type Item, type Table, type Write } from './table.ts';

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

/** Writes members and their resources; the only writer of both. */
export function createMemberLoader(
  table: Table,
  options: {
    readonly environment: Environment;
    /** Milliseconds since 1970. */
    readonly now: () => number;
    readonly uuid: () => string;
  },
): MemberStore {
  return {
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
      const put: Change = { kind: 'put', resource, values };
      return itemsOf(changeWrites({ lob, patientId }, put)).every(
        (item) => itemBytes(item) <= most.itemBytes,
      );
    },
    async write(load) {
      const linked = await table.get(memberKey(load.lob, load.sub));
      if (linked !== undefined && linked.patientId !== load.patientId) return 'linked_elsewhere';
      const link = linkWrite(load);
      const unchanged = linked?.memberId === load.memberId && linked.displayName === load.displayName;
      if (unchanged && load.changes.length === 0) return 'written';
      const event = loadEvent(
        load,
        options.environment,
        new Date(options.now()).toISOString(),
        options.uuid(),
      );
      const chunks = inTransactions(load.changes.map((change) => changeWrites(load, change)));
      const last = chunks.pop() ?? [];
      try {
        for (const chunk of chunks) await table.transact(chunk);
        await table.transact([link, event, ...last]);
        return 'written';
      } catch (error) {
        if (error instanceof ConditionFailed) return 'conflict';
        throw error;
      }
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
  const values = entry?.versionId === versionId ? { values: String(entry.values) } : {};
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

/** Lists of writes joined, in the order given, to lists a transaction can hold; none is torn apart. */
function inTransactions(groups: readonly (readonly Write[])[]): Write[][] {
  const chunks: Write[][] = [];
  let chunk: Write[] = [];
  let bytes = 0;
  for (const writes of groups) {
    const size = itemsOf(writes).reduce((sum, item) => sum + itemBytes(item), 0);
    const full =
      chunk.length + writes.length > most.itemsInTransaction || bytes + size > most.bytesInTransaction;
    if (full && chunk.length > 0) {
      chunks.push(chunk);
      chunk = [];
      bytes = 0;
    }
    chunk.push(...writes);
    bytes += size;
  }
  chunks.push(chunk);
  return chunks;
}

/** The resource and its entry, or neither: a search finds what there is, and says what it says. */
function changeWrites({ lob, patientId }: Pick<LinkedLoad, 'lob' | 'patientId'>, change: Change): Write[] {
  const [resourceKey, entryKey] = keysOf(lob, patientId, change.resource);
  if (change.kind === 'remove') {
    return [{ delete: resourceKey, condition: ifStill(change.replaces.versionId) }, { delete: entryKey }];
  }
  const { versionId, lastUpdated } = change.resource;
  const entry = { put: { ...entryKey, versionId, lastUpdated, values: change.values } };
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

function itemsOf(writes: readonly Write[]): readonly Item[] {
  return writes.flatMap((write) => ('put' in write ? [write.put] : []));
}

/**
 * Of an item of texts and bytes, as DynamoDB counts it: names and values.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) =>
      sum + name.length + (value instanceof Uint8Array ? value.byteLength : Buffer.byteLength(String(value))),
    0,
  );
}

function loadEvent(load: LinkedLoad, environment: Environment, time: string, eventId: string): Write {
  return auditWrite({
    eventId,
    time,
    environment,
    lob: load.lob,
    action: 'member.load',
    outcome: 'succeeded',
    actor: 'ingest',
    patientId: load.patientId,
    requestId: eventId,
  });
}
