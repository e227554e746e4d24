/** DynamoDB records of the encrypted contact data of members and personal representatives. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ContactPlace } from '../../platform/kernel/contact-data.ts';
import type { Table } from '../../platform/table/table.ts';
import { findRepresentations } from './find-representations-contract.ts';
import { findIdentifiedMember } from './member-identifiers.ts';

/** Encrypted contact data of a person, as stored. */
export interface StoredContact {
  /** The member; for a representative, the Patient of the row that the contact data came in. */
  readonly place: ContactPlace;
  readonly envelope: Uint8Array;
  readonly isRepresentative: boolean;
}

/**
 * Finds the contact data that loads have written, by the plan's identifier: a member's, or that of a personal representative who is no
 * member. Finds none for a withdrawn member, or a representative without an active representation.
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

  /**
   * The contact data of the representative's newest row. None if rows have different birth dates, which means that they are about different
   * people.
   */
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
