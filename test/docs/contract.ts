/**
 * The contract of an OpenAPI document: what a client can see of an API, one line for each operation, parameter, response and
 * property, so that a change of the interface shows in a diff.
 *
 * A section starts with `GET /path: operationId credentials parameters`, where the parameters are those of the section `common`, or with
 * `schema Name: use type`. The lines below it are `subject: type constraints`. `subject?` may be missing. `a|b` is one of several types or values,
 * `a+b` is both.
 */

import type { Document, Operation, Response } from './documents.ts';
import { operationsOf, responsesOf } from './documents.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: object;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

const bounds = {
  minLength: 'length>=',
  maxLength: 'length<=',
  minimum: 'value>=',
  maximum: 'value<=',
  minItems: 'items>=',
  maxItems: 'items<=',
} as const;

/** Escapes spaces and pipes, which separate the words of a line and the alternatives of a type. */
const word = (text: string) =>
  text.replace(/[ |]/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`);

/** A type as one word, with its alternatives in alphabetical order. */
function typeOf(schema: Schema): string {
  const { $ref, anyOf, oneOf, items, type = 'any' } = schema;
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '');
  const several = anyOf ?? oneOf;
  if (several !== undefined)
    return [...new Set(several.flatMap((each) => typeOf(each).split('|')))].sort().join('|');
  const values = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (values !== undefined)
    return values
      .map((value) => word(JSON.stringify(value)))
      .sort()
      .join('|');
  if (schema.not !== undefined) return 'nothing';
  if (items === undefined) return type;
  return typeOf(items)
    .split('|')
    .map((each) => `${each}[]`)
    .join('|');
}

function constraintsOf(schema: Schema): readonly string[] {
  const { format, pattern, items, additionalProperties } = schema;
  return [
    ...Object.entries(bounds).flatMap(([name, text]) => {
      const bound = (schema as Readonly<Record<string, unknown>>)[name];
      return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER
        ? [`${text}${bound}`]
        : [];
    }),
    ...(format === undefined ? [] : [`format=${format}`]),
    ...(pattern === undefined ? [] : [`/${word(pattern)}/`]),
    ...(additionalProperties === false ? ['closed'] : []),
    ...(items === undefined ? [] : constraintsOf(items).map((each) => `[]${each}`)),
  ];
}

const factsOf = (schema: Schema) => [typeOf(schema), ...constraintsOf(schema)];

/** The lines of a schema and its properties. Alternatives of a type are labelled with their first constant value. */
function linesOf(subject: string, schema: Schema, isRequired: boolean): readonly string[] {
  return [
    `${subject}${isRequired ? '' : '?'}: ${factsOf(schema).join(' ')}`,
    ...propertiesOf(subject, schema),
  ];
}

function propertiesOf(subject: string, schema: Schema): readonly string[] {
  const { items, properties = {}, required = [], additionalProperties } = schema;
  const alternatives = (schema.anyOf ?? schema.oneOf ?? []).filter((each) => each.properties !== undefined);
  return [
    ...Object.entries(properties).flatMap(([name, property]) =>
      linesOf(`${subject}.${word(name)}`, property, required.includes(name)),
    ),
    ...(items === undefined ? [] : propertiesOf(`${subject}[]`, items)),
    ...(typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? linesOf(`${subject}.*`, additionalProperties, false)
      : []),
    ...alternatives.flatMap((each, index) => linesOf(`${subject}<${labelOf(each) ?? index}>`, each, false)),
  ];
}

function labelOf({ properties = {}, required = [] }: Schema): string | undefined {
  const name = required.find((each) => 'const' in (properties[each] ?? {}));
  return name === undefined ? undefined : `${name}=${properties[name]?.const}`;
}

const headerWord = ([name, { required }]: readonly [string, { readonly required?: boolean }]) =>
  required === true ? name : `${name}?`;

/** A line for each successful response of an operation, and one line for its errors. */
function responseLines(document: Document, operation: Operation): readonly string[] {
  const responses = responsesOf(document, operation);
  const media = ({ content = {} }: Response) =>
    Object.entries(content).map(([type, { schema = {} }]) => `${type}=${typeOf(schema as Schema)}`);
  const isError = ([status]: readonly [string, unknown]) => /^[45d]/.test(status);
  const errors = responses.filter(isError);
  const headersOf = ({ headers = {} }: Response) => Object.entries(headers).map(headerWord);
  const ofAllErrors = headersOf(errors[0]?.[1] ?? {}).filter((header) =>
    errors.every(([, response]) => headersOf(response).includes(header)),
  );
  return [
    ...responses
      .filter((each) => !isError(each))
      .flatMap(([status, response]) => [
        [`${status}:`, ...media(response), ...headersOf(response)].join(' '),
        ...Object.entries(response.content ?? {}).flatMap(([type, { schema = {} }]) =>
          propertiesOf(`${status} ${type}`, schema as Schema),
        ),
      ]),
    [
      'errors:',
      ...new Set(errors.flatMap(([, response]) => media(response))),
      ...ofAllErrors,
      ...errors.map(([status, response]) =>
        [status, ...headersOf(response).filter((header) => !ofAllErrors.includes(header))].join('+'),
      ),
    ].join(' '),
  ];
}

/** Lines of a request body. A search by POST that takes the parameters of its GET has one line. */
function bodyLines(
  { requestBody }: Operation,
  searchPath: string,
  search: readonly string[],
): readonly string[] {
  return Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => {
    const lines = linesOf(`body ${type}`, schema as Schema, requestBody?.required === true);
    const [first, ...fields] = lines;
    const asQuery = fields.map((line) => line.replace(`body ${type}.`, 'query ')).sort();
    const isSearch = fields.length > 0 && asQuery.join() === search.join();
    return isSearch ? [`${first} of GET ${searchPath}`] : lines;
  });
}

/** The line of an operation's hosts, one for each line of business that has the operation. */
function serverLine(servers: Document['servers']): string {
  const words = servers.map(({ url, variables = {} }) =>
    Object.entries(variables).reduce(
      (filled, [name, { enum: values = [] }]) => filled.replace(`{${name}}`, `{${values.join(',')}}`),
      url,
    ),
  );
  return `servers: ${words.join(' ')}`;
}

/** Finds whether each schema is used in requests or responses, directly or through other schemas. */
function directionsOf(document: Document): ReadonlyMap<string, readonly string[]> {
  const schemas = document.components.schemas;
  const reached = { request: new Set<string>(), response: new Set<string>() };
  const follow = (direction: keyof typeof reached, value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value ?? {}).matchAll(/#\/components\/schemas\/([^"]+)/g)) {
      if (reached[direction].has(name)) continue;
      reached[direction].add(name);
      follow(direction, schemas[name]);
    }
  };
  for (const { operation } of operationsOf(document)) {
    follow('request', [operation.parameters, operation.requestBody]);
    follow('response', responsesOf(document, operation));
  }
  return new Map(
    Object.keys(schemas).map((name) => [
      name,
      (['request', 'response'] as const).filter((direction) => reached[direction].has(name)),
    ]),
  );
}

/** Writes the contract of a document. */
export function contractOf(document: Document): string {
  const operations = operationsOf(document);
  const parameterLines = new Map(
    operations.map(({ id, operation }) => [
      id,
      (operation.parameters ?? [])
        .flatMap((each) => linesOf(`${each.in} ${each.name}`, each.schema as Schema, each.required === true))
        .sort(),
    ]),
  );
  const used = [...parameterLines.values()].flat();
  const common = [...new Set(used)]
    .filter((line) => used.filter((each) => each === line).length > operations.length / 2)
    .sort();
  const subjectOf = (line: string) => line.split(': ')[0] ?? '';
  const sections = operations.map(({ id, method, path, item, operation }) => {
    const parameters = parameterLines.get(id) ?? [];
    const searchPath = path.replace(/\/_search$/, '');
    const search = operations.find((each) => each.method === 'GET' && each.path === searchPath);
    const searchLines = (parameterLines.get(search?.id ?? '') ?? []).filter(
      (line) => line.startsWith('query ') && !common.includes(line),
    );
    const shared = parameters
      .filter((line) => common.includes(line))
      .map((line) => subjectOf(line).replace(/^\w+ |\?$/g, ''));
    const security = (operation.security ?? []).map((each) => Object.keys(each).sort().join('+'));
    return [
      [`${method} ${path}: ${id}`, security.join('|') || 'none', ...shared].join(' '),
      ...(item.servers === undefined || JSON.stringify(item.servers) === JSON.stringify(document.servers)
        ? []
        : [serverLine(item.servers)]),
      ...parameters.filter((line) => !common.includes(line)),
      ...bodyLines(operation, searchPath, searchLines),
      ...responseLines(document, operation),
    ];
  });
  const directions = directionsOf(document);
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    [`schema ${name}: ${directions.get(name)?.join('|')}`, ...factsOf(schema as Schema)].join(' '),
    ...propertiesOf('', schema as Schema),
  ]);
  const sorted = (all: readonly (readonly string[])[]) =>
    [...all].sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
  return [['common:', serverLine(document.servers), ...common], ...sorted(sections), ...sorted(schemas)]
    .map(([head, ...lines]) => [head, ...lines.map((line) => `  ${line}`), ''].join('\n'))
    .join('');
}
