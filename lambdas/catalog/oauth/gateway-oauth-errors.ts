/** OAuth errors for what API Gateway itself refuses on the authorization and token hosts. */

import { type GatewayResponseType, retryAfter } from '../gateway-response-types.ts';
import { basicChallenge } from './www-authenticate.ts';

/** `error` of RFC 6749 section 5.2 (or 4.1.2.1, where 5.2 has no word for it) and its description. */
interface GatewayOAuthError {
  readonly status?: number;
  readonly error: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const notFound: GatewayOAuthError = {
  status: 404,
  error: 'invalid_request',
  description: 'The path was not found.',
};
const defect: GatewayOAuthError = {
  status: 500,
  error: 'server_error',
  description: 'The service failed to process the request.',
};
const notAllowed: GatewayOAuthError = {
  status: 403,
  error: 'access_denied',
  description: 'The request is not allowed.',
};
const late: GatewayOAuthError = {
  status: 504,
  error: 'temporarily_unavailable',
  description: 'The request took too long. Try again.',
  headers: { 'Retry-After': '1' },
};

/**
 * The answer of a function that can't reach its store. Here the authorizer could not decide (docs/decisions/0001), or Lambda throttled the function, which API
 * Gateway calls a failure of the integration (docs/decisions/0061).
 */
const unavailable: GatewayOAuthError = {
  status: 503,
  error: 'temporarily_unavailable',
  description: 'The service is busy. Try again.',
  headers: { 'Retry-After': '1' },
};

/** The gateway's refusals on the identity-provider and token hosts, as OAuth errors. */
export const gatewayOAuthErrors: Readonly<Record<GatewayResponseType, GatewayOAuthError>> = {
  UNAUTHORIZED: {
    status: 401,
    error: 'invalid_client',
    description: 'The header x-api-subscription-key is missing.',
    headers: { 'WWW-Authenticate': basicChallenge },
  },
  ACCESS_DENIED: notAllowed,
  INVALID_API_KEY: {
    status: 403,
    error: 'invalid_client',
    description: 'The subscription key is unknown or disabled.',
  },
  MISSING_AUTHENTICATION_TOKEN: notFound,
  RESOURCE_NOT_FOUND: notFound,
  THROTTLED: {
    status: 429,
    error: 'temporarily_unavailable',
    description: 'Too many requests. Wait and try again.',
    headers: { 'Retry-After': retryAfter.THROTTLED },
  },
  QUOTA_EXCEEDED: {
    status: 429,
    error: 'temporarily_unavailable',
    description: 'The daily quota of the subscription key is used up.',
    headers: { 'Retry-After': retryAfter.QUOTA_EXCEEDED },
  },
  BAD_REQUEST_BODY: { status: 400, error: 'invalid_request', description: 'The request body is malformed.' },
  BAD_REQUEST_PARAMETERS: {
    status: 400,
    error: 'invalid_request',
    description: 'A request parameter is missing or malformed.',
  },
  REQUEST_TOO_LARGE: {
    status: 413,
    error: 'invalid_request',
    description: 'The request is larger than 10 MB.',
  },
  // The gateway itself asks for no content type; it decompresses what it can.
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    error: 'invalid_request',
    description: 'The Content-Encoding of the request is not supported.',
  },
  EXPIRED_TOKEN: notAllowed,
  INVALID_SIGNATURE: notAllowed,
  WAF_FILTERED: notAllowed,
  API_CONFIGURATION_ERROR: defect,
  AUTHORIZER_CONFIGURATION_ERROR: unavailable,
  AUTHORIZER_FAILURE: unavailable,
  INTEGRATION_FAILURE: unavailable,
  INTEGRATION_TIMEOUT: late,
  DEFAULT_4XX: { error: 'invalid_request', description: 'The request was refused.' },
  DEFAULT_5XX: { error: 'server_error', description: 'The service failed to process the request.' },
};
