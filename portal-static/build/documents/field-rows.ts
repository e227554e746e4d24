/** Fields of a JSON Schema as rows of a table: name, type, notes. */

import { code } from './markdown-table.ts';

/** A JSON Schema, as far as a reader is told of it. */
export interface FieldSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
}

export type SchemaRow = readonly [name: string, type: string, notes: string];

/** FHIR's data types are only named; the FHIR specification explains their elements (R4, datatypes.html). */
const datatypes: Readonly<Record<string, string>> = {
  CodeableConcept: 'CodeableConcept',
  Reference: 'Reference',
  // `Identifier` of the documents is the Patient's, whose entries are explained.
  ResourceIdentifier: 'Identifier',
  Period: 'Period',
  Money: 'Money',
  HumanName: 'HumanName',
};

/** The schema with parts that have a name of their own in their places. @param definitions the named parts */
export function wholeSchema(
  schema: FieldSchema,
  definitions: Readonly<Record<string, FieldSchema>>,
): FieldSchema {
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref = '', ...others } = value as FieldSchema;
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    if (Object.hasOwn(datatypes, name)) return { type: datatypes[name], ...others };
    return Object.fromEntries(
      Object.entries({ ...definitions[name], ...others }).map(([key, inner]) => [key, whole(inner)]),
    );
  };
  return whole(schema) as FieldSchema;
}

/** The rows of a whole schema's fields. */
export function fieldRows({ properties = {} }: FieldSchema): readonly SchemaRow[] {
  return Object.entries(properties).flatMap(([name, field]) => rowsOf(name, field));
}

function rowsOf(name: string, field: FieldSchema): readonly SchemaRow[] {
  const notes =
    field.const === undefined ? (field.description ?? '') : `Always ${code(String(field.const))}.`;
  const { items } = field;
  if (items !== undefined) {
    const type = items.properties === undefined ? `array of ${items.type}` : 'array of objects';
    return [[code(name), type, notes], ...insideOf(`${name}[]`, items)];
  }
  if (field.properties === undefined) return [[code(name), field.type ?? 'string', notes]];
  return [...(notes === '' ? [] : [[code(name), 'object', notes] as const]), ...insideOf(name, field)];
}

/** Leaves out a claim's line number and other fields without a description: FHIR explains them. */
function insideOf(name: string, { properties = {} }: FieldSchema): readonly SchemaRow[] {
  return Object.entries(properties)
    .flatMap(([key, part]) => rowsOf(`${name}.${key}`, part))
    .filter(([, , notes]) => notes !== '');
}
