import * as z from 'zod';
import type { ZodOpenApiMediaTypeObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { authorizationServerEndpoints, fhirBase } from '../../../lambdas/catalog/addresses.ts';
import {
  type AuthorizationParameterName,
  authorizationParameters,
} from '../../../lambdas/catalog/authorization-parameters.ts';
import {
  authorizationServerMetadata,
  machineServerMetadata,
} from '../../../lambdas/catalog/authorization-server-metadata.ts';
import { gatewayOAuthErrors } from '../../../lambdas/catalog/gateway-oauth-errors.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { authorizationErrors, bearerErrors, tokenErrors } from '../../../lambdas/catalog/oauth-errors.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import {
  exampleChallenge,
  exampleClientId,
  exampleIntrospection,
  exampleLob,
  exampleMachineTokenResponse,
  exampleRedirectUri,
  exampleTokenResponse,
} from './member-examples.ts';
import * as schemas from './member-schemas.ts';
import {
  bodySchema,
  type DocumentedOperation,
  refusalResponse,
  requestIdAnswer,
  requestIdHeader,
  retryAfterAnswer,
} from './operations.ts';
import {
  clientCredentialsParameters,
  codeParameters,
  credentialParameters,
  exampleBody,
  refreshParameters,
  tokenParameters,
} from './token-requests.ts';

const lobPath = z.object({
  lob: z.enum(lineOfBusinessCodes.map((code) => code.toLowerCase())).meta({
    description: 'Code of the line of business, in lowercase or uppercase.',
    example: exampleLob.toLowerCase(),
  }),
});
const form = 'application/x-www-form-urlencoded';

/** Paths of the authorization server, `{lob}` standing for the code. */
const paths = authorizationServerEndpoints(
  { auth: '', token: '', apiTemplate: '' },
  // Not a code: the template's own placeholder, which survives lowercasing.
  '{lob}' as (typeof lineOfBusinessCodes)[number],
);

const gateway = (type: keyof typeof gatewayOAuthErrors) => {
  const { error, description } = gatewayOAuthErrors[type];
  return { name: type, summary: description, body: { error, error_description: description } };
};
const tokenRefusal = (name: keyof typeof tokenErrors) => ({
  name,
  summary: tokenErrors[name].meaning,
  body: { error: name, error_description: tokenErrors[name].meaning.replaceAll('`', '') },
});

const tokenFailures: Record<string, ZodOpenApiResponseObject> = {
  '400': refusalResponse('application/json', schemas.tokenError, [
    ...(
      [
        'invalid_request',
        'invalid_grant',
        'unauthorized_client',
        'unsupported_grant_type',
        'invalid_scope',
        'invalid_target',
      ] as const
    ).map(tokenRefusal),
  ]),
  '401': refusalResponse('application/json', schemas.tokenError, [tokenRefusal('invalid_client')], {
    'WWW-Authenticate': z.string().optional().meta({ description: 'Basic challenge (RFC 7617).' }),
  }),
  '429': refusalResponse('application/json', schemas.tokenError, [gateway('THROTTLED')], {
    'Retry-After': retryAfterAnswer,
  }),
  '500': refusalResponse('application/json', schemas.tokenError, [gateway('DEFAULT_5XX')]),
  '503': refusalResponse('application/json', schemas.tokenError, [tokenRefusal('temporarily_unavailable')], {
    'Retry-After': retryAfterAnswer,
  }),
};

const clientAuthentication = [{ clientSecretBasic: [] }, {}];

function ok(description: string, content: Record<string, ZodOpenApiMediaTypeObject>) {
  return { '200': { description, headers: z.object({ 'X-Request-Id': requestIdAnswer }), content } };
}

function authorizeExample(service: PublishedService): Partial<Record<AuthorizationParameterName, string>> {
  const { origins } = service.environments.sandbox;
  return {
    client_id: exampleClientId,
    response_type: 'code',
    redirect_uri: exampleRedirectUri,
    scope: 'openid',
    state: 'af0ifjsldkj',
    aud: fhirBase(origins, exampleLob, 'patient-access'),
    code_challenge: exampleChallenge,
    code_challenge_method: 'S256',
  };
}

function authorizeQuery(service: PublishedService) {
  const examples = authorizeExample(service);
  const documented = Object.entries(authorizationParameters).filter(
    ([, { required }]) => required !== 'not supported',
  );
  return z.object(
    Object.fromEntries(
      documented.map(([name, { required, meaning }]) => {
        const example = examples[name as AuthorizationParameterName];
        const schema = z.string().meta({ description: meaning, ...(example !== undefined && { example }) });
        return [name, required === 'yes' ? schema : schema.optional()];
      }),
    ),
  );
}

function authorize(service: PublishedService): readonly DocumentedOperation[] {
  const errors = Object.keys(authorizationErrors).map((code) => `\`${code}\``);
  const common = {
    tags: ['Authorization'],
    description: `Send the member’s browser here; it is no call for a program. The member signs in, sees what is asked for, and shares it or not. The answer is a redirect to \`redirect_uri\` with \`code\`, \`state\` and \`iss\`, or with \`error\` (one of ${errors.join(', ')}), \`error_description\`, \`state\` and \`iss\`. Where client or redirect URI are wrong there is no redirect, but a page that says so.`,
    security: [],
    responses: {
      '200': {
        description: 'A page: sign-in, or what is wrong with the client or its redirect URI.',
        content: { 'text/html': { schema: z.string() } },
      },
      '303': {
        description: 'A redirect: to the sign-in page, or back to the application with a refusal.',
        headers: z.object({ Location: z.string() }),
      },
      '400': {
        description: 'A page that says what is wrong with the client or its redirect URI.',
        content: { 'text/html': { schema: z.string() } },
      },
    },
  };
  const parameters = authorizeQuery(service);
  return [
    {
      host: 'auth',
      method: 'get',
      path: paths.authorization,
      operation: {
        operationId: 'authorize',
        summary: 'Authorization request',
        ...common,
        requestParams: { path: lobPath, query: parameters },
      },
    },
    {
      host: 'auth',
      method: 'post',
      path: paths.authorization,
      operation: {
        operationId: 'authorizeByPost',
        summary: 'Authorization request by POST',
        ...common,
        requestParams: { path: lobPath },
        requestBody: {
          required: true,
          content: { [form]: { schema: parameters, example: authorizeExample(service) } },
        },
      },
    },
  ];
}

function token(service: PublishedService): DocumentedOperation {
  const code = bodySchema({ ...codeParameters, ...credentialParameters }).meta({ id: 'CodeTokenRequest' });
  const refresh = bodySchema({ ...refreshParameters, ...credentialParameters }).meta({
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
        'Exchanges a code, or a refresh token, for an access token. The body is JSON or a form. The application authenticates by HTTP Basic, by `client_id` and `client_secret` in the body, by a signed assertion (`private_key_jwt`), or, where it is public, by `client_id` alone.',
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

function tokenQuestion(
  path: string,
  operation: Pick<DocumentedOperation['operation'], 'operationId' | 'summary' | 'description'>,
  answers: Record<string, ZodOpenApiResponseObject>,
): DocumentedOperation {
  const content = {
    schema: bodySchema({ ...tokenParameters, ...credentialParameters }),
    example: exampleBody(tokenParameters),
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
      refusalResponse('application/json', schemas.bearerError, [refusal]),
    ]),
  );
  return {
    host: 'auth',
    method,
    path: paths.userInfo,
    operation: {
      operationId: method === 'get' ? 'userInfo' : 'userInfoByPost',
      summary: method === 'get' ? 'UserInfo' : 'UserInfo by POST',
      description: 'Who signed in (OpenID Connect). Needs an access token with the scope `openid`.',
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
                  .meta({ description: 'Where it is not in the `Authorization` header.' }),
              }),
            },
          },
        },
      }),
      responses: {
        ...ok('The member, as the id_token names them.', {
          'application/json': {
            schema: schemas.userInfo,
            example: { sub: '1f0c6f8e-7a31-4d0e-8f7c-3e1f5a2b9c44' },
          },
        }),
        ...responses,
      },
    },
  };
}

