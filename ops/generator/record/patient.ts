/** Generates Patient resources from demographics. */

import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { concept } from './codes.ts';
import { internalPrefix } from './internal-prefix.ts';
import type { Place } from './people.ts';
import { declaredProfiles } from './resource.ts';

/** Date that the plan's systems write for an open end. */
export const openEnd = '9999-12-31';

/** Profiles that the resource satisfies; the first two in the order of docs/service.md S7.2. */
const patientProfiles = (() => {
  const [described, ...others] = declaredProfiles('C4BB-Patient');
  return [described, 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient', ...others];
})();

/** A synthetic member's data. */
export interface SyntheticPerson {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly versionId: string;
  /** ISO 8601 with fractional seconds and offset. */
  readonly lastUpdated: string;
  readonly rowId: string;
  readonly sourceId: string;
  readonly memberId: string;
  readonly enrolments: readonly { readonly group: string; readonly plan: string }[];
  readonly familyName: string;
  readonly givenNames: readonly string[];
  /** `Jr.`, and a family name before marriage; only for members of a population. */
  readonly suffix?: string;
  readonly formerName?: { readonly family: string; readonly until: string };
  /** Day of death; absent for living members. */
  readonly diedOn?: string;
  /** Tribe in which the member is enrolled, of HL7 v3 TribalEntityUS. */
  readonly tribe?: { readonly code: string; readonly text: string };
  readonly gender: 'female' | 'male';
  /** `YYYY-MM-DD`; an unknown month or day is `00`. */
  readonly birthDate: string;
  readonly addresses: readonly { readonly place: Place; readonly start: string; readonly end: string }[];
  readonly demographics: Demographics;
}

/** Elements that the profiles require and docs/service.md does not. */
export interface Demographics {
  /** Phone number, as `+1-202-555-0100`. */
  readonly phone: string;
  readonly email: string;
  /** Street of the mailing address. */
  readonly street: string;
  /** Member ID across the plan's lines of business. */
  readonly uniqueMemberId: string;
  readonly race: { readonly system: string; readonly code: string; readonly text: string };
  readonly ethnicity: { readonly code: string; readonly text: string };
  /** BCP 47. */
  readonly language: { readonly code: string; readonly text: string };
}

const usCore = 'http://hl7.org/fhir/us/core/StructureDefinition';
/** CDC Race and Ethnicity. */
const raceAndEthnicity = 'urn:oid:2.16.840.1.113883.6.238';
const race = (code: string, text: string) => ({ system: raceAndEthnicity, code, text });

/** The race categories of the Office of Management and Budget, and a code for "asked but unknown". */
export const races = [
  race('2054-5', 'Black or African American'),
  race('2106-3', 'White'),
  race('2028-9', 'Asian'),
  race('1002-5', 'American Indian or Alaska Native'),
  {
    system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor',
    code: 'ASKU',
    text: 'Asked, and did not say',
  },
] as const;

export const ethnicities: readonly [Demographics['ethnicity'], ...Demographics['ethnicity'][]] = [
  { code: '2186-5', text: 'Not Hispanic or Latino' },
  { code: '2135-2', text: 'Hispanic or Latino' },
];

export const preferredLanguages: readonly [Demographics['language'], ...Demographics['language'][]] = [
  { code: 'en', text: 'English' },
  { code: 'es', text: 'Spanish' },
  { code: 'am', text: 'Amharic' },
];

/** Makes a Patient: the elements of docs/service.md S7.1 to S7.7 in order, then those that the profiles require. */
export function patientResource(person: SyntheticPerson, birthDate = person.birthDate) {
  return {
    resourceType: 'Patient',
    id: person.patientId,
    meta: {
      versionId: person.versionId,
      lastUpdated: person.lastUpdated,
      profile: patientProfiles,
    },
    extension: [
      extension('last_updated_date', person.lastUpdated.slice(0, 10)),
      extension('row_id', person.rowId),
      extension('source_id', person.sourceId),
      ...coreExtensions(person),
    ],
    identifier: [
      {
        type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }] },
        ...identifier('MEMBER_LIFE_ID', person.memberId),
      },
      identifier('lob', person.lob),
      ...person.enrolments.flatMap(({ group, plan }) => [
        identifier('group', group),
        identifier('plan', plan),
      ]),
      {
        type: concept('carinIdentifierType', 'um', 'Unique member number'),
        ...identifier('unique_member_id', person.demographics.uniqueMemberId),
      },
    ],
    name: namesOf(person),
    gender: person.gender,
    birthDate,
    address: [
      ...person.addresses.map(({ place, start, end }) => ({
        city: place.city,
        state: place.state,
        postalCode: place.postalCode,
        period: { start, end },
      })),
      ...mailingAddress(person),
    ],
    telecom: [
      { system: 'phone', value: person.demographics.phone, use: 'home' },
      { system: 'email', value: person.demographics.email, use: 'home' },
    ],
    ...(person.diedOn === undefined ? { deceasedBoolean: false } : { deceasedDateTime: person.diedOn }),
    communication: [
      {
        language: {
          coding: [{ system: 'urn:ietf:bcp:47', code: person.demographics.language.code }],
          text: person.demographics.language.text,
        },
        preferred: true,
      },
    ],
  };
}

