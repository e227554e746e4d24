/** Search parameters, references and profiles of the types that several members' records share. */

import {
  addressParts,
  codeAt,
  conceptAt,
  core,
  parameter,
  type ResourceType,
  referenceAt,
  type ServedResource,
  textsAt,
  usCoreProfiles,
} from './served-resource.ts';

const both = ['read', 'search-type'] as const;
const usCore = 'http://hl7.org/fhir/us/core/SearchParameter/us-core';
const location = (name: string) => `${usCore}-location-${name}`;

/** Resources that the clinical data of several members refer to. Each of these members' records has a copy. */
export const sharedResources = {
  Location: {
    interactions: both,
    searchParameters: [
      parameter(
        'name',
        'string',
        location('name'),
        'Start of the name or of an alias',
        { path: 'name', as: 'string' },
        { path: 'alias', as: 'string' },
      ),
      parameter('address', 'string', location('address'), 'Start of a part of the address', ...addressParts),
      parameter(
        'address-city',
        'string',
        location('address-city'),
        'Start of the city',
        ...textsAt('address', ['city']),
      ),
      parameter(
        'address-state',
        'string',
        location('address-state'),
        'Start of the state',
        ...textsAt('address', ['state']),
      ),
      parameter(
        'address-postalcode',
        'string',
        location('address-postalcode'),
        'Start of the postal code',
        ...textsAt('address', ['postalCode']),
      ),
    ],
    includes: ['organization'],
    includePaths: { organization: 'managingOrganization' },
    revIncludes: [],
    supportedProfiles: usCoreProfiles('us-core-location', ['6.1.0']),
  },
  Medication: {
    interactions: both,
    searchParameters: [
      parameter('code', 'token', `${core}/clinical-code`, 'The medicine, by code', conceptAt('code')),
      parameter(
        'status',
        'token',
        `${core}/Medication-status`,
        'Status of the record',
        codeAt('status', 'http://hl7.org/fhir/CodeSystem/medication-status'),
      ),
    ],
    includes: [],
    revIncludes: [],
    supportedProfiles: usCoreProfiles('us-core-medication', ['6.1.0']),
  },
  PractitionerRole: {
    interactions: both,
    searchParameters: [
      parameter(
        'practitioner',
        'reference',
        `${usCore}-practitionerrole-practitioner`,
        'Who has the role',
        referenceAt('practitioner'),
      ),
      parameter(
        'specialty',
        'token',
        `${usCore}-practitionerrole-specialty`,
        'Specialty, by code',
        conceptAt('specialty'),
      ),
    ],
    includes: ['practitioner', 'organization', 'location'],
    includePaths: { organization: 'organization', location: 'location' },
    revIncludes: [],
    supportedProfiles: usCoreProfiles('us-core-practitionerrole', ['6.1.0']),
  },
} as const satisfies Readonly<Partial<Record<ResourceType, ServedResource>>>;
