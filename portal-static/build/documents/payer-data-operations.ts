/** OpenAPI operations of Payer Access that read and search a matched member's data. */

import * as z from 'zod';
import { fhirId } from '../../../lambdas/catalog/fhir/fhir-id.ts';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import type { DataOperation, FhirRoute } from '../../../lambdas/catalog/fhir/fhir-routes.ts';
import { memberMatchLimits } from '../../../lambdas/catalog/payer/member-match-rules.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import {
  type Described,
  everythingOperation,
  formOf,
  queryParametersOf,
  readOperation,
  searchOperation,
} from './fhir-data-operations.ts';
import { payerRefusals, refusalResponses } from './fhir-refusal-responses.ts';
import { searchParametersOf } from './search-parameters.ts';

/** Example ID of the Patient, as `MemberId` of a match returns it. */
export const matchedPatientId = '0a1b2c3d';
const id = z
  .string()
  .regex(fhirId)
  .meta({ description: 'The ID in `MemberId` of the match.', example: matchedPatientId });

/** Makes an operation of Payer Access from the same operation of Patient Access. */
export function payerDataOperation(
  route: FhirRoute,
  operation: DataOperation,
  service: PublishedService,
): Described {
  const [type, interaction] = operation.split('.') as [PatientAccessType, string];
  const needs = `Needs a token with \`system/${type}.rs\` or \`system/*.rs\`, a verified organization and a match of the member that has not ended.`;
  if (interaction === 'read') {
    const { responses = {}, requestParams, ...rest } = readOperation(route, type);
    const isPatient = type === 'Patient';
    return {
      ...rest,
      summary: isPatient ? 'Read a matched member' : `Read ${type} of a matched member`,
      description: `${isPatient ? 'Reads the demographic data of a matched member' : `Reads what is released of a matched member, whichever of your application’s members has it`}. ${needs}`,
      requestParams: { ...requestParams, ...(isPatient && { path: z.object({ id }) }) },
      responses: { ...successes(responses), ...refusalResponses(payerRefusals.read) },
    };
  }
  const isEverything = interaction === 'everything';
  const described = isEverything
    ? everythingOperation(route, service)
    : searchOperation(route, type, service);
  const { responses = {}, requestParams, ...rest } = described;
  const byPost = route.method === 'POST';
  const named = type === 'Patient' ? '_id' : 'patient';
  const parameters = searchParametersOf(type).map((each) =>
    each.name === named ? { ...each, example: matchedPatientId } : each,
  );
  const isOfMember = parameters.some(({ name }) => name === named);
  const { membersInSearch } = memberMatchLimits;
  const what = isEverything
    ? 'Returns all that is released of a matched member, one page at a time.'
    : `Searches what is released of the members that your application matched. ${isOfMember ? `\`${named}\` names one or several of them. ` : ''}Without a member it goes over ${membersInSearch} members at most; with more it needs \`${isOfMember && type === 'Patient' ? 'identifier' : '_id'}\`.`;
  const refusals = isEverything ? payerRefusals.invocation : payerRefusals.form;
  return {
    ...rest,
    summary: `${isEverything ? 'All data of a matched member' : `Search ${type} of a matched member`}${byPost ? ' with POST' : ''}`,
    description: `${what} ${needs}`,
    requestParams: {
      ...requestParams,
      ...(isEverything ? { path: z.object({ id }) } : !byPost && { query: queryParametersOf(parameters) }),
    },
    ...(!isEverything && byPost && { requestBody: formOf(parameters) }),
    responses: {
      ...successes(responses),
      ...refusalResponses(byPost ? refusals : payerRefusals.search),
    },
  };
}

function successes(responses: NonNullable<Described['responses']>): NonNullable<Described['responses']> {
  return Object.fromEntries(Object.entries(responses).filter(([status]) => /^[23]/.test(status)));
}

export function payerDataOperationId(method: FhirRoute['method'], operation: DataOperation): string {
  const [type, interaction] = operation.split('.');
  const name = { read: `readMatched${type}`, everything: 'readMatchedEverything' }[interaction ?? ''];
  if (name === undefined) return `searchMatched${type}${method === 'POST' ? 'ByForm' : ''}`;
  return `${name}${method === 'POST' ? 'ByPost' : ''}`;
}
