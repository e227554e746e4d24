import type { APIGatewayProxyResult } from 'aws-lambda';
import type { OperationOutcome, OperationOutcomeIssue } from 'fhir/r4.js';
import { type FhirRefusal, fhirFailures, fhirRefusals } from '../../catalog/fhir/fhir-refusals.ts';
import type { Dialect } from './pipeline.ts';

/**
 * Error responses of the FHIR hosts: every refusal is an OperationOutcome (R4, http.html#outcome). All their refusals become responses in
 * this file.
 */

/**
 * CORS headers (Fetch, "CORS protocol"). Any origin may call, because an application is authenticated by its token and not by its origin.
 */
export const corsHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Location,Deprecation,ETag,Expires,Last-Modified,Link,Location,Retry-After,WWW-Authenticate,X-Progress,X-Request-Id',
};

type Issue = Readonly<Required<Pick<OperationOutcomeIssue, 'code' | 'diagnostics'>>>;

interface Wording extends Issue {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function fhirRefusal(refusal: FhirRefusal): APIGatewayProxyResult {
  return operationOutcome(fhirRefusals[refusal]);
}

/** 429 for an application with too many match requests that matched no member. */
export function tooManyMatches(retryAfterSeconds: number): APIGatewayProxyResult {
  return operationOutcome({
    ...fhirRefusals['too-many-matches'],
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

/** 429 for an application with too many jobs. */
export function tooManyJobs(retryAfterSeconds: number): APIGatewayProxyResult {
  return operationOutcome({
    ...fhirRefusals['too-many-jobs'],
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

/** 429 for a bulk match with more members than the application's quota has left. */
export function tooManyMembers(retryAfterSeconds: number): APIGatewayProxyResult {
  return operationOutcome({
    ...fhirRefusals['too-many-members'],
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

/** 503 for a directory whose publication can't be opened. */
export function publicationUnavailable(): APIGatewayProxyResult {
  return operationOutcome(fhirFailures['publication-unavailable']);
}

/** 405 with the methods of the path (RFC 9110 section 15.5.6). */
export function methodNotAllowed(methods: readonly string[]): APIGatewayProxyResult {
  return operationOutcome({ ...fhirRefusals['method-not-allowed'], headers: { Allow: methods.join(', ') } });
}

/** 400 with one issue for each fault of a request (R4, valueset-issue-type.html). */
export function invalidRequest(issues: readonly Issue[]): APIGatewayProxyResult {
  return outcome(400, issues);
}

/** 422 with one issue for each reason why a well-formed request can't be carried out. */
export function unprocessableRequest(issues: readonly Issue[]): APIGatewayProxyResult {
  return outcome(422, issues);
}

export const fhirDialect: Dialect = {
  defect: () => operationOutcome(fhirFailures.defect),
  unavailable: () => operationOutcome(fhirFailures.unavailable),
  repeatedCredential: (header) =>
    invalidRequest([
      { code: 'invalid', diagnostics: `The header ${header} was sent more than once. Send it once.` },
    ]),
};

function operationOutcome({ status, code, diagnostics, headers }: Wording): APIGatewayProxyResult {
  return outcome(status, [{ code, diagnostics }], headers);
}

function outcome(
  status: number,
  issues: readonly Issue[],
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyResult {
  const resource: OperationOutcome = {
    resourceType: 'OperationOutcome',
    issue: issues.map(({ code, diagnostics }) => ({ severity: 'error', code, diagnostics })),
  };
  return {
    statusCode: status,
    headers: {
      ...corsHeaders,
      'Content-Type': 'application/fhir+json',
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: JSON.stringify(resource),
  };
}
