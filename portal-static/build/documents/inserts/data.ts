/** Generated parts of the public documentation about a member's data: fields, examples and parameters. */

import * as z from 'zod';
import {
  commonSearchParameters,
  isPatientAccessType,
  type PatientAccessType,
  pageSizes,
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
  const { properties } = wholeSchema(resourceSchemas[type]);
  const rows = Object.entries(properties).flatMap(([name, field]) => rowsOf(name, field));
  return markdownTable(['Field', 'Type', 'Notes'], rows);
}

interface Schema {
  readonly type?: string;
  readonly const?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function rowsOf(name: string, field: Schema): readonly (readonly string[])[] {
  const notes = field.const === undefined ? (field.description ?? '') : `Always ${code(field.const)}.`;
  const { items } = field;
  if (items !== undefined) {
    const type = items.properties === undefined ? `array of ${items.type}` : 'array of objects';
    return [[code(name), type, notes], ...insideOf(`${name}[]`, items)];
  }
  if (field.properties === undefined) return [[code(name), field.type ?? 'string', notes]];
  return [...(notes === '' ? [] : [[code(name), 'object', notes]]), ...insideOf(name, field)];
}

/** FHIR says of a claim's line number what it is; fields without words are left to it. */
function insideOf(name: string, { properties = {} }: Schema): readonly (readonly string[])[] {
  return Object.entries(properties)
    .flatMap(([key, part]) => rowsOf(`${name}.${key}`, part))
    .filter(([, , notes]) => notes !== '');
}

/** FHIR's own data types are called by their names; what is in them FHIR says (R4, datatypes.html). */
const datatypes: Readonly<Record<string, string>> = {
  CodeableConcept: 'CodeableConcept',
  Reference: 'Reference',
  // `Identifier` of the documents is the Patient's, whose entries are explained.
  ResourceIdentifier: 'Identifier',
  Period: 'Period',
  Money: 'Money',
  HumanName: 'HumanName',
};

/** The schema with what it says of each field; parts that have a name of their own stand in their places. */
function wholeSchema(schema: z.ZodType): { readonly properties: Readonly<Record<string, Schema>> } {
  const { $defs = {}, ...rest } = z.toJSONSchema(schema);
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref = '', ...others } = value as { readonly $ref?: string };
    const name = $ref.replace('#/$defs/', '');
    if (Object.hasOwn(datatypes, name)) return { type: datatypes[name], ...others };
    return Object.fromEntries(
      Object.entries({ ...$defs[name], ...others }).map(([key, inner]) => [key, whole(inner)]),
    );
  };
  return whole(rest) as never;
}

function criterionTable(argument: string): string {
  const parameters: readonly SearchParameter[] =
    argument === 'common' ? commonSearchParameters : servedResource(typeOf(argument)).searchParameters;
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
