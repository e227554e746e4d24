/** OpenAPI operations of Payer Access. */

import * as z from 'zod';
import { accept, type Described } from './fhir-data-operations.ts';
import { payerRefusals, refusalResponses } from './fhir-refusal-responses.ts';
import { requestIdAnswer, requestIdHeader } from './operations.ts';

const concept = (system: string, code: string) => ({ coding: [{ system, code }] });
const terminology = 'http://terminology.hl7.org/CodeSystem';
const npi = { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' };

/** The resources of a match request. */
const exampleParameters = {
  resourceType: 'Parameters',
  parameter: [
    {
      name: 'MemberPatient',
      resource: {
        resourceType: 'Patient',
        id: '1',
        name: [{ family: 'Person', given: ['Patricia'] }],
        gender: 'female',
        birthDate: '1974-12-25',
      },
    },
    {
      name: 'CoverageToMatch',
      resource: {
        resourceType: 'Coverage',
        status: 'active',
        subscriberId: '55678',
        beneficiary: { reference: 'Patient/1' },
        payor: [{ display: 'Previous health plan' }],
      },
    },
    {
      name: 'Consent',
      resource: {
        resourceType: 'Consent',
        status: 'active',
        scope: concept(`${terminology}/consentscope`, 'patient-privacy'),
        category: [concept(`${terminology}/v3-ActCode`, 'IDSCL')],
        patient: { reference: 'Patient/1' },
        performer: [{ reference: 'Patient/1' }],
        sourceReference: { reference: 'https://payer.example.org/DocumentReference/consent' },
        policy: [
          { uri: 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#regular' },
        ],
        provision: {
          type: 'permit',
          period: { start: '2026-01-01', end: '2027-12-31' },
          actor: [
            {
              role: concept(`${terminology}/v3-ParticipationType`, 'IRCP'),
              reference: { identifier: npi },
            },
          ],
          action: [concept(`${terminology}/consentaction`, 'disclose')],
        },
      },
    },
  ],
};

const exampleAnswer = {
  resourceType: 'Parameters',
  parameter: [
    {
      name: 'MemberIdentifier',
      valueIdentifier: { type: concept(`${terminology}/v2-0203`, 'MB'), value: '55678' },
    },
    { name: 'MemberId', valueReference: { reference: 'Patient/0a1b2c3d' } },
  ],
};

const parametersSchema = z.looseObject({
  resourceType: z.literal('Parameters'),
  parameter: z.array(z.looseObject({ name: z.string() })),
});

/** Describes `Patient/$member-match`. */
export function memberMatchOperation(): Described {
  const body = { schema: parametersSchema, example: exampleParameters };
  return {
    summary: 'Match a member',
    description:
      'Finds the one member that MemberPatient and CoverageToMatch describe, by the Consent of the member (`$member-match` of Da Vinci HRex). Needs the scope `system/Patient.rs` and a verified organization.',
    requestParams: { header: z.object({ Accept: accept, 'X-Request-Id': requestIdHeader }) },
    requestBody: { required: true, content: { 'application/fhir+json': body } },
    responses: {
      '200': {
        description: 'The member.',
        headers: z.object({ 'X-Request-Id': requestIdAnswer }),
        content: { 'application/fhir+json': { schema: parametersSchema, example: exampleAnswer } },
      },
      ...refusalResponses(payerRefusals.match),
    },
  };
}

/** The body of `Group/$bulk-member-match`: one MemberBundle with the resources of a match request for each member. */
export const bulkMatchBody = {
  schema: parametersSchema,
  example: {
    resourceType: 'Parameters',
    parameter: [{ name: 'MemberBundle', part: exampleParameters.parameter }],
  },
};
