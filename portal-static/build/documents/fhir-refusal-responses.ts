/** Error responses of the FHIR operations in the OpenAPI document. */

import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { fhirFailures, fhirRefusals } from '../../../lambdas/catalog/fhir/fhir-refusals.ts';
import { describeGatewayError } from '../../../lambdas/catalog/gateway/gateway-errors.ts';
import type { GatewayResponseType } from '../../../lambdas/catalog/gateway/gateway-response-types.ts';
import { operationOutcome } from './member-schemas.ts';
import { refusalResponse, retryAfterAnswer } from './operations.ts';

/** An error of a FHIR host, as a response of the OpenAPI document. */
export interface RefusalResponse {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly diagnostics: string;
}

export const functionRefusal = (name: keyof typeof fhirRefusals): RefusalResponse => ({
  name,
  ...fhirRefusals[name],
});
const gatewayRefusal = (name: GatewayResponseType, usual: number): RefusalResponse => {
  const { status = usual, code, description: diagnostics } = describeGatewayError(name, 'fhir');
  return { name, status, code, diagnostics };
};

export const publicRefusals: readonly RefusalResponse[] = [
  functionRefusal('not-acceptable'),
  { name: 'defect', ...fhirFailures.defect },
  gatewayRefusal('INTEGRATION_TIMEOUT', 504),
];
const ofEveryCall: readonly RefusalResponse[] = [
  gatewayRefusal('UNAUTHORIZED', 401),
  gatewayRefusal('ACCESS_DENIED', 401),
  functionRefusal('invalid-token'),
  gatewayRefusal('INVALID_API_KEY', 403),
  functionRefusal('insufficient-scope'),
  functionRefusal('product-missing'),
  functionRefusal('not-acceptable'),
  gatewayRefusal('THROTTLED', 429),
  gatewayRefusal('QUOTA_EXCEEDED', 429),
  { name: 'defect', ...fhirFailures.defect },
  { name: 'unavailable', ...fhirFailures.unavailable },
  gatewayRefusal('INTEGRATION_TIMEOUT', 504),
];

/** Errors of calls for a member's data, by interaction. */
export const memberRefusals = {
  read: [functionRefusal('invalid-search'), functionRefusal('not-found'), ...ofEveryCall],
  search: [functionRefusal('invalid-search'), ...ofEveryCall],
  form: [
    functionRefusal('invalid-search'),
    functionRefusal('form-malformed'),
    functionRefusal('form-too-long'),
    functionRefusal('unsupported-media-type'),
    ...ofEveryCall,
  ],
  operation: [
    functionRefusal('invalid-search'),
    functionRefusal('not-found'),
    functionRefusal('unknown-path'),
    ...ofEveryCall,
  ],
  invocation: [
    functionRefusal('invalid-search'),
    functionRefusal('parameters-malformed'),
    functionRefusal('not-found'),
    functionRefusal('unknown-path'),
    functionRefusal('form-too-long'),
    functionRefusal('unsupported-media-type'),
    ...ofEveryCall,
  ],
} as const satisfies Readonly<Record<string, readonly RefusalResponse[]>>;

/** Errors of another payer's calls for a matched member's data. */
const ofMatchedMember: readonly RefusalResponse[] = [
  functionRefusal('not-found'),
  functionRefusal('organization-unverified'),
];

