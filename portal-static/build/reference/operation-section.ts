/** The section of an operation on its page of the reference, as Markdown. */

import {
  isPatientAccessType,
  type PatientAccessType,
  type SearchParameter,
  servedResource,
} from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { type FieldSchema, fieldRows, type SchemaRow, wholeSchema } from '../documents/field-rows.ts';
import { headingId } from '../documents/heading-id.ts';
import { capitalized, code, markdownTable } from '../documents/markdown-table.ts';
import type { DescribedOperation, DescribedResponse } from './described-operations.ts';
import { exampleOf, requestSample } from './request-sample.ts';
import { tryLink } from './try-link.ts';

type Schemas = Readonly<Record<string, FieldSchema>>;

const credentials: Readonly<Record<string, string>> = {
  subscriptionKey: 'the subscription key in `x-api-subscription-key`',
  memberToken: 'an access token that a member consented to, in `Authorization: Bearer`',
  backendToken: 'an access token of the client credentials grant, in `Authorization: Bearer`',
  clientSecretBasic: 'the client ID and secret as HTTP Basic, or in the body',
};

/** @param before operations of the page above this one: what it shares with them is linked to. */
export function operationSection(
  operation: DescribedOperation,
  before: readonly DescribedOperation[],
  schemas: Schemas,
): string {
  const { summary, method, path, description, operationId } = operation;
  const twin = before.find(
    (each) => each.operationId === operationId.replace(/(?:By(?:Form|Post|OlderPath)|Version)$/, ''),
  );
  return [
    `## ${summary}`,
    `${code(`${method} ${path}`)}`,
    description,
    needs(operation),
    parameters(operation, twin),
    body(operation, twin, schemas),
    '### Request',
    request(operation),
    tryLink(operation),
    '### Response',
    ...responses(operation, before, twin, schemas),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function needs(operation: DescribedOperation): string {
  const { security } = operation;
  const ways = security.map((schemes) =>
    Object.keys(schemes)
      .map((name) => credentials[name] ?? name)
      .join(' and '),
  );
  const needed =
    security.length === 0
      ? 'None.'
      : `${capitalized(ways.map((way) => way || 'no credentials').join(', or '))}.`;
  const scopes = scopesOf(operation);
  return [
    `- **Credentials:** ${needed}`,
    ...(scopes.length === 0 ? [] : [`- **Scope:** ${scopes.map(code).join(' or ')}.`]),
  ].join('\n');
}

/** The hosts of a page's operations, which are the same for all of them or named by operation. */
export function hostsOf(operations: readonly DescribedOperation[]): string {
  const lines = operations.map(({ summary, servers: [sandbox, production] }) => {
    const lobs = sandbox.variables?.lob.enum ?? [];
    const values = lobs.length === 0 ? '' : ` ${code('{lob}')} is ${lobs.map(code).join(', ')}.`;
    const hosts = `${code(sandbox.url)} in the sandbox, ${code(production.url)} in production.${values}`;
    return { summary, hosts };
  });
  const [first] = lines;
  const isSame = lines.every(({ hosts }) => hosts === first?.hosts);
  if (isSame) return `**Hosts:** ${first?.hosts}`;
  return lines.map(({ summary, hosts }) => `- **Hosts of “${summary}”:** ${hosts}`).join('\n');
}

/** The narrowest scopes that allow the call: for a member’s token in both spellings of SMART. */
function scopesOf({ page, path, security: [schemes = {}] }: DescribedOperation): readonly string[] {
  if (!isPatientAccessType(page)) return [];
  const type = path.endsWith('$everything') ? '*' : page;
  if ('memberToken' in schemes) return [`patient/${type}.read`, `patient/${type}.rs`];
  return 'backendToken' in schemes ? [`system/${type}.rs`] : [];
}

function parameters(operation: DescribedOperation, twin: DescribedOperation | undefined): string {
  const isSame = twin !== undefined && operation.parameters.every(({ in: place }) => place !== 'query');
  const shown = operation.parameters.filter(({ in: place }) => !isSame || place === 'path');
  const note = isSame ? `Headers as in [${twin.summary}](#${headingId(twin.summary)}).` : '';
  if (shown.length === 0) return note === '' ? '' : `### Parameters\n\n${note}`;
  const rows = shown.map((each) => {
    const example = exampleOf(operation, each);
    return [
      code(each.name),
      `${each.required === true ? 'Required. ' : ''}${each.description ?? ''}`,
      example === undefined ? '' : code(example),
      each.in,
    ];
  });
  return ['### Parameters', markdownTable(['Name', 'Description', 'Example', 'In'], rows), note]
    .filter((part) => part !== '')
    .join('\n\n');
}

function body(
  { body: contents }: DescribedOperation,
  twin: DescribedOperation | undefined,
  schemas: Schemas,
): string {
  const types = Object.keys(contents);
  const [first] = Object.values(contents);
  if (first?.schema === undefined) return '';
  const lead = `Sent as ${types.map(code).join(' or ')}.`;
  if (twin !== undefined) {
    return `### Body\n\n${lead} The parameters are those of [${twin.summary}](#${headingId(twin.summary)}).`;
  }
  const alternatives = wholeSchema(first.schema, schemas).anyOf ?? [wholeSchema(first.schema, schemas)];
  const tables = alternatives.map((each) => markdownTable(['Name', 'Type', 'Value'], fieldRows(each)));
  return ['### Body', lead, ...tables].join('\n\n');
}

function request(operation: DescribedOperation): string {
  if (operation.page === 'authorize' && operation.method === 'GET') return addressInBrowser(operation);
  return `\`\`\`sh\n${requestSample(operation)}\n\`\`\``;
}

/** Opened in a browser, a parameter on each line. */
function addressInBrowser({ servers: [{ url }], path, parameters: all }: DescribedOperation): string {
  const example = (name: string) => all.find((each) => each.name === name)?.schema.example ?? '';
  const query = all.filter(({ in: place, schema }) => place === 'query' && schema.example !== undefined);
  const lines = query.map(({ name }) => `${name}=${encodeURIComponent(example(name))}`);
  const address = `${url}${path.replace('{lob}', example('lob'))}`;
  return `\`\`\`http\n${address}?\n  ${lines.join('\n  &')}\n\`\`\``;
}

function responses(
  operation: DescribedOperation,
  before: readonly DescribedOperation[],
  twin: DescribedOperation | undefined,
  schemas: Schemas,
): readonly string[] {
  const successes = operation.responses.filter(([status]) => Number(status) < 400);
  const list = successes.map(([status, { description, headers = {} }]) => {
    const names = Object.keys(headers).map(code).join(', ');
    return `- **${status}** ${description}${names === '' ? '' : ` Headers: ${names}.`}`;
  });
  const [whole] = successes.flatMap(([, response]) => examplesOf(response));
  if (whole === undefined) {
    const where =
      twin === undefined ? '' : `The body is that of [${twin.summary}](#${headingId(twin.summary)}).`;
    return [list.join('\n'), where, ...fieldsOf(operation, successes, {}, schemas, twin)];
  }
  const [shown, note] = withoutRepeated(whole, before);
  return [
    list.join('\n'),
    `\`\`\`json\n${JSON.stringify(shown, null, 2)}\n\`\`\``,
    note,
    ...fieldsOf(operation, successes, whole as object, schemas, twin),
  ];
}

interface Entry {
  readonly resource?: { readonly resourceType: string; readonly id: string };
}

/** Shortens a Bundle whose resource the page has shown already: type and ID, and a note. */
function withoutRepeated(
  example: unknown,
  before: readonly DescribedOperation[],
): readonly [shown: unknown, note: string] {
  const { entry = [], ...bundle } = example as { readonly entry?: readonly Entry[] };
  const ids = before.flatMap(({ responses: all }) =>
    all.flatMap(([, response]) => examplesOf(response).map((each) => (each as { readonly id?: string }).id)),
  );
  const [{ resource, ...rest } = {}] = entry;
  if (resource === undefined || !ids.includes(resource.id)) return [example, ''];
  const { resourceType, id } = resource;
  const shown = { ...bundle, entry: [{ ...rest, resource: { resourceType, id } }] };
  return [shown, 'The resource is the one shown above; here it is cut to its type and ID.'];
}

function examplesOf({ content = {} }: DescribedResponse): readonly unknown[] {
  return Object.values(content).flatMap(({ example, examples = {} }) => [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map(({ value }) => value),
  ]);
}

/** Lists the response's fields that the schema explains, and those elements of the example that a search parameter compares. */
function fieldsOf(
  { page, chapter }: DescribedOperation,
  successes: DescribedOperation['responses'],
  example: object,
  schemas: Schemas,
  twin: DescribedOperation | undefined,
): readonly string[] {
  const [content] = successes.flatMap(([, { content: all = {} }]) => Object.values(all));
  if (content?.schema === undefined || twin !== undefined) return [];
  const whole = wholeSchema(content.schema, schemas);
  const { description = '', ...schema } = whole.anyOf?.[0] ?? whole;
  const explained = fieldRows(schema);
  const isResource = (example as { readonly resourceType?: string }).resourceType === page;
  const compared =
    isResource && chapter !== 'provider-directory' && isPatientAccessType(page)
      ? comparedRows(page, example, explained)
      : [];
  const rows = [...explained, ...compared].filter(([, , notes]) => notes !== '');
  const about = isResource ? description : '';
  return [about, ...(rows.length === 0 ? [] : [markdownTable(['Field', 'Type', 'Notes'], rows)])];
}

/** Elements of the example that no row explains yet, by the search parameters that compare them. */
function comparedRows(
  type: PatientAccessType,
  example: object,
  explained: readonly SchemaRow[],
): readonly SchemaRow[] {
  const { searchParameters } = servedResource(type);
  const sourceIn = ({ sources }: SearchParameter, element: string) =>
    sources.find(({ path, extension }) => extension === undefined && path.split('.')[0] === element);
  return Object.keys(example).flatMap((element) => {
    const by = searchParameters.filter((each) => sourceIn(each, element) !== undefined);
    const [first] = by;
    if (first === undefined || explained.some(([name]) => name === code(element))) return [];
    const source = sourceIn(first, element);
    const notes = by.map(({ name, documentation }) => `${documentation} (search parameter ${code(name)}).`);
    return [[code(element), source?.path === element ? source.as : '', notes.join(' ')] as const];
  });
}