/** A published document; anybody may keep it for five minutes. */
function published(
  host: 'auth' | 'token',
  path: string,
  operation: Pick<DocumentedOperation['operation'], 'operationId' | 'summary'> & { description?: string },
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
        ...(host === 'auth' && { path: lobPath }),
        header: z.object({ 'X-Request-Id': requestIdHeader }),
      },
      responses: {
        ...ok('The document.', { 'application/json': content }),
        '500': refusalResponse('application/json', schemas.tokenError, [gateway('DEFAULT_5XX')]),
      },
    },
  };
}

function discovery({ environments: { sandbox } }: PublishedService): readonly DocumentedOperation[] {
  const member = {
    schema: schemas.serverMetadata,
    example: authorizationServerMetadata(sandbox.origins, exampleLob),
  };
  return [
    published(
      'auth',
      '/fhir-oauth2/{lob}/.well-known/openid-configuration',
      { operationId: 'openidConfiguration', summary: 'OpenID Provider configuration' },
      member,
    ),
    published(
      'auth',
      '/.well-known/openid-configuration/fhir-oauth2/{lob}',
      {
        operationId: 'openidConfigurationBeforePath',
        summary: 'OpenID Provider configuration, well-known name first',
      },
      member,
    ),
    published(
      'auth',
      '/.well-known/oauth-authorization-server/fhir-oauth2/{lob}',
      { operationId: 'authorizationServerMetadata', summary: 'Authorization server metadata (RFC 8414)' },
      member,
    ),
    published(
      'auth',
      paths.jwks,
      { operationId: 'jwks', summary: 'Public keys of a line of business (JWK Set)' },
      { schema: schemas.jwks },
    ),
    published(
      'token',
      '/.well-known/oauth-authorization-server',
      { operationId: 'machineServerMetadata', summary: 'Metadata of the machine-to-machine token host' },
      {
        schema: schemas.machineMetadata,
        example: machineServerMetadata(sandbox.origins, sandbox.resourceId),
      },
    ),
    published(
      'token',
      '/.well-known/jwks.json',
      { operationId: 'machineJwks', summary: 'Public keys of the machine-to-machine token host' },
      { schema: schemas.jwks },
    ),
  ];
}

