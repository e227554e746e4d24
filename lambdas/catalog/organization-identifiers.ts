/** Table of the identifiers of a payer's organization. */

import * as z from 'zod/mini';

interface IdentifierKind {
  readonly name: string;
  /** URI of the namespace (Identifier.system). */
  readonly system: string;
  readonly pattern: RegExp;
}

/** Kinds of identifiers that a Consent's recipient is compared by. */
export const organizationIdentifierKinds = {
  npi: { name: 'NPI', system: 'http://hl7.org/fhir/sid/us-npi', pattern: /^\d{10}$/ },
  naic: { name: 'NAIC company code', system: 'urn:oid:2.16.840.1.113883.6.300', pattern: /^\d{5}$/ },
  'tax-id': {
    name: 'tax identification number',
    system: 'urn:oid:2.16.840.1.113883.4.4',
    pattern: /^\d{9}$/,
  },
  oid: { name: 'OID', system: 'urn:ietf:rfc:3986', pattern: /^urn:oid:[0-2](\.(0|[1-9]\d*)){1,30}$/ },
} as const satisfies Readonly<Record<string, IdentifierKind>>;

export type OrganizationIdentifierKind = keyof typeof organizationIdentifierKinds;

export const organizationIdentifierKindNames = Object.keys(
  organizationIdentifierKinds,
) as readonly OrganizationIdentifierKind[];

/** An identifier of an organization as FHIR writes it. */
export const organizationIdentifier = z
  .strictObject({ system: z.string(), value: z.string().check(z.maxLength(200)) })
  .check(
    z.refine(
      ({ system, value }) =>
        Object.values(organizationIdentifierKinds).some(
          (kind) => kind.system === system && kind.pattern.test(value),
        ),
      { error: 'an NPI, NAIC company code, tax identification number or OID' },
    ),
  );
export type OrganizationIdentifier = z.infer<typeof organizationIdentifier>;
