import { describe, expect, it } from 'vitest';
import {
  organizationIdentifier,
  organizationIdentifierKindNames,
  readOrganizationIdentifier,
  verifiedIdentifier,
} from '../../../lambdas/catalog/payer/organization-identifiers.ts';

describe('an identifier of an organization', () => {
  it.each([
    ['npi', ' 1234567893 ', '1234567893'],
    ['naic', '12345', '12345'],
    ['tax-id', '12-3456789', '123456789'],
    ['tax-id', '123456789', '123456789'],
    ['oid', '2.16.840.1.113883.3.1', 'urn:oid:2.16.840.1.113883.3.1'],
    ['oid', 'urn:oid:1.2.3', 'urn:oid:1.2.3'],
  ] as const)('is read as a person writes it: %s %s', (kind, text, value) => {
    const found = readOrganizationIdentifier(kind, text);
    expect(found).toMatchObject({ value });
    expect(organizationIdentifier.parse(found)).toEqual(found);
    expect(verifiedIdentifier.parse(found)).toEqual(found);
  });

  it.each([
    ['npi', '1234567890'],
    ['npi', '123456789'],
    ['npi', '12345678930'],
    ['naic', '1234'],
    ['tax-id', '1-23456789'],
    ['oid', '3.1.2'],
    ['oid', '1.02'],
    ['oid', 'urn:uuid:1.2'],
  ] as const)('is refused: %s %s', (kind, text) => {
    expect(readOrganizationIdentifier(kind, text)).toBeUndefined();
  });

  it('has a check digit that finds each wrong digit of an NPI', () => {
    const npi = '1234567893';
    for (let at = 0; at < npi.length; at += 1) {
      for (let digit = 0; digit < 10; digit += 1) {
        const other = npi.slice(0, at) + digit + npi.slice(at + 1);
        expect(readOrganizationIdentifier('npi', other) !== undefined, other).toBe(other === npi);
      }
    }
  });

  it.each(organizationIdentifierKindNames)('is none without text: %s', (kind) => {
    expect(readOrganizationIdentifier(kind, '')).toBeUndefined();
  });
});
