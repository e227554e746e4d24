/** OpenAPI operations that read and search FHIR resources. */

import * as z from 'zod';
import { fhirId } from '../../../lambdas/catalog/fhir/fhir-id.ts';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import type { FhirRoute } from '../../../lambdas/catalog/fhir/fhir-routes.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { exampleResources, exampleSearchset } from './claims-examples.ts';
import { resourcePart, resourceSchemas, searchset } from './claims-schemas.ts';
import { memberRefusals, refusalResponses } from './fhir-refusal-responses.ts';
import { examplePatient } from './member-examples.ts';
import { type DocumentedOperation, requestIdAnswer, requestIdHeader } from './operations.ts';
import {
  docrefParameters,
  everythingParameters,
  type QueryParameter,
  readParameters,
  searchParametersOf,
} from './search-parameters.ts';

/** The parts of an operation that describe reading or searching a member's data. */
export type Described = Pick<
  DocumentedOperation['operation'],
  'summary' | 'description' | 'requestParams' | 'requestBody' | 'responses'
>;

export const format = z.enum(['json', 'application/json', 'application/fhir+json']).optional().meta({
  description: 'Overrides `Accept`.',
});
export const accept = z.enum(['application/json', 'application/fhir+json']).optional().meta({
  description: 'The form of the answer; an error is always `application/fhir+json`.',
});
export const ifNoneMatch = z
  .string()
  .optional()
  .meta({ description: 'The `ETag` of a cached version: 304 if unchanged.' });

const article = (type: PatientAccessType) => `${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type}`;
const forms =
  '`application/json` is the form of the service’s own description; `application/fhir+json` is valid FHIR R4.';
const needs = (scope: string) =>
  `Requires a subscription key and an access token of the same application with a scope like \`${scope}\`.`;

const idOf = (type: PatientAccessType) =>
  z
    .string()
    .regex(fhirId)
    .meta({
      description:
        type === 'Patient'
          ? 'The ID in `patient` of the token response.'
          : 'An ID from a search or from another resource.',
      example: exampleResources[type].id,
    });

export function readOperation({ successor }: FhirRoute, type: PatientAccessType): Described {
  const schema = z.union([resourceSchemas[type], resourcePart]);
  const example = exampleResources[type];
  const what = type === 'Patient' ? 'Reads the member’s demographic data.' : `One ${type} of the member’s.`;
  return {
    summary:
      successor === undefined ? `Read ${article(type)}` : `Read ${article(type)} by the deprecated path`,
    description: `${
      successor === undefined ? '' : `Deprecated. Use \`${successor}\`. The responses are the same. `
    }${what} ${needs(`patient/${type}.read`)} ${forms}`,
    requestParams: {
      path: z.object({ id: idOf(type) }),
      query: z.object({ ...fields(readParameters), _format: format }),
      header: z.object({
        Accept: accept,
        'If-None-Match': ifNoneMatch,
        'X-Request-Id': requestIdHeader,
      }),
    },
    responses: {
      '200': {
        description: `The ${type}, or the part of it that \`_summary\` or \`_elements\` leaves.`,
        headers: z.object({ ...readHeaders, ...(successor !== undefined && deprecationHeaders) }),
        content: {
          'application/json': { schema, example },
          // The examples of the two media types differ for the Patient only: here its birth date is a year.
          'application/fhir+json': {
            schema,
            ...(type === 'Patient' && { example: { ...examplePatient, birthDate: '1956' } }),
          },
        },
      },
      '304': { description: 'The cached version is current.', headers: z.object(readHeaders) },
      ...refusalResponses(memberRefusals.read),
    },
  };
}

/** Describes a search. By GET the parameters are in the URL; by POST they may also be in a form. */
export function searchOperation(
  { method }: FhirRoute,
  type: PatientAccessType,
  service: PublishedService,
): Described {
  const byForm = method === 'POST';
  const parameters = searchParametersOf(type);
  const scope = `patient/${type}.read`;
  const how = byForm
    ? 'The same search with its parameters in a form, so that no log of URLs contains them.'
    : `Searches the member’s ${type}s, one page at a time. Parameters are combined by \`and\`, values separated by commas by \`or\`.`;
  return {
    summary: byForm ? `Search ${type} with POST` : `Search ${type}`,
    description: `${how} ${needs(scope)}`,
    requestParams: {
      ...(!byForm && { query: queryParametersOf(parameters) }),
      header: searchHeaders,
    },
    ...(byForm && { requestBody: formOf(parameters) }),
    responses: {
      '200': pageOf(byForm ? undefined : exampleSearchset(service, type)),
      ...refusalResponses(byForm ? memberRefusals.form : memberRefusals.search),
    },
  };
}

