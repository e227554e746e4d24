/** DynamoDB records of members' encrypted contact data. */

import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { ContactPlace } from '../kernel/contact-data.ts';
import type { Table } from '../table/table.ts';
import { findIdentifiedMember } from './member-identifiers.ts';

/** Contact data of a member as the table holds it. */
export interface StoredContact {
  readonly place: ContactPlace;
  readonly envelope: Uint8Array;
}

/** Finds the contact data that loads write, by member identifier. A withdrawn member has none. */
export function createContactRecords(table: Table) {
  return {
    async find(lob: LineOfBusiness, identifier: string): Promise<StoredContact | undefined> {
      const member = await findIdentifiedMember(table, lob, identifier);
      if (member?.contact === undefined) return undefined;
      const { patientId, memberId, contact } = member;
      return { place: { lob, patientId, memberId }, envelope: contact };
    },
  };
}
