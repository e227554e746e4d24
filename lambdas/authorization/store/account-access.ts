/** DynamoDB adapter of `authorization/accounts/account-access.ts`: the patients whose data an account may share. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Table, Write } from '../../platform/table/table.ts';
import { memberKey, representationKey, representativeAccountKey } from '../../platform/table/table-keys.ts';
import { stateCheck } from '../../platform/table/transition.ts';
import type { AccountAccess, SharablePatient } from '../accounts/account-access.ts';
import type { RepresentedBy } from '../oauth/member-account.ts';
import { createSessionEpochs } from './account-sessions-contract.ts';
import { findRepresentations } from './find-representations-contract.ts';
import { findIdentifiedMember } from './member-identifiers.ts';
import type { StoredRepresentation } from './stored-representation-contract.ts';

const ownPatient = z.object({
  patientId: z.string(),
  memberId: z.string(),
  displayName: z.string(),
  planMemberId: z.optional(z.string()),
});
const representativeAccount = z.object({ representativeId: z.string() });
/** An identifier that no member and no representative has. */
const nobody = '';

/**
 * Reads from the table which patients' data an account may share in an LOB: the account holder's own, after merges, and that of members
 * whose representative the holder is. A withdrawn member's data can't be shared.
 *
 * @param now milliseconds since 1970
 */
export function createAccountAccess(table: Table, now: () => number): AccountAccess {
  return {
    async patientsOf(lob, { sub }) {
      const [linked, account] = await table.batchGet([
        memberKey(lob, sub),
        representativeAccountKey(lob, sub),
      ]);
      const own = linked === undefined ? undefined : ownPatient.parse(linked);
      // Representations are found by the plan's spelling of the identifier. The user name has no lowercase, spaces or hyphens, and in that
      // spelling the identifier may be another person's.
      const planId = own?.planMemberId ?? own?.memberId;
      const representativeId =
        planId ?? (account === undefined ? undefined : representativeAccount.parse(account).representativeId);
      // The same reads are made for an account that may share nothing, so that the response time reveals nothing.
      const [member, representations] = await Promise.all([
        findIdentifiedMember(table, lob, planId ?? nobody),
        findRepresentations(table, lob, representativeId ?? nobody, Math.floor(now() / 1000)),
      ]);
      const others = representations.map(sharable);
      if (own === undefined || member?.isWithdrawn === true) return others;
      const { memberId, displayName } = own;
      // The plan has merged the member into another member record of the same person.
      const isMerged = member !== undefined && member.memberId !== planId;
      const patientId = isMerged ? member.patientId : own.patientId;
      return [{ patientId, memberId, displayName, relationship: 'self' }, ...others];
    },
    sessionEpochOf: createSessionEpochs(table),
  };
}

function sharable(representation: StoredRepresentation): SharablePatient {
  const { patientId, memberId, displayName, birthYear, representativeId, name, role, until } = representation;
  return {
    relationship: 'representative',
    patientId,
    memberId,
    displayName,
    ...(birthYear !== undefined && { birthYear }),
    representative: { representativeId, name, role, ...(until !== undefined && { until }) },
  };
}

/**
 * The conditions, for a transaction, that a representation is still active, in its period, and has the same end as when the patient was
 * chosen. None if the account holder is the patient.
 *
 * @param now seconds since 1970
 */
export function standingRepresentation(
  lob: LineOfBusiness,
  {
    patientId,
    representedBy,
  }: { readonly patientId: string; readonly representedBy?: RepresentedBy | undefined },
  now: number,
): readonly Write[] {
  if (representedBy === undefined) return [];
  const { representativeId, until } = representedBy;
  const sameEnd = until === undefined ? 'attribute_not_exists(#until)' : '#until = :until AND #until >= :now';
  return [
    stateCheck(
      representationKey(lob, representativeId, patientId),
      { from: ['active'], to: 'active' },
      {
        condition: `${sameEnd} AND (attribute_not_exists(#from) OR #from <= :now)`,
        names: { '#until': 'until', '#from': 'from' },
        values: { ':now': Math.floor(now), ...(until !== undefined && { ':until': until }) },
      },
    ),
  ];
}
