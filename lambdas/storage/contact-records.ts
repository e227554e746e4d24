/** DynamoDB records of members' encrypted contact data. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { ContactPlace } from '../kernel/contact-data.ts';
import type { Table } from '../table/table.ts';
import { memberIdKey } from './table-keys.ts';

/** Contact data of a member as the table holds it. */
export interface StoredContact {
  readonly place: ContactPlace;
  readonly envelope: Uint8Array;
}

const item = z.object({
  patientId: z.string(),
  /** Member that a merge led to. */
  memberId: z.optional(z.string()),
  contact: z.optional(z.instanceof(Uint8Array)),
});

/** Merges of merges are followed so far. */
const mostMerges = 5;

/** Finds the contact data that drops load, by member identifier. A withdrawn member has none. */
export function createContactRecords(table: Table) {
  return {
    async find(lob: LineOfBusiness, memberId: string): Promise<StoredContact | undefined> {
      let name = memberId;
      for (let merges = 0; merges <= mostMerges; merges += 1) {
        const read = await table.get(memberIdKey(lob, name));
        if (read === undefined) return undefined;
        const { patientId, contact, memberId: into } = item.parse(read);
        if (into === undefined || into === name) {
          return contact && { place: { lob, patientId, memberId: name }, envelope: contact };
        }
        name = into;
      }
      return undefined;
    },
  };
}