/** Errors of calls of another payer, by operation. */
export const payerRefusals = {
  read: [...ofMatchedMember, ...memberRefusals.read.slice(2), functionRefusal('invalid-search')],
  search: [...ofMatchedMember, ...memberRefusals.search],
  form: [...ofMatchedMember, ...memberRefusals.form],
  invocation: [
    ...ofMatchedMember,
    ...memberRefusals.invocation.filter(({ name }) => !['not-found', 'unknown-path'].includes(name)),
  ],
  match: [
    functionRefusal('invalid-search'),
    functionRefusal('request-too-long'),
    functionRefusal('unsupported-media-type'),
    functionRefusal('organization-unverified'),
    functionRefusal('member-not-matched'),
    ...ofEveryCall,
  ],
  asynchronous: [
    functionRefusal('invalid-search'),
    functionRefusal('async-only'),
    functionRefusal('request-too-long'),
    functionRefusal('unsupported-media-type'),
    functionRefusal('organization-unverified'),
    functionRefusal('too-many-jobs'),
    functionRefusal('too-many-members'),
    ...ofEveryCall,
  ],
  export: [
    functionRefusal('invalid-search'),
    functionRefusal('async-only'),
    functionRefusal('parameters-malformed'),
    functionRefusal('not-found'),
    functionRefusal('request-too-long'),
    functionRefusal('unsupported-media-type'),
    functionRefusal('organization-unverified'),
    functionRefusal('too-many-jobs'),
    ...ofEveryCall,
  ],
  group: [
    functionRefusal('invalid-search'),
    functionRefusal('not-found'),
    functionRefusal('organization-unverified'),
    ...ofEveryCall,
  ],
  job: [
    functionRefusal('not-found'),
    functionRefusal('organization-unverified'),
    functionRefusal('file-withheld'),
    functionRefusal('job-failed'),
    ...ofEveryCall,
  ],
} as const satisfies Readonly<Record<string, readonly RefusalResponse[]>>;

const ofEveryDirectoryCall: readonly RefusalResponse[] = [
  gatewayRefusal('UNAUTHORIZED', 401),
  gatewayRefusal('INVALID_API_KEY', 403),
  functionRefusal('product-missing'),
  functionRefusal('not-acceptable'),
  gatewayRefusal('THROTTLED', 429),
  gatewayRefusal('QUOTA_EXCEEDED', 429),
  { name: 'defect', ...fhirFailures.defect },
  { name: 'publication-unavailable', ...fhirFailures['publication-unavailable'] },
  gatewayRefusal('INTEGRATION_TIMEOUT', 504),
];

/** Errors of calls to the Provider Directory, by interaction. */
export const directoryRefusals = {
  read: [functionRefusal('not-found'), ...ofEveryDirectoryCall],
  search: [functionRefusal('invalid-search'), functionRefusal('publication-gone'), ...ofEveryDirectoryCall],
  publication: [
    functionRefusal('invalid-search'),
    functionRefusal('not-found'),
    functionRefusal('publication-gone'),
    ...ofEveryDirectoryCall,
  ],
  form: [
    functionRefusal('invalid-search'),
    functionRefusal('form-malformed'),
    functionRefusal('publication-gone'),
    functionRefusal('form-too-long'),
    functionRefusal('unsupported-media-type'),
    ...ofEveryDirectoryCall,
  ],
} as const satisfies Readonly<Record<string, readonly RefusalResponse[]>>;

/**
 * Groups errors by status into the responses of an operation. Errors that every call can return are components, so that the document has
 * them once.
 */
export function refusalResponses(
  refusals: readonly RefusalResponse[],
): Record<string, ZodOpenApiResponseObject> {
  const statuses = [...new Set(refusals.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => [`${status}`, responsesOfEveryCall.get(status) ?? responseOf(status, refusals)]),
  );
}

function responseOf(status: number, refusals: readonly RefusalResponse[]): ZodOpenApiResponseObject {
  const examples = refusals
    .filter((each) => each.status === status)
    .map(({ name, code, diagnostics }) => ({
      name,
      summary: diagnostics,
      body: { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code, diagnostics }] },
    }));
  return refusalResponse('application/fhir+json', operationOutcome, examples, {
    ...(status === 401 && {
      'WWW-Authenticate': z.string().optional().meta({
        description:
          'Bearer challenge (RFC 6750). In a response of a function it has the name x-amzn-Remapped-WWW-Authenticate.',
      }),
    }),
    ...([429, 503, 504].includes(status) && { 'Retry-After': retryAfterAnswer }),
  });
}

/** The responses that every call can return, by status; they are components such as `FhirServiceUnavailable`. */
const responsesOfEveryCall: ReadonlyMap<number, ZodOpenApiResponseObject> = new Map(
  ofEveryCall.map(({ status }) => {
    const id = `Fhir${STATUS_CODES[status]?.replaceAll(' ', '')}`;
    return [status, { id, ...responseOf(status, ofEveryCall) }];
  }),
);
