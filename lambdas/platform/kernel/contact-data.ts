/** A member's contact data, which is encrypted before it is stored. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';

/** Name, contacts and matching data of a member, from the plan's Patient. Lists begin with the preferred value. */
export interface ContactData {
  readonly name: string;
  /** FHIR date from the plan, in which an unknown month or day may be 00. */
  readonly birthDate?: string | undefined;
  readonly postalCodes: readonly string[];
  readonly emails: readonly string[];
  /** Phone numbers in the plan's spelling, which `lambdas/platform/aws/text-numbers.ts` parses. */
  readonly phones: readonly string[];
}

/** The member that contact data belongs to. An envelope can be decrypted for the same member only. */
export interface ContactPlace {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly memberId: string;
}

/** Encrypts a member's contact data for the table. Adapter: `lambdas/platform/aws/contact-envelopes.ts`. */
export type SealContact = (place: ContactPlace, contact: ContactData) => Promise<Uint8Array>;
