/** OperationOutcomes for what API Gateway itself refuses on the FHIR hosts. */

import type { OperationOutcomeIssue } from 'fhir/r4.js';
import { type GatewayResponseType, retryAfter } from '../gateway-response-types.ts';
import { bearerChallenge } from '../oauth/www-authenticate.ts';
import { fhirFailures } from './fhir-refusals.ts';

/** One issue of an OperationOutcome, with the status and headers of its answer. */
interface GatewayIssue {
  readonly status?: number;
  readonly code: OperationOutcomeIssue['code'];
  readonly diagnostics: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const invalidToken =
  'Bearer error="invalid_token", error_description="The access token is invalid or has expired"';
/** The gateway doesn't say which of the two it missed. */
const notFound: GatewayIssue = {
  status: 404,
  code: 'not-found',
  diagnostics: 'The path was not found for this method.',
};
const defect: GatewayIssue = {
  status: 500,
  code: 'exception',
  diagnostics: 'The service failed to process the request.',
};
const late: GatewayIssue = {
  status: 504,
  code: 'timeout',
  diagnostics: 'The request took too long. Try again.',
  headers: { 'Retry-After': '1' },
};

/**
 * The answer of a function that can't reach its store. Here the authorizer could not decide (docs/decisions/0001), or Lambda throttled the function, which API
 * Gateway calls a failure of the integration (docs/decisions/0061).
 */
const unavailable: GatewayIssue = {
  status: fhirFailures.unavailable.status,
  code: fhirFailures.unavailable.code,
  diagnostics: fhirFailures.unavailable.diagnostics,
  headers: fhirFailures.unavailable.headers,
};

/** The gateway's refusals on the FHIR hosts, as OperationOutcomes. */
export const gatewayIssues: Readonly<Record<GatewayResponseType, GatewayIssue>> = {
  UNAUTHORIZED: {
    status: 401,
    code: 'login',
    diagnostics:
      'The request has no credentials. Send the header x-api-subscription-key and, for member data, Authorization: Bearer.',
    headers: { 'WWW-Authenticate': bearerChallenge },
  },
  // The policy's effect is the token's verdict (docs/decisions/0001), so a denial is a bad token: RFC 6750 section 3.1.
  ACCESS_DENIED: {
    status: 401,
    code: 'login',
    diagnostics:
      'The access token is invalid, has expired, or was issued for another line of business or environment.',
    headers: { 'WWW-Authenticate': invalidToken },
  },
  INVALID_API_KEY: {
    status: 403,
    code: 'forbidden',
    diagnostics:
      'The subscription key is unknown or disabled, or does not belong to the application of the access token.',
  },
  MISSING_AUTHENTICATION_TOKEN: notFound,
  RESOURCE_NOT_FOUND: notFound,
  THROTTLED: {
    status: 429,
    code: 'throttled',
    diagnostics: 'Too many requests. Wait and try again.',
    headers: { 'Retry-After': retryAfter.THROTTLED },
  },
  QUOTA_EXCEEDED: {
    status: 429,
    code: 'throttled',
    diagnostics: 'The daily quota of the subscription key is used up.',
    headers: { 'Retry-After': retryAfter.QUOTA_EXCEEDED },
  },
  BAD_REQUEST_BODY: { status: 400, code: 'structure', diagnostics: 'The request body is malformed.' },
  BAD_REQUEST_PARAMETERS: {
    status: 400,
    code: 'value',
    diagnostics: 'A request parameter is missing or malformed.',
  },
  REQUEST_TOO_LARGE: { status: 413, code: 'too-long', diagnostics: 'The request is larger than 10 MB.' },
  // The gateway itself asks for no content type; it decompresses what it can.
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    code: 'not-supported',
    diagnostics: 'The Content-Encoding of the request is not supported.',
  },
  EXPIRED_TOKEN: { status: 403, code: 'forbidden', diagnostics: 'The request is not allowed.' },
  INVALID_SIGNATURE: { status: 403, code: 'forbidden', diagnostics: 'The request is not allowed.' },
  WAF_FILTERED: { status: 403, code: 'security', diagnostics: 'The request was refused.' },
  API_CONFIGURATION_ERROR: defect,
  AUTHORIZER_CONFIGURATION_ERROR: unavailable,
  AUTHORIZER_FAILURE: unavailable,
  INTEGRATION_FAILURE: unavailable,
  INTEGRATION_TIMEOUT: late,
  DEFAULT_4XX: { code: 'processing', diagnostics: 'The request was refused.' },
  DEFAULT_5XX: { code: 'exception', diagnostics: 'The service failed to process the request.' },
};
