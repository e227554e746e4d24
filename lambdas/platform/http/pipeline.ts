/** Wraps every HTTP handler: request ID, log line, and errors in the host's format. */

import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { securityHeaders } from '../../catalog/security-headers.ts';
import type { Log } from '../runtime/log.ts';
import { StoreUnavailable } from '../table/table.ts';
import { headerValues } from './header-values.ts';

/**
 * Error responses of a kind of host. Each of the three formats (OAuth JSON, OperationOutcome, problem+json) has one file in which refusals
 * become responses.
 */
export interface Dialect {
  /** 500 with a constant body, which reveals nothing about the defect. */
  defect(requestId: string): APIGatewayProxyResult;
  /** 503 with `Retry-After`: the store could not be reached, and nothing was decided. */
  unavailable(requestId: string): APIGatewayProxyResult;
  /**
   * 400: a credential was sent in a repeated header (RFC 6750 section 3.1). Absent for the members' pages and the portal, which
   * authenticate by cookies.
   */
  repeatedCredential?(header: string): APIGatewayProxyResult;
}

export type ApiHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/** Headers that contain a credential. A request that repeats one is refused, because either value could be meant. */
const credentialHeaders = ['authorization', 'x-api-subscription-key'];

/**
 * Wraps a function's handler in the behavior that all hosts share. A repeated credential gets a 400; a defect gets the constant 500 and one
 * log line; an unreachable store gets a 503. Every response has the request's ID (`X-Request-Id`) and the security headers.
 */
export function createPipeline(options: {
  readonly dialect: Dialect;
  readonly log: Log;
  readonly handler: ApiHandler;
  /** Middlewares inside the error handling, such as body parsers. */
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
      // Middy skips the `after` handlers if a `before` handler returns a response, so the response is completed here.
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
  /** API Gateway's ID, which is unique and which no caller chooses. */
  readonly requestId: string;
  /** The client's own `X-Request-Id`, if it is a plain token of at most 64 characters. It proves nothing. */
  readonly clientRequestId?: string;
}

export function requestIds(event: APIGatewayProxyEvent): RequestIds {
  const given = header(event, 'x-request-id');
  const isPlain = given !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(given);
  return { requestId: event.requestContext.requestId, ...(isPlain && { clientRequestId: given }) };
}

/** The ID in a response: the client's own if it sent one. */
export function answeredRequestId(event: APIGatewayProxyEvent): string {
  const { requestId, clientRequestId } = requestIds(event);
  return clientRequestId ?? requestId;
}

/**
 * The value of a request header.
 *
 * @param name in lowercase; header names are case-insensitive (RFC 9110 section 5.1).
 */
export function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === name) return value;
  }
  return undefined;
}
