/** Lists the OpenAPI operations of the authorization server's host and of the machine-to-machine token host. */

import * as z from 'zod';
import { bearerErrors } from '../../../lambdas/catalog/oauth/oauth-errors.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { form, lobPath, ok, paths } from './authorization-parts.ts';
import { authorizeOperation } from './authorize-operations.ts';
import { discovery } from './discovery-operations.ts';
import { exampleIntrospection } from './member-examples.ts';
import * as schemas from './member-schemas.ts';
import { type DocumentedOperation, refusalResponse, requestIdHeader } from './operations.ts';
import { machineToken, token, tokenQuestion } from './token-operations.ts';

function userInfo(method: 'get' | 'post'): DocumentedOperation {
  const refusals = Object.entries(bearerErrors).map(([name, { status, meaning }]) => ({
    name,
    status,
    summary: meaning,
    body: { error: name, error_description: meaning },
  }));
  const responses = Object.fromEntries(
    refusals.map((refusal) => [
      `${refusal.status}`,
      refusalResponse('application/json', schemas.bearerErrorSchema, [refusal]),
    ]),
  );
  return {
    host: 'auth',
    method,
    path: paths.userInfo,
    operation: {
      operationId: method === 'get' ? 'userInfo' : 'userInfoByPost',
      summary: method === 'get' ? 'UserInfo' : 'UserInfo with POST',
      description:
        'Returns the member who signed in (OpenID Connect). Needs an access token with the scope `openid`.',
      tags: ['Authorization'],
      security: [{ memberToken: [] }],
      requestParams: { path: lobPath, header: z.object({ 'X-Request-Id': requestIdHeader }) },
      ...(method === 'post' && {
        requestBody: {
          content: {
            [form]: {
              schema: z.object({
                access_token: z
                  .string()
                  .optional()
                  .meta({ description: 'The access token, if it is not in the `Authorization` header.' }),
              }),
            },
          },
        },
      }),
      responses: {
        ...ok('The member, with the subject of the id_token.', {
          'application/json': {
            schema: schemas.userInfoSchema,
            example: { sub: '1f0c6f8e-7a31-4d0e-8f7c-3e1f5a2b9c44' },
          },
        }),
        ...responses,
      },
    },
  };
}

/** Lists every endpoint of the authorization server's host and of the machine-to-machine token host. */
export function authorizationOperations(service: PublishedService): readonly DocumentedOperation[] {
  return [
    ...authorizeOperation(service),
    token(service),
    tokenQuestion(
      paths.revocation,
      {
        operationId: 'revoke',
        summary: 'Revoke a token',
        description:
          'Revokes a token and ends its grant with all other tokens at once (RFC 7009). An unknown token is not an error.',
      },
      ok('The token was revoked, or is unknown.', {
        'application/json': { schema: { type: 'object' }, examples: { revoked: { value: {} } } },
      }),
    ),
    tokenQuestion(
      paths.introspection,
      {
        operationId: 'introspect',
        summary: 'Introspect a token',
        description:
          'Returns the state of one of the application’s own tokens (RFC 7662), for applications that can authenticate. Any other token is not active.',
      },
      ok('The state of the token.', {
        'application/json': {
          schema: schemas.introspection,
          examples: {
            active: { value: exampleIntrospection(service) },
            inactive: { value: { active: false } },
          },
        },
      }),
    ),
    userInfo('get'),
    userInfo('post'),
    ...discovery(service),
    machineToken(service),
  ];
}
