/** Begins, renews and ends sessions of the portal, and makes their cookies. */

import type { PortalSession, PortalSessions } from '../api/route-handler.ts';
import { type PortalCookie, portalCookies } from '../catalog/cookie-uses.ts';
import { markedSignedIn, unmarkedSignedIn } from '../catalog/cookies.ts';
import { portalLimits } from '../catalog/limits.ts';
import type { Account } from './account.ts';
import { fullName } from './account.ts';
import type { DeveloperServices } from './developer-services.ts';
import type { StoredSession } from './session-store-port.ts';

/** Seconds between two writes of `lastSeenAt`, so that a page with many requests causes one write. */
const seenEverySeconds = 60;

const secretPattern = /^[A-Za-z0-9_-]{43}$/;

/** The names of the cookies that scripts cannot read (`HttpOnly`). */
type CookieName = Exclude<PortalCookie, '__Host-signed-in'>;

/** Makes a cookie. `SameSite=Strict`: the browser sends it only with requests that the portal's own pages make. */
function cookie(name: CookieName, value: string, maxAgeSeconds?: number): string {
  const maxAge = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict${maxAge}`;
}

export function clearSessionCookie(name: CookieName): string {
  return cookie(name, '', 0);
}

/** Makes the cookies of a session that begins. They last until the browser is closed; the table holds the session's end. */
function sessionCookies(secret: string): readonly string[] {
  return [cookie('__Host-session', secret), markedSignedIn];
}

/** The `Set-Cookie` values that delete the cookies of a session. */
export const endedSessionCookies: readonly string[] = [
  clearSessionCookie('__Host-session'),
  unmarkedSignedIn,
];

/**
 * The ID of the session, or of the unfinished sign-in, of a cookie.
 *
 * @returns undefined if the request has no such cookie, or its value is malformed.
 */
export function sessionSecretId(
  { sha256Hex }: Pick<DeveloperServices, 'sha256Hex'>,
  cookies: ReadonlyMap<string, string>,
  name: CookieName,
): string | undefined {
  const secret = cookies.get(name);
  return secret !== undefined && secretPattern.test(secret) ? sha256Hex(secret) : undefined;
}

type SessionServices = Pick<DeveloperServices, 'sessions' | 'random' | 'sha256Hex' | 'now'>;
type SessionAccount = Pick<Account, 'accountId' | 'sessionEpoch'>;

/**
 * Begins a session.
 *
 * @param options `replaces`: ID of the session that ends at the same time.
 * @returns the `Set-Cookie` values.
 */
export async function beginSession(
  services: SessionServices,
  account: SessionAccount,
  options: { readonly role: Account['role']; readonly replaces?: string | undefined },
): Promise<readonly string[]> {
  const secret = services.random.token();
  await services.sessions.begin(sessionOf(services, account, options.role, secret), options.replaces);
  return sessionCookies(secret);
}

/**
 * Replaces a session's secret when the session gets more rights. The session keeps its absolute end and its epoch, so that a session that
 * was ended with the account's others stays ended.
 *
 * @param change `epoch`: the account's new epoch where the session's own act ended the others. It must be the session's epoch or the next
 * one; otherwise another act has ended the session.
 * @returns the `Set-Cookie` values; undefined if the session was ended meanwhile.
 */
export async function rotateSession(
  services: SessionServices,
  session: PortalSession,
  change: { readonly secretsOpenUntil?: number; readonly epoch?: number } = {},
): Promise<readonly string[] | undefined> {
  const stored = await services.sessions.get(session.sessionId);
  if (stored?.kind !== 'session') return undefined;
  const { secretsOpenUntil, epoch = stored.epoch } = change;
  if (epoch !== stored.epoch && epoch !== stored.epoch + 1) return undefined;
  const secret = services.random.token();
  const account = { accountId: stored.accountId, sessionEpoch: epoch };
  const next: StoredSession = {
    ...sessionOf(services, account, stored.role, secret),
    startedAt: stored.startedAt,
    ...(secretsOpenUntil === undefined ? {} : { secretsOpenUntil }),
  };
  const rotated = await services.sessions.rotate(next, session.sessionId);
  return rotated ? sessionCookies(secret) : undefined;
}

function sessionOf(
  { sha256Hex, now }: SessionServices,
  { accountId, sessionEpoch }: SessionAccount,
  role: Account['role'],
  secret: string,
): StoredSession {
  const seconds = now() / 1000;
  return {
    sessionId: sha256Hex(secret),
    kind: 'session',
    accountId,
    role,
    epoch: sessionEpoch,
    startedAt: seconds,
    lastSeenAt: seconds,
  };
}

/**
 * Begins a sign-in whose code is still to be entered; it lasts as long as the code.
 *
 * @returns the `Set-Cookie` value.
 */
export async function beginSignInCode(
  services: Pick<DeveloperServices, 'sessions' | 'random' | 'sha256Hex' | 'now'>,
  account: Pick<Account, 'accountId' | 'sessionEpoch'>,
  role: Account['role'],
): Promise<string> {
  const secret = services.random.token();
  const seconds = services.now() / 1000;
  await services.sessions.begin({
    sessionId: services.sha256Hex(secret),
    kind: 'code',
    accountId: account.accountId,
    role,
    epoch: account.sessionEpoch,
    startedAt: seconds,
    lastSeenAt: seconds,
  });
  return cookie('__Host-sign-in', secret, portalCookies['__Host-sign-in'].maxAgeSeconds);
}

/**
 * Records a browser as known to an account: with `risk` verification, a sign-in in it needs no code.
 *
 * @returns the `Set-Cookie` value that identifies the browser.
 */
export async function knowBrowser(
  services: Pick<DeveloperServices, 'sessions' | 'random' | 'sha256Hex' | 'now'>,
  accountId: string,
): Promise<string> {
  const secret = services.random.token();
  const { maxAgeSeconds } = portalCookies['__Host-browser'];
  const expiresAt = Math.ceil(services.now() / 1000) + maxAgeSeconds;
  await services.sessions.knowBrowser(accountId, services.sha256Hex(secret), expiresAt);
  return cookie('__Host-browser', secret, maxAgeSeconds);
}

const lifetimes = {
  developer: { idle: portalLimits.sessionIdleSeconds, whole: portalLimits.sessionSeconds },
  operator: { idle: portalLimits.operatorSessionIdleSeconds, whole: portalLimits.operatorSessionSeconds },
} as const;

/** The time a session ends if it is not used again, in seconds since 1970. */
export function sessionEnd({ role, startedAt, lastSeenAt }: StoredSession): number {
  const { idle, whole } = lifetimes[role];
  return Math.min(lastSeenAt + idle, startedAt + whole);
}

/**
 * Makes the session from its item and its account.
 *
 * @returns undefined where the session has ended by then.
 */
export function livingSession(
  stored: StoredSession | undefined,
  account: Account | undefined,
  seconds: number,
): PortalSession | undefined {
  if (stored?.kind !== 'session' || account === undefined || account.state === 'closed') return undefined;
  if (stored.epoch !== account.sessionEpoch || sessionEnd(stored) <= seconds) return undefined;
  const { secretsOpenUntil } = stored;
  return {
    sessionId: stored.sessionId,
    accountId: account.accountId,
    teamId: account.teamId,
    role: stored.role,
    state: account.state,
    name: fullName(account),
    email: account.email,
    accountVersion: account.version,
    ...(account.authenticator === undefined ? {} : { hasAuthenticator: true as const }),
    ...(secretsOpenUntil === undefined ? {} : { secretsOpenUntil }),
  };
}

/** Makes the reader of sessions that every function of the portal uses. */
export function createPortalSessions(services: {
  readonly get: (sessionId: string) => Promise<StoredSession | undefined>;
  readonly account: (accountId: string) => Promise<Account | undefined>;
  /** Extends the idle time of a session that still exists. */
  readonly seen: (session: StoredSession, seconds: number) => Promise<void>;
  readonly sha256Hex: (text: string) => string;
  readonly now: () => number;
}): PortalSessions {
  return {
    async find(token) {
      const seconds = services.now() / 1000;
      const stored = await services.get(services.sha256Hex(token));
      if (stored === undefined) return undefined;
      const session = livingSession(stored, await services.account(stored.accountId), seconds);
      if (session !== undefined && seconds - stored.lastSeenAt >= seenEverySeconds) {
        await services.seen(stored, seconds);
      }
      return session;
    },
  };
}
