/** A member's contact data, which is sealed before it is stored. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';

/** Name, contacts and matching data of a member, from the plan's Patient. Lists have the preferred value first. */
export interface ContactData {
  readonly name: string;
  /** FHIR date from the plan, whose unknown month and day may be 00. */
  readonly birthDate?: string | undefined;
  readonly postalCodes: readonly string[];
  readonly emails: readonly string[];
  /** Phone numbers in the plan's spelling; `lambdas/platform/aws/text-numbers.ts` reads them. */
  readonly phones: readonly string[];
}

/** The member whose contact data it is. A sealed text opens for the same member only. */
export interface ContactPlace {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly memberId: string;
}

/** Seals the contact data of a member for the table. Adapter: `lambdas/platform/aws/contact-envelopes.ts`. */
export type SealContact = (place: ContactPlace, contact: ContactData) => Promise<Uint8Array>;
