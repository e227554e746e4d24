/** Responses to refusals by API Gateway itself: OperationOutcomes on the FHIR hosts, OAuth errors on the authorization and token hosts. */

import type { OperationOutcomeIssue } from 'fhir/r4.js';
import { fhirFailures } from '../fhir/fhir-refusals.ts';
import { basicChallenge, bearerChallenge } from '../oauth/www-authenticate.ts';
import { type GatewayResponseType, retryAfter } from './gateway-response-types.ts';

/** Error codes of a refusal on FHIR hosts and on OAuth hosts. */
interface Codes {
  readonly fhir: OperationOutcomeIssue['code'];
  /** `error` of RFC 6749 section 5.2, or of section 4.1.2.1 if 5.2 has no suitable code. */
  readonly oauth: string;
}

type GatewayDialect = keyof Codes;

interface Answer {
  /** Absent for the two default responses, which keep API Gateway's own statuses. */
  readonly status?: number;
  /** `diagnostics` of the issue, or `error_description`. */
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A row of the table: error codes, response, and the differences on one kind of host. */
type Row = Answer & {
  readonly code: Codes;
  readonly only?: { readonly [Dialect in GatewayDialect]?: Partial<Answer> };
};

const waitFor = (seconds: string) => ({ 'Retry-After': seconds });
const notAllowed: Row = {
  status: 403,
  code: { fhir: 'forbidden', oauth: 'access_denied' },
  description: 'The request is not allowed.',
};
/** Response to an unknown path or method, which API Gateway calls MISSING_AUTHENTICATION_TOKEN or RESOURCE_NOT_FOUND. */
const notFound: Row = {
  status: 404,
  code: { fhir: 'not-found', oauth: 'invalid_request' },
  description: 'The path was not found.',
  only: { fhir: { description: 'The path was not found for this method.' } },
};
const failed = {
  code: { fhir: 'exception', oauth: 'server_error' },
  description: 'The service failed to process the request.',
} as const satisfies Row;
/**
 * The same response as that of a function that can't reach its store. API Gateway sends it if the authorizer could not decide
 * (docs/decisions/0001), or if Lambda throttled the function, an INTEGRATION_FAILURE (docs/decisions/0061).
 */
const unavailable: Row = {
  status: fhirFailures.unavailable.status,
  code: { fhir: fhirFailures.unavailable.code, oauth: 'temporarily_unavailable' },
  description: fhirFailures.unavailable.diagnostics,
  headers: fhirFailures.unavailable.headers,
};

const rows: Readonly<Record<GatewayResponseType, Row>> = {
  UNAUTHORIZED: {
    status: 401,
    code: { fhir: 'login', oauth: 'invalid_client' },
    description: 'The header x-api-subscription-key is missing.',
    headers: { 'WWW-Authenticate': basicChallenge },
    only: {
      fhir: {
        description:
          'The request has no credentials. Send the header x-api-subscription-key and, for member data, Authorization: Bearer.',
        headers: { 'WWW-Authenticate': bearerChallenge },
      },
    },
  },
  // The policy denies only invalid tokens (docs/decisions/0001), so the response is that of RFC 6750 section 3.1.
  ACCESS_DENIED: {
    ...notAllowed,
    code: { ...notAllowed.code, fhir: 'login' },
    only: {
      fhir: {
        status: 401,
        description:
          'The access token is invalid, has expired, or was issued for another line of business or environment.',
        headers: {
          'WWW-Authenticate':
            'Bearer error="invalid_token", error_description="The access token is invalid or has expired"',
        },
      },
    },
  },
  INVALID_API_KEY: {
    status: 403,
    code: { fhir: 'forbidden', oauth: 'invalid_client' },
    description: 'The subscription key is unknown or disabled.',
    only: {
      fhir: {
        description:
          'The subscription key is unknown or disabled, or does not belong to the application of the access token.',
      },
    },
  },
  MISSING_AUTHENTICATION_TOKEN: notFound,
  RESOURCE_NOT_FOUND: notFound,
  THROTTLED: {
    status: 429,
    code: { fhir: 'throttled', oauth: 'temporarily_unavailable' },
    description: 'Too many requests. Wait and try again.',
    headers: waitFor(retryAfter.THROTTLED),
  },
  QUOTA_EXCEEDED: {
    status: 429,
    code: { fhir: 'throttled', oauth: 'temporarily_unavailable' },
    description: 'The daily quota of the subscription key is used up.',
    headers: waitFor(retryAfter.QUOTA_EXCEEDED),
  },
  BAD_REQUEST_BODY: {
    status: 400,
    code: { fhir: 'structure', oauth: 'invalid_request' },
    description: 'The request body is malformed.',
  },
  BAD_REQUEST_PARAMETERS: {
    status: 400,
    code: { fhir: 'value', oauth: 'invalid_request' },
    description: 'A request parameter is missing or malformed.',
  },
  REQUEST_TOO_LARGE: {
    status: 413,
    code: { fhir: 'too-long', oauth: 'invalid_request' },
    description: 'The request is larger than 10 MB.',
  },
  // API Gateway accepts any content type; it refuses a Content-Encoding that it can't decompress.
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    code: { fhir: 'not-supported', oauth: 'invalid_request' },
    description: 'The Content-Encoding of the request is not supported.',
  },
  EXPIRED_TOKEN: notAllowed,
  INVALID_SIGNATURE: notAllowed,
  WAF_FILTERED: {
    ...notAllowed,
    code: { ...notAllowed.code, fhir: 'security' },
    only: { fhir: { description: 'The request was refused.' } },
  },
  API_CONFIGURATION_ERROR: { ...failed, status: 500 },
  AUTHORIZER_CONFIGURATION_ERROR: unavailable,
  AUTHORIZER_FAILURE: unavailable,
  INTEGRATION_FAILURE: unavailable,
  INTEGRATION_TIMEOUT: {
    status: 504,
    code: { fhir: 'timeout', oauth: 'temporarily_unavailable' },
    description: 'The request took too long. Try again.',
    headers: waitFor('1'),
  },
  DEFAULT_4XX: {
    code: { fhir: 'processing', oauth: 'invalid_request' },
    description: 'The request was refused.',
  },
  DEFAULT_5XX: failed,
};

/** The response to a refusal on one kind of host: code, description and, except for the two defaults, status. */
export function describeGatewayError<Dialect extends GatewayDialect>(
  type: GatewayResponseType,
  dialect: Dialect,
): Answer & { readonly code: Codes[Dialect] } {
  const { code, only, ...answer } = rows[type];
  return { ...answer, ...only?.[dialect], code: code[dialect] };
}