/** Describes `$everything`. By GET the parameters are in the URL; by POST they may also be in a Parameters resource. */
export function everythingOperation({ method }: FhirRoute, service: PublishedService): Described {
  const byPost = method === 'POST';
  const how = byPost
    ? 'The same operation with its parameters in a Parameters resource.'
    : 'Returns all data of the member, one page at a time, of the types the scope allows (`$everything`).';
  return {
    summary: byPost ? 'All data of a Patient with POST' : 'All data of a Patient',
    description: `${how} ${needs('patient/*.read')}`,
    requestParams: {
      path: z.object({
        id: idOf('Patient'),
        operation: z.enum(['$everything']).meta({ description: 'The operation.', example: '$everything' }),
      }),
      ...(!byPost && { query: queryParametersOf(everythingParameters) }),
      header: searchHeaders,
    },
    ...(byPost && {
      requestBody: parametersBody(everythingParameters, [{ name: '_count', valueInteger: 10 }]),
    }),
    responses: {
      '200': pageOf(byPost ? undefined : exampleSearchset(service, 'Coverage')),
      ...refusalResponses(byPost ? memberRefusals.invocation : memberRefusals.operation),
    },
  };
}

/** Describes `$docref`. By GET the parameters are in the URL; by POST they may also be in a Parameters resource. */
export function docrefOperation({ method }: FhirRoute, service: PublishedService): Described {
  const byPost = method === 'POST';
  const how = byPost
    ? 'The same operation with its parameters in a Parameters resource.'
    : 'Returns the member’s documents by dates of care and type (`$docref` of US Core).';
  return {
    summary: byPost ? 'Documents of a Patient with POST' : 'Documents of a Patient',
    description: `${how} ${needs('patient/DocumentReference.read')}`,
    requestParams: {
      ...(!byPost && {
        query: queryParametersOf(docrefParameters).extend({
          patient: idOf('Patient'),
        }),
      }),
      header: searchHeaders,
    },
    ...(byPost && {
      requestBody: parametersBody(docrefParameters, [
        { name: 'patient', valueId: exampleResources.Patient.id },
      ]),
    }),
    responses: {
      '200': pageOf(byPost ? undefined : exampleSearchset(service, 'DocumentReference')),
      ...refusalResponses(byPost ? memberRefusals.form : memberRefusals.search),
    },
  };
}

function parametersBody(parameters: readonly QueryParameter[], example: readonly object[]) {
  return {
    content: {
      'application/fhir+json': {
        schema: z.looseObject({
          resourceType: z.literal('Parameters'),
          parameter: z
            .array(z.looseObject({ name: z.string() }))
            .optional()
            .meta({ description: `Of simple types: ${parameters.map(({ name }) => name).join(', ')}.` }),
        }),
        example: { resourceType: 'Parameters', parameter: example },
      },
    },
  };
}

export const searchHeaders = z.object({
  Accept: accept,
  Prefer: z
    .enum(['handling=strict', 'handling=lenient'])
    .optional()
    .meta({ description: '`handling=strict`: an unknown parameter is refused instead of ignored.' }),
  'X-Request-Id': requestIdHeader,
});

/** Makes the 200 response of a search, the same for GET and POST. */
function pageOf(example?: object) {
  return {
    description: 'A page of results, as a Bundle.',
    headers: z.object({ 'X-Request-Id': requestIdAnswer }),
    content: {
      'application/json': { schema: searchset, ...(example !== undefined && { example }) },
      'application/fhir+json': { schema: searchset },
    },
  };
}

function fields(parameters: readonly QueryParameter[]) {
  const described = parameters.map(({ name, words, example }) => [
    name,
    z
      .string()
      .optional()
      .meta({ description: words, ...(example !== undefined && { example }) }),
  ]);
  return Object.fromEntries(described) as Record<string, z.ZodType>;
}

export function queryParametersOf(parameters: readonly QueryParameter[]) {
  return z.object({ ...fields(parameters), _format: format });
}

export function formOf(parameters: readonly QueryParameter[]) {
  const shown = parameters.filter(({ example }) => example !== undefined);
  return {
    content: {
      'application/x-www-form-urlencoded': {
        schema: z.object(fields(parameters)),
        example: Object.fromEntries(shown.map(({ name, example }) => [name, example])),
      },
    },
  };
}

const readHeaders = {
  ETag: z.string().meta({ description: 'Weak entity tag of the version.' }),
  'Last-Modified': z.string(),
  'X-Request-Id': requestIdAnswer,
};
const deprecationHeaders = {
  Deprecation: z.string().meta({ description: 'Date of the deprecation of the path (RFC 9745).' }),
  Link: z.string().meta({ description: 'The path that replaces it: `rel="successor-version"`.' }),
};
