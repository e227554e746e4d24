/** Parts that the authorization server's operations share: paths, errors, client authentication. */

import * as z from 'zod';
import type { ZodOpenApiMediaTypeObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { authorizationServerEndpoints } from '../../../lambdas/catalog/addresses.ts';
import { describeGatewayError } from '../../../lambdas/catalog/gateway/gateway-errors.ts';
import type { GatewayResponseType } from '../../../lambdas/catalog/gateway/gateway-response-types.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { tokenErrors } from '../../../lambdas/catalog/oauth/oauth-errors.ts';
import { exampleLob } from './member-examples.ts';
import * as schemas from './member-schemas.ts';
import { refusalResponse, requestIdAnswer, retryAfterAnswer } from './operations.ts';

/** The path parameter `{lob}`. */
export const lobPath = z.object({
  lob: z.enum(lineOfBusinessCodes.map((code) => code.toLowerCase())).meta({
    description: 'Code of the line of business; lowercase or uppercase.',
    example: exampleLob.toLowerCase(),
  }),
});
/** Media type of token requests (RFC 6749 appendix B). */
export const form = 'application/x-www-form-urlencoded';

/** Paths of the authorization server, with `{lob}` in place of the LOB code. */
export const paths = authorizationServerEndpoints(
  { auth: '', token: '', apiTemplate: '' },
  // Cast, because the placeholder is not a LOB code. It is lowercase already, so that the function's lowercasing does not change it.
  '{lob}' as (typeof lineOfBusinessCodes)[number],
);

/** Makes the example of a gateway response. */
export const gateway = (type: GatewayResponseType) => {
  const { code, description } = describeGatewayError(type, 'oauth');
  return { name: type, summary: description, body: { error: code, error_description: description } };
};
/** Makes the example of an error response of a token endpoint (RFC 6749 section 5.2). */
export const tokenRefusal = (name: keyof typeof tokenErrors) => ({
  name,
  summary: tokenErrors[name].meaning,
  body: { error: name, error_description: tokenErrors[name].meaning.replaceAll('`', '') },
});

/** Error responses of the token, revocation and introspection endpoints, by status. */
export const tokenFailures: Record<string, ZodOpenApiResponseObject> = {
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

/** Client authentication by HTTP Basic, or by credentials in the body. */
export const clientAuthentication = [{ clientSecretBasic: [] }, {}];

/** Makes the 200 response of an operation. */
export function ok(description: string, content: Record<string, ZodOpenApiMediaTypeObject>) {
  return { '200': { description, headers: z.object({ 'X-Request-Id': requestIdAnswer }), content } };
}
