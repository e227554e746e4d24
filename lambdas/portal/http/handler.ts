import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { cookiesOf } from '../../http/cookies.ts';
import { contentTypeOf, queryParameters } from '../../http/parameters.ts';
import {
  type ApiHandler,
  answeredRequestId,
  createPipeline,
  header,
  requestIds,
} from '../../http/pipeline.ts';
import type { Log } from '../../runtime/log.ts';
import type { PortalAnswer, PortalRouteHandler, PortalSession, PortalSessions } from '../api/exchange.ts';
import { signedInMarker, unmarkedSignedIn } from '../catalog/cookies.ts';
import { portalLimits } from '../catalog/limits.ts';
import { type PortalFunction, portalRoutes } from '../catalog/routes.ts';
import { problemFields } from './field-problems.ts';
import { parseJsonObject } from './json-body.ts';
import { createPortalDialect, createProblemWriter, portalHeaders } from './problem-details.ts';
import { admission } from './role-check.ts';
import { createRouter, type RoutesOf } from './routing.ts';

export interface PortalHandlerOptions<Function extends PortalFunction> {
  readonly function: Function;
  /** Of the portal, like `https://developer.example.org`. */
  readonly origin: string;
  readonly routes: Readonly<Record<RoutesOf<Function>, PortalRouteHandler>>;
  readonly sessions: PortalSessions;
  readonly log: Log;
  /** Whether operators decide only with an authenticator app. @default false */
  readonly needsAuthenticator?: boolean;
}

/**
 * A function of the portal's API. What every route does alike, in this order: route and method, where the request comes from,
 * session and access, size, type and form of the body, its fields. Then the route's own handler, whose answer becomes HTTP.
 */
export function createPortalHandler<Function extends PortalFunction>(
  options: PortalHandlerOptions<Function>,
): ApiHandler {
  const problem = createProblemWriter(options.origin);
  const route = createRouter(options.function);
  const handlers = handlersOf(options.routes);
  const handle = async (event: APIGatewayProxyEvent): Promise<PortalAnswer> => {
    const match = route(event.httpMethod, event.path);
    if ('problem' in match) {
      const { problem: code } = match;
      return code === 'not_found' ? { problem: code } : { problem: code, allowed: match.allow.split(', ') };
    }
    const handler = handlers.get(match.name);
    if (handler === undefined) throw new Error(`no handler for the route ${match.name}`);
    if (event.httpMethod !== 'GET' && !isFromPortal(event, options.origin)) {
      return { problem: 'cross_site_request' };
    }
    const cookies = cookiesOf(event);
    const session = await sessionOf(cookies, options.sessions);
    const refused = admission(match.route, session, options.needsAuthenticator);
    if (refused !== undefined) {
      const isStale = refused.problem === 'signed_out' && cookies.has(signedInMarker);
      return isStale ? { ...refused, cookies: [unmarkedSignedIn] } : refused;
    }
    const query = queryOf(event);
    if ('problem' in query) return query;
    const parsed = bodyOf(event, handler);
    if ('problem' in parsed) return parsed;
    const { requestId } = requestIds(event);
    const ip = callerOf(event);
    return await handler.handle({
      params: match.params,
      query: query.values,
      body: parsed.body,
      session,
      cookies,
      requestId,
      ip,
    });
  };
  return createPipeline({
    dialect: createPortalDialect(problem),
    log: options.log,
    handler: async (event) => {
      const answer = await handle(event);
      if (!('problem' in answer)) return written(answer);
      const { problem: code, cookies = [], ...extras } = answer;
      const allow = code === 'method_not_allowed' ? { Allow: (extras.allowed ?? []).join(', ') } : {};
      return withCookies(problem(code, answeredRequestId(event), extras, allow), cookies);
    },
  });
}

/** A route whose handler needs a session it may not have is a defect found at the start, not at the first call. */
function handlersOf(
  routes: Readonly<Record<string, PortalRouteHandler>>,
): ReadonlyMap<string, PortalRouteHandler> {
  for (const [name, handler] of Object.entries(routes)) {
    const { access } = portalRoutes[name as keyof typeof portalRoutes];
    if (handler.needsSession && access === 'public')
      throw new Error(`the public route ${name} has no session`);
  }
  return new Map(Object.entries(routes));
}

/**
 * Every browser that has `__Host-` cookies sends `Origin` with what isn't GET, or says by `Sec-Fetch-Site` where the request
 * comes from. What says neither is no page of ours.
 */
function isFromPortal(event: APIGatewayProxyEvent, ours: string): boolean {
  const origin = header(event, 'origin');
  if (origin !== undefined) return origin === ours;
  return header(event, 'sec-fetch-site') === 'same-origin';
}

/** 256 bits, base64url. */
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
): { readonly values: Readonly<Record<string, string>> } | Extract<PortalAnswer, { problem: unknown }> {
  const parameters = [...queryParameters(event)];
  const twice = parameters.filter(([, values]) => values.length > 1);
  if (twice.length > 0) {
    const errors = twice.map(([name]) => ({
      pointer: `/${name.slice(0, 100)}`,
      code: 'invalid' as const,
      expected: 'this parameter once',
    }));
    return { problem: 'invalid_request', errors };
  }
  return { values: Object.fromEntries(parameters.map(([name, [value = '']]) => [name, value])) };
}

function bodyOf(
  event: APIGatewayProxyEvent,
  { schema }: PortalRouteHandler,
): { readonly body: unknown } | Extract<PortalAnswer, { problem: unknown }> {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > portalLimits.bodyBytes) return { problem: 'body_too_large' };
  if (schema === undefined) return { body: undefined };
  if (contentTypeOf(event) !== 'application/json') return { problem: 'unsupported_media_type' };
  const text = utf8(bytes);
  const value = text === undefined ? undefined : parseJsonObject(text);
  if (value === undefined) return { problem: 'invalid_json' };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { body: parsed.data };
  return { problem: 'invalid_request', errors: problemFields(parsed.error, value) };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * CloudFront adds the viewer's address to `X-Forwarded-For`, the API adds CloudFront's: the last but one is the viewer's.
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/RequestAndResponseBehaviorCustomOrigin.html
 */
function callerOf(event: APIGatewayProxyEvent): string {
  const forwarded = (header(event, 'x-forwarded-for') ?? '').split(',').map((address) => address.trim());
  return forwarded.at(-2) || (event.requestContext.identity?.sourceIp ?? 'unknown');
}

function written(answer: Extract<PortalAnswer, { status: number }>): APIGatewayProxyResult {
  const { status, body, cookies = [], headers = {} } = answer;
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = {
    statusCode: status,
    headers: { ...portalHeaders, ...content, ...headers },
    body: body === undefined ? '' : JSON.stringify(body),
  };
  return withCookies(response, cookies);
}

/** Several cookies stand in the response's other list, since an object has each name once. */
function withCookies(response: APIGatewayProxyResult, cookies: readonly string[]): APIGatewayProxyResult {
  return cookies.length === 0 ? response : { ...response, multiValueHeaders: { 'Set-Cookie': [...cookies] } };
}
