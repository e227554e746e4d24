/** OpenAPI operations of the Provider Directory, from the table its search runs on. */

import * as z from 'zod';
import {
  type DirectoryParameter,
  directoryResource,
} from '../../../lambdas/catalog/fhir/directory-resources.ts';
import {
  type DirectoryDefinition,
  type DirectoryType,
  directoryDefinitions,
  directoryTypes,
} from '../../../lambdas/catalog/fhir/directory-types.ts';
import { fhirId } from '../../../lambdas/catalog/fhir/fhir-id.ts';
import { pageSizes } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import type { DirectoryInteraction, FhirRoute } from '../../../lambdas/catalog/fhir/fhir-routes.ts';
import examples from './examples/directory.json' with { type: 'json' };
import {
  accept,
  type Described,
  format,
  formOf,
  queryParametersOf,
  searchHeaders,
} from './fhir-data-operations.ts';
import { directoryRefusals, refusalResponses } from './fhir-refusal-responses.ts';
import { requestIdAnswer, requestIdHeader } from './operations.ts';
import type { QueryParameter } from './search-parameters.ts';

const needs =
  'Needs no access token. Requires a subscription key, except in an environment where the directory is public.';

const directoryResourceSchema = z
  .looseObject({ resourceType: z.enum(directoryTypes), id: z.string() })
  .meta({ id: 'DirectoryResource', description: 'A resource of Plan-Net 1.1.0.' });

const directorySearchset = z
  .looseObject({
    resourceType: z.literal('Bundle'),
    type: z.literal('searchset'),
    total: z
      .int()
      .optional()
      .meta({ description: 'Present if `_total` asks for it, or the page is the only one.' }),
    link: z.array(z.looseObject({ relation: z.string(), url: z.string() })),
    entry: z.array(z.looseObject({ fullUrl: z.string().optional() })).optional(),
  })
  .meta({ id: 'DirectorySearchset', description: 'A page of results.' });

const answerHeaders = z.object({
  ETag: z.string().meta({ description: 'Of a page the publication, of a resource its version.' }),
  'Cache-Control': z.string(),
  'X-Request-Id': requestIdAnswer,
});

/** The answers and parameters of a route of the directory. */
export function documentedDirectory({ method }: FhirRoute, operation: DirectoryInteraction): Described {
  const [, type, interaction] = operation.split('.') as [string, DirectoryType | DirectoryDefinition, string];
  if (isDefinition(type)) return definition(type);
  return interaction === 'search-type' ? searching(type, method === 'POST') : reading(type, interaction);
}

/** Texts on the definitions, by type. */
const definitionTexts = {
  SearchParameter: {
    summary: 'Read a search parameter of the directory',
    description: 'Returns the definition of a search parameter, such as `Practitioner-name`.',
    id: z.string().meta({ description: 'Type and parameter, joined by a hyphen.' }),
  },
  ConceptMap: {
    summary: 'Read the plain words for specialties',
    description: 'Returns a ConceptMap of words that people look for, such as `cardiologist`, to NUCC codes.',
    id: z.string().meta({ description: '`specialty-words`.', example: 'specialty-words' }),
  },
} as const satisfies Readonly<Record<DirectoryDefinition, object>>;

function isDefinition(type: string): type is DirectoryDefinition {
  return directoryDefinitions.some((each) => each === type);
}

function definition(type: DirectoryDefinition): Described {
  const { summary, description, id } = definitionTexts[type];
  return {
    summary,
    description: `${description} ${needs}`,
    requestParams: {
      path: z.object({ id }),
      query: z.object({ _format: format }),
      header: z.object({ Accept: accept, 'X-Request-Id': requestIdHeader }),
    },
    responses: {
      '200': answer(`The ${type}.`, z.looseObject({ resourceType: z.literal(type) })),
      ...refusalResponses(directoryRefusals.read),
    },
  };
}

function reading(type: DirectoryType, interaction: string): Described {
  const isVersion = interaction === 'vread';
  const path = { id: z.string().regex(fhirId).meta({ description: 'An ID from a search.' }) };
  const versionId = z.string().meta({ description: '`meta.versionId` of the resource.' });
  return {
    summary: isVersion ? `Read a version of a directory ${type}` : `Read a directory ${type}`,
    description: `${
      isVersion
        ? 'Returns a version that the current publication or the one before it has.'
        : `Returns one ${type} of the Provider Directory.`
    } ${needs}`,
    requestParams: {
      path: z.object({ ...path, ...(isVersion && { versionId }) }),
      query: z.object({ _format: format }),
      header: z.object({
        Accept: accept,
        'If-None-Match': z.string().optional().meta({ description: 'The `ETag` of a cached version.' }),
        'X-Request-Id': requestIdHeader,
      }),
    },
    responses: {
      '200': answer(`The ${type}.`, directoryResourceSchema, isVersion ? undefined : examples[type]),
      '304': { description: 'The cached version is current.', headers: answerHeaders },
      ...refusalResponses(directoryRefusals.read),
    },
  };
}

function searching(type: DirectoryType, isForm: boolean): Described {
  const parameters = directoryParametersOf(type);
  return {
    summary: isForm ? `Search directory ${type} with POST` : `Search directory ${type}`,
    description: `${
      isForm
        ? 'The same search with its parameters in a form.'
        : 'Searches the current publication, one page at a time. Further parameters: chains of two steps, `_has`, `_include`, `_revinclude`. Inactive resources are listed only if a parameter asks for them.'
    } ${needs}`,
    requestParams: { ...(!isForm && { query: queryParametersOf(parameters) }), header: searchHeaders },
    ...(isForm && { requestBody: formOf(parameters) }),
    responses: {
      '200': answer(
        'A page of results, as a Bundle.',
        directorySearchset,
        isForm ? undefined : searchsetOf(type),
      ),
      ...(!isForm && {
        '304': { description: 'The publication is the one of the cached page.', headers: answerHeaders },
      }),
      ...refusalResponses(isForm ? directoryRefusals.form : directoryRefusals.search),
    },
  };
}

function answer(description: string, schema: z.ZodType, example?: object) {
  return {
    description,
    headers: answerHeaders,
    content: {
      'application/fhir+json': { schema, ...(example !== undefined && { example }) },
      'application/json': { schema },
    },
  };
}

/** A search’s answer with one result. */
function searchsetOf(type: DirectoryType) {
  const resource = examples[type];
  const entry = [{ fullUrl: `${type}/${resource.id}`, resource, search: { mode: 'match' } }];
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    total: 1,
    link: [{ relation: 'self', url: type }],
    entry,
  };
}

/** The parameters of a type's search that have a name of their own. */
function directoryParametersOf(type: DirectoryType): readonly QueryParameter[] {
  return [
    ...directoryResource(type).parameters.map((parameter: DirectoryParameter) => ({
      name: parameter.name,
      words: wordsOf(parameter),
    })),
    { name: '_id', words: 'The resource’s ID (token).' },
    { name: '_lastUpdated', words: 'Time of the resource’s last update (date).' },
    {
      name: '_count',
      words: `Results on a page: ${pageSizes.usual} by default, at most ${pageSizes.most}.`,
      example: '10',
    },
  ];
}

function wordsOf({ type, targets = [], definition }: DirectoryParameter): string {
  if (type === 'special') return 'Distance from a place: `latitude|longitude|distance|units` (special).';
  const kind = targets.length === 0 ? type : `${type} to ${targets.join(' or ')}`;
  return `\`${definition}\` (${kind}).`;
}
