import type { FhirResource } from 'fhir/r4.js';

/** A resource type of R4. */
export type ResourceType = FhirResource['resourceType'];

/** The types of R4's search parameters that are served (R4, search.html#ptypes). */
export type SearchParameterType = 'date' | 'reference' | 'string' | 'token';

export interface SearchParameter {
  /** As it stands in a query: `service-date`. */
  readonly name: string;
  readonly type: SearchParameterType;
  /** Canonical URL of its definition (SearchParameter.url). */
  readonly definition: string;
  /** The elements it compares, in words. */
  readonly documentation: string;
}

export interface ServedResource {
  /** FHIR interactions on the type (R4, http.html). */
  readonly interactions: readonly ('read' | 'search-type')[];
  /** Beside `_id` and `_lastUpdated`, which every type that is searched has. */
  readonly searchParameters: readonly SearchParameter[];
  /** Values of `_include` without the type: `patient` for `ExplanationOfBenefit:patient`; each names references of the resource. */
  readonly includes: readonly string[];
  /**
   * Canonical URLs, with versions, of the profiles that resources of this type satisfy
   * (CapabilityStatement.rest.resource.supportedProfile). CARIN Blue Button asks that a resource declares its own.
   */
  readonly supportedProfiles: readonly string[];
  /** The date parameter by which results stand, newest first; `_lastUpdated` where there is none. */
  readonly newestBy?: string;
}

const core = 'http://hl7.org/fhir/SearchParameter';
const carin = 'http://hl7.org/fhir/us/carin-bb';

/** The version of CARIN Blue Button with dental claims and related persons; the service description shows a Patient of 1.1.0. */
const carinVersion = '2.0.0';

function carinProfile(name: string, version = carinVersion): string {
  return `${carin}/StructureDefinition/${name}|${version}`;
}

/** Versions of a US Core profile; 3.1.1 is the one that both versions of CARIN Blue Button are built on. */
function usCoreProfiles(name: string, versions: readonly string[]): readonly string[] {
  return versions.map((version) => `http://hl7.org/fhir/us/core/StructureDefinition/${name}|${version}`);
}

/**
 * The resource types of Patient Access: the CARIN Consumer Directed Payer Data Exchange (Blue Button) resources. Consent, search
 * and, by the table of interfaces, everything that is made from that one read this table.
 *
 * @see http://hl7.org/fhir/us/carin-bb/STU2/CapabilityStatement-c4bb.html
 */
