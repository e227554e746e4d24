/**
 * Store of `ingest`, which loads one member (for a drop's rows see `load-store.ts`). Writes the member's links to account and patient,
 * contact data and resources, each transaction with its audit event.
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
} from '../ingest/ingest-ports.ts';

/** Most items of a transaction beside the audit event and both links. */
const mostItems = transactionLimits.items - 1;

/** Most resources of one read: each takes two of the 100 keys. */
const resourcesInRead = 50;

/** The member of a patient's record. A member whom a drop loaded has no account yet. */
const storedMember = z.object({
  memberId: z.string(),
  sub: z.optional(z.string()),
  accountSha256: z.optional(z.string()),
});

/** The Patient of a member identifier. */
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

/** Makes the store that writes members with their accounts' links and resources. */
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
      // `decodeValues` reads no values that are longer than the largest resource.
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

/** Whether the table already links the patient's record to this member and account. */
function isOwner({ replaces, memberId, sub, accountSha256 }: LinkedLoad): boolean {
  return replaces?.memberId === memberId && replaces.sub === sub && replaces.accountSha256 === accountSha256;
}

/** Links a patient to a member of a LOB, permanently: if two members are first loaded with one patient at once, only one is written. */
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

/** Links an account to a patient of a LOB, permanently. */
function linkWrite({ lob, sub, patientId, memberId, displayName }: LinkedLoad): Write {
  return {
    put: { ...memberKey(lob, sub), patientId, memberId, displayName },
    condition: {
      expression: 'attribute_not_exists(pk) OR patientId = :patientId',
      values: { ':patientId': patientId },
    },
  };
}

/** Links a member identifier to one Patient in a LOB. A member identifier that a drop withdrew or merged is not changed. */
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

/** The resources that a load writes. A removed resource keeps its label, because other resources may still refer to it. */
function valuedPuts(changes: readonly ResourceChange[]) {
  return changes.flatMap((change) =>
    change.kind === 'remove'
      ? []
      : [{ ...change, isNew: change.kind === 'put' && change.replaces === undefined }],
  );
}

interface Transaction {
  readonly writes: Write[];
  /** `<type>/<id>` of the removed resources. */
  readonly removed: string[];
}

/**
 * Groups the changes of a load, in order, into transactions that hold as many as fit beside the audit event and the links; at least one
 * transaction.
 *
 * @param first writes of the first transaction.
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

/** Makes the audit event of a transaction. Every transaction includes one, because a load may stop between two transactions. */
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
