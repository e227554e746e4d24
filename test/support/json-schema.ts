/**
 * A validator of JSON Schema 2020-12 as far as the published documents use it, written by its text and not by the library they are made
 * with: a mistake of that one is not made again here. A keyword that isn't here is an error, never passed over.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation
 */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number' | 'null';
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly description?: string;
}

export interface SchemaReader {
  /** The schema itself where it is a reference. */
  resolve(schema: JsonSchema): JsonSchema;
  /** Whether a value is valid. @throws Error for a keyword this reader doesn't know. */
  takes(schema: JsonSchema, value: unknown): boolean;
}

type Check = (value: unknown, schema: JsonSchema, reader: SchemaReader) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Section 6.3.1: characters are those of RFC 8259, which are code points. */
const characters = (text: string) => [...text].length;

/** A keyword says nothing about a value of another type. */
const ofText =
  (check: (text: string, schema: JsonSchema) => boolean): Check =>
  (value, schema) =>
    typeof value !== 'string' || check(value, schema);
const ofNumber =
  (check: (number: number, schema: JsonSchema) => boolean): Check =>
  (value, schema) =>
    typeof value !== 'number' || check(value, schema);
const ofArray =
  (check: (items: readonly unknown[], schema: JsonSchema, reader: SchemaReader) => boolean): Check =>
  (value, schema, reader) =>
    !Array.isArray(value) || check(value, schema, reader);
const ofObject =
  (
    check: (members: Readonly<Record<string, unknown>>, schema: JsonSchema, reader: SchemaReader) => boolean,
  ): Check =>
  (value, schema, reader) =>
    !isObject(value) || check(value, schema, reader);

const types: Readonly<Record<NonNullable<JsonSchema['type']>, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  null: (value) => value === null,
};

const keywords: Readonly<Record<keyof JsonSchema, Check>> = {
  $ref: (value, schema, reader) => reader.takes(reader.resolve(schema), value),
  type: (value, { type = 'null' }) => types[type](value),
  const: (value, schema) => value === schema.const,
  enum: (value, schema) => schema.enum?.includes(value) === true,
  minLength: ofText((text, { minLength = 0 }) => characters(text) >= minLength),
  maxLength: ofText((text, { maxLength = 0 }) => characters(text) <= maxLength),
  pattern: ofText((text, { pattern = '' }) => new RegExp(pattern, 'u').test(text)),
  minimum: ofNumber((number, { minimum = 0 }) => number >= minimum),
  maximum: ofNumber((number, { maximum = 0 }) => number <= maximum),
  minItems: ofArray((items, { minItems = 0 }) => items.length >= minItems),
  maxItems: ofArray((items, { maxItems = 0 }) => items.length <= maxItems),
  items: ofArray((items, schema, reader) => items.every((item) => reader.takes(schema.items ?? {}, item))),
  properties: ofObject((members, { properties = {} }, reader) =>
    Object.entries(properties).every(
      ([name, schema]) => !Object.hasOwn(members, name) || reader.takes(schema, members[name]),
    ),
  ),
  required: ofObject((members, { required = [] }) => required.every((name) => Object.hasOwn(members, name))),
  propertyNames: ofObject((members, schema, reader) =>
    Object.keys(members).every((name) => reader.takes(schema.propertyNames ?? {}, name)),
  ),
  additionalProperties: ofObject((members, { properties = {}, additionalProperties = true }, reader) =>
    Object.entries(members)
      .filter(([name]) => !Object.hasOwn(properties, name))
      .every(([, value]) =>
        typeof additionalProperties === 'boolean'
          ? additionalProperties
          : reader.takes(additionalProperties, value),
      ),
  ),
  anyOf: (value, { anyOf = [] }, reader) => anyOf.some((each) => reader.takes(each, value)),
  oneOf: (value, { oneOf = [] }, reader) => oneOf.filter((each) => reader.takes(each, value)).length === 1,
  allOf: (value, { allOf = [] }, reader) => allOf.every((each) => reader.takes(each, value)),
  not: (value, { not = {} }, reader) => !reader.takes(not, value),
  description: () => true,
};

/** @param components the document's `components.schemas`, which references name. */
export function schemaReader(components: Readonly<Record<string, JsonSchema>>): SchemaReader {
  const reader: SchemaReader = {
    resolve(schema) {
      if (schema.$ref === undefined) return schema;
      const found = components[schema.$ref.replace('#/components/schemas/', '')];
      if (found === undefined) throw new Error(`nothing is at ${schema.$ref}`);
      return found;
    },
    takes: (schema, value) =>
      Object.keys(schema).every((name) => {
        const check = keywords[name as keyof JsonSchema];
        if (check === undefined) throw new Error(`the keyword ${name} is not known here`);
        return check(value, schema, reader);
      }),
  };
  return reader;
}