function namesOf({ familyName: family, givenNames: given, suffix, formerName }: SyntheticPerson) {
  const name = { family, given, ...(suffix !== undefined && { suffix: [suffix] }) };
  if (formerName === undefined) return [name];
  const { until } = formerName;
  return [
    { use: 'official', ...name, period: { start: until } },
    { use: 'old', family: formerName.family, given, period: { end: until } },
  ];
}

/**
 * The extensions of US Core.
 *
 * @see http://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-patient.html
 */
function coreExtensions({ gender, tribe, demographics: { race: own, ethnicity } }: SyntheticPerson) {
  const { text, ...category } = own;
  return [
    {
      url: `${usCore}/us-core-race`,
      extension: [
        { url: 'ombCategory', valueCoding: category },
        { url: 'text', valueString: text },
      ],
    },
    {
      url: `${usCore}/us-core-ethnicity`,
      extension: [
        { url: 'ombCategory', valueCoding: { system: raceAndEthnicity, code: ethnicity.code } },
        { url: 'text', valueString: ethnicity.text },
      ],
    },
    { url: `${usCore}/us-core-birthsex`, valueCode: gender === 'female' ? 'F' : 'M' },
    ...(tribe === undefined ? [] : [tribalAffiliation(tribe)]),
  ];
}

function tribalAffiliation({ code, text }: NonNullable<SyntheticPerson['tribe']>) {
  const system = 'http://terminology.hl7.org/CodeSystem/v3-TribalEntityUS';
  return {
    url: `${usCore}/us-core-tribal-affiliation`,
    extension: [
      { url: 'tribalAffiliation', valueCodeableConcept: { coding: [{ system, code }], text } },
      { url: 'isEnrolled', valueBoolean: true },
    ],
  };
}

/** The complete mailing address; the addresses of docs/service.md S7.7 have no street. */
function mailingAddress({ addresses, demographics: { street } }: SyntheticPerson) {
  return addresses.slice(-1).map(({ place, start, end }) => ({
    type: 'postal',
    line: [street],
    city: place.city,
    district: place.county,
    state: place.state,
    postalCode: place.postalCode,
    country: 'US',
    period: { start, end },
  }));
}

/** Converts a date to a FHIR date without its unknown parts: `1956-00-00` to `1956`, `1956-07-00` to `1956-07`. */
export function fhirDate(date: string): string {
  return date.replace(/(-00)+$/, '');
}

function extension(name: string, valueId: string) {
  return { url: `${internalPrefix}/StructureDefinition/${name}`, valueId };
}

function identifier(name: string, value: string) {
  return { system: `${internalPrefix}/identifier/${name}`, value };
}
