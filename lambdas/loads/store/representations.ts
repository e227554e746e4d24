/** Stores representations, which drops load: each names the personal representative of a patient. */

import * as z from 'zod/mini';
import {
  type StoredRepresentation,
  storedRepresentation,
} from '../../authorization/store/stored-representation-contract.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { decodeResource } from '../../fhir/store/stored-resource.ts';
import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import type { Condition, Table, Write } from '../../platform/table/table.ts';
import {
  memberIdKey,
  patientMemberKey,
  patientResourceKey,
  representationKey,
} from '../../platform/table/table-keys.ts';
import type { ChangeOrigin, ChangeOutcome, LoadStore } from '../rows/load-store-port.ts';
import { nameOfPerson } from '../rows/representation.ts';
import { rowChangeWrites } from './change-outcomes.ts';
import type { LoadStoreOptions } from './load-event.ts';
import { endGrants } from './load-grants.ts';

const patientItem = z.object({
  memberId: z.string(),
  mergedInto: z.optional(z.string()),
  withdrawnAt: z.optional(z.string()),
});
const patientContent = z.object({ name: z.optional(z.unknown()), birthDate: z.optional(z.string()) });

/** Most attempts to write one representation, each after a lost write race. */
const mostAttempts = 6;

export function createRepresentations(
  table: Table,
  options: LoadStoreOptions,
): Pick<LoadStore, 'represent' | 'endRepresentation'> {
  return {
    async represent(lob, origin, { patientId, lastUpdated, representation, contact }) {
      const { representativeId, birthDate } = representation;
      const key = representationKey(lob, representativeId, patientId);
      return await again(async () => {
        const [item, present, member] = await table.batchGet([
          patientMemberKey(lob, patientId),
          key,
          memberIdKey(lob, representativeId),
        ]);
        const patient = patientItem.safeParse(item).data;
        if (patient?.mergedInto !== undefined) return 'patient_merged';
        if (patient === undefined || patient.withdrawnAt !== undefined) return 'not_stored';
        if (patient.memberId === representativeId) return 'own_representative';
        const [content, own] = await Promise.all([
          contentOf(lob, patientId),
          member === undefined ? undefined : contentOf(lob, String(member.patientId)),
        ]);
        if (content === undefined) return 'not_stored';
        if (own !== undefined && own.birthDate !== birthDate) return 'other_person';
        const before = present === undefined ? undefined : storedRepresentation.parse(present);
        const next: StoredRepresentation = {
          patientId,
          memberId: patient.memberId,
          displayName: nameOfPerson(content.name),
          ...(content.birthDate !== undefined && { birthYear: content.birthDate.slice(0, 4) }),
          ...representation,
          state: 'active',
          lastUpdated,
          // The contact data of a representative who is a member is stored with their own Patient.
          ...(member === undefined && {
            contact: await options.sealContact({ lob, patientId, memberId: representativeId }, contact),
          }),
        };
        const fault = before && compared(before, next);
        if (fault !== undefined && fault !== 'unchanged') return fault;
        if (fault === undefined) {
          const written = await conditionHolds(table, [
            ...rowChangeWrites({ lob, patientId, ...origin }, [], options),
            { put: { ...key, ...next }, condition: stillThere(before) },
            presentPatient(lob, patientId),
          ]);
          if (!written) return undefined;
        }
        await endOutlasting({ lob, patientId, ...origin, representativeId }, representation);
        return fault ?? 'changed';
      });
    },

    async endRepresentation(lob, origin, { patientId, representativeId, lastUpdated }) {
      const key = representationKey(lob, representativeId, patientId);
      return await again(async () => {
        const item = await table.get(key);
        if (item === undefined) return 'not_stored';
        const { contact: _contact, ...before } = storedRepresentation.parse(item);
        const order = Date.parse(lastUpdated) - Date.parse(before.lastUpdated);
        if (order < 0) return before.state === 'ended' ? 'unchanged' : 'older_version';
        const isNew = before.state === 'active' || order > 0;
        if (isNew) {
          const written = await conditionHolds(table, [
            ...rowChangeWrites({ lob, patientId, ...origin }, [], options),
            { put: { ...key, ...before, state: 'ended', lastUpdated }, condition: stillThere(before) },
          ]);
          if (!written) return undefined;
        }
        const place = {
          lob,
          patientId,
          ...origin,
          representativeId,
          because: 'representation_ended',
        } as const;
        const ended = await endGrants(table, options, place);
        return isNew || ended > 0 ? 'changed' : 'unchanged';
      });
    },
  };

  /** Ends the representative's grants that would outlast the representation. The representative may give them again for a shorter time. */
  async function endOutlasting(
    place: ChangeOrigin & {
      readonly lob: LineOfBusiness;
      readonly patientId: string;
      readonly representativeId: string;
    },
    { from = 0, until = Number.POSITIVE_INFINITY }: Pick<StoredRepresentation, 'from' | 'until'>,
  ): Promise<void> {
    const hasBegun = from * 1000 <= options.now();
    const because = 'representation_changed';
    await endGrants(table, options, { ...place, because, ...(hasBegun && { until }) });
  }

  async function contentOf(lob: LineOfBusiness, patientId: string) {
    const item = await table.get(patientResourceKey(lob, patientId, 'Patient', patientId));
    if (item === undefined) return undefined;
    return patientContent.parse(JSON.parse(decodeResource(item).json));
  }
}

/** Repeats a change that lost a write race. */
async function again(attempt: () => Promise<ChangeOutcome | undefined>): Promise<ChangeOutcome> {
  for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
    const outcome = await attempt();
    if (outcome !== undefined) return outcome;
  }
  throw new Error('a representation changes faster than it can be loaded');
}

/**
 * Compares a representation with the stored one. The later `lastUpdated` wins, and one `lastUpdated` stands for one content.
 *
 * @returns undefined if the new representation must be written.
 */
function compared(
  before: StoredRepresentation,
  next: StoredRepresentation,
): 'unchanged' | 'older_version' | 'version_reused' | undefined {
  const order = Date.parse(next.lastUpdated) - Date.parse(before.lastUpdated);
  if (order > 0) return undefined;
  if (order < 0) return 'older_version';
  if (before.state === 'ended') return 'older_version';
  // Contact data is encrypted anew each time, so its ciphertexts are not compared.
  const all = ({ contact, ...rest }: StoredRepresentation) => ({
    ...rest,
    hasContact: contact !== undefined,
  });
  const own = ({ displayName: _name, birthYear: _year, contact: _contact, ...rest }: StoredRepresentation) =>
    canonicalJson(rest);
  if (own(before) !== own(next)) return 'version_reused';
  // The content is the same, but the member's name may have changed, or the representative become a member.
  return canonicalJson(all(before)) === canonicalJson(all(next)) ? 'unchanged' : undefined;
}

function stillThere(before: StoredRepresentation | undefined): Condition {
  if (before === undefined) return { expression: 'attribute_not_exists(pk)' };
  const names = { '#state': 'state' };
  const values = { ':state': before.state, ':at': before.lastUpdated };
  return { expression: '#state = :state AND lastUpdated = :at', names, values };
}

/** Checks in the transaction that the patient's record exists. */
function presentPatient(lob: LineOfBusiness, patientId: string): Write {
  const expression =
    'attribute_exists(pk) AND attribute_not_exists(withdrawnAt) AND attribute_not_exists(mergedInto)';
  return { check: patientMemberKey(lob, patientId), condition: { expression } };
}
