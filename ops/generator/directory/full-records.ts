/**
 * Adds to some records of each type all elements that Plan-Net 1.1.0 asks servers to support. Most records of a directory have few of them.
 */

import type { DirectoryType } from '../../../lambdas/catalog/fhir/directory-types.ts';
import { codeSystem, extensionOf, nucc } from './vocabulary.ts';

type Resource = Readonly<Record<string, unknown>> & {
  readonly resourceType: DirectoryType;
  readonly id: string;
};

/** One of this many records of a type has all elements, beginning with the first. */
const fullEvery = 10;

/**
 * Adds the missing elements, if the record is one of those that have all.
 *
 * @param index of the record within its type
 */
export function withEveryElement<Record extends Resource>(record: Record, index: number): Record {
  if (index % fullEvery !== 0) return record;
  const more = elements[record.resourceType](record);
  const extension = [...listOf(record.extension), ...listOf(more.extension)];
  return { ...record, ...more, ...(extension.length > 0 && { extension }) };
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as readonly object[]) : []);
const reference = (name: string) => ({ reference: name });
const own = (system: string, code: string) => ({ coding: [{ system: codeSystem(system), code }] });
const identifierType = (code: string) => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code }],
});
const identifier = (value: string) => ({
  type: identifierType('PRN'),
  ...{ system: 'https://directory.example/record', value },
});
const period = { start: '2020-01-01', end: '2029-12-31' };
const closed = [{ description: 'Holidays', during: { start: '2026-12-24', end: '2027-01-01' } }];
const workdays = ['mon', 'tue', 'wed', 'thu', 'fri'];
/** A phone number at which an intermediary answers, on workdays. */
const telecom = [
  {
    extension: [
      {
        url: extensionOf('contactpoint-availabletime'),
        extension: [
          ...workdays.map((valueCode) => ({ url: 'daysOfWeek', valueCode })),
          { url: 'availableStartTime', valueTime: '08:00:00' },
          { url: 'availableEndTime', valueTime: '16:00:00' },
        ],
      },
      { url: extensionOf('via-intermediary'), valueReference: reference('Organization/payer') },
    ],
    ...{ system: 'phone', value: '+1-202-555-0199', use: 'work', rank: 1 },
  },
];
const contact = [
  {
    name: { text: 'Office of the directory' },
    telecom: [{ system: 'phone', value: '+1-202-555-0198', use: 'work' }],
  },
];
const geolocation = {
  url: 'http://hl7.org/fhir/StructureDefinition/geolocation',
  extension: [
    { url: 'latitude', valueDecimal: 38.9 },
    { url: 'longitude', valueDecimal: -77.03 },
  ],
};
const address = {
  extension: [geolocation],
  ...{
    use: 'work',
    type: 'both',
    text: '100 Example Street, Washington, DC 20001',
    line: ['100 Example Street'],
  },
  ...{ city: 'Washington', state: 'DC', postalCode: '20001', country: 'US' },
};
/** A qualification of an organization or a role, as an extension with nested extensions. */
const qualification = {
  url: extensionOf('qualification'),
  extension: [
    { url: 'identifier', valueIdentifier: identifier('Q-1') },
    { url: 'code', valueCodeableConcept: { coding: [{ system: nucc, code: '207Q00000X' }] } },
    { url: 'issuer', valueReference: { display: 'Example Board of Medicine' } },
    { url: 'status', valueCode: 'active' },
    { url: 'period', valuePeriod: period },
    {
      url: 'whereValid',
      valueCodeableConcept: { coding: [{ system: 'https://www.usps.com/', code: 'DC' }] },
    },
  ],
};
const endpoint = [reference('Endpoint/endpoint-0')];

