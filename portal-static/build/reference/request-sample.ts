/** Requests of the reference as they are typed in bash, with values that find something in the sandbox. */

import { payerToPayer } from '../../../lambdas/catalog/payer/export-parameters.ts';
import searchValues from '../documents/examples/search-values.json' with { type: 'json' };
import { shellValue } from '../documents/inserts/samples.ts';
import { examplePatient } from '../documents/member-examples.ts';
import { matchedPatientId } from '../documents/payer-data-operations.ts';
import type { DescribedOperation, DescribedParameter } from './described-operations.ts';

/** Values by chapter, resource type and parameter (`test/docs/search-values.ts`). */
const found: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> =
  searchValues;

/** Shell variables that stand for the reader's own values in a path. */
const pathVariables: Readonly<Record<string, string>> = { job: '$JOB', file: '$FILE' };

/** Finds an example value of a parameter; undefined if none finds something in the sandbox, or none adds to the description. */
export function exampleOf(
  { chapter, page, path }: DescribedOperation,
  { in: place, name, schema }: DescribedParameter,
): string | undefined {
  const values = found[chapter]?.[page] ?? {};
  if (place === 'header') return schema.enum?.[0] ?? (schema.const as string | undefined);
  if (name === 'exportType') return path.endsWith('$davinci-data-export') ? payerToPayer : undefined;
  if (place === 'query') return values[name] ?? schema.example ?? schema.enum?.[0];
  if (name === 'versionId') return '2';
  if (name === 'id' && values._id !== undefined && !path.includes('SearchParameter')) return values._id;
  return schema.example;
}

/** The command that makes the call. */
export function requestSample(operation: DescribedOperation): string {
  const { method, path, parameters, servers } = operation;
  const [{ url, variables }] = servers;
  const origin = url.replace('{lob}', variables?.lob.default ?? '');
  const inPath = new Map(
    parameters
      .filter((each) => each.in === 'path')
      .map((each) => [each.name, exampleOf(operation, each)] as const),
  );
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => inPath.get(name) ?? pathVariables[name] ?? `$${name.toUpperCase()}`,
  );
  // Percent-encodes the dollar sign of operations (`$everything`), which a shell would read as a variable. `$NAME` stays one.
  const address = `${origin}${filled.replace(/\$(?![A-Z])/g, '%24')}`;
  const query = exampleQuery(operation);
  const flags = [
    ...(query.length > 0 ? ['-G'] : []),
    ...(method === 'DELETE' ? ['-X DELETE'] : []),
    ...(method === 'POST' && Object.keys(operation.body).length === 0 ? ['-X POST'] : []),
  ];
  return [
    `curl ${[...flags, `"${address}"`].join(' ')}`,
    ...headersOf(operation),
    ...query.map(([name, value]) => `--data-urlencode "${name}=${value}"`),
    ...bodyOf(operation),
  ].join(' \\\n  ');
}

/** Makes the headers with credentials. The token host also accepts the client's credentials in the form. */
function headersOf({ security, parameters }: DescribedOperation): readonly string[] {
  const [needed = {}] = security;
  const schemes = Object.keys(needed);
  const isAsynchronous = parameters.some(({ schema }) => schema.const === 'respond-async');
  return [
    ...(schemes.includes('clientSecretBasic') ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...(schemes.some((scheme) => scheme.endsWith('Token'))
      ? ['-H "Authorization: Bearer $ACCESS_TOKEN"']
      : []),
    ...(schemes.includes('subscriptionKey') ? ['-H "x-api-subscription-key: $SUBSCRIPTION_KEY"'] : []),
    ...(isAsynchronous ? ['-H "Prefer: respond-async"'] : []),
  ];
}

/** Selects the required parameters, or if there are none, the first parameter of the type itself that finds something. */
export function exampleQuery(operation: DescribedOperation): readonly (readonly [string, string])[] {
  const query = operation.parameters.filter((each) => each.in === 'query');
  const withValue = (of: readonly DescribedParameter[]) =>
    of.flatMap((each) => {
      const value = exampleOf(operation, each);
      return value === undefined ? [] : [[each.name, value] as const];
    });
  const required = withValue(query.filter((each) => each.required === true));
  const own = withValue(query.filter(({ name }) => !name.startsWith('_') && !shared.includes(name)));
  const count = withValue(query.filter(({ name }) => name === '_count'));
  return required.length > 0 ? required : [...own.slice(0, 1), ...count];
}

/** Parameters that many types have and that narrow nothing, because a token is for one member. */
const shared = ['patient', 'beneficiary'];

/** The Patient that the examples of a chapter find; undefined for a chapter without members. */
export function examplePatientId(chapter: string): string | undefined {
  return found[chapter]?.Patient?._id;
}

/** Replaces the member of the document's examples, who is not in the sandbox, by a member who is. */
function ofSandbox<Value>(chapter: string, value: Value): Value {
  const patientId = examplePatientId(chapter);
  if (patientId === undefined) return value;
  const text = JSON.stringify(value);
  return JSON.parse(text.replaceAll(examplePatient.id, patientId).replaceAll(matchedPatientId, patientId));
}

const formType = 'application/x-www-form-urlencoded';

/** The example of a body with its Content-Type, of a form where both are accepted; undefined for a call without a body. */
export function sampleBody({
  body,
  chapter,
}: DescribedOperation): { readonly type: string; readonly value: unknown } | undefined {
  const form = body[formType];
  const [type, content] = form === undefined ? (Object.entries(body)[0] ?? []) : [formType, form];
  if (type === undefined || content === undefined) return undefined;
  const example = content.example ?? Object.values(content.examples ?? {})[0]?.value ?? {};
  return { type, value: ofSandbox(chapter, example) };
}

function bodyOf(operation: DescribedOperation): readonly string[] {
  const { type, value } = sampleBody(operation) ?? {};
  if (type === undefined) return [];
  if (type === formType) {
    return Object.entries(value as Readonly<Record<string, string>>).map(
      (field) => `--data-urlencode "${field[0]}=${shellValue(field)}"`,
    );
  }
  return [`-H "Content-Type: ${type}"`, `-d '${JSON.stringify(value, null, 2)}'`];
}
