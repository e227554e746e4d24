/** Checks one directory resource: the data that people rely on who call its phone number or drive to its address. */

import type { FindingCode } from '../../catalog/fhir/directory-findings.ts';
import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import { isNpi } from '../../catalog/payer/npi.ts';
import type { RecordFault } from './truth-report-contract.ts';

/** The two system URLs that sources use for National Provider Identifiers. */
const npiSystems = ['http://hl7.org/fhir/sid/us-npi', 'http://terminology.hl7.org/NamingSystem/npi'];

interface Identifier {
  readonly system?: string;
  readonly value?: string;
}

interface Address {
  readonly line?: readonly string[];
  readonly city?: string;
  readonly state?: string;
  readonly postalCode?: string;
}

interface ContactPoint {
  readonly system?: string;
  readonly value?: string;
}

/** The checked elements of all types. */
export interface CheckedResource {
  readonly identifier?: readonly Identifier[];
  readonly address?: Address | readonly Address[];
  readonly telecom?: readonly ContactPoint[];
  readonly type?: readonly { readonly coding?: readonly { readonly code?: string }[] }[];
  readonly name?: unknown;
}

/** The NPIs among a resource's identifiers, valid or not. */
export function npisOf({ identifier = [] }: CheckedResource): readonly string[] {
  return identifier.flatMap(({ system = '', value }) =>
    npiSystems.includes(system) && value !== undefined ? [value] : [],
  );
}

/** Whether a text can be a telephone number in the United States: area code and exchange begin with 2 to 9 (NANP). */
export function isPlausiblePhone(text: string): boolean {
  const digits = text
    .replace(/(ext|x).*$/i, '')
    .replace(/\D/g, '')
    .replace(/^1(?=\d{10}$)/, '');
  return /^[2-9]\d\d[2-9]\d{6}$/.test(digits) && !/^(\d)\1{9}$/.test(digits);
}

export function isCompleteAddress({ line = [], city, state, postalCode }: Address): boolean {
  const hasStreet = line.some((each) => /[A-Za-z]/.test(each));
  return (
    hasStreet &&
    (city ?? '').trim() !== '' &&
    /^[A-Z]{2}$/.test(state ?? '') &&
    /^\d{5}(-?\d{4})?$/.test(postalCode ?? '')
  );
}

/** Whether an Organization is a network or a payer, which nobody visits. */
export function isNetworkOrPayer({ type = [] }: CheckedResource): boolean {
  return type.some(({ coding = [] }) => coding.some(({ code }) => code === 'ntwk' || code === 'payer'));
}

/**
 * Lists the faults of a resource.
 *
 * @param knownNpis the NPIs of an NPPES file; absent if none was uploaded.
 */
export function checkRecord(
  type: DirectoryType,
  resource: CheckedResource,
  knownNpis: { has(npi: string): boolean } | undefined,
): readonly RecordFault[] {
  const findings: RecordFault[] = [];
  const add = (code: FindingCode, message: string) => findings.push({ code, message });
  const isPlace = type === 'Location' || (type === 'Organization' && !isNetworkOrPayer(resource));
  const npis = npisOf(resource);
  if (type === 'Practitioner' && npis.length === 0) add('npi_missing', 'It has no NPI.');
  for (const npi of npis) {
    if (!isNpi(npi)) add('npi_check_digit', `${npi} is no NPI: its check digit or length is wrong.`);
    else if (knownNpis?.has(npi) === false) add('npi_unknown', `${npi} is not in the NPPES file.`);
  }
  const addresses = [resource.address ?? []].flat();
  if (isPlace && !addresses.some(isCompleteAddress)) {
    add('address_incomplete', 'It has no address with street, city, state and ZIP code.');
  }
  const phones = (resource.telecom ?? []).filter(({ system }) => system === 'phone');
  if (isPlace && phones.length === 0) add('phone_missing', 'It has no telephone number.');
  for (const { value = '' } of phones) {
    if (!isPlausiblePhone(value)) add('phone_implausible', `${value} can’t be a telephone number.`);
  }
  return findings;
}
