/** Gateway responses of the portal's API: the problem of each refusal by API Gateway itself. */

import {
  type GatewayResponseType,
  retryAfter,
} from '../../../lambdas/catalog/gateway/gateway-response-types.ts';
import { type ProblemCode, portalProblems } from '../../../lambdas/portal/catalog/problems.ts';
import { type GatewayResponseTable, gatewayResponses } from './gateway-response.ts';

/** The portal's problem for each type of gateway response. The API has no authorizer and no API key. */
const problems: Readonly<Record<GatewayResponseType, ProblemCode>> = {
  UNAUTHORIZED: 'signed_out',
  ACCESS_DENIED: 'not_found',
  INVALID_API_KEY: 'not_found',
  MISSING_AUTHENTICATION_TOKEN: 'not_found',
  RESOURCE_NOT_FOUND: 'not_found',
  EXPIRED_TOKEN: 'not_found',
  INVALID_SIGNATURE: 'not_found',
  WAF_FILTERED: 'too_many_requests',
  THROTTLED: 'too_many_requests',
  QUOTA_EXCEEDED: 'too_many_requests',
  BAD_REQUEST_BODY: 'invalid_json',
  BAD_REQUEST_PARAMETERS: 'invalid_request',
  REQUEST_TOO_LARGE: 'body_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
  API_CONFIGURATION_ERROR: 'defect',
  AUTHORIZER_CONFIGURATION_ERROR: 'unavailable',
  AUTHORIZER_FAILURE: 'unavailable',
  INTEGRATION_FAILURE: 'unavailable',
  INTEGRATION_TIMEOUT: 'unavailable',
  DEFAULT_4XX: 'invalid_request',
  DEFAULT_5XX: 'defect',
};

/** `Retry-After` in seconds: a minute if one address sent too many requests, a second if the stage was throttled. */
const seconds: Partial<Record<GatewayResponseType, string>> = {
  WAF_FILTERED: '60',
  THROTTLED: retryAfter.THROTTLED,
  QUOTA_EXCEEDED: retryAfter.QUOTA_EXCEEDED,
  AUTHORIZER_CONFIGURATION_ERROR: '1',
  AUTHORIZER_FAILURE: '1',
  INTEGRATION_FAILURE: '1',
  INTEGRATION_TIMEOUT: '1',
};

/**
 * Gateway responses of the portal's API: problems (RFC 9457) from the same table as the functions' own.
 *
 * @param origin of the portal, where the list of problems is published.
 */
export function portalProblemResponses(origin: string): GatewayResponseTable {
  return gatewayResponses('application/problem+json', { 'Cache-Control': 'no-store' }, (type) => {
    const code = problems[type];
    const { status, title, fix } = portalProblems[code];
    const wait = seconds[type];
    const body = {
      type: `${origin}/docs/errors#${code}`,
      title,
      status,
      detail: fix,
      code,
      requestId: '$context.requestId',
    };
    return wait === undefined
      ? { status, body }
      : { status, body: { ...body, retryAfter: Number(wait) }, headers: { 'Retry-After': wait } };
  });
}
