/** Example values of the published documents. */

import { fhirBase, memberIssuer } from '../../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';

/** Synthetic values for the documents. No person has them, and no credential among them is valid. */

export const exampleLob: LineOfBusiness = 'DSNP';

export const examplePatient = {
  resourceType: 'Patient',
  id: '8c0f6f2e-4d0b-4c3a-9a57-2f6f0f1b7d11',
  meta: {
    versionId: '3',
    lastUpdated: '2026-11-02T08:15:30.123+00:00',
    profile: [
      'http://hl7.org/fhir/us/carin-bb/StructureDefinition/C4BB-Patient|1.1.0',
      'http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient',
      'http://hl7.org/fhir/us/carin-bb/StructureDefinition/C4BB-Patient|2.0.0',
      'http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient|6.1.0',
    ],
  },
  extension: [
    { url: 'https://memberdata.example/fhir/StructureDefinition/last_updated_date', valueId: '2026-11-02' },
    { url: 'https://memberdata.example/fhir/StructureDefinition/row_id', valueId: '40021' },
    { url: 'https://memberdata.example/fhir/StructureDefinition/source_id', valueId: 'ENR-7' },
    {
      url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race',
      extension: [
        { url: 'ombCategory', valueCoding: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2106-3' } },
        { url: 'text', valueString: 'White' },
      ],
    },
    {
      url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-ethnicity',
      extension: [
        { url: 'ombCategory', valueCoding: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2135-2' } },
        { url: 'text', valueString: 'Hispanic or Latino' },
      ],
    },
    { url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex', valueCode: 'F' },
  ],
  identifier: [
    {
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }] },
      system: 'https://memberdata.example/fhir/identifier/MEMBER_LIFE_ID',
      value: 'DSNP0004217',
    },
    { system: 'https://memberdata.example/fhir/identifier/lob', value: exampleLob },
    { system: 'https://memberdata.example/fhir/identifier/group', value: 'G-100' },
    { system: 'https://memberdata.example/fhir/identifier/plan', value: 'P-2026' },
    {
      type: {
        coding: [{ system: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBIdentifierType', code: 'um' }],
        text: 'Unique member number',
      },
      system: 'https://memberdata.example/fhir/identifier/unique_member_id',
      value: 'U100421776',
    },
  ],
  name: [{ family: 'Example', given: ['Rosa', 'M'] }],
  gender: 'female',
  birthDate: '1956-00-00',
  address: [
    {
      city: 'Baltimore',
      state: 'MD',
      postalCode: '21201',
      period: { start: '2021-03-01', end: '9999-12-31' },
    },
    {
      type: 'postal',
      line: ['12 Sample Court'],
      city: 'Baltimore',
      district: 'Baltimore City',
      state: 'MD',
      postalCode: '21201',
      country: 'US',
      period: { start: '2021-03-01', end: '9999-12-31' },
    },
  ],
  telecom: [
    { system: 'phone', value: '+1-410-555-0142', use: 'home' },
    { system: 'email', value: 'rosa@example.com', use: 'home' },
  ],
  deceasedBoolean: false,
  communication: [
    { language: { coding: [{ system: 'urn:ietf:bcp:47', code: 'es' }], text: 'Spanish' }, preferred: true },
  ],
};

export const exampleRedirectUri = 'https://app.example.org/callback';
export const exampleCode = 'kQ2vGx0pV9nYwTz1mB4cR7dL3sJ6hF8aE5uXoZqN2iw';
/** The example PKCE verifier of RFC 7636 appendix B. */
export const exampleVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const exampleChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const exampleScope = 'openid fhirUser offline_access patient/*.read';

export function exampleTokenResponse(service: PublishedService) {
  return {
    access_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.example.signature',
    token_type: 'Bearer',
    expires_in: service.environments.sandbox.memberAccessTokenSeconds,
    scope: exampleScope,
    patient: examplePatient.id,
    id_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.example.signature',
    refresh_token: '5tqJcXkWwq0mY2l3n8Zb9A.Qm9yZ2VzVGhlR2FyZGVuT2ZGb3JraW5nUGF0aHM',
  };
}

export function exampleMachineTokenResponse({ environments: { sandbox } }: PublishedService) {
  return {
    access_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.example.signature',
    token_type: 'Bearer',
    expires_in: sandbox.clientAccessTokenSeconds,
    scope: `${sandbox.resourceId}/.default`,
  };
}

export function exampleIntrospection({ environments: { sandbox } }: PublishedService) {
  return {
    active: true,
    iss: memberIssuer(sandbox.origins, exampleLob),
    aud: fhirBase(sandbox.origins, exampleLob, 'patient-access'),
    sub: '1f0c6f8e-7a31-4d0e-8f7c-3e1f5a2b9c44',
    client_id: exampleClientId,
    scope: exampleScope,
    iat: 1_795_132_800,
    exp: 1_795_132_800 + sandbox.memberAccessTokenSeconds,
    patient: examplePatient.id,
    fhirUser: `${fhirBase(sandbox.origins, exampleLob, 'patient-access')}/Patient/${examplePatient.id}`,
    jti: '0b6a6a1e-5a0c-4a55-8f0d-0f7f2d8d3c21',
    token_type: 'Bearer',
  };
}

export const exampleClientId = 'b1f0a6d2-6b8e-4e0c-9a44-0c5d7f3e2a10';
export const exampleSecret = 'the-client-secret-of-the-application';
