/** DynamoDB stores of drafts (unfinished registrations) and of the sandbox's test members. */

import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { conditionHolds, failedConditions, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Key } from '../../platform/table/key.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import {
  ConditionFailed,
  type Item,
  StoreUnavailable,
  type Table,
  type Write,
} from '../../platform/table/table.ts';
import type { DraftView } from '../api/views.ts';
import type { DraftStore, TestMemberStore } from '../applications/application-ports.ts';
import { portalLimits } from '../catalog/limits.ts';
import { draftKey, draftsKey, testMembersKey } from './portal-table-keys.ts';

const storedDraft = z.object({
  draftId: z.string(),
  screen: z.string(),
  values: z.record(z.string(), z.unknown()),
  savedAt: z.string(),
});

/**
 * The store of an account's drafts, which are unfinished registrations. The number of drafts is counted in the transaction that creates or
 * deletes a draft, so that concurrent requests cannot exceed `portalLimits.draftsPerDeveloper`.
 */
export function createPortalDraftStore(table: Table): DraftStore {
  return {
    list: async (accountId) => (await draftItems(table, accountId)).map((item) => storedDraft.parse(item)),
    put: async (accountId, draft) => await save(table, accountId, draft),
    async delete(accountId, draftId) {
      const key = draftKey(accountId, draftId);
      await withCount(table, accountId, async () => {
        if ((await table.get(key)) === undefined) return true;
        return (await conditionHolds(table, deleteDraft(accountId, draftId))) ? true : undefined;
      });
    },
  };
}

/** The writes of a transaction that deletes an existing draft and takes it off the number of drafts of its account. */
export function deleteDraft(accountId: string, draftId: string): readonly Write[] {
  const update = {
    key: draftsKey(accountId),
    expression: 'ADD drafts :less',
    condition: 'drafts > :none',
    values: { ':less': -1, ':none': 0 },
  };
  return [
    { delete: draftKey(accountId, draftId), condition: { expression: 'attribute_exists(pk)' } },
    { update },
  ];
}

/**
 * Saves a draft.
 *
 * @returns false where the account has as many drafts as it may have.
 */
async function save(table: Table, accountId: string, draft: DraftView): Promise<boolean> {
  const item: Item & Key = { ...draftKey(accountId, draft.draftId), ...draft };
  const update = {
    key: draftsKey(accountId),
    expression: 'ADD drafts :one',
    condition: 'drafts < :most',
    values: { ':one': 1, ':most': portalLimits.draftsPerDeveloper },
  };
  return await withCount(table, accountId, async (isCounted) => {
    if (await isReplaced(table, item)) return true;
    const failed = await failedConditions(table, [putIfAbsent(item), { update }]);
    if (failed.length === 0) return true;
    // A draft with this ID was written meanwhile, or the counter does not exist yet.
    return isCounted && !failed.includes(0) ? false : undefined;
  });
}

/** Replaces a draft if it exists, which does not change the count. */
async function isReplaced(table: Table, item: Item & Key): Promise<boolean> {
  try {
    await table.put(item, { expression: 'attribute_exists(pk)' });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Attempts while other requests of the same account change its drafts. */
const mostAttempts = 8;

/** Repeats an attempt until its result is known. An account without a count gets the number of its existing drafts as its count. */
async function withCount(
  table: Table,
  accountId: string,
  attempt: (isCounted: boolean) => Promise<boolean | undefined>,
): Promise<boolean> {
  let isCounted = false;
  for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
    const outcome = await attempt(isCounted);
    if (outcome !== undefined) return outcome;
    if (isCounted) continue;
    const drafts = (await draftItems(table, accountId)).length;
    await conditionHolds(table, [putIfAbsent({ ...draftsKey(accountId), drafts })]);
    isCounted = true;
  }
  throw new StoreUnavailable(new Error('the drafts of the account do not hold still'));
}

async function draftItems(table: Table, accountId: string): Promise<readonly Item[]> {
  const { pk, sk } = draftKey(accountId, '');
  return await queryAll(table, pk, sk);
}

const storedTestMembers = z.object({
  members: z.array(
    z.object({
      lob: z.enum(lineOfBusinessCodes),
      memberId: z.string(),
      password: z.string(),
      patientId: z.string(),
      name: z.string(),
      about: z.string(),
    }),
  ),
});

/** The store of the sandbox's synthetic members: one item for each LOB, as operators publish them. */
export function createTestMemberStore(table: Table): TestMemberStore {
  const { pk } = testMembersKey('');
  return {
    async list() {
      const { items } = await table.query({ pk });
      return items.flatMap((item) => storedTestMembers.parse(item).members);
    },
    async publish(members) {
      const writes = [...members].map(([lob, those]) => ({
        put: { ...testMembersKey(lob), lob, members: those },
      }));
      if (writes.length > 0) await table.transact(writes);
    },
  };
}