export const patientAccessResources = {
  Patient: {
    interactions: ['read', 'search-type'],
    searchParameters: [
      {
        name: 'identifier',
        type: 'token',
        definition: `${core}/Patient-identifier`,
        documentation: 'Any identifier of the member, such as the member ID',
      },
      {
        name: 'name',
        type: 'string',
        definition: `${core}/Patient-name`,
        documentation: 'Start of the family name or of a given name',
      },
      {
        name: 'family',
        type: 'string',
        definition: `${core}/individual-family`,
        documentation: 'Start of the family name',
      },
      {
        name: 'given',
        type: 'string',
        definition: `${core}/individual-given`,
        documentation: 'Start of a given name',
      },
      {
        name: 'birthdate',
        type: 'date',
        definition: `${core}/individual-birthdate`,
        documentation: 'Date of birth; if the month or day is unknown, any date in that year or month',
      },
      {
        name: 'gender',
        type: 'token',
        definition: `${core}/individual-gender`,
        documentation: 'Administrative gender',
      },
    ],
    includes: [],
    supportedProfiles: [
      carinProfile('C4BB-Patient', '1.1.0'),
      carinProfile('C4BB-Patient'),
      ...usCoreProfiles('us-core-patient', ['3.1.1', '6.1.0', '7.0.0']),
    ],
  },
  Coverage: {
    interactions: ['read', 'search-type'],
    searchParameters: [
      {
        name: 'patient',
        type: 'reference',
        definition: `${core}/Coverage-patient`,
        documentation: 'The member who is covered',
      },
      {
        name: 'beneficiary',
        type: 'reference',
        definition: `${core}/Coverage-beneficiary`,
        documentation: 'The same as `patient`',
      },
    ],
    includes: ['payor', 'patient', 'beneficiary', 'subscriber', 'policy-holder'],
    supportedProfiles: [
      carinProfile('C4BB-Coverage', '1.1.0'),
      carinProfile('C4BB-Coverage'),
      ...usCoreProfiles('us-core-coverage', ['6.1.0', '7.0.0']),
    ],
  },
  ExplanationOfBenefit: {
    interactions: ['read', 'search-type'],
    searchParameters: [
      {
        name: 'patient',
        type: 'reference',
        definition: `${carin}/SearchParameter/explanationofbenefit-patient`,
        documentation: 'The member of the claim',
      },
      {
        name: 'type',
        type: 'token',
        definition: `${carin}/SearchParameter/explanationofbenefit-type`,
        documentation: 'Kind of claim: institutional, oral, pharmacy, professional',
      },
      {
        name: 'identifier',
        type: 'token',
        definition: `${carin}/SearchParameter/explanationofbenefit-identifier`,
        documentation: 'The payer’s claim number',
      },
      {
        name: 'service-date',
        type: 'date',
        definition: `${carin}/SearchParameter/explanationofbenefit-service-date`,
        documentation: 'The billable period, or the date of service of a line',
      },
      {
        name: 'service-start-date',
        type: 'date',
        definition: `${carin}/SearchParameter/explanationofbenefit-service-start-date`,
        documentation: 'Start of the billable period, or of the service of a line',
      },
      {
        name: 'billable-period-start',
        type: 'date',
        definition: `${carin}/SearchParameter/explanationofbenefit-billable-period-start`,
        documentation: 'Start of the billable period',
      },
    ],
    includes: ['patient', 'provider', 'care-team', 'coverage', 'insurer', 'payee'],
    supportedProfiles: [
      carinProfile('C4BB-ExplanationOfBenefit-Inpatient-Institutional'),
      carinProfile('C4BB-ExplanationOfBenefit-Outpatient-Institutional'),
      carinProfile('C4BB-ExplanationOfBenefit-Professional-NonClinician'),
      carinProfile('C4BB-ExplanationOfBenefit-Pharmacy'),
      carinProfile('C4BB-ExplanationOfBenefit-Oral'),
    ],
    newestBy: 'service-start-date',
  },
  Organization: {
    interactions: ['read', 'search-type'],
    searchParameters: [
      {
        name: 'name',
        type: 'string',
        definition: `${core}/Organization-name`,
        documentation: 'Start of the name or of an alias',
      },
      {
        name: 'address',
        type: 'string',
        definition: `${core}/Organization-address`,
        documentation: 'Start of a part of the address: street, city, state, postal code, country',
      },
    ],
    includes: [],
    supportedProfiles: [
      carinProfile('C4BB-Organization', '1.1.0'),
      carinProfile('C4BB-Organization'),
      ...usCoreProfiles('us-core-organization', ['3.1.1', '6.1.0', '7.0.0']),
    ],
  },
  Practitioner: {
    interactions: ['read', 'search-type'],
    searchParameters: [
      {
        name: 'identifier',
        type: 'token',
        definition: `${core}/Practitioner-identifier`,
        documentation: 'Any identifier, such as the NPI',
      },
      {
        name: 'name',
        type: 'string',
        definition: `${core}/Practitioner-name`,
        documentation: 'Start of the family name or of a given name',
      },
    ],
    includes: [],
    supportedProfiles: [
      carinProfile('C4BB-Practitioner', '1.1.0'),
      carinProfile('C4BB-Practitioner'),
      ...usCoreProfiles('us-core-practitioner', ['3.1.1', '6.1.0', '7.0.0']),
    ],
  },
  RelatedPerson: {
    interactions: ['read', 'search-type'],
    searchParameters: [
      {
        name: 'patient',
        type: 'reference',
        definition: `${core}/RelatedPerson-patient`,
        documentation: 'The member they are related to',
      },
      {
        name: 'name',
        type: 'string',
        definition: `${core}/RelatedPerson-name`,
        documentation: 'Start of the family name or of a given name',
      },
    ],
    includes: ['patient'],
    supportedProfiles: [
      carinProfile('C4BB-RelatedPerson'),
      ...usCoreProfiles('us-core-relatedperson', ['6.1.0', '7.0.0']),
    ],
  },
} as const satisfies Readonly<Partial<Record<ResourceType, ServedResource>>>;

export type PatientAccessType = keyof typeof patientAccessResources;

export const patientAccessTypes = Object.keys(patientAccessResources) as readonly PatientAccessType[];

export function isPatientAccessType(text: string): text is PatientAccessType {
  return Object.hasOwn(patientAccessResources, text);
}

/** The table's row of a type. */
export function servedResource(type: PatientAccessType): ServedResource {
  return patientAccessResources[type];
}

/** The parameters every type that is searched has. */
export const commonSearchParameters: readonly SearchParameter[] = [
  {
    name: '_id',
    type: 'token',
    definition: `${core}/Resource-id`,
    documentation: 'The resource’s id',
  },
  {
    name: '_lastUpdated',
    type: 'date',
    definition: `${core}/Resource-lastUpdated`,
    documentation: 'Time of the resource’s last update',
  },
];

/** Results on a page, where a request doesn't say (`_count`), and at most. */
export const pageSizes = { usual: 20, most: 100 } as const;

/** UTF-8 bytes of a resource, at most: what a function answers is limited to 6 MB, and a search wraps resources. */
export const longestResource = 4 * 1024 * 1024;

/** More is refused: what a search may ask at once. */
export const searchBounds = {
  /**
   * Characters of all parameters, percent-encoded. The address of the next page, which carries them a third longer, stays with a
   * token and the other headers below the 10,240 bytes of API Gateway.
   */
  characters: 5000,
  parameters: 50,
  /** Values of one parameter, between commas. */
  alternatives: 100,
  /** Names in `_sort`. */
  sortNames: 5,
  /** Bytes of the form of a search by POST. Larger ones AWS WAF refuses before it comes here (SizeRestrictions_BODY). */
  formBytes: 8192,
} as const;
