/** Decrypts the contact data that a drop loaded for a member, to send codes for sign-in and activation. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ReadTextNumber } from '../../platform/aws/text-numbers.ts';
import type { ContactData, ContactPlace } from '../../platform/kernel/contact-data.ts';
import type { MemberContact } from '../authorize/verification-code.ts';

/** Contact data of a member or a representative as the plan last sent it, and the addresses that codes can be sent to. */
export interface PlanContact {
  readonly isRepresentative: boolean;
  readonly place: ContactPlace;
  readonly data: ContactData;
  readonly reachable: MemberContact;
}

interface PlanContactSources {
  readonly find: (
    lob: LineOfBusiness,
    memberId: string,
  ) => Promise<
    | { readonly place: ContactPlace; readonly envelope: Uint8Array; readonly isRepresentative: boolean }
    | undefined
  >;
  readonly open: (place: ContactPlace, envelope: Uint8Array) => Promise<ContactData>;
  readonly readTextNumber: ReadTextNumber;
}

/**
 * Finds and decrypts the contact data of a member identifier, with the first e-mail address and the first phone number that codes can be
 * sent to.
 */
export function createPlanContacts({ find, open, readTextNumber }: PlanContactSources) {
  return async (lob: LineOfBusiness, memberId: string): Promise<PlanContact | undefined> => {
    const found = await find(lob, memberId);
    if (found === undefined) return undefined;
    const data = await open(found.place, found.envelope);
    const phoneNumber = data.phones.map(readTextNumber).find((number) => number !== undefined);
    const { place, isRepresentative } = found;
    return { place, isRepresentative, data, reachable: { email: data.emails[0], phoneNumber } };
  };
}