const elements: Readonly<Record<DirectoryType, (record: Resource) => Readonly<Record<string, unknown>>>> = {
  Organization: ({ identifier: known, telecom: numbers, id }) => ({
    extension: [
      qualification,
      { url: extensionOf('org-description'), valueString: 'An organization of the example directory.' },
    ],
    identifier: [...listOf(known), identifier(id)],
    telecom: [...listOf(numbers), ...telecom],
    ...{ address: [address], contact, endpoint },
  }),
  Location: ({ id, telecom: numbers }) => ({
    extension: [
      {
        url: extensionOf('newpatients'),
        extension: [{ url: 'acceptingPatients', valueCodeableConcept: own('AcceptingPatientsCS', 'newpt') }],
      },
      {
        url: 'http://hl7.org/fhir/StructureDefinition/location-boundary-geojson',
        valueAttachment: { contentType: 'application/geo+json', data: regionData },
      },
    ],
    identifier: [identifier(id)],
    telecom: [...listOf(numbers), ...telecom],
    ...{ alias: ['The old post office'], description: 'On the second floor; an elevator is at the back.' },
    hoursOfOperation: [{ daysOfWeek: workdays, allDay: true }],
    availabilityExceptions: 'Closed on federal holidays.',
    endpoint,
    ...(id !== 'location-1' && { partOf: reference('Location/location-1') }),
  }),
  Endpoint: () => ({
    extension: [
      {
        url: extensionOf('endpoint-usecase'),
        extension: [
          {
            url: 'type',
            valueCodeableConcept: {
              coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'HOPERAT' }],
            },
          },
        ],
      },
    ],
    contact: [{ system: 'phone', value: '+1-202-555-0197' }],
    payloadMimeType: ['application/fhir+json'],
  }),
  HealthcareService: ({ id }) => ({
    identifier: [identifier(id)],
    type: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/service-type', code: '124' }] }],
    ...{ comment: 'Bring the card of your plan.', telecom, appointmentRequired: true, notAvailable: closed },
    coverageArea: [reference('Location/location-0')],
    availableTime: [
      { daysOfWeek: workdays, availableStartTime: '08:00:00', availableEndTime: '16:00:00' },
      { daysOfWeek: ['sat'], allDay: true },
    ],
    ...{ availabilityExceptions: 'Closed on federal holidays.', endpoint },
  }),
  InsurancePlan: ({ identifier: known, id }) => ({
    identifier: [...listOf(known), { ...identifier(id), assigner: reference('Organization/payer') }],
    ...{ alias: ['The everyday plan'], contact, endpoint },
    coverageArea: [reference('Location/location-0')],
    plan: [{ type: own('InsurancePlanTypeCS', 'bronze'), coverageArea: [reference('Location/location-0')] }],
  }),
  Practitioner: ({ identifier: known, name, qualification: learned, communication, id }) => ({
    identifier: [...listOf(known), identifier(id)],
    name: listOf(name).map((each) => ({ text: textOf(each), ...each })),
    telecom: [{ system: 'phone', value: '+1-202-555-0196', use: 'work' }],
    address: [address],
    qualification: listOf(learned).map((each) => ({
      extension: [
        {
          url: extensionOf('practitioner-qualification'),
          extension: [
            { url: 'status', valueCode: 'active' },
            {
              url: 'whereValid',
              valueCodeableConcept: { coding: [{ system: 'https://www.usps.com/', code: 'DC' }] },
            },
          ],
        },
      ],
      identifier: [identifier(`L-${id}`)],
      ...each,
      ...{ period, issuer: { display: 'Example Board of Medicine' } },
    })),
    communication: [
      {
        extension: [
          {
            url: extensionOf('communication-proficiency'),
            valueCodeableConcept: own('LanguageProficiencyCS', '30'),
          },
        ],
        coding: [{ system: 'urn:ietf:bcp:47', code: 'en', display: 'English' }],
      },
      ...listOf(communication),
    ],
  }),
  PractitionerRole: ({ id }) => ({
    extension: [qualification],
    identifier: [identifier(id)],
    telecom,
    availableTime: [
      { daysOfWeek: ['mon', 'wed', 'fri'], availableStartTime: '08:00:00', availableEndTime: '16:00:00' },
      { daysOfWeek: ['sat'], allDay: true },
    ],
    ...{ notAvailable: closed, endpoint },
  }),
  OrganizationAffiliation: ({ id }) => ({
    ...{ identifier: [identifier(id)], period, telecom, endpoint },
    specialty: [{ coding: [{ system: nucc, code: '207Q00000X' }] }],
  }),
};

function textOf(name: object): string {
  const { given = [], family = '' } = name as {
    readonly given?: readonly string[];
    readonly family?: string;
  };
  return [...given, family].join(' ');
}

/** A square around Washington in GeoJSON. */
const regionData = Buffer.from(
  JSON.stringify({
    type: 'Feature',
    properties: { name: 'Washington' },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [-77.12, 38.79],
          [-76.9, 38.79],
          [-76.9, 39],
          [-77.12, 39],
          [-77.12, 38.79],
        ],
      ],
    },
  }),
).toString('base64');
