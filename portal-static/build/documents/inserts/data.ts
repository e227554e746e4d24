/** Generated parts of the public documentation about a member's data: fields, examples and parameters. */

import * as z from 'zod';
import {
  isPatientAccessType,
  type PatientAccessType,
  pageSizes,
  recordSearchParameters,
  type SearchParameter,
  searchBounds,
  servedResource,
} from '../../../../lambdas/catalog/fhir/fhir-resources.ts';
import {
  sensitiveCategories,
  sensitiveScope,
} from '../../../../lambdas/catalog/fhir/sensitive-categories.ts';
import { sensitiveWords } from '../../../../lambdas/catalog/fhir/sensitive-words.ts';
import { exampleResources, exampleSearchset } from '../claims-examples.ts';
import { resourceSchemas } from '../claims-schemas.ts';
import { type FieldSchema, fieldRows, wholeSchema } from '../field-rows.ts';
import { code, markdownTable, number } from '../markdown-table.ts';
import {
  docrefParameters,
  everythingParameters,
  type QueryParameter,
  resultParametersOf,
} from '../search-parameters.ts';
import type { Inserts } from './insert.ts';

/** Generated parts of the pages on a member's data: fields, examples, parameters. */

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function typeOf(argument: string): PatientAccessType {
  if (!isPatientAccessType(argument)) throw new Error(`${argument} is no type that is served`);
  return argument;
}

/** Fields of a resource, from its schema. */
function fieldTable(type: PatientAccessType): string {
  const { $defs = {}, ...schema } = z.toJSONSchema(resourceSchemas[type]);
  const whole = wholeSchema(schema as FieldSchema, $defs as Readonly<Record<string, FieldSchema>>);
  return markdownTable(['Field', 'Type', 'Notes'], fieldRows(whole));
}

function criterionTable(argument: string): string {
  const parameters: readonly SearchParameter[] =
    argument === 'common' ? recordSearchParameters : servedResource(typeOf(argument)).searchParameters;
  return markdownTable(
    ['Parameter', 'Type', 'Matches'],
    parameters.map(({ name, type, documentation }) => [code(name), type, documentation]),
  );
}

function parameterTable(parameters: readonly QueryParameter[]): string {
  return markdownTable(
    ['Parameter', 'Meaning'],
    parameters.map(({ name, words }) => [code(name), words]),
  );
}

export const dataInserts: Inserts = {
  'resource-fields': (_, argument) => fieldTable(typeOf(argument)),
  'resource-example': (_, argument) => json(exampleResources[typeOf(argument)]),
  'search-parameters': (_, argument) => criterionTable(argument),
  'result-parameters': (_, argument) => parameterTable(resultParametersOf(typeOf(argument))),
  'everything-parameters': () => parameterTable(everythingParameters),
  'docref-parameters': () => parameterTable(docrefParameters),
  'sensitive-categories': () =>
    markdownTable(
      ['Scope', 'Box on the consent page', 'Data'],
      sensitiveCategories.map((category) => {
        const { name, detail } = sensitiveWords[category].en;
        return [code(sensitiveScope(category)), name, detail];
      }),
    ),
  'searchset-example': (service) => json(exampleSearchset(service, 'Coverage')),
  'search-limits': () =>
    markdownTable(
      ['Limit', 'Value'],
      [
        ['Results per page without `_count`', pageSizes.usual],
        ['Maximum results per page', pageSizes.most],
        ['Results per page of `$everything`, at most', pageSizes.everything],
        ['Parameters per search', searchBounds.parameters],
        ['Comma-separated values per parameter', searchBounds.alternatives],
        ['Names in `_sort`', searchBounds.sortNames],
        ['Length of all parameters, percent-encoded, in characters', number(searchBounds.characters)],
        ['Form of a search with POST, in bytes', number(searchBounds.formBytes)],
      ],
    ),
};
