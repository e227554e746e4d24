/** Gateway responses of the FHIR hosts: OperationOutcome, headers and CORS of each refusal by API Gateway itself. */

import { describeGatewayError } from '../../../lambdas/catalog/gateway/gateway-errors.ts';
import type { GatewayResponseType } from '../../../lambdas/catalog/gateway/gateway-response-types.ts';
import { securityHeaders } from '../../../lambdas/catalog/security-headers.ts';
import { gatewayResponses, type Wording } from './gateway-response.ts';

function word(type: GatewayResponseType): Wording {
  const { code, description: diagnostics, ...rest } = describeGatewayError(type, 'fhir');
  return {
    ...rest,
    body: { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code, diagnostics }] },
  };
}

/** Response headers of a FHIR host that a browser's script may read. */
export const exposedHeaders =
  'Content-Location,Deprecation,ETag,Last-Modified,Link,Location,Retry-After,WWW-Authenticate,X-Request-Id';

/** Gateway responses of the FHIR hosts: OperationOutcomes (FHIR R4 section 3.1.0.4). */
export const operationOutcomes = gatewayResponses(
  'application/fhir+json',
  {
    ...securityHeaders,
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposedHeaders,
  },
  word,
);
