/**
 * Store of `ingest`, which loads one member (a drop's rows: `load-store.ts`): writes the member's links to account and patient, contact data and
 * resources, each transaction with its audit event.
 */

import * as z from 'zod/mini';
import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import { endedSessions } from '../../authorization/store/account-sessions-contract.ts';
import type { Environment } from '../../catalog/environments.ts';
import { longestResource } from '../../catalog/fhir/fhir-resources.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { createRecordLabeling, type LabelWrites } from '../../fhir/store/label-writes.ts';
import {
  areStorable,
  isSendable,
  resourceChangeWrites,
  resourceKeys,
  transactionLimits,
  writeBytes,
} from '../../fhir/store/resource-writes.ts';
import { indexForm } from '../../fhir/store/search-index.ts';
import { decodeResource, digestOfValues, type StoredForm } from '../../fhir/store/stored-resource.ts';
import type { SealContact } from '../../platform/kernel/contact-data.ts';
import { createItemCount } from '../../platform/table/merge-attribute-changes.ts';
import {
  type Condition,
  ConditionFailed,
  type Item,
  type Table,
  type Write,
} from '../../platform/table/table.ts';
import { memberIdKey, memberKey, patientMemberKey } from '../../platform/table/table-keys.ts';
import type {
  LinkedLoad,
  MemberStore,
  PatientMember,
  ResourceChange,
  StoredVersion,
} from '../ingest/ingest.ts';

/** Items beside the event and both links. */
const mostItems = transactionLimits.items - 1;

/** Resources of one read: each is two keys of at most 100. */
const resourcesInRead = 50;

/** A member loaded by a drop has no account yet. */
const storedMember = z.object({
  memberId: z.string(),
  sub: z.optional(z.string()),
  accountSha256: z.optional(z.string()),
});

/** A member identifier of a merged member names the other member too. */
const storedName = z.object({
  patientId: z.string(),
  withdrawnAt: z.optional(z.string()),
});

interface LoaderOptions {
  readonly environment: Environment;
  readonly sealContact: SealContact;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
}

/** Writes members and their resources; the only writer of both. */
export function createMemberLoader(table: Table, options: LoaderOptions): MemberStore {
  return {
    async endSessions(sub) {
      await table.transact([endedSessions(sub)]);
    },
    async memberOf(lob, patientId) {
      const item = await table.get(patientMemberKey(lob, patientId));
      return item === undefined ? undefined : storedMember.parse(item);
    },
    async patientOf(lob, sub) {
      const item = await table.get(memberKey(lob, sub));
      return item === undefined ? undefined : String(item.patientId);
    },
    async namedPatient(lob, memberId) {
      const item = await table.get(memberIdKey(lob, memberId));
      if (item === undefined) return undefined;
      const { patientId, withdrawnAt } = storedName.parse(item);
      return { patientId, isWithdrawn: withdrawnAt !== undefined };
    },
    async stored(lob, patientId, resources) {
      const items: (StoredVersion | undefined)[] = [];
      for (let from = 0; from < resources.length; from += resourcesInRead) {
        const page = resources.slice(from, from + resourcesInRead);
        const keys = page.flatMap((resource) => resourceKeys(lob, patientId, resource));
        const read = await table.batchGet(keys);
        items.push(...page.map((_, at) => storedVersion(read[2 * at], read[2 * at + 1])));
      }
      return items;
    },
    holds(lob, patientId, resource, values) {
      const put: ResourceChange = { kind: 'put', resource, values };
      // A search reads no values that are longer than a resource may be.
      return (
        Buffer.byteLength(values) <= longestResource &&
        isSendable(resource) &&
        areStorable(resourceChangeWrites({ lob, patientId }, put))
      );
    },
    async write(load) {
      const [linked, named] = await table.batchGet([
        memberKey(load.lob, load.sub),
        memberIdKey(load.lob, load.memberId),
      ]);
      const signsIn =
        linked?.memberId === load.memberId &&
        linked.displayName === load.displayName &&
        named?.contact !== undefined;
      const owner = isOwner(load) ? [] : [ownerWrite(load)];
      if (signsIn && owner.length === 0 && load.changes.length === 0) return 'written';
      const links = [linkWrite(load), await nameWrite(load, options.sealContact)];
      const labeling = createRecordLabeling(table, load.lob);
      const [labels] = await labeling.plan([{ patientId: load.patientId, puts: valuedPuts(load.changes) }]);
      const transactions = inTransactions(load, owner, labels).map(({ writes, removed }, at, { length }) => [
        loadEvent(load, removed, options),
        ...writes,
        ...(at === length - 1 ? links : []),
      ]);
      for (const [at, writes] of transactions.entries()) {
        try {
          await table.transact(writes);
        } catch (error) {
          if (error instanceof ConditionFailed) return at === 0 ? 'conflict' : 'interrupted';
          throw error;
        }
      }
      if (labels?.isRelated) await labeling.settle([load.patientId], () => loadEvent(load, [], options));
      return 'written';
    },
  };
}

