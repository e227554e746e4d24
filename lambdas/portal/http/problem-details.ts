/** Problem details (RFC 9457) of the portal's API. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Dialect } from '../../platform/http/pipeline.ts';
import type { ProblemExtras } from '../api/route-handler.ts';
import type { ProblemDetails } from '../api/views.ts';
import { type ProblemCode, portalProblems } from '../catalog/problems.ts';

/**
 * Writes a refusal as a response in the error format of the portal's API, `application/problem+json` (RFC 9457). No response of this API
 * has CORS headers, because only the portal's own pages call it.
 */
export type ProblemWriter = (
  code: ProblemCode,
  requestId: string,
  extras?: ProblemExtras,
  headers?: Readonly<Record<string, string>>,
) => APIGatewayProxyResult;

/** Headers of every response: private to one person, so no cache may store it; JSON, so browsers must not interpret it as another type. */
export const portalHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Makes the writer of problems.
 *
 * @param origin of the portal, where the list of errors is published.
 */
export function createProblemWriter(origin: string): ProblemWriter {
  return (code, requestId, extras = {}, headers = {}) => {
    const { status, title, fix } = portalProblems[code];
    const details: ProblemDetails = {
      type: `${origin}/docs/errors#${code}`,
      title,
      status,
      detail: fix,
      code,
      requestId,
      ...extras,
    };
    const retryAfter = extras.retryAfter ?? (status === 503 ? 1 : undefined);
    return {
      statusCode: status,
      headers: {
        ...portalHeaders,
        'Content-Type': 'application/problem+json',
        ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
        ...headers,
      },
      body: JSON.stringify(details),
    };
  };
}

export function createPortalDialect(problem: ProblemWriter): Dialect {
  return {
    defect: (requestId) => problem('defect', requestId),
    unavailable: (requestId) => problem('unavailable', requestId),
  };
}
