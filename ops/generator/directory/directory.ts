/**
 * Generates a provider directory of any size from a seed, one resource at a time: group practices with locations, practitioners with one or
 * more roles, hospitals, pharmacies, networks and plans. All of it is fictitious.
 */
import type { DirectoryType } from '../../../lambdas/catalog/fhir/directory-types.ts';
import { luhnDigit } from '../record/parties.ts';
import { withEveryElement } from './full-records.ts';
import { type IndexedRandom, indexedRandom } from './indexed-random.ts';
import {
  codeSystem,
  directoryPlaces,
  extensionOf,
  npi,
  nucc,
  practiceKinds,
  practiceWords,
  practitionerFamilyNames,
  practitionerGivenNames,
  profileOf,
  type Specialty,
  spokenLanguages,
  streets,
  weightedSpecialties,
} from './vocabulary.ts';

export interface DirectorySize {
  readonly seed: number;
  /** Number of practitioners' roles, from which all other numbers follow. */
  readonly roles: number;
}

type Resource = Readonly<Record<string, unknown>> & {
  readonly resourceType: DirectoryType;
  readonly id: string;
};

/** Number of resources of each type in a directory. */
export function directoryCounts({ roles }: DirectorySize): Readonly<Record<DirectoryType, number>> {
  const practices = Math.max(2, Math.ceil(roles / 25));
  return {
    // The payer, its networks, the practices.
    Organization: 1 + networkCount + practices,
    Location: Math.max(3, Math.ceil(roles / 8)),
    Endpoint: Math.max(1, Math.ceil(practices / 20)),
    HealthcareService: practices,
    InsurancePlan: planCount,
    Practitioner: Math.max(2, Math.ceil(roles * 0.7)),
    PractitionerRole: roles,
    OrganizationAffiliation: practices,
  };
}

/** Invented identifier system for CMS's contract and plan numbers, since none is registered. */
const planIdSystem = 'https://plans.example/cms-contract-plan';

const networkCount = 5;
const planCount = 6;

/** Generates the resources of a type in order, each when it is requested. */
export function* directoryOf(type: DirectoryType, size: DirectorySize): Generator<Resource> {
  const count = directoryCounts(size)[type];
  for (let index = 0; index < count; index += 1) {
    yield withEveryElement(makers[type](index, size), index);
  }
}

type Maker = (index: number, size: DirectorySize) => Resource;

const makers: Readonly<Record<DirectoryType, Maker>> = {
  Organization: organization,
  Location: location,
  Endpoint: endpoint,
  HealthcareService: service,
  InsurancePlan: plan,
  Practitioner: practitioner,
  PractitionerRole: role,
  OrganizationAffiliation: affiliation,
};

const streams: Readonly<Record<DirectoryType, number>> = {
  Organization: 1,
  Location: 2,
  Endpoint: 3,
  HealthcareService: 4,
  InsurancePlan: 5,
  Practitioner: 6,
  PractitionerRole: 7,
  OrganizationAffiliation: 8,
};

function randomOf(type: DirectoryType, index: number, { seed }: DirectorySize): IndexedRandom {
  return indexedRandom(seed, streams[type], index);
}

const day = 86_400_000;
const newest = Date.UTC(2026, 10, 21);

/** The first elements of a resource. `lastUpdated` is the source's last verification: mostly within 30 days, for some long ago. */
function head(type: DirectoryType, profile: string, id: string, random: IndexedRandom) {
  const days = random.chance(0.8)
    ? random.below(30)
    : random.chance(0.6)
      ? 30 + random.below(60)
      : 90 + random.below(400);
  const lastUpdated = new Date(newest - days * day - random.below(day / 1000) * 1000).toISOString();
  return {
    resourceType: type,
    id,
    meta: { versionId: '2', lastUpdated, profile: [profileOf(profile)] },
    language: 'en-US',
  };
}

const networkId = (index: number) => `network-${index}`;
const practiceId = (index: number) => `practice-${index}`;
const locationId = (index: number) => `location-${index}`;

const networkNames = ['Standard', 'Premium', 'Medicare Advantage', 'Dental', 'Behavioral Health'];

