/** Interface of the portal's route handlers: request, session, result. */

import type * as z from 'zod/mini';
import type { AccountState } from '../catalog/account-states.ts';
import type { ProblemCode } from '../catalog/problems.ts';
import type { ProblemDetails } from './views.ts';

/**
 * The request and the result of a portal route. `http/handler.ts` converts HTTP to the request and the result to HTTP, so that the routes
 * do not depend on HTTP.
 */

/** The session of a signed-in account, with the account's fields that routes need. Times are seconds since 1970. */
export interface PortalSession {
  /** SHA-256 (hex) of the secret in the browser's cookie. */
  readonly sessionId: string;
  readonly accountId: string;
  readonly teamId: string;
  readonly role: 'developer' | 'operator';
  readonly state: AccountState;
  /** Actor's name in the timeline. */
  readonly name: string;
  readonly email: string;
  /** The `version` of the account at the time it was read. */
  readonly accountVersion: number;
  /** Set if an operator has an authenticator app. */
  readonly hasAuthenticator?: true;
  /** Time until which the session may show secrets; set when the password was entered again. */
  readonly secretsOpenUntil?: number;
}

/** Finds sessions by the secret in the browser's cookie. */
export interface PortalSessions {
  /**
   * Finds a session and records that it was used, which extends its idle time.
   *
   * @param token the value of the cookie `__Host-session`, whose form was checked.
   * @returns undefined where there is no such session, it has ended, or its account is closed.
   * @throws StoreUnavailable
   */
  find(token: string): Promise<PortalSession | undefined>;
}

export interface PortalRequest<Body = undefined, Session = PortalSession> {
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query parameters. A request that repeats a name is refused before the route is called. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly session: Session;
  readonly cookies: ReadonlyMap<string, string>;
  readonly requestId: string;
  /** IP address of the caller as CloudFront reports it. */
  readonly ip: string;
}

/** Members of a problem beyond those in the table of problems. */
export type ProblemExtras = Partial<
  Omit<ProblemDetails, 'type' | 'title' | 'status' | 'detail' | 'code' | 'requestId'>
> & {
  /** Replaces the table's `fix` as the problem's `detail`. */
  readonly detail?: string;
};

/** A refusal: the code of a problem in the table, and extension members (RFC 9457 section 3.2). */
export type PortalProblem = {
  readonly kind: 'problem';
  readonly problem: ProblemCode;
  readonly cookies?: readonly string[];
} & ProblemExtras;

export interface PortalResponse {
  readonly kind: 'response';
  readonly status: 200 | 201 | 202 | 204;
  /** Value that is sent as JSON; absent with 204. */
  readonly body?: unknown;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export type PortalResult = PortalResponse | PortalProblem;

/** Makes a refusal. */
export function problem(
  code: ProblemCode,
  extras: ProblemExtras & Pick<PortalProblem, 'cookies'> = {},
): PortalProblem {
  return { kind: 'problem', problem: code, ...extras };
}

/** Makes a response with a JSON body. */
export function response(
  status: 200 | 201 | 202,
  body: unknown,
  extras: Pick<PortalResponse, 'cookies' | 'headers'> = {},
): PortalResponse {
  return { kind: 'response', status, body, ...extras };
}

/** Makes a response without a body (204). */
export function noContent(extras: Pick<PortalResponse, 'cookies'> = {}): PortalResponse {
  return { kind: 'response', status: 204, ...extras };
}

/**
 * A route's handler as `createPortalHandler` calls it. Make it with `publicRoute` or `sessionRoute`, which keep the types of body and
 * session.
 */
export interface PortalRouteHandler {
  readonly needsSession: boolean;
  readonly schema?: z.ZodMiniType;
  handle(request: PortalRequest<unknown, PortalSession | undefined>): Promise<PortalResult>;
}

type Handle<Body, Session> = (request: PortalRequest<Body, Session>) => Promise<PortalResult>;

/** Makes the handler of a route with `public` access and a request body. The session is undefined if the browser has none. */
export function publicRoute<Schema extends z.ZodMiniType>(
  schema: Schema,
  handle: Handle<z.infer<Schema>, PortalSession | undefined>,
): PortalRouteHandler {
  return { needsSession: false, schema, handle: handle as PortalRouteHandler['handle'] };
}

/** Makes the handler of a route with `public` access and without a request body. */
export function publicRead(handle: Handle<undefined, PortalSession | undefined>): PortalRouteHandler {
  return { needsSession: false, handle: handle as PortalRouteHandler['handle'] };
}

/** Makes the handler of a route with a session and a request body. Access was checked before it is called. */
export function sessionRoute<Schema extends z.ZodMiniType>(
  schema: Schema,
  handle: Handle<z.infer<Schema>, PortalSession>,
): PortalRouteHandler {
  return { needsSession: true, schema, handle: handle as PortalRouteHandler['handle'] };
}

/** Makes the handler of a route with a session and without a request body. A body that is sent is not read. */
export function sessionRead(handle: Handle<undefined, PortalSession>): PortalRouteHandler {
  return { needsSession: true, handle: handle as PortalRouteHandler['handle'] };
}
