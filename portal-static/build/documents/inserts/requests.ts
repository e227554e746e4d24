import * as z from 'zod';
import { authorizationParameters } from '../../../../lambdas/catalog/authorization-parameters.ts';
import {
  authorizationServerMetadata,
  smartConfiguration,
} from '../../../../lambdas/catalog/authorization-server-metadata.ts';
import { assertionAlgorithms } from '../../../../lambdas/catalog/client-jwks.ts';
import { interfaceNames } from '../../../../lambdas/catalog/interfaces.ts';
import { formatDataScope, identityScopes, resourceTypes } from '../../../../lambdas/catalog/scopes.ts';
import { code, markdownTable } from '../markdown-table.ts';
import { exampleLob, examplePatient } from '../member-examples.ts';
import { patient } from '../member-schemas.ts';
import {
  type BodyParameter,
  clientCredentialsParameters,
  codeParameters,
  credentialParameters,
  refreshParameters,
  tokenParameters,
} from '../token-requests.ts';
import { type Inserts, pick } from './insert.ts';

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function parameterTable(parameters: Readonly<Record<string, BodyParameter>>): string {
  return markdownTable(
    ['Name', 'Required', 'Value'],
    Object.entries(parameters).map(([name, { required, meaning }]) => [
      code(name),
      required ? 'yes' : 'no',
      meaning,
    ]),
  );
}

function authorizationTable(): string {
  return markdownTable(
    ['Name', 'Required', 'Value'],
    Object.entries(authorizationParameters).map(([name, { required, meaning }]) => [
      code(name),
      required,
      meaning,
    ]),
  );
}

function scopeTable(): string {
  const types = ['*', ...resourceTypes(interfaceNames)];
  const identity: Readonly<Record<(typeof identityScopes)[number], string>> = {
    openid: 'An id_token that says who signed in. Alone it asks for the application’s default.',
    fhirUser: 'The address of the member’s Patient in the id_token; with `openid`.',
    'launch/patient': 'The id of the Patient with the token. It comes in any case.',
    offline_access: 'A refresh token, so that access lasts when the member has gone.',
  };
  return markdownTable(
    ['Scope (SMART 1)', 'The same in SMART 2', 'Allows'],
    [
      ...types.map((resourceType) => [
        code(formatDataScope({ resourceType, permission: 'read' })),
        code(formatDataScope({ resourceType, permission: 'rs' })),
        resourceType === '*'
          ? 'reading all that is offered and the member leaves ticked'
          : `reading the member’s ${resourceType}`,
      ]),
      ...identityScopes.map((scope) => [code(scope), code(scope), identity[scope]]),
    ],
  );
}

/** Fields of the Patient, from its schema. */
function patientFields(): string {
  const schema = patientSchema();
  const rows = Object.entries(schema.properties).flatMap(([name, field]) => rowsOf(name, field));
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
    const inside = Object.entries(items.properties ?? {}).flatMap(([key, part]) =>
      rowsOf(`${name}[].${key}`, part),
    );
    return [[code(name), type, notes], ...inside];
  }
  const inside = Object.entries(field.properties ?? {}).flatMap(([key, part]) =>
    rowsOf(`${name}.${key}`, part),
  );
  return field.properties === undefined ? [[code(name), field.type ?? 'string', notes]] : inside;
}

/** The schema with what it says of each field; parts that have a name of their own stand in their places. */
function patientSchema(): { readonly properties: Readonly<Record<string, Schema>> } {
  const { $defs = {}, ...schema } = z.toJSONSchema(patient);
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as { readonly $ref?: string };
    const part = $ref === undefined ? {} : $defs[$ref.replace('#/$defs/', '')];
    return Object.fromEntries(
      Object.entries({ ...part, ...rest }).map(([key, inner]) => [key, whole(inner)]),
    );
  };
  return whole(schema) as never;
}

export const requestInserts: Inserts = {
  'authorization-parameters': authorizationTable,
  'token-parameters': (service, argument) =>
    parameterTable(
      pick(
        {
          code: codeParameters,
          refresh: refreshParameters,
          'client-credentials': clientCredentialsParameters(service),
          credentials: credentialParameters,
          token: tokenParameters,
        },
        argument,
      ),
    ),
  scopes: scopeTable,
  'assertion-algorithms': () => assertionAlgorithms.map(code).join(', '),
  'client-methods': ({ environments: { sandbox } }) =>
    authorizationServerMetadata(sandbox.origins, exampleLob)
      .token_endpoint_auth_methods_supported.map(code)
      .join(', '),
  'smart-capabilities': ({ environments: { sandbox } }) =>
    smartConfiguration(sandbox.origins, exampleLob).capabilities.map(code).join(', '),
  'patient-example': () => json(examplePatient),
  'patient-fields': patientFields,
  'patient-id': () => examplePatient.id,
};