function organization(index: number, size: DirectorySize): Resource {
  const random = randomOf('Organization', index, size);
  if (index === 0) {
    return {
      ...head('Organization', 'Organization', 'payer', random),
      active: true,
      type: [concept('OrgTypeCS', 'payer', 'Payer')],
      name: 'Example Health Plan',
      address: [addressOf(0, size)],
      telecom: [phone('202', 0)],
    };
  }
  if (index <= networkCount) {
    const at = index - 1;
    return {
      ...head('Organization', 'Network', networkId(at), random),
      extension: [
        { url: extensionOf('location-reference'), valueReference: reference('Location', locationId(0)) },
      ],
      identifier: [npiOf(49_000_000 + at), networkNumber(at)],
      active: true,
      type: [concept('OrgTypeCS', 'ntwk', 'Network')],
      name: `Example Health Plan ${networkNames[at] ?? ''} Network`,
      partOf: reference('Organization', 'payer'),
      address: [addressOf(0, size)],
      contact: [{ name: { text: 'Contracts' }, telecom: [phone('202', at + 1)] }],
      endpoint: [reference('Endpoint', 'endpoint-0')],
    };
  }
  const at = index - 1 - networkCount;
  return {
    ...head('Organization', 'Organization', practiceId(at), random),
    identifier: [npiOf(50_000_000 + at)],
    active: true,
    type: [concept('OrgTypeCS', 'prvgrp', 'Provider Group')],
    name: practiceName(at, random),
    address: [addressOf(locationOfPractice(at, size), size)],
    telecom: [phone(placeOf(locationOfPractice(at, size), size).areaCode, at % 100)],
    ...(random.chance(0.1) && at > 0 && { partOf: reference('Organization', practiceId(random.below(at))) }),
  };
}

function networkNumber(at: number) {
  const type = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'NIIP' }] };
  return { type, system: 'https://plans.example/network', value: `N${at + 1}` };
}

function practiceName(index: number, random: IndexedRandom): string {
  return `${random.pick(practiceWords)} ${random.pick(practiceKinds)} ${index + 1}`;
}

/** A location of a practice. Practices have consecutive locations, so that the number can be computed. */
function locationOfPractice(practice: number, size: DirectorySize): number {
  const { Location: locations, HealthcareService: practices } = directoryCounts(size);
  return Math.min(locations - 1, Math.floor((practice * locations) / practices));
}

function practiceOfLocation(at: number, size: DirectorySize): number {
  const { Location: locations, HealthcareService: practices } = directoryCounts(size);
  return Math.min(practices - 1, Math.floor((at * practices) / locations));
}

function placeOf(at: number, size: DirectorySize) {
  const random = indexedRandom(size.seed, 20, at);
  // Half of all locations are in the first three cities.
  const place = random.chance(0.5) ? directoryPlaces[random.below(3)] : random.pick(directoryPlaces);
  return place ?? directoryPlaces[0];
}

function addressOf(at: number, size: DirectorySize) {
  const { city, state, zip } = placeOf(at, size);
  const random = indexedRandom(size.seed, 21, at);
  const number = 1 + random.below(9_999);
  return {
    line: [`${number} ${random.pick(streets)} Street`],
    city,
    state,
    postalCode: `${zip}${String(random.below(100)).padStart(2, '0')}`,
    country: 'US',
  };
}

function location(index: number, size: DirectorySize): Resource {
  const random = randomOf('Location', index, size);
  const { latitude, longitude, areaCode } = placeOf(index, size);
  const practice = practiceOfLocation(index, size);
  const address = addressOf(index, size);
  const isPharmacy = random.chance(0.08);
  return {
    ...head('Location', 'Location', locationId(index), random),
    status: 'active',
    name: isPharmacy ? `${address.city} Example Pharmacy ${index}` : `${address.city} Office ${index}`,
    type: [
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/v3-RoleCode',
            ...(isPharmacy
              ? { code: 'OUTPHARM', display: 'outpatient pharmacy' }
              : { code: 'PC', display: 'Primary care clinic' }),
          },
        ],
      },
    ],
    telecom: [phone(areaCode, index % 100)],
    address,
    // Some locations have no position, so that a search by `near` can't find them.
    ...(!random.chance(0.02) && {
      position: {
        latitude: rounded(latitude + (random.below(2_000) - 1_000) / 5_000),
        longitude: rounded(longitude + (random.below(2_000) - 1_000) / 5_000),
      },
    }),
    managingOrganization: reference('Organization', practiceId(practice)),
    ...(random.chance(0.6) && {
      extension: [
        {
          url: extensionOf('accessibility'),
          valueCodeableConcept: concept('AccessibilityCS', 'adacomp', 'ADA compliant'),
        },
      ],
    }),
    hoursOfOperation: [
      { daysOfWeek: ['mon', 'tue', 'wed', 'thu', 'fri'], openingTime: '08:00:00', closingTime: '17:00:00' },
    ],
  };
}

