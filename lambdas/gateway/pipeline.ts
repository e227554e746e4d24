import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Log } from '../runtime/log.ts';
import { StoreUnavailable } from '../storage/table.ts';

/**
 * How a host words what went wrong. Each of the three (OAuth JSON, OperationOutcome, problem+json) is one file here, the
 * one place where its refusals become responses.
 */
export interface Dialect {
  /** 500 with a constant body: nothing of the defect leaves. */
  defect(requestId: string): APIGatewayProxyResult;
  /** 503 with `Retry-After`: the store could not be reached, nothing was decided. */
  unavailable(requestId: string): APIGatewayProxyResult;
}

export type ApiHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/**
 * Wraps a function's handler in what every host does alike: a defect becomes the dialect's constant 500 and one log
 * line, an unreachable store its 503, and each answer carries the request's id (`X-Request-Id`).
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
  wrapped.use({
    after: ({ event, response }) => {
      if (response) response.headers = { ...response.headers, 'X-Request-Id': requestIdOf(event) };
    },
    onError: (request) => {
      const requestId = requestIdOf(request.event);
      const unavailable = request.error instanceof StoreUnavailable;
      log('error', unavailable ? 'store_unavailable' : 'defect', {
        requestId,
        errorName: request.error?.name ?? 'Error',
      });
      const response = unavailable ? dialect.unavailable(requestId) : dialect.defect(requestId);
      response.headers = { ...response.headers, 'X-Request-Id': requestId };
      request.response = response;
    },
  });
  for (const middleware of options.middlewares ?? []) wrapped.use(middleware);
  return async (event) => (await wrapped(event, {} as never)) as APIGatewayProxyResult;
}

/** The client's own `X-Request-Id` where it is a plain token of at most 64 characters, else API Gateway's. */
export function requestIdOf(event: APIGatewayProxyEvent): string {
  const given = header(event, 'x-request-id');
  return given !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : event.requestContext.requestId;
}

/** A request header by its name in lowercase; header names are case-insensitive (RFC 9110 section 5.1). */
export function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === name) return value;
  }
  return undefined;
}
