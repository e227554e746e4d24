/** Wraps every HTTP handler: request ID, log line, error of the host's dialect. */

import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { securityHeaders } from '../../catalog/security-headers.ts';
import type { Log } from '../runtime/log.ts';
import { StoreUnavailable } from '../table/table.ts';
import { headerValues } from './header-values.ts';

/**
 * The wording of a host's errors. Each of the three (OAuth JSON, OperationOutcome, problem+json) is one file here, the
 * one place where its refusals become responses.
 */
export interface Dialect {
  /** 500 with a constant body: nothing of the defect leaves. */
  defect(requestId: string): APIGatewayProxyResult;
  /** 503 with `Retry-After`: the store could not be reached, nothing was decided. */
  unavailable(requestId: string): APIGatewayProxyResult;
  /**
   * 400: a credential came in more than one header of a name (RFC 6750 section 3.1). Absent where headers hold no credential: the
   * member's pages and the portal know who calls by cookies.
   */
  repeatedCredential?(header: string): APIGatewayProxyResult;
}

export type ApiHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/** Headers that hold a credential; if one is sent twice, neither value is trusted. */
const credentialHeaders = ['authorization', 'x-api-subscription-key'];

/**
 * Wraps a function's handler in what every host does alike: a credential that came twice is a 400, a defect becomes the dialect's
 * constant 500 and one log line, an unreachable store its 503, and each answer has the request's id (`X-Request-Id`) and the
 * security headers.
 */
export function createPipeline(options: {
  readonly dialect: Dialect;
  readonly log: Log;
  readonly handler: ApiHandler;
  /** Parsers and the like, inside the error handling. */
  readonly middlewares?: readonly middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>[];
}): ApiHandler {
  const { dialect, log } = options;
  const wrapped = middy<APIGatewayProxyEvent, APIGatewayProxyResult>(options.handler);
  const complete = (response: APIGatewayProxyResult, requestId: string) => {
    response.headers = { ...securityHeaders, ...response.headers, 'X-Request-Id': requestId };
    return response;
  };
  wrapped.use({
    before: ({ event }) => {
      const repeated = credentialHeaders.find((name) => headerValues(event, name).length > 1);
      const refusal = repeated === undefined ? undefined : dialect.repeatedCredential?.(repeated);
      // Middy runs no `after` handlers after an early answer.
      return refusal && complete(refusal, answeredRequestId(event));
    },
    after: ({ event, response }) => {
      if (response) complete(response, answeredRequestId(event));
    },
    onError: (request) => {
      const requestId = answeredRequestId(request.event);
      const unavailable = request.error instanceof StoreUnavailable;
      log('error', unavailable ? 'store_unavailable' : 'defect', {
        ...requestIds(request.event),
        errorName: request.error?.name ?? 'Error',
      });
      const response = unavailable ? dialect.unavailable(requestId) : dialect.defect(requestId);
      request.response = complete(response, requestId);
    },
  });
  for (const middleware of options.middlewares ?? []) wrapped.use(middleware);
  return async (event) => (await wrapped(event, {} as never)) as APIGatewayProxyResult;
}

/** IDs of a request in audit events and logs. */
export interface RequestIds {
  /** API Gateway's: unique, and nobody chooses it. */
  readonly requestId: string;
  /** The client's own `X-Request-Id`, where it is a plain token of at most 64 characters. It proves nothing. */
  readonly clientRequestId?: string;
}

export function requestIds(event: APIGatewayProxyEvent): RequestIds {
  const given = header(event, 'x-request-id');
  const isPlain = given !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(given);
  return { requestId: event.requestContext.requestId, ...(isPlain && { clientRequestId: given }) };
}

/** The id an answer carries: the client's own where it sent one. */
export function answeredRequestId(event: APIGatewayProxyEvent): string {
  const { requestId, clientRequestId } = requestIds(event);
  return clientRequestId ?? requestId;
}

/** A request header by its name in lowercase; header names are case-insensitive (RFC 9110 section 5.1). */
export function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === name) return value;
  }
  return undefined;
}
