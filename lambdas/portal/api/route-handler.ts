/** Interface of the portal's route handlers: request, session, result. */

import type * as z from 'zod/mini';
import type { AccountState } from '../catalog/account-states.ts';
import type { ProblemCode } from '../catalog/problems.ts';
import type { ProblemDetails } from './views.ts';

/**
 * The request and the result of a route of the portal. The handler reads HTTP into one and writes HTTP from the other, so that the domains
 * know neither.
 */

/** The account that is signed in, as the session states it. Times are seconds since 1970. */
export interface PortalSession {
  /** SHA-256 (hex) of what the browser holds. */
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
  /** An operator’s codes come from an authenticator app. */
  readonly hasAuthenticator?: true;
  /** Time until which secrets may be shown, because the password was entered again. */
  readonly secretsOpenUntil?: number;
}

/** Looks sessions up by the browser's secret. */
export interface PortalSessions {
  /**
   * @param token the value of the cookie `__Host-session`, already checked for its form.
   * @returns undefined where there is none, it has ended, or its account is closed. Moves its idle time on.
   * @throws StoreUnavailable
   */
  find(token: string): Promise<PortalSession | undefined>;
}

export interface PortalRequest<Body = undefined, Session = PortalSession> {
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Each name once; a name sent twice is refused before. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly session: Session;
  readonly cookies: ReadonlyMap<string, string>;
  readonly requestId: string;
  /** The caller's address, as far as the network tells. */
  readonly ip: string;
}

/** Members of a problem beside those that the table of problems gives it. */
export type ProblemExtras = Partial<
  Omit<ProblemDetails, 'type' | 'title' | 'status' | 'detail' | 'code' | 'requestId'>
> & {
  /** Instead of the table's sentence about what helps. */
  readonly detail?: string;
};

/** A refusal: the code of a problem in the table, and members beside those the table gives it (RFC 9457 section 3.2). */
export type PortalProblem = {
  readonly kind: 'problem';
  readonly problem: ProblemCode;
  readonly cookies?: readonly string[];
} & ProblemExtras;

export interface PortalResponse {
  readonly kind: 'response';
  readonly status: 200 | 201 | 202 | 204;
  /** Becomes JSON; absent with 204. */
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

/** A route as the gateway calls it. Make it by `publicRoute` or `sessionRoute`, which keep the types. */
export interface PortalRouteHandler {
  readonly needsSession: boolean;
  readonly schema?: z.ZodMiniType;
  handle(request: PortalRequest<unknown, PortalSession | undefined>): Promise<PortalResult>;
}

type Handle<Body, Session> = (request: PortalRequest<Body, Session>) => Promise<PortalResult>;

/** A route of access `public`: the session is there when the browser has one. */
export function publicRoute<Schema extends z.ZodMiniType>(
  schema: Schema,
  handle: Handle<z.infer<Schema>, PortalSession | undefined>,
): PortalRouteHandler {
  return { needsSession: false, schema, handle: handle as PortalRouteHandler['handle'] };
}

/** A public route without a body. */
export function publicRead(handle: Handle<undefined, PortalSession | undefined>): PortalRouteHandler {
  return { needsSession: false, handle: handle as PortalRouteHandler['handle'] };
}

/** A route of any other access: the session is there, and its account may do this. */
export function sessionRoute<Schema extends z.ZodMiniType>(
  schema: Schema,
  handle: Handle<z.infer<Schema>, PortalSession>,
): PortalRouteHandler {
  return { needsSession: true, schema, handle: handle as PortalRouteHandler['handle'] };
}

/** A route with a session and without a body: a body that is sent is not read. */
export function sessionRead(handle: Handle<undefined, PortalSession>): PortalRouteHandler {
  return { needsSession: true, handle: handle as PortalRouteHandler['handle'] };
}
