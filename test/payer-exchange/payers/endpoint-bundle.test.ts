import { expect, it } from 'vitest';
import { payersInBundle } from '../../../lambdas/payer-exchange/payers/endpoint-bundle-contract.ts';
import { naic } from '../payer-web.ts';

const definitions = 'http://hl7.org/fhir/us/ndh/StructureDefinition';
const useCase = {
  system: 'http://hl7.org/fhir/us/ndh/CodeSystem/NdhFhirEndpointUseCaseCS',
  code: 'payerToPayer',
};

/** The use case of an Endpoint as STU 1 and as the 2.0 build of the National Directory have it. */
const encodings = {
  'STU 1': [
    {
      url: `${definitions}/base-ext-endpoint-usecase`,
      extension: [{ url: 'endpointUsecasetype', valueCodeableConcept: { coding: [useCase] } }],
    },
  ],
  '2.0': [{ url: `${definitions}/base-ext-implementation-guide`, valueCoding: useCase }],
};

const endpoint = (extension: object, changes: object = {}) => ({
  resource: {
    resourceType: 'Endpoint',
    status: 'active',
    name: 'Payer API',
    address: 'https://api.former.test/fhir',
    extension,
    managingOrganization: { reference: 'Organization/former' },
    ...changes,
  },
});
const organization = {
  fullUrl: 'https://directory.test/fhir/Organization/former',
  resource: {
    resourceType: 'Organization',
    id: 'former',
    name: 'Former Plan',
    identifier: [naic('54321'), { system: 'https://tax.test', value: '1' }],
    telecom: [{ system: 'phone', value: '202-555-0100' }],
  },
};
const bundleOf = (...entry: object[]) => ({ resourceType: 'Bundle', type: 'collection', entry });
const former = {
  name: 'Former Plan',
  identifiers: [naic('54321')],
  fhirBase: 'https://api.former.test/fhir',
  contact: '202-555-0100',
};

it.each(
  Object.entries(encodings),
)('finds an Endpoint for payers in the encoding of %s', (_version, extension) => {
  expect(payersInBundle(bundleOf(endpoint(extension), organization))).toEqual({
    payers: [former],
    others: 0,
  });
});

it.each([
  ['by its full URL', { managingOrganization: { reference: organization.fullUrl } }],
  [
    'contained',
    { contained: [{ ...organization.resource, id: 'o' }], managingOrganization: { reference: '#o' } },
  ],
])('finds its organization %s', (_how, changes) => {
  const { payers } = payersInBundle(bundleOf(endpoint(encodings['2.0'], changes), organization)) ?? {};
  expect(payers).toEqual([former]);
});

it('has the Endpoint’s own name without an organization', () => {
  const { payers } = payersInBundle(bundleOf(endpoint(encodings['STU 1']))) ?? {};
  expect(payers).toEqual([{ name: 'Payer API', identifiers: [], fhirBase: former.fhirBase }]);
});

it('leaves out Endpoints of other use cases, and those that are off', () => {
  const other = [
    {
      url: `${definitions}/base-ext-implementation-guide`,
      valueCoding: { ...useCase, code: 'patientAccess' },
    },
  ];
  const bundle = bundleOf(endpoint(other), endpoint(encodings['2.0'], { status: 'off' }), endpoint([]));
  expect(payersInBundle(bundle)).toEqual({ payers: [], others: 3 });
});

it('reads nothing but a Bundle', () => {
  expect(payersInBundle({ resourceType: 'Endpoint' })).toBeUndefined();
  expect(payersInBundle([])).toBeUndefined();
});
