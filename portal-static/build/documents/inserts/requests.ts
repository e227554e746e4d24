import * as z from 'zod';
import { fhirBase } from '../../../../lambdas/catalog/addresses.ts';
import { authorizationParameters } from '../../../../lambdas/catalog/authorization-parameters.ts';
import {
  authorizationServerMetadata,
  smartConfiguration,
} from '../../../../lambdas/catalog/authorization-server-metadata.ts';
import { assertionAlgorithms } from '../../../../lambdas/catalog/client-jwks.ts';
import { interfaceNames } from '../../../../lambdas/catalog/interfaces.ts';
import type { PublishedService } from '../../../../lambdas/catalog/published-service.ts';
import { formatDataScope, identityScopes, resourceTypes } from '../../../../lambdas/catalog/scopes.ts';
import { code, markdownTable } from '../markdown-table.ts';
import {
  exampleChallenge,
  exampleClientId,
  exampleLob,
  exampleMachineTokenResponse,
  examplePatient,
  exampleRedirectUri,
  exampleTokenResponse,
} from '../member-examples.ts';
import { patient } from '../member-schemas.ts';
import {
  type BodyParameter,
  clientCredentialsParameters,
  codeParameters,
  credentialParameters,
  exampleBody,
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

/** The authorization request of the described journey, a parameter a line. */
function authorizationRequest({ environments: { sandbox } }: PublishedService): string {
  const query = {
    response_type: 'code',
    client_id: exampleClientId,
    redirect_uri: exampleRedirectUri,
    scope: 'openid',
    state: 'af0ifjsldkj',
    aud: fhirBase(sandbox.origins, exampleLob, 'patient-access'),
    code_challenge: exampleChallenge,
    code_challenge_method: 'S256',
  };
  const lines = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const { auth } = sandbox.origins;
  return `\`\`\`http\n${auth}/fhir-oauth2/sec/${exampleLob.toLowerCase()}/authorize?\n  ${lines.join('\n  &')}\n\`\`\``;
}

function tokenBodies(service: PublishedService): Readonly<Record<string, Record<string, string>>> {
  return {
    code: exampleBody(codeParameters, 'code_verifier'),
    refresh: exampleBody(refreshParameters),
    'client-credentials': {
      ...exampleBody(clientCredentialsParameters(service)),
      client_id: '<client_id>',
      client_secret: '<client_secret>',
    },
  };
}

const lines = (...all: readonly string[]) => `\`\`\`sh\n${all.join(' \\\n  ')}\n\`\`\``;

/** `code json`, `code form`, `refresh form`, `client-credentials form`. */
function tokenRequest(service: PublishedService, argument: string): string {
  const [grant = '', form = ''] = argument.split(' ');
  const body = pick(tokenBodies(service), grant);
  const { origins } = service.environments.sandbox;
  const fields = Object.entries(body).map(([name, value]) => `-d '${name}=${value}'`);
  if (grant === 'client-credentials') {
    const key = `-H 'x-api-subscription-key: <SUBSCRIPTION_KEY>'`;
    return lines(`curl ${origins.token}/token/v2`, key, ...fields);
  }
  const url = `curl ${origins.auth}/fhir-oauth2/pub/${exampleLob.toLowerCase()}/token`;
  const basic = `-u '<client_id>:<client_secret>'`;
  return form === 'json'
    ? lines(
        url,
        basic,
        `-H 'content-type: application/json'`,
        `-H 'accept: application/json'`,
        `-d '${JSON.stringify(body)}'`,
      )
    : lines(url, basic, ...fields);
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

function patientSchema(): { readonly properties: Readonly<Record<string, Schema>> } {
  return z.toJSONSchema(patient, { reused: 'inline', metadata: z.registry() }) as never;
}

export const requestInserts: Inserts = {
  'authorization-parameters': authorizationTable,
  'authorization-request': authorizationRequest,
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
  'token-request': tokenRequest,
  'token-response': (service) => json(exampleTokenResponse(service)),
  'machine-token-response': (service) => json(exampleMachineTokenResponse(service)),
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
