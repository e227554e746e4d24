/** Reads and writes applications in the portal's table. */

import * as z from 'zod/mini';
import { interfaceNames } from '../../catalog/fhir/interfaces.ts';
import { failedConditions, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Key } from '../../platform/table/key.ts';
import { ConditionFailed, type Item, type Table, type Write } from '../../platform/table/table.ts';
import type { TimelineEvent } from '../api/views.ts';
import type { ApplicationStore, Mail, Provisioning, QueuedItem } from '../applications/application-ports.ts';
import { applicationSummary } from '../applications/application-view.ts';
import { deleteDraft } from './application-drafts.ts';
import { readApplication, readSummary, storedVerdict } from './application-items.ts';
import { actOf, actWrites } from './application-writes.ts';
import { operatorActWrite, readOperatorActs } from './operator-acts.ts';
import { endOutboxEntry, type OutboxWrite, outboxWrite } from './outbox.ts';
import {
  applicationClientKey,
  applicationEventKey,
  applicationEvidenceKey,
  applicationPendingKey,
  clientApplicationKey,
  portalApplicationKey,
  queueKey,
  stateListKey,
  teamApplicationKey,
} from './portal-table-keys.ts';

const storedQueueItem = z.object({
  kind: z.enum(['application', 'change', 'account']),
  id: z.string(),
  name: z.string(),
  company: z.string(),
  since: z.string(),
  products: z.optional(z.array(z.enum(interfaceNames))),
  verdict: z.optional(storedVerdict),
  appeal: z.optional(z.literal(true)),
  rejectedBy: z.optional(z.object({ accountId: z.string(), name: z.string() })),
  approvedBy: z.optional(z.string()),
  approverId: z.optional(z.string()),
});

/** The portal's applications in its single table. */
export function createPortalApplicationStore(
  table: Table,
  { now, uuid }: { readonly now: () => number; readonly uuid: () => string },
): ApplicationStore {
  const outbox = (mails: readonly Mail[], provisioning: readonly Provisioning[]): readonly OutboxWrite[] => {
    const at = new Date(now()).toISOString();
    return [
      // Suspensions are carried out before their mails are sent.
      ...provisioning.map((it) => outboxWrite({ kind: 'provisioning', ...it }, at, uuid())),
      ...mails.map(({ notBefore, ...mail }) =>
        outboxWrite({ kind: 'mail', ...mail }, notBefore ?? at, uuid()),
      ),
    ];
  };
  return {
    async load(applicationId) {
      return readApplication(await everyItem(table, portalApplicationKey(applicationId).pk));
    },

    async commit(commit) {
      const entries = outbox(commit.mails, commit.provisioning);
      const { draft, settles } = commit;
      const writes = [
        ...actWrites(commit, uuid()),
        ...entries.map(({ write }) => write),
        ...pendingWrites(commit.provisioning, entries, new Date(now()).toISOString()),
        ...(settles === undefined ? [] : [endOutboxEntry(settles)]),
      ];
      const ended = draft === undefined ? [] : deleteDraft(draft.accountId, draft.draftId);
      let failed = await failedConditions(table, [...writes, ...ended]);
      // The draft was deleted meanwhile, so the transaction is written without deleting it.
      if (failed.length > 0 && failed.every((at) => at >= writes.length))
        failed = await failedConditions(table, writes);
      return failed.length === 0 ? entries.map(({ id }) => id) : undefined;
    },

    async ofTeam(teamId) {
      const { pk, sk } = teamApplicationKey(teamId, '');
      return (await everyItem(table, pk, sk)).map(readSummary);
    },

    async inState(state) {
      return (await everyItem(table, stateListKey('APPLICATION', state, '').pk)).map(readSummary);
    },

    async ofClients(environment, clientIds) {
      const links = await itemsOf(table, clientIds, (id) => clientApplicationKey(environment, id));
      const applicationIds = [...links.values()].map((link) => String(link.applicationId));
      const applications = await itemsOf(table, [...new Set(applicationIds)], portalApplicationKey);
      return new Map(
        [...links].flatMap(([clientId, link]) => {
          const item = applications.get(String(link.applicationId));
          const loaded = item && readApplication([item]);
          if (loaded === undefined) return [];
          const { applicationId, name } = applicationSummary(loaded.application);
          return [[clientId, { applicationId, name, createdBy: loaded.application.createdBy }] as const];
        }),
      );
    },

    async queue() {
      const items = await everyItem(table, queueKey('application', '', '').pk);
      return items.map((item) => storedQueueItem.parse(item) as QueuedItem);
    },

    async keepClient(applicationId, environment, clientId) {
      // Writes the lookup first, so that a kept client is always found by its ID.
      await once(table, { ...clientApplicationKey(environment, clientId), applicationId });
      await once(table, { ...applicationClientKey(applicationId, environment), environment, clientId });
    },

    async keepEvidence(applicationId, evidence) {
      for (const seen of evidence) {
        await once(table, { ...applicationEvidenceKey(applicationId, seen.product), ...seen });
      }
    },

    async record(applicationId, event, mails) {
      await table.transact([
        recordedWrite(applicationId, event),
        ...outbox(mails, []).map(({ write }) => write),
      ]);
    },

    async recordOperatorAct(application, event, operatorId) {
      const act = actOf(applicationSummary(application), event);
      await table.transact([
        recordedWrite(application.applicationId, event),
        operatorActWrite(operatorId, event.eventId, act),
      ]);
    },

    actsOf: async (operatorId, after) => await readOperatorActs(table, operatorId, after),
  };
}

/** Makes the write of a timeline event that is not an act of the state tables. */
function recordedWrite(applicationId: string, event: TimelineEvent): Write {
  return putIfAbsent({ ...applicationEventKey(applicationId, event.at, event.eventId), ...event });
}

/**
 * Makes the items of an application's partition that name the environments which have not confirmed an act. The outbox removes each together
 * with its entry.
 *
 * @param entries outbox entries of the act, those of `provisioning` first
 */
function pendingWrites(
  provisioning: readonly Provisioning[],
  entries: readonly OutboxWrite[],
  since: string,
): readonly Write[] {
  return provisioning.flatMap(({ applicationId, environment }, at) => {
    const entryId = entries[at]?.id;
    if (entryId === undefined) return [];
    return [{ put: { ...applicationPendingKey(applicationId, entryId), entryId, environment, since } }];
  });
}

/** Writes an item unless it exists. */
async function once(table: Table, item: Item & { readonly pk: string; readonly sk: string }): Promise<void> {
  try {
    await table.put(item, { expression: 'attribute_not_exists(pk)' });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Reads the items that exist, by their IDs. */
async function itemsOf(
  table: Table,
  ids: readonly string[],
  keyOf: (id: string) => Key,
): Promise<ReadonlyMap<string, Item>> {
  // DynamoDB refuses a BatchGetItem without keys.
  const items = ids.length === 0 ? [] : await table.batchGet(ids.map(keyOf));
  return new Map(ids.flatMap((id, at) => (items[at] === undefined ? [] : [[id, items[at]] as const])));
}

async function everyItem(table: Table, pk: string, skBeginsWith?: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const page = await table.query({
      pk,
      ...(skBeginsWith === undefined ? {} : { skBeginsWith }),
      ...(after === undefined ? {} : { after }),
    });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}
