/** OpenAPI operations of the token, revocation and introspection endpoints. */

import * as z from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import {
  clientAuthentication,
  form,
  gateway,
  lobPath,
  ok,
  paths,
  tokenFailures,
  tokenRefusal,
} from './authorization-parts.ts';
import { exampleMachineTokenResponse, exampleTokenResponse } from './member-examples.ts';
import * as schemas from './member-schemas.ts';
import {
  bodySchema,
  type DocumentedOperation,
  refusalResponse,
  requestIdHeader,
  retryAfterAnswer,
} from './operations.ts';
import {
  clientCredentialsParameters,
  codeParameters,
  credentialParameterSchemas,
  exampleBody,
  refreshParameters,
  tokenParameterSchemas,
} from './token-requests.ts';

/** The operation of a LOB's token endpoint. */
export function token(service: PublishedService): DocumentedOperation {
  const code = bodySchema({ ...codeParameters, ...credentialParameterSchemas }).meta({
    id: 'CodeTokenRequest',
  });
  const refresh = bodySchema({ ...refreshParameters, ...credentialParameterSchemas }).meta({
    id: 'RefreshTokenRequest',
  });
  const content = {
    schema: z.union([code, refresh]),
    examples: {
      code: {
        summary: 'Authorization code',
        value: exampleBody(codeParameters, 'code_verifier'),
      },
      refresh: { summary: 'Refresh token', value: exampleBody(refreshParameters) },
    },
  };
  return {
    host: 'auth',
    method: 'post',
    path: paths.token,
    operation: {
      operationId: 'token',
      summary: 'Token request (authorization code, refresh token)',
      description:
        'Exchanges a code, or a refresh token, for an access token. The body is JSON or a form. The application authenticates by HTTP Basic, by `client_id` and `client_secret` in the body, by a signed assertion (`private_key_jwt`), or, if it is public, by `client_id` alone.',
      tags: ['Authorization'],
      security: clientAuthentication,
      requestParams: {
        path: lobPath,
        header: z.object({ 'X-Request-Id': requestIdHeader }),
      },
      requestBody: { required: true, content: { 'application/json': content, [form]: content } },
      responses: {
        ...ok('The tokens.', {
          'application/json': { schema: schemas.tokenResponse, example: exampleTokenResponse(service) },
        }),
        ...tokenFailures,
      },
    },
  };
}

/** Makes the operation of an endpoint that receives a token: revocation (RFC 7009) or introspection (RFC 7662). */
export function tokenQuestion(
  path: string,
  operation: Pick<DocumentedOperation['operation'], 'operationId' | 'summary' | 'description'>,
  answers: Record<string, ZodOpenApiResponseObject>,
): DocumentedOperation {
  const content = {
    schema: bodySchema({ ...tokenParameterSchemas, ...credentialParameterSchemas }),
    example: exampleBody(tokenParameterSchemas),
  };
  return {
    host: 'auth',
    method: 'post',
    path,
    operation: {
      ...operation,
      tags: ['Authorization'],
      security: clientAuthentication,
      requestParams: { path: lobPath, header: z.object({ 'X-Request-Id': requestIdHeader }) },
      requestBody: { required: true, content: { [form]: content, 'application/json': content } },
      responses: { ...answers, ...tokenFailures },
    },
  };
}

/** The operation of the token endpoint for the client credentials grant. */
export function machineToken(service: PublishedService): DocumentedOperation {
  const parameters = { ...clientCredentialsParameters(service), ...credentialParameterSchemas };
  return {
    host: 'token',
    method: 'post',
    path: '/token/v2',
    operation: {
      operationId: 'machineToken',
      summary: 'Token request (client credentials)',
      description:
        'Issues a token without a member: the application is the resource owner. The token reads no data of Patient Access; another payer’s reads the members it has matched. Needs the application’s subscription key. The body is a form, with client ID and secret in it or in HTTP Basic.',
      tags: ['Machine to machine'],
      security: [{ subscriptionKey: [] }, { subscriptionKey: [], clientSecretBasic: [] }],
      requestParams: { header: z.object({ 'X-Request-Id': requestIdHeader }) },
      requestBody: {
        required: true,
        content: {
          [form]: {
            schema: bodySchema(parameters).meta({ id: 'MachineTokenRequest' }),
            example: exampleBody(parameters, 'client_id', 'client_secret'),
          },
        },
      },
      responses: {
        ...ok('The token.', {
          'application/json': {
            schema: schemas.machineTokenResponse,
            example: exampleMachineTokenResponse(service),
          },
        }),
        ...tokenFailures,
        '401': refusalResponse('application/json', schemas.tokenError, [
          gateway('UNAUTHORIZED'),
          tokenRefusal('invalid_client'),
        ]),
        '403': refusalResponse('application/json', schemas.gatewayError, [gateway('INVALID_API_KEY')]),
        '429': refusalResponse(
          'application/json',
          schemas.tokenError,
          [gateway('THROTTLED'), gateway('QUOTA_EXCEEDED')],
          { 'Retry-After': retryAfterAnswer },
        ),
      },
    },
  };
}