function endpoint(index: number, size: DirectorySize): Resource {
  const random = randomOf('Endpoint', index, size);
  const { HealthcareService: practices } = directoryCounts(size);
  return {
    ...head('Endpoint', 'Endpoint', `endpoint-${index}`, random),
    status: 'active',
    connectionType: {
      system: codeSystem('EndpointConnectionTypeCS'),
      code: 'hl7-fhir-opn',
      display: 'HL7 FHIR Operation',
    },
    name: `Example endpoint ${index}`,
    managingOrganization: reference('Organization', practiceId(Math.min(practices - 1, index * 20))),
    payloadType: [concept('EndpointPayloadTypeCS', 'NA', 'Not Applicable')],
    address: `https://fhir.practice-${index}.example/r4`,
  };
}

function service(index: number, size: DirectorySize): Resource {
  const random = randomOf('HealthcareService', index, size);
  const specialty = random.pick(weightedSpecialties);
  const isVirtual = random.chance(0.3);
  return {
    ...head('HealthcareService', 'HealthcareService', `service-${index}`, random),
    extension: [
      newPatients(random),
      ...(isVirtual
        ? [
            {
              url: extensionOf('delivery-method'),
              extension: [
                { url: 'type', valueCodeableConcept: concept('DeliveryMethodCS', 'virtual', 'Virtual') },
                {
                  url: 'virtualModalities',
                  valueCodeableConcept: concept('VirtualModalitiesCS', 'video', 'Video'),
                },
              ],
            },
          ]
        : []),
    ],
    active: true,
    providedBy: reference('Organization', practiceId(index)),
    category: [concept('HealthcareServiceCategoryCS', 'outpat', 'Clinic or Outpatient Facility')],
    specialty: [taxonomy(specialty)],
    location: [reference('Location', locationId(locationOfPractice(index, size)))],
    name: `${specialty.display.replace(/ Physician$/, '')} services ${index}`,
  };
}

function plan(index: number, size: DirectorySize): Resource {
  const random = randomOf('InsurancePlan', index, size);
  const [type, display] =
    index % 2 === 0 ? ['mediadvhmo', 'Medicare Advantage HMO'] : ['qhp', 'Qualified Health Plan'];
  return {
    ...head('InsurancePlan', 'InsurancePlan', `plan-${index}`, random),
    // The contract number 0000 is never assigned by CMS.
    identifier: [{ system: planIdSystem, value: `H0000-${String(index + 1).padStart(3, '0')}` }],
    period: { start: '2026-01-01', end: '2027-12-31' },
    status: 'active',
    type: [concept('InsuranceProductTypeCS', type ?? '', display ?? '')],
    name: `Example Plan ${['Bronze', 'Silver', 'Gold', 'Platinum', 'Basic', 'Plus'][index] ?? index}`,
    ownedBy: reference('Organization', 'payer'),
    administeredBy: reference('Organization', 'payer'),
    network: [reference('Organization', networkId(index % networkCount))],
  };
}

