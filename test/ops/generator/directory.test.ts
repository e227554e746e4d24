import { expect, it } from 'vitest';
import { directoryTypes } from '../../../lambdas/catalog/fhir/directory-types.ts';
import { readDirectoryRow } from '../../../lambdas/loads/rows/directory-rows.ts';
import { checkRecord } from '../../../lambdas/provider-directory/files/record-checks.ts';
import { directoryOf } from '../../../ops/generator/directory/directory.ts';
import { withFault } from '../../../ops/generator/directory/faulty-records.ts';

const size = { seed: 1, roles: 500 };
const textOf = (type: (typeof directoryTypes)[number]) => JSON.stringify([...directoryOf(type, size)]);

/** Must-support elements of Plan-Net 1.1.0 that only some records have. */
const supported = {
  Organization: [
    'qualification',
    'org-description',
    'location-reference',
    '"contact":',
    '"endpoint":',
    'geolocation',
  ],
  Location: [
    '"partOf":',
    '"alias":',
    'location-boundary-geojson',
    '"allDay":true',
    '"availabilityExceptions":',
  ],
  Endpoint: ['endpoint-usecase', '"payloadMimeType":', '"contact":'],
  HealthcareService: [
    '"type":',
    '"coverageArea":',
    '"appointmentRequired":',
    '"notAvailable":',
    'via-intermediary',
  ],
  InsurancePlan: ['"plan":', '"alias":', '"assigner":', '"coverageArea":', '"contact":'],
  Practitioner: [
    'communication-proficiency',
    'practitioner-qualification',
    '"issuer":',
    '"text":',
    '"address":',
  ],
  PractitionerRole: ['whereValid', '"notAvailable":', 'contactpoint-availabletime', '"identifier":'],
  OrganizationAffiliation: ['"specialty":', '"period":', '"endpoint":', '"telecom":'],
} as const;

it.each(
  directoryTypes,
)('has records of %s with every element that Plan-Net asks servers to support', (type) => {
  const text = textOf(type);
  expect(supported[type].filter((element) => !text.includes(element))).toEqual([]);
});

it('has networks with addresses, every language, and refers to what it has', () => {
  const all = directoryTypes.flatMap((type) => [...directoryOf(type, size)]);
  const names = new Set(all.map(({ resourceType, id }) => `${resourceType}/${id}`));
  const referred = [...JSON.stringify(all).matchAll(/"reference":"([^"]+)"/g)].map(([, name = '']) => name);
  expect(referred.filter((name) => !names.has(name))).toEqual([]);
  const networks = all.filter(({ id }) => id.startsWith('network-'));
  expect(networks.every(({ address }) => Array.isArray(address) && address.length === 1)).toBe(true);
  const languages = [...textOf('Practitioner').matchAll(/"urn:ietf:bcp:47","code":"(\w+)"/g)];
  expect(new Set(languages.map(([, code]) => code)).size).toBe(8);
});

it('is loaded with a few records of each fault, and they alone', () => {
  const loaded = directoryTypes.flatMap((type) =>
    [...directoryOf(type, size)].map((record, index) => {
      const faulty = withFault(record, index);
      const faults = checkRecord(type, JSON.parse(JSON.stringify(faulty)), undefined).map(({ code }) => code);
      return { isFaulty: faulty !== record, type, text: JSON.stringify(faulty), faults };
    }),
  );
  expect(loaded.filter(({ isFaulty }) => !isFaulty).flatMap(({ faults }) => faults)).toEqual([]);
  const found = new Set(loaded.flatMap(({ faults }) => faults));
  for (const code of [
    'npi_missing',
    'npi_check_digit',
    'address_incomplete',
    'phone_missing',
    'phone_implausible',
  ])
    expect(found).toContain(code);
  const ofNoNetwork = (type: string) =>
    loaded.filter((each) => each.type === type && each.isFaulty && !/network/.test(each.text)).length;
  expect([ofNoNetwork('InsurancePlan'), ofNoNetwork('PractitionerRole') > 0]).toEqual([1, true]);
});

// A load with too many rejected rows fails, and a sandbox without a directory answers every call with 503.
it.each(directoryTypes)('has no row of %s that a load rejects', (type) => {
  const rejects = [...directoryOf(type, size)].flatMap((record, index) => {
    const text = JSON.stringify(withFault(record, index));
    const row = readDirectoryRow({ kind: 'text', line: index + 1, text }, type, Date.now());
    return row.kind === 'reject' ? [row.reject] : [];
  });
  expect(rejects).toEqual([]);
});
