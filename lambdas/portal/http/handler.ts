/** The request handler that all routes of the portal's API share: routing, origin, session, access and body. */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { cookiesOf } from '../../platform/http/cookies.ts';
import { contentTypeOf, queryParameters } from '../../platform/http/parameters.ts';
import {
  type ApiHandler,
  answeredRequestId,
  createPipeline,
  header,
  requestIds,
} from '../../platform/http/pipeline.ts';
import { compileRoutes } from '../../platform/kernel/find-route.ts';
import type { Log } from '../../platform/runtime/log.ts';
import {
  type PortalProblem,
  type PortalResponse,
  type PortalResult,
  type PortalRouteHandler,
  type PortalSession,
  type PortalSessions,
  problem,
} from '../api/route-handler.ts';
import { signedInMarker, unmarkedSignedIn } from '../catalog/cookies.ts';
import { portalLimits } from '../catalog/limits.ts';
import {
  type PortalFunction,
  type PortalRoute,
  portalRoutes,
  type RoutesOf,
} from '../catalog/portal-routes.ts';
import { callerOf } from './caller.ts';
import { checkAccess } from './check-access.ts';
import { problemFields } from './field-problems.ts';
import { parseJsonObject } from './json-body.ts';
import { createPortalDialect, createProblemWriter, portalHeaders } from './problem-details.ts';

export interface PortalHandlerOptions<Function extends PortalFunction> {
  /** The portal's origin, like `https://developer.example.org`. */
  readonly origin: string;
  readonly routes: Readonly<Record<RoutesOf<Function>, PortalRouteHandler>>;
  readonly sessions: PortalSessions;
  readonly log: Log;
  /**
   * Whether operators may use the console only with an authenticator app.
   *
   * @default false
   */
  readonly needsAuthenticator?: boolean;
}

/**
 * Creates the handler of one function of the portal's API. For every route, in this order: finds the route by method and path, then
 * checks the request's origin, session and access, the size, type and form of the body, and its fields. Then calls the route's own
 * handler and writes its result as HTTP.
 */
export function createPortalHandler<Function extends PortalFunction>(
  options: PortalHandlerOptions<Function>,
): ApiHandler {
  const write = createProblemWriter(options.origin);
  const findRoute = compileRoutes(rowsOf(options.routes));
  const handle = async (event: APIGatewayProxyEvent): Promise<PortalResult> => {
    const found = findRoute(event.httpMethod, event.path);
    if (found.kind === 'not_found') return problem('not_found');
    if (found.kind === 'method_not_allowed') return problem(found.kind, { allowed: found.allowed });
    const { route, params } = found;
    if (event.httpMethod !== 'GET' && !isFromPortal(event, options.origin)) {
      return problem('cross_site_request');
    }
    const cookies = cookiesOf(event);
    const session = await sessionOf(cookies, options.sessions);
    const refused = checkAccess(route, session, options.needsAuthenticator);
    if (refused !== undefined) {
      const isStale = refused.problem === 'signed_out' && cookies.has(signedInMarker);
      return isStale ? { ...refused, cookies: [unmarkedSignedIn] } : refused;
    }
    const query = queryOf(event);
    if (query.kind === 'problem') return query;
    const parsed = bodyOf(event, route.handler);
    if (parsed.kind === 'problem') return parsed;
    const { requestId } = requestIds(event);
    return await route.handler.handle({
      params,
      query: query.values,
      body: parsed.body,
      session,
      cookies,
      requestId,
      ip: callerOf(event),
    });
  };
  return createPipeline({
    dialect: createPortalDialect(write),
    log: options.log,
    handler: async (event) => {
      const result = await handle(event);
      if (result.kind === 'response') return written(result);
      const { kind: _, problem: code, cookies = [], ...extras } = result;
      const allow = code === 'method_not_allowed' ? { Allow: (extras.allowed ?? []).join(', ') } : {};
      return withCookies(write(code, answeredRequestId(event), extras, allow), cookies);
    },
  });
}

/**
 * Joins the table of routes with their handlers.
 *
 * @throws Error where a handler needs a session and its route is public.
 */
function rowsOf(handlers: Readonly<Record<string, PortalRouteHandler>>) {
  return Object.entries(portalRoutes).flatMap(([name, route]) => {
    const handler = handlers[name];
    if (handler === undefined) return [];
    if (handler.needsSession && route.access === 'public')
      throw new Error(`the public route ${name} has no session`);
    return [{ ...(route as PortalRoute), handler }];
  });
}

/**
 * Whether a request comes from the portal's pages. Every browser that supports `__Host-` cookies sends `Origin` with each method but GET,
 * or `Sec-Fetch-Site`; a request with neither does not come from a page.
 */
function isFromPortal(event: APIGatewayProxyEvent, ours: string): boolean {
  const origin = header(event, 'origin');
  if (origin !== undefined) return origin === ours;
  return header(event, 'sec-fetch-site') === 'same-origin';
}

/** Form of a session's secret: 256 bits in base64url. */
const sessionToken = /^[A-Za-z0-9_-]{43}$/;

async function sessionOf(
  cookies: ReadonlyMap<string, string>,
  sessions: PortalSessions,
): Promise<PortalSession | undefined> {
  const token = cookies.get('__Host-session');
  return token !== undefined && sessionToken.test(token) ? await sessions.find(token) : undefined;
}

function queryOf(
  event: APIGatewayProxyEvent,
): { readonly kind: 'values'; readonly values: Readonly<Record<string, string>> } | PortalProblem {
  const parameters = [...queryParameters(event)];
  const twice = parameters.filter(([, values]) => values.length > 1);
  if (twice.length > 0) {
    const errors = twice.map(([name]) => ({
      pointer: `/${name.slice(0, 100)}`,
      code: 'invalid' as const,
      expected: 'this parameter only once',
    }));
    return problem('invalid_request', { errors });
  }
  const values = Object.fromEntries(parameters.map(([name, [value = '']]) => [name, value]));
  return { kind: 'values', values };
}

function bodyOf(
  event: APIGatewayProxyEvent,
  { schema }: PortalRouteHandler,
): { readonly kind: 'body'; readonly body: unknown } | PortalProblem {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > portalLimits.bodyBytes) return problem('body_too_large');
  if (schema === undefined) return { kind: 'body', body: undefined };
  if (contentTypeOf(event) !== 'application/json') return problem('unsupported_media_type');
  const text = utf8(bytes);
  const value = text === undefined ? undefined : parseJsonObject(text);
  if (value === undefined) return problem('invalid_json');
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: 'body', body: parsed.data };
  return problem('invalid_request', { errors: problemFields(parsed.error, value) });
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function written({ status, body, cookies = [], headers = {} }: PortalResponse): APIGatewayProxyResult {
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = {
    statusCode: status,
    headers: { ...portalHeaders, ...content, ...headers },
    body: body === undefined ? '' : JSON.stringify(body),
  };
  return withCookies(response, cookies);
}

/** Adds cookies in `multiValueHeaders`, because `headers` can hold only one `Set-Cookie`. */
function withCookies(response: APIGatewayProxyResult, cookies: readonly string[]): APIGatewayProxyResult {
  return cookies.length === 0 ? response : { ...response, multiValueHeaders: { 'Set-Cookie': [...cookies] } };
}