function machineToken(service: PublishedService): DocumentedOperation {
  const parameters = { ...clientCredentialsParameters(service), ...credentialParameters };
  return {
    host: 'token',
    method: 'post',
    path: '/token/v2',
    operation: {
      operationId: 'machineToken',
      summary: 'Token request (client credentials)',
      description:
        'A token without a member: the application is the resource owner. It reads no member data. Needs the application’s subscription key. The body is a form; client id and secret come in it, or by HTTP Basic.',
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

/** Every endpoint of the identity-provider host and of the machine-to-machine token host. */
export function authorizationOperations(service: PublishedService): readonly DocumentedOperation[] {
  return [
    ...authorize(service),
    token(service),
    tokenQuestion(
      paths.revocation,
      {
        operationId: 'revoke',
        summary: 'Revoke a token',
        description:
          'Whichever of a grant’s tokens is revoked, the whole access ends at once (RFC 7009). A token nobody knows is no error.',
      },
      { '200': { description: 'Revoked, or unknown.' } },
    ),
    tokenQuestion(
      paths.introspection,
      {
        operationId: 'introspect',
        summary: 'Introspect a token',
        description:
          'What one of your own tokens is worth now (RFC 7662). For applications that can authenticate; any other token is not active.',
      },
      ok('What the token is worth.', {
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
