/** Generated parts of the public documentation: example requests and responses. */

import { dataOperations } from '../../../../lambdas/catalog/fhir/fhir-routes.ts';
import { interfaceNames } from '../../../../lambdas/catalog/fhir/interfaces.ts';
import { assertionAlgorithms } from '../../../../lambdas/catalog/oauth/assertion-algorithms.ts';
import { authorizationParameters } from '../../../../lambdas/catalog/oauth/authorization-parameters.ts';
import { authorizationServerMetadata } from '../../../../lambdas/catalog/oauth/authorization-server-metadata.ts';
import { formatDataScope, identityScopes, resourceTypes } from '../../../../lambdas/catalog/oauth/scopes.ts';
import { smartConfiguration } from '../../../../lambdas/catalog/oauth/smart-configuration.ts';
import { code, markdownTable } from '../markdown-table.ts';
import { exampleLob, examplePatient } from '../member-examples.ts';
import {
  type BodyParameter,
  clientCredentialsParameters,
  codeParameters,
  credentialParameterSchemas,
  refreshParameters,
  tokenParameterSchemas,
} from '../token-requests.ts';
import { type Inserts, pick } from './insert.ts';

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

/** Describes the request of a type's example. A type without a search is read by its ID. */
function wordsOf(type: string): string {
  const searched = dataOperations.some((operation) => operation === `${type}.search-type`);
  return `read${searched ? ' and search' : ''} the member’s ${type}`;
}

function scopeTable(): string {
  const types = ['*', ...resourceTypes(interfaceNames)];
  const identity: Readonly<Record<(typeof identityScopes)[number], string>> = {
    openid:
      'An id_token that identifies the member. Without other scopes, it requests the application’s default.',
    fhirUser: 'The address of the member’s Patient in the id_token, with `openid`.',
    'launch/patient': 'The ID of the Patient in the token response. The response always has it.',
    offline_access: 'A refresh token for access after the member leaves.',
  };
  return markdownTable(
    ['Scope (SMART 1)', 'Scope (SMART 2)', 'Allows'],
    [
      ...types.map((resourceType) => [
        code(formatDataScope({ context: 'patient', resourceType, permission: 'read' })),
        code(formatDataScope({ context: 'patient', resourceType, permission: 'rs' })),
        resourceType === '*' ? 'read and search all data that the member selects' : wordsOf(resourceType),
      ]),
      ...identityScopes.map((scope) => [code(scope), code(scope), identity[scope]]),
    ],
  );
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
          credentials: credentialParameterSchemas,
          token: tokenParameterSchemas,
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
  'patient-id': () => examplePatient.id,
};
