import type { APIGatewayProxyResult } from 'aws-lambda';
import { type FhirRefusal, fhirFailures, fhirRefusals } from '../catalog/fhir-refusals.ts';
import type { Dialect } from './pipeline.ts';

/**
 * The FHIR hosts' error dialect: every refusal is an OperationOutcome (R4, http.html#outcome). This file is the one place
 * where a refusal becomes a response.
 */

/** What a browser's script may read of an answer, and from where: an app is known by its token, not by its origin. */
export const corsHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Location,Deprecation,ETag,Last-Modified,Link,Location,Retry-After,WWW-Authenticate,X-Request-Id',
};

interface Wording {
  readonly status: number;
  readonly code: string;
  readonly diagnostics: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function fhirRefusal(refusal: FhirRefusal): APIGatewayProxyResult {
  return operationOutcome(fhirRefusals[refusal]);
}

export const fhirDialect: Dialect = {
  defect: () => operationOutcome(fhirFailures.defect),
  unavailable: () => operationOutcome(fhirFailures.unavailable),
};

function operationOutcome({ status, code, diagnostics, headers = {} }: Wording): APIGatewayProxyResult {
  return {
    statusCode: status,
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
