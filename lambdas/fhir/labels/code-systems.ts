/** Recognizes code systems: sources write the URL or OID of one system in many ways, and all of them must find the same value sets. */

/** A code system of the value sets of sensitive codes. */
export type CodeSystem =
  | 'icd-10-cm'
  | 'icd-10-pcs'
  | 'icd-9-cm'
  | 'cpt'
  | 'hcpcs'
  | 'ms-drg'
  | 'revenue'
  | 'place-of-service'
  | 'provider-taxonomy'
  | 'loinc'
  | 'snomed-ct'
  | 'act-code'
  | 'confidentiality';

/** Object identifiers (HL7 OID registry), without `urn:oid:`. */
const objectIdentifiers: Readonly<Record<string, CodeSystem>> = {
  '2.16.840.1.113883.6.90': 'icd-10-cm',
  '2.16.840.1.113883.6.3': 'icd-10-cm',
  '2.16.840.1.113883.6.344': 'icd-10-cm',
  '2.16.840.1.113883.6.4': 'icd-10-pcs',
  '2.16.840.1.113883.6.2': 'icd-9-cm',
  '2.16.840.1.113883.6.42': 'icd-9-cm',
  '2.16.840.1.113883.6.103': 'icd-9-cm',
  '2.16.840.1.113883.6.104': 'icd-9-cm',
  '2.16.840.1.113883.6.12': 'cpt',
  '2.16.840.1.113883.6.14': 'hcpcs',
  '2.16.840.1.113883.6.285': 'hcpcs',
  '2.16.840.1.113883.6.50': 'place-of-service',
  '2.16.840.1.113883.6.301.3': 'revenue',
  '2.16.840.1.113883.6.101': 'provider-taxonomy',
  '2.16.840.1.113883.6.1': 'loinc',
  '2.16.840.1.113883.6.96': 'snomed-ct',
  '2.16.840.1.113883.5.4': 'act-code',
  '2.16.840.1.113883.5.25': 'confidentiality',
};

/**
 * Patterns of a system's URL reduced to letters and digits; the first that matches counts. A scheme, trailing slash, version, blank, hyphen
 * or capital makes no difference: `http://hl7.org/fhir/sid/icd-10`, `https://hl7.org/fhir/sid/icd-10-cm/|2026` and
 * `http://terminology.hl7.org/CodeSystem/icd10CM` are the same system.
 */
const patterns: readonly (readonly [RegExp, CodeSystem])[] = [
  [/icd(?:10)?pcs|codingicd10(?!cm)/, 'icd-10-pcs'],
  [/icd(?:release)?10|icd10/, 'icd-10-cm'],
  [/icd(?:release)?9/, 'icd-9-cm'],
  [/dsm[45i]/, 'icd-10-cm'],
  [/amaassn|(?:^|codesystem|urn)cpt/, 'cpt'],
  [/hcpcs/, 'hcpcs'],
  [/msdrg|codesystemdrg|^drg/, 'ms-drg'],
  [/revenuecode/, 'revenue'],
  [/placeofservice/, 'place-of-service'],
  [/providertaxonomy|nuccorg|nuccprovider/, 'provider-taxonomy'],
  [/loinc/, 'loinc'],
  [/snomed|^sct$/, 'snomed-ct'],
  [/actcode/, 'act-code'],
  [/confidentiality/, 'confidentiality'],
];

/**
 * Finds the code system that a URL or OID names.
 *
 * @returns undefined for a system without codes in any value set.
 */
export function codeSystemOf(text: string): CodeSystem | undefined {
  const known = remembered.get(text);
  if (known !== undefined) return known === '' ? undefined : known;
  const found = findCodeSystem(text);
  if (remembered.size > mostRemembered) remembered.clear();
  remembered.set(text, found ?? '');
  return found;
}

/** Normalizes a code to the form of the value sets: without blanks around it, in one case. */
export function plainCode(code: string): string {
  return code.trim().toUpperCase();
}

/** Cache: a load repeats the same few texts. */
const remembered = new Map<string, CodeSystem | ''>();
const mostRemembered = 1_000;

function findCodeSystem(text: string): CodeSystem | undefined {
  const [plain = ''] = text.trim().toLowerCase().split('|');
  const identifier = /^(?:urn:)?(?:oid:)?([\d.]+)$/.exec(plain.trim().replace(/\/+$/, ''))?.[1];
  if (identifier !== undefined) return objectIdentifiers[identifier];
  const letters = decoded(plain).replace(/[^a-z0-9]/g, '');
  return patterns.find(([pattern]) => pattern.test(letters))?.[1];
}

/** `%2D` is an encoded hyphen. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
