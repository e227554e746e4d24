/** OpenAPI operations of the authorization endpoint, by GET and by POST. */

import * as z from 'zod';
import { fhirBase } from '../../../lambdas/catalog/addresses.ts';
import {
  type AuthorizationParameterName,
  authorizationParameters,
} from '../../../lambdas/catalog/oauth/authorization-parameters.ts';
import { authorizationErrors } from '../../../lambdas/catalog/oauth/oauth-errors.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { form, lobPath, paths } from './authorization-parts.ts';
import {
  exampleChallenge,
  exampleClientId,
  exampleLob,
  exampleRedirectUri,
  exampleScope,
} from './member-examples.ts';
import type { DocumentedOperation } from './operations.ts';

function authorizeExample(service: PublishedService): Partial<Record<AuthorizationParameterName, string>> {
  const { origins } = service.environments.sandbox;
  return {
    client_id: exampleClientId,
    response_type: 'code',
    redirect_uri: exampleRedirectUri,
    scope: exampleScope,
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

/** The authorization endpoint, by GET and by POST (RFC 6749 section 3.1). */
export function authorizeOperation(service: PublishedService): readonly DocumentedOperation[] {
  const errors = Object.keys(authorizationErrors).map((code) => `\`${code}\``);
  const common = {
    tags: ['Authorization'],
    description: `Send the member’s browser here. The member signs in, sees what the application requests, and consents or declines. The response is a redirect to \`redirect_uri\` with \`code\`, \`state\` and \`iss\`, or with \`error\` (one of ${errors.join(', ')}), \`error_description\`, \`state\` and \`iss\`. If the client or the redirect URI is invalid, the response is an error page without a redirect.`,
    security: [],
    responses: {
      '200': {
        description: 'The sign-in page, or an error page about the client or its redirect URI.',
        content: { 'text/html': { schema: z.string() } },
      },
      '303': {
        description: 'A redirect to the sign-in page, or to the application with an error.',
        headers: z.object({ Location: z.string() }),
      },
      '400': {
        description: 'An error page about the client or its redirect URI.',
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
        summary: 'Authorization request with POST',
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
