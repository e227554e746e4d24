/** OpenAPI operations of Payer Access. */

import * as z from 'zod';
import { cohortMemberId, cohortMembers } from '../../../lambdas/catalog/payer/payer-cohort.ts';
import { cohortBulkBody, cohortMatchBody } from '../../../lambdas/catalog/payer/payer-cohort-requests.ts';
import { accept, type Described } from './fhir-data-operations.ts';
import { payerRefusals, refusalResponses } from './fhir-refusal-responses.ts';
import { exampleLob } from './member-examples.ts';
import { requestIdAnswer, requestIdHeader } from './operations.ts';
import { matchedPatientId } from './payer-data-operations.ts';
import { cohortExample } from './payer-profile.ts';

/** The matching request of the sandbox's test cohort. */
const exampleParameters = cohortExample('match');

const exampleAnswer = {
  resourceType: 'Parameters',
  parameter: [
    {
      name: 'MemberIdentifier',
      valueIdentifier: {
        type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }] },
        value: cohortMemberId(exampleLob, cohortMembers.matched),
      },
    },
    { name: 'MemberId', valueReference: { reference: `Patient/${matchedPatientId}` } },
  ],
};

const parametersSchema = z.looseObject({
  resourceType: z.literal('Parameters'),
  parameter: z.array(z.looseObject({ name: z.string() })),
});

/** Describes `Patient/$member-match`. */
export function memberMatchOperation(): Described {
  const body = { schema: parametersSchema, example: cohortMatchBody(exampleParameters) };
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
  example: cohortBulkBody([exampleParameters]),
};