/** Whether the table says already whose record the patient is. */
function isOwner({ replaces, memberId, sub, accountSha256 }: LinkedLoad): boolean {
  return replaces?.memberId === memberId && replaces.sub === sub && replaces.accountSha256 === accountSha256;
}

/** A patient belongs to one member of a LOB permanently: of two members with first loads of one patient, one is written. */
function ownerWrite({ lob, patientId, memberId, sub, accountSha256, replaces }: LinkedLoad): Write {
  return {
    put: { ...patientMemberKey(lob, patientId), memberId, sub, accountSha256 },
    condition: ownerCondition(replaces),
  };
}

function ownerCondition(replaces: PatientMember | undefined): Condition {
  if (replaces === undefined) return { expression: 'attribute_not_exists(pk)' };
  const { memberId, sub, accountSha256 } = replaces;
  const names = { '#sub': 'sub' };
  const ofMember = 'memberId = :memberId';
  if (sub === undefined || accountSha256 === undefined) {
    const expression = `${ofMember} AND attribute_not_exists(#sub)`;
    return { expression, names, values: { ':memberId': memberId } };
  }
  return {
    expression: `${ofMember} AND #sub = :sub AND accountSha256 = :account`,
    names,
    values: { ':memberId': memberId, ':sub': sub, ':account': accountSha256 },
  };
}

function storedVersion(resource: Item | undefined, entry: Item | undefined): StoredVersion | undefined {
  if (resource === undefined) return undefined;
  const { versionId, lastUpdated } = resource as unknown as StoredVersion;
  const isCurrent = entry?.versionId === versionId && entry.index === indexForm;
  const isFoundBy = (values: string) => isCurrent && entry.valuesDigest === digestOfValues(values);
  return { ...decodeResource(resource as unknown as StoredForm), versionId, lastUpdated, isFoundBy };
}

/** An account belongs to one patient of a LOB permanently. */
function linkWrite({ lob, sub, patientId, memberId, displayName }: LinkedLoad): Write {
  return {
    put: { ...memberKey(lob, sub), patientId, memberId, displayName },
    condition: {
      expression: 'attribute_not_exists(pk) OR patientId = :patientId',
      values: { ':patientId': patientId },
    },
  };
}

/** A member identifier is one Patient's in a LOB. What a drop has withdrawn or merged stays so. */
async function nameWrite(
  { lob, patientId, memberId, contact }: LinkedLoad,
  sealContact: SealContact,
): Promise<Write> {
  const envelope = await sealContact({ lob, patientId, memberId }, contact);
  return {
    put: { ...memberIdKey(lob, memberId), patientId, contact: envelope },
    condition: {
      expression:
        'attribute_not_exists(pk) OR (patientId = :patientId AND attribute_not_exists(withdrawnAt) AND attribute_not_exists(memberId))',
      values: { ':patientId': patientId },
    },
  };
}

/** The resources that a load writes. One that is removed keeps its label: others may still name it. */
function valuedPuts(changes: readonly ResourceChange[]) {
  return changes.flatMap((change) =>
    change.kind === 'remove'
      ? []
      : [{ ...change, isNew: change.kind === 'put' && change.replaces === undefined }],
  );
}

interface Transaction {
  readonly writes: Write[];
  /** `<type>/<id>` of what it takes back. */
  readonly removed: string[];
}

/**
 * The changes of a load in their order, as many in a transaction as one can hold beside the event and the links; at least one.
 * @param first stands in the first of them.
 */
function inTransactions(
  load: LinkedLoad,
  first: readonly Write[],
  labels: LabelWrites | undefined,
): readonly Transaction[] {
  let current: Transaction = { writes: [...first, ...(labels?.others ?? [])], removed: [] };
  const transactions = [current];
  let items = createItemCount();
  items.add(current.writes);
  let bytes = 0;
  for (const change of load.changes) {
    const labeled = change.kind === 'remove' ? [] : (labels?.with(change.resource) ?? []);
    const writes = [...resourceChangeWrites(load, change), ...labeled];
    const size = writeBytes(writes);
    if (items.with(writes) > mostItems || (bytes > 0 && bytes + size > transactionLimits.bytes)) {
      current = { writes: [], removed: [] };
      transactions.push(current);
      items = createItemCount();
      bytes = 0;
    }
    current.writes.push(...writes);
    items.add(writes);
    if (change.kind === 'remove') current.removed.push(nameOf(change.resource));
    bytes += size;
  }
  return transactions;
}

/** Each transaction has an event, so that nothing is stored or removed without one: a load may stop between two. */
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
