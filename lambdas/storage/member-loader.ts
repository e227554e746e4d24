import type { Environment } from '../catalog/environments.ts';
import type { LinkedLoad, MemberStore, StoredVersion } from '../members/ingest.ts';
import { auditWrite } from './audit-store.ts';
import { memberKey, patientResourceKey } from './keys.ts';
import { ConditionFailed, type Table, type Write } from './table.ts';

/**
 * A transaction holds at most 100 items and 4 MB, and a read of several at most 100 keys.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const most = { itemsInTransaction: 98, charactersInTransaction: 1_200_000, keysInRead: 100 } as const;

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
      const keys = resources.map(({ resourceType, id }) =>
        patientResourceKey(lob, patientId, resourceType, id),
      );
      const items: (StoredVersion | undefined)[] = [];
      for (let from = 0; from < keys.length; from += most.keysInRead) {
        const page = await table.batchGet(keys.slice(from, from + most.keysInRead));
        items.push(...page.map((item) => item as StoredVersion | undefined));
      }
      return items;
    },
    async write(load) {
      const linked = await table.get(memberKey(load.lob, load.sub));
      if (linked !== undefined && linked.patientId !== load.patientId) return 'linked_elsewhere';
      const link = linkWrite(load);
      const unchanged = linked?.memberId === load.memberId && linked.displayName === load.displayName;
      if (unchanged && load.resources.length === 0) return 'written';
      const event = loadEvent(
        load,
        options.environment,
        new Date(options.now()).toISOString(),
        options.uuid(),
      );
      const chunks = inTransactions(load);
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

/** The writes of the resources, in the order given, in lists a transaction can hold. */
function inTransactions(load: LinkedLoad): Write[][] {
  const chunks: Write[][] = [];
  let chunk: Write[] = [];
  let characters = 0;
  for (const changed of load.resources) {
    const size = changed.resource.json.length + (changed.resource.fhirJson?.length ?? 0);
    const full = chunk.length === most.itemsInTransaction || characters + size > most.charactersInTransaction;
    if (full && chunk.length > 0) {
      chunks.push(chunk);
      chunk = [];
      characters = 0;
    }
    chunk.push(resourceWrite(load, changed));
    characters += size;
  }
  chunks.push(chunk);
  return chunks;
}

function resourceWrite(
  { lob, patientId }: LinkedLoad,
  { resource, replaces }: LinkedLoad['resources'][number],
): Write {
  const { resourceType, id, ...stored } = resource;
  const put = { ...patientResourceKey(lob, patientId, resourceType, id), ...stored };
  return replaces === undefined
    ? { put, condition: { expression: 'attribute_not_exists(pk)' } }
    : {
        put,
        condition: { expression: 'versionId = :replaced', values: { ':replaced': replaces.versionId } },
      };
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
