import { Ajv2020 } from 'ajv/dist/2020.js';

/** A JSON Schema (2020-12) with the keywords that tests read. Ajv handles all others and refuses unknown ones. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly description?: string;
}

export interface SchemaReader {
  /** The schema itself, or the schema that a reference names. */
  resolve(schema: JsonSchema): JsonSchema;
  /**
   * Whether a value is valid.
   *
   * @throws Error for a keyword that Ajv does not know.
   */
  takes(schema: JsonSchema, value: unknown): boolean;
}

/** @param components `components.schemas` of the document, to which references lead. */
export function schemaReader(components: Readonly<Record<string, JsonSchema>>): SchemaReader {
  const ajv = new Ajv2020({ strictTypes: false, ownProperties: true, inlineRefs: false });
  ajv.addKeyword('components');
  const validators = new WeakMap<JsonSchema, (value: unknown) => boolean>();
  return {
    resolve(schema) {
      if (schema.$ref === undefined) return schema;
      const found = components[schema.$ref.replace('#/components/schemas/', '')];
      if (found === undefined) throw new Error(`nothing is at ${schema.$ref}`);
      return found;
    },
    takes(schema, value) {
      // References begin at `#`, the root of the schema that Ajv compiles, so the components are added to each schema.
      const known = validators.get(schema);
      const validate = known ?? ajv.compile({ ...schema, components: { schemas: components } });
      if (known === undefined) validators.set(schema, validate);
      return validate(value);
    },
  };
}
