/** DynamoDB records of the encrypted contact data of members and personal representatives. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ContactPlace } from '../../platform/kernel/contact-data.ts';
import type { Table } from '../../platform/table/table.ts';
import { findRepresentations } from './find-representations-contract.ts';
import { findIdentifiedMember } from './member-identifiers.ts';

/** Contact data of a person as the table holds it. */
export interface StoredContact {
  /** The member, or the representative with the Patient of the row that the contacts came in. */
  readonly place: ContactPlace;
  readonly envelope: Uint8Array;
  readonly isRepresentative: boolean;
}

/**
 * Finds the contact data that loads write, by the plan's identifier: a member's, or of a personal representative who is no member. A
 * withdrawn member has none, nor has a representative whose representations are over.
 *
 * @param now milliseconds since 1970
 */
export function createContactRecords(table: Table, now: () => number) {
  return {
    async find(lob: LineOfBusiness, identifier: string): Promise<StoredContact | undefined> {
      const member = await findIdentifiedMember(table, lob, identifier);
      if (member === undefined) return await ofRepresentative(lob, identifier);
      if (member.contact === undefined) return undefined;
      const { patientId, memberId, contact } = member;
      return { place: { lob, patientId, memberId }, envelope: contact, isRepresentative: false };
    },
  };

  /** The contacts of the newest row. Rows with different birth dates are not of one person: then there are none. */
  async function ofRepresentative(lob: LineOfBusiness, memberId: string): Promise<StoredContact | undefined> {
    const representations = await findRepresentations(table, lob, memberId, Math.floor(now() / 1000));
    if (new Set(representations.map(({ birthDate }) => birthDate)).size !== 1) return undefined;
    const [newest] = [...representations].sort(
      (a, b) => Date.parse(b.lastUpdated) - Date.parse(a.lastUpdated),
    );
    if (newest?.contact === undefined) return undefined;
    const { patientId, contact } = newest;
    return { place: { lob, patientId, memberId }, envelope: contact, isRepresentative: true };
  }
}