function practitioner(index: number, size: DirectorySize): Resource {
  const random = randomOf('Practitioner', index, size);
  // Squaring makes the first names in the list the most common.
  const at = Math.floor((random.below(1_000_000) / 1_000_000) ** 2 * practitionerFamilyNames.length);
  const spoken = random.chance(0.35) ? [random.pick(spokenLanguages)] : [];
  const isFemale = random.chance(0.5);
  const given = random.chance(0.3)
    ? [random.pick(practitionerGivenNames), random.pick(practitionerGivenNames)]
    : [random.pick(practitionerGivenNames)];
  return {
    ...head('Practitioner', 'Practitioner', `practitioner-${index}`, random),
    identifier: [npiOf(index)],
    active: true,
    name: [{ family: practitionerFamilyNames[at] ?? 'Sampleton', given }],
    gender: isFemale ? 'female' : 'male',
    ...(spoken.length > 0 && {
      communication: spoken.map(([code, display]) => ({
        coding: [{ system: 'urn:ietf:bcp:47', code, display }],
      })),
    }),
    qualification: [{ code: taxonomy(random.pick(weightedSpecialties)) }],
  };
}

function role(index: number, size: DirectorySize): Resource {
  const random = randomOf('PractitionerRole', index, size);
  const { Practitioner: practitioners, Location: locations } = directoryCounts(size);
  const at = random.below(locations);
  const practice = practiceOfLocation(at, size);
  const specialty = random.pick(weightedSpecialties);
  const network = random.below(networkCount);
  const places = random.chance(0.25) ? [at, (at + 1) % locations] : [at];
  return {
    ...head('PractitionerRole', 'PractitionerRole', `role-${index}`, random),
    extension: [
      newPatients(random),
      {
        url: extensionOf('network-reference'),
        valueReference: reference('Organization', networkId(network)),
      },
    ],
    active: true,
    ...(random.chance(0.3) && { period: { start: `20${10 + random.below(16)}-0${1 + random.below(9)}-01` } }),
    // Every practitioner gets a first role, then some get a second one.
    practitioner: reference('Practitioner', `practitioner-${index % practitioners}`),
    organization: reference('Organization', practiceId(practice)),
    code: [
      concept('ProviderRoleCS', specialty.role, specialty.role === 'ph' ? 'Physician' : specialty.display),
    ],
    specialty: [taxonomy(specialty)],
    location: [...new Set(places)].map((each) => reference('Location', locationId(each))),
    healthcareService: [reference('HealthcareService', `service-${practice}`)],
    telecom: [phone(placeOf(at, size).areaCode, index % 100)],
    ...(random.chance(0.5) && {
      availableTime: [
        { daysOfWeek: ['mon', 'wed', 'fri'], availableStartTime: '08:00:00', availableEndTime: '16:00:00' },
      ],
    }),
  };
}

function affiliation(index: number, size: DirectorySize): Resource {
  const random = randomOf('OrganizationAffiliation', index, size);
  return {
    ...head('OrganizationAffiliation', 'OrganizationAffiliation', `affiliation-${index}`, random),
    active: true,
    organization: reference('Organization', 'payer'),
    participatingOrganization: reference('Organization', practiceId(index)),
    network: [reference('Organization', networkId(random.below(networkCount)))],
    code: [concept('OrganizationAffiliationRoleCS', 'group', 'Group')],
    location: [reference('Location', locationId(locationOfPractice(index, size)))],
    healthcareService: [reference('HealthcareService', `service-${index}`)],
  };
}

function newPatients(random: IndexedRandom) {
  const [code, display] = random.chance(0.7)
    ? ['newpt', 'Accepting New Patients']
    : ['nopt', 'Not Accepting New Patients'];
  return {
    url: extensionOf('newpatients'),
    extension: [
      {
        url: 'acceptingPatients',
        valueCodeableConcept: concept('AcceptingPatientsCS', code ?? '', display ?? ''),
      },
    ],
  };
}

function concept(system: string, code: string, display: string) {
  return { coding: [{ system: codeSystem(system), code, display }] };
}

function taxonomy({ code, display }: Specialty) {
  return { coding: [{ system: nucc, code, display }] };
}

function reference(type: string, id: string) {
  return { reference: `${type}/${id}` };
}

/** 555-0100 to 555-0199 are for fictitious use. */
function phone(areaCode: string, last: number) {
  return { system: 'phone', value: `+1-${areaCode}-555-01${String(last).padStart(2, '0')}`, rank: 1 };
}

/** A number with NPI's check digit that begins with 2; no issued NPI does. */
function npiOf(index: number) {
  const digits = `2${String(index).padStart(8, '0')}`;
  return { system: npi, value: `${digits}${luhnDigit(`80840${digits}`)}` };
}

function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}
