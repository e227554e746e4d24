/** Table of the claims and coverage resource types, each a row with its profiles and search parameters. */

import {
  addressParts,
  carinProfile,
  codeAt,
  conceptAt,
  core,
  dateAt,
  hrexProfile,
  identifierAt,
  parameter,
  pdexProfiles,
  periodAt,
  personName,
  provenanceOf,
  type ResourceType,
  referenceAt,
  type ServedResource,
  textsAt,
  usCoreProfiles,
} from './served-resource.ts';

const carin = 'http://hl7.org/fhir/us/carin-bb/SearchParameter/explanationofbenefit';
const pdex = 'http://hl7.org/fhir/us/davinci-pdex';
const both = ['read', 'search-type'] as const;

/**
 * The member, coverage and claims, and the resources that these refer to: the types of CARIN Consumer Directed Payer Data Exchange (Blue
 * Button).
 *
 * @see http://hl7.org/fhir/us/carin-bb/STU2/CapabilityStatement-c4bb.html
 */
export const claimsResources = {
  Patient: {
    interactions: both,
    searchParameters: [
      parameter(
        'identifier',
        'token',
        `${core}/Patient-identifier`,
        'Any identifier of the member, such as the member ID',
        identifierAt(),
      ),
      parameter(
        'name',
        'string',
        `${core}/Patient-name`,
        'Start of the family name or of a given name',
        ...personName,
      ),
      parameter(
        'family',
        'string',
        `${core}/individual-family`,
        'Start of the family name',
        ...textsAt('name', ['family']),
      ),
      parameter(
        'given',
        'string',
        `${core}/individual-given`,
        'Start of a given name',
        ...textsAt('name', ['given']),
      ),
      parameter(
        'birthdate',
        'date',
        `${core}/individual-birthdate`,
        'Date of birth; if the month or day is unknown, any date in that year or month',
        dateAt('birthDate'),
      ),
      parameter(
        'death-date',
        'date',
        `${core}/Patient-death-date`,
        'Date of death',
        dateAt('deceasedDateTime'),
      ),
      parameter(
        'gender',
        'token',
        `${core}/individual-gender`,
        'Administrative gender',
        codeAt('gender', 'http://hl7.org/fhir/administrative-gender'),
      ),
    ],
    includes: [],
    revIncludes: provenanceOf,
    supportedProfiles: [
      carinProfile('C4BB-Patient', '1.1.0'),
      carinProfile('C4BB-Patient'),
      ...usCoreProfiles('us-core-patient', ['3.1.1', '6.1.0', '7.0.0']),
      hrexProfile('hrex-patient-demographics'),
    ],
  },
  Coverage: {
    interactions: both,
    patientElement: 'beneficiary',
    searchParameters: [
      parameter(
        'patient',
        'reference',
        `${core}/Coverage-patient`,
        'The member who is covered',
        referenceAt('beneficiary', 'Patient'),
      ),
      parameter(
        'beneficiary',
        'reference',
        `${core}/Coverage-beneficiary`,
        'The same as `patient`',
        referenceAt('beneficiary', 'Patient'),
      ),
    ],
    includes: ['payor', 'patient', 'beneficiary', 'subscriber', 'policy-holder'],
    includePaths: { payor: 'payor', subscriber: 'subscriber', 'policy-holder': 'policyHolder' },
    revIncludes: provenanceOf,
    supportedProfiles: [
      carinProfile('C4BB-Coverage', '1.1.0'),
      carinProfile('C4BB-Coverage'),
      ...usCoreProfiles('us-core-coverage', ['6.1.0', '7.0.0']),
      hrexProfile('hrex-coverage'),
    ],
  },
  ExplanationOfBenefit: {
    interactions: both,
    patientElement: 'patient',
    searchParameters: [
      parameter(
        'patient',
        'reference',
        `${carin}-patient`,
        'The member of the claim',
        referenceAt('patient', 'Patient'),
      ),
      parameter(
        'type',
        'token',
        `${carin}-type`,
        'Kind of claim: institutional, oral, pharmacy, professional',
        conceptAt('type'),
      ),
      parameter('identifier', 'token', `${carin}-identifier`, 'The payer’s claim number', identifierAt()),
      {
        name: 'related-claim',
        type: 'token',
        documentation:
          'A claim number: finds the claim, the ones it replaces, the ones that replace it, and so on through the whole chain',
        sources: [identifierAt('related.reference')],
        chainedBy: 'identifier',
      },
      parameter(
        'use',
        'token',
        `${pdex}/SearchParameter/explanationofbenefit-use`,
        'Whether it is a claim (`claim`) or a prior authorization (`preauthorization`)',
        codeAt('use', 'http://hl7.org/fhir/claim-use'),
      ),
      parameter(
        'status',
        'token',
        `${core}/ExplanationOfBenefit-status`,
        'Status of the record: active or cancelled',
        codeAt('status', 'http://hl7.org/fhir/explanationofbenefit-status'),
      ),
      parameter(
        '_profile',
        'uri',
        `${core}/Resource-profile`,
        'A profile of the resource, with or without its version',
        { path: 'meta.profile', as: 'canonical' },
      ),
      parameter(
        'service-date',
        'date',
        `${carin}-service-date`,
        'The billable period, or the date of service of a line',
        periodAt('billablePeriod'),
        dateAt('item.servicedDate'),
        periodAt('item.servicedPeriod'),
      ),
      parameter(
        'service-start-date',
        'date',
        `${carin}-service-start-date`,
        'Start of the billable period, or of the service of a line',
        dateAt('billablePeriod.start'),
        dateAt('item.servicedDate'),
        dateAt('item.servicedPeriod.start'),
      ),
      parameter(
        'billable-period-start',
        'date',
        `${carin}-billable-period-start`,
        'Start of the billable period',
        dateAt('billablePeriod.start'),
      ),
    ],
    includes: ['patient', 'provider', 'care-team', 'coverage', 'insurer', 'payee'],
    includePaths: {
      provider: 'provider',
      'care-team': 'careTeam.provider',
      coverage: 'insurance.coverage',
      insurer: 'insurer',
      payee: 'payee.party',
    },
    revIncludes: provenanceOf,
    supportedProfiles: [
      carinProfile('C4BB-ExplanationOfBenefit-Inpatient-Institutional'),
      carinProfile('C4BB-ExplanationOfBenefit-Outpatient-Institutional'),
      carinProfile('C4BB-ExplanationOfBenefit-Professional-NonClinician'),
      carinProfile('C4BB-ExplanationOfBenefit-Pharmacy'),
      carinProfile('C4BB-ExplanationOfBenefit-Oral'),
      ...pdexProfiles('pdex-priorauthorization', ['2.2.0']),
    ],
    // Version 2.0.0 only: the value set of the review decisions lacks codes that 2.2.0 requires.
    acceptedProfiles: pdexProfiles('pdex-priorauthorization', ['2.0.0']),
    newestBy: 'service-start-date',
    firstBy: { parameter: 'use', code: 'claim' },
    careDate: 'service-date',
  },
  Organization: {
    interactions: both,
    searchParameters: [
      parameter(
        'name',
        'string',
        `${core}/Organization-name`,
        'Start of the name or of an alias',
        { path: 'name', as: 'string' },
        { path: 'alias', as: 'string' },
      ),
      parameter(
        'address',
        'string',
        `${core}/Organization-address`,
        'Start of a part of the address: street, city, state, postal code, country',
        ...addressParts,
      ),
    ],
    includes: [],
    revIncludes: [],
    supportedProfiles: [
      carinProfile('C4BB-Organization', '1.1.0'),
      carinProfile('C4BB-Organization'),
      ...usCoreProfiles('us-core-organization', ['3.1.1', '6.1.0', '7.0.0']),
    ],
  },
  Practitioner: {
    interactions: both,
    searchParameters: [
      parameter(
        'identifier',
        'token',
        `${core}/Practitioner-identifier`,
        'Any identifier, such as the NPI',
        identifierAt(),
      ),
      parameter(
        'name',
        'string',
        `${core}/Practitioner-name`,
        'Start of the family name or of a given name',
        ...personName,
      ),
    ],
    includes: [],
    revIncludes: [],
    supportedProfiles: [
      carinProfile('C4BB-Practitioner', '1.1.0'),
      carinProfile('C4BB-Practitioner'),
      ...usCoreProfiles('us-core-practitioner', ['3.1.1', '6.1.0', '7.0.0']),
    ],
  },
  RelatedPerson: {
    interactions: both,
    patientElement: 'patient',
    searchParameters: [
      parameter(
        'patient',
        'reference',
        `${core}/RelatedPerson-patient`,
        'The member they are related to',
        referenceAt('patient', 'Patient'),
      ),
      parameter(
        'name',
        'string',
        `${core}/RelatedPerson-name`,
        'Start of the family name or of a given name',
        ...personName,
      ),
    ],
    includes: ['patient'],
    revIncludes: provenanceOf,
    supportedProfiles: [
      carinProfile('C4BB-RelatedPerson'),
      ...usCoreProfiles('us-core-relatedperson', ['6.1.0', '7.0.0']),
    ],
  },
} as const satisfies Readonly<Partial<Record<ResourceType, ServedResource>>>;
