/** Gateway responses of the authorization and token hosts: the OAuth error of each refusal by API Gateway itself. */

import { describeGatewayError } from '../../../lambdas/catalog/gateway/gateway-errors.ts';
import type { GatewayResponseType } from '../../../lambdas/catalog/gateway/gateway-response-types.ts';
import { securityHeaders } from '../../../lambdas/catalog/security-headers.ts';
import { gatewayResponses, type Wording } from './gateway-response.ts';

function word(type: GatewayResponseType): Wording {
  const { code, description, ...rest } = describeGatewayError(type, 'oauth');
  return { ...rest, body: { error: code, error_description: description } };
}

/** Gateway responses of the authorization and token hosts: OAuth errors (RFC 6749 section 5.2). */
export const oauthErrors = gatewayResponses(
  'application/json',
  {
    ...securityHeaders,
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After,WWW-Authenticate,X-Request-Id',
  },
  word,
);
