/** OpenAPI operations of metadata, discovery and public keys. */

import * as z from 'zod';
import type { ZodOpenApiMediaTypeObject } from 'zod-openapi';
import { authorizationServerMetadata } from '../../../lambdas/catalog/oauth/authorization-server-metadata.ts';
import { machineServerMetadata } from '../../../lambdas/catalog/oauth/machine-server-metadata.ts';
import { payerKeysPath } from '../../../lambdas/catalog/oauth/token-issuer.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { gateway, lobPath, ok, paths } from './authorization-parts.ts';
import { exampleLob } from './member-examples.ts';
import * as schemas from './member-schemas.ts';
import { type DocumentedOperation, refusalResponse, requestIdHeader } from './operations.ts';

const metadataWords = 'Returns the endpoints and their capabilities.';
const jwksWords =
  'Returns the public keys that verify tokens. A key is published before it signs, and stays until the last token it signed has expired.';

/** Makes the responses of a published document, which anybody may cache for five minutes. */
function published(
  host: 'auth' | 'token',
  path: string,
  operation: Pick<DocumentedOperation['operation'], 'operationId' | 'summary'> & {
    readonly description: string;
  },
  content: ZodOpenApiMediaTypeObject,
): DocumentedOperation {
  return {
    host,
    method: 'get',
    path,
    operation: {
      ...operation,
      tags: ['Discovery'],
      security: [],
      requestParams: {
        ...(path.includes('{lob}') && { path: lobPath }),
        header: z.object({ 'X-Request-Id': requestIdHeader }),
      },
      responses: {
        ...ok('The document.', { 'application/json': content }),
        ...(host === 'auth' && {
          '404': refusalResponse('application/json', schemas.gatewayError, [gateway('RESOURCE_NOT_FOUND')]),
        }),
        '500': refusalResponse('application/json', schemas.tokenError, [gateway('DEFAULT_5XX')]),
      },
    },
  };
}

/** Operations of server metadata and public keys, on both authorization hosts. */
export function discovery({ environments: { sandbox } }: PublishedService): readonly DocumentedOperation[] {
  const member = {
    schema: schemas.serverMetadata,
    example: authorizationServerMetadata(sandbox.origins, exampleLob),
  };
  return [
    published(
      'auth',
      '/fhir-oauth2/{lob}/.well-known/openid-configuration',
      {
        operationId: 'openidConfiguration',
        summary: 'OpenID Provider configuration',
        description: metadataWords,
      },
      member,
    ),
    published(
      'auth',
      '/.well-known/openid-configuration/fhir-oauth2/{lob}',
      {
        operationId: 'openidConfigurationBeforePath',
        summary: 'OpenID Provider configuration (alternative path)',
        description: metadataWords,
      },
      member,
    ),
    published(
      'auth',
      '/.well-known/oauth-authorization-server/fhir-oauth2/{lob}',
      {
        operationId: 'authorizationServerMetadata',
        summary: 'Authorization server metadata (RFC 8414)',
        description: metadataWords,
      },
      member,
    ),
    published(
      'auth',
      paths.jwks,
      { operationId: 'jwks', summary: 'Public keys of a line of business (JWK Set)', description: jwksWords },
      { schema: schemas.jwks },
    ),
    published(
      'auth',
      payerKeysPath,
      {
        operationId: 'payerJwks',
        summary: 'Public keys of this plan as a client of other payers',
        description: jwksWords,
      },
      { schema: schemas.payerJwks },
    ),
    published(
      'token',
      '/.well-known/oauth-authorization-server',
      {
        operationId: 'machineServerMetadata',
        summary: 'Metadata of the machine-to-machine token host',
        description: metadataWords,
      },
      {
        schema: schemas.machineMetadata,
        example: machineServerMetadata(sandbox.origins, sandbox.resourceId),
      },
    ),
    published(
      'token',
      '/.well-known/jwks.json',
      {
        operationId: 'machineJwks',
        summary: 'Public keys of the machine-to-machine token host',
        description: jwksWords,
      },
      { schema: schemas.jwks },
    ),
  ];
}
