import * as z from 'zod/mini';
import type { DraftStore, TestMemberStore } from '../applications/portal/ports.ts';
import { lineOfBusinessCodes } from '../catalog/lines-of-business.ts';
import { draftKey, testMembersKey } from './portal-keys.ts';
import type { Table } from './table.ts';

const storedDraft = z.object({
  draftId: z.string(),
  screen: z.string(),
  values: z.record(z.string(), z.unknown()),
  savedAt: z.string(),
});

/**
 * Registrations begun by an account; `portalLimits.draftsPerDeveloper` keeps them to one page. They are counted before one is
 * written: who saves several at the very same time may have a few more, which costs nobody anything.
 */
export function createPortalDraftStore(table: Table): DraftStore {
  return {
    async list(accountId) {
      const { pk, sk } = draftKey(accountId, '');
      const { items } = await table.query({ pk, skBeginsWith: sk });
      return items.map((item) => storedDraft.parse(item));
    },
    async put(accountId, draft) {
      await table.put({ ...draftKey(accountId, draft.draftId), ...draft });
    },
    async delete(accountId, draftId) {
      await table.transact([{ delete: draftKey(accountId, draftId) }]);
    },
  };
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

/** The sandbox's made-up members: one item a LOB, as operators publish them. */
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
