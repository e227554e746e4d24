/** Identifiers of a payer's organization as form fields: a payer enters them, and an operator verifies them. */

import * as z from 'zod/mini';
import { isNpi } from '../../catalog/payer/npi.ts';
import {
  type OrganizationIdentifier,
  organizationIdentifierKinds,
  readOrganizationIdentifier,
} from '../../catalog/payer/organization-identifiers.ts';

const written = (pattern: RegExp, error: string) =>
  z.string({ error }).check(z.trim(), z.regex(pattern, { error }));

export const employerIdentificationNumber = written(/^\d{2}-?\d{7}$/, 'nine digits, like 12-3456789');

export const statedNpi = written(/^\d{10}$/, '10 digits').check(
  z.refine(isNpi, { error: 'an NPI: its last digit is a check digit of the others' }),
);

/** At most one identifier of each kind. A member's Consent identifies a payer by one of them. */
export const statedIdentifiers = z.strictObject({
  npi: z.optional(statedNpi),
  naicCompanyCode: z.optional(written(/^\d{5}$/, 'five digits, like 12345')),
  taxIdentificationNumber: z.optional(employerIdentificationNumber),
  oid: z.optional(
    written(
      /^(?:urn:oid:)?[0-2](?:\.(?:0|[1-9]\d{0,30})){1,30}$/,
      'numbers with dots, like 2.16.840.1.113883.3.1',
    ),
  ),
});
export type StatedIdentifiers = z.infer<typeof statedIdentifiers>;

const kinds = { npi: 'npi', naicCompanyCode: 'naic', taxIdentificationNumber: 'tax-id', oid: 'oid' } as const;
const fields = Object.keys(kinds) as readonly (keyof typeof kinds)[];

/** Converts the form's identifiers to FHIR identifiers. */
export function identifiersOf(stated: StatedIdentifiers): readonly OrganizationIdentifier[] {
  return fields.flatMap((field) => readOrganizationIdentifier(kinds[field], stated[field] ?? '') ?? []);
}

/** Converts FHIR identifiers to the form's fields: the first identifier of each kind. */
export function statedFrom(identifiers: readonly OrganizationIdentifier[]): StatedIdentifiers {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { system } = organizationIdentifierKinds[kinds[field]];
      const found = identifiers.find((each) => each.system === system);
      return found === undefined ? [] : [[field, found.value]];
    }),
  );
}
