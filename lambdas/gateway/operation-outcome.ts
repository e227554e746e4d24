import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Dialect } from './pipeline.ts';

/**
 * The FHIR hosts' error dialect: every refusal is an OperationOutcome (R4, http.html#outcome). This file is the one place
 * where a refusal becomes a response.
 */

/** Every refusal of the FHIR functions. */
export type FhirRefusal =
  | 'not-found'
  | 'unknown-path'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'invalid-token'
  | 'insufficient-scope'
  | 'product-missing'
  | 'key-invalid';

interface Wording {
  readonly status: number;
  /** IssueType (http://hl7.org/fhir/issue-type). */
  readonly code: string;
  readonly diagnostics: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** RFC 6750 section 3.1 names the errors of a bearer token. */
const refusals: Readonly<Record<FhirRefusal, Wording>> = {
  'not-found': { status: 404, code: 'not-found', diagnostics: 'There is no such resource.' },
  'unknown-path': { status: 404, code: 'not-supported', diagnostics: 'There is nothing at this path.' },
  'method-not-allowed': {
    status: 405,
    code: 'not-supported',
    diagnostics: 'This path does not support the method.',
    headers: { Allow: 'GET, OPTIONS' },
  },
  'not-acceptable': {
    status: 406,
    code: 'not-supported',
    diagnostics: 'Resources are sent as application/fhir+json or application/json only.',
  },
  'invalid-token': {
    status: 401,
    code: 'login',
    diagnostics: 'The access token has expired, or the access it was issued for has ended.',
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  },
  'insufficient-scope': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The access token does not allow this request.',
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' },
  },
  'product-missing': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The application has no subscription to this interface.',
  },
  'key-invalid': {
    status: 403,
    code: 'forbidden',
    diagnostics: 'The subscription key is not valid for this application.',
  },
};

/** What a browser's script may read of an answer, and from where: an app is known by its token, not by its origin. */
export const corsHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Location,Deprecation,ETag,Last-Modified,Link,Location,Retry-After,WWW-Authenticate,X-Request-Id',
};

export function fhirRefusal(refusal: FhirRefusal): APIGatewayProxyResult {
  const { status, code, diagnostics, headers } = refusals[refusal];
  return operationOutcome(status, code, diagnostics, headers);
}

export const fhirDialect: Dialect = {
  defect: () => operationOutcome(500, 'exception', 'The request could not be carried out.'),
  unavailable: () =>
    operationOutcome(503, 'transient', 'The service is busy. Please try again.', { 'Retry-After': '1' }),
};

function operationOutcome(
  statusCode: number,
  code: string,
  diagnostics: string,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyResult {
  return {
    statusCode,
    headers: {
      ...corsHeaders,
      'Content-Type': 'application/fhir+json',
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: JSON.stringify({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code, diagnostics }],
    }),
  };
}
