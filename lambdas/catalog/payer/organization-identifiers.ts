/** Table of the identifiers of a payer's organization. */

import * as z from 'zod/mini';
import { isNpi } from './npi.ts';

interface IdentifierKind {
  readonly name: string;
  /** URI of the namespace (Identifier.system). */
  readonly system: string;
  readonly pattern: RegExp;
}

/** Kinds of identifiers by which the recipient of a Consent is compared. */
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

/**
 * Reads an identifier as people write it: a tax identification number with a hyphen, an OID without its prefix.
 *
 * @returns undefined for text that is no identifier, such as an NPI with a wrong check digit.
 */
export function readOrganizationIdentifier(
  kind: OrganizationIdentifierKind,
  text: string,
): OrganizationIdentifier | undefined {
  const { system, pattern } = organizationIdentifierKinds[kind];
  const value = writtenForms[kind](text.trim());
  return pattern.test(value) && (kind !== 'npi' || isNpi(value)) ? { system, value } : undefined;
}

const writtenForms: Readonly<Record<OrganizationIdentifierKind, (text: string) => string>> = {
  npi: (text) => text,
  naic: (text) => text,
  'tax-id': (text) => text.replace(/^(\d{2})-(\d{7})$/, '$1$2'),
  oid: (text) => (/^\d/.test(text) ? `urn:oid:${text}` : text),
};

/** Schema of an organization's Identifier in FHIR. */
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

/** Schema of an identifier that an operator verifies, with the check digit. A stored identifier is read without that check. */
export const verifiedIdentifier = organizationIdentifier.check(
  z.refine(({ system, value }) => system !== organizationIdentifierKinds.npi.system || isNpi(value), {
    error: 'an NPI whose last digit is the check digit of the others',
  }),
);
