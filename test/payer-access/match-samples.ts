/** Sample requests of `$member-match`, which tests change. */

/** A time within the period of the sample Consent, in milliseconds since 1970. */
export const now = Date.parse('2026-11-23T10:00:00Z');

export const organization = [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }];

/** The Patient of HRex's official example. */
export const patient = {
  resourceType: 'Patient',
  id: '1',
  identifier: [{ value: '55678' }],
  name: [{ use: 'official', family: 'Person', given: ['Patricia', 'Ann'] }],
  gender: 'female',
  birthDate: '1974-12-25',
};

export const coverage = {
  resourceType: 'Coverage',
  identifier: [{ system: 'http://example.org/old-payer', value: 'DH10001235' }],
  beneficiary: { reference: 'Patient/1' },
};

const concept = (system: string, code: string) => ({ coding: [{ system, code }] });

export const consent = {
  resourceType: 'Consent',
  status: 'active',
  scope: concept('http://terminology.hl7.org/CodeSystem/consentscope', 'patient-privacy'),
  patient: { reference: 'Patient/1' },
  policy: [{ uri: 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#regular' }],
  provision: {
    type: 'permit',
    period: { start: '2026-01-01', end: '2026-12-31' },
    actor: [
      {
        role: concept('http://terminology.hl7.org/CodeSystem/v3-ParticipationType', 'IRCP'),
        reference: { identifier: organization[0] },
      },
    ],
    action: [concept('http://terminology.hl7.org/CodeSystem/consentaction', 'disclose')],
  },
};

/** The body of a request: a Parameters resource with these parts as JSON. */
export function parametersOf(parts: Readonly<Record<string, object>>): string {
  const parameter = Object.entries(parts).map(([name, resource]) => ({ name, resource }));
  return JSON.stringify({ resourceType: 'Parameters', parameter });
}
