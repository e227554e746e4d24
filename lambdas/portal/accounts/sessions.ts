/** Sessions of the portal: begin, renew and end them; their cookies. */

import type { PortalSession, PortalSessions } from '../api/route-handler.ts';
import { type PortalCookie, portalCookies } from '../catalog/cookie-uses.ts';
import { markedSignedIn, unmarkedSignedIn } from '../catalog/cookies.ts';
import { portalLimits } from '../catalog/limits.ts';
import type { Account } from './account.ts';
import { fullName } from './account.ts';
import type { DeveloperServices, StoredSession } from './account-ports.ts';

/** Seconds between two writes of the idle time, so that a page with many requests writes once. */
const seenEverySeconds = 60;

const secretPattern = /^[A-Za-z0-9_-]{43}$/;

/** The cookies that no script of a page can read. */
type CookieName = Exclude<PortalCookie, '__Host-signed-in'>;

/** `Strict`: only calls of the portal's own pages to the API carry these cookies. */
function cookie(name: CookieName, value: string, maxAgeSeconds?: number): string {
  const maxAge = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict${maxAge}`;
}

export function clearSessionCookie(name: CookieName): string {
  return cookie(name, '', 0);
}

/** The cookies of a session that begins. They live as long as the browser is open; the table knows when the session ends. */
function sessionCookies(secret: string): readonly string[] {
  return [cookie('__Host-session', secret), markedSignedIn];
}

/** The cookies of a session that has ended. */
export const endedSessionCookies: readonly string[] = [
  clearSessionCookie('__Host-session'),
  unmarkedSignedIn,
];

/**
 * ID of the session that a cookie stands for.
 * @returns undefined if the browser has no cookie of this form.
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
 * @param replaces ID of the session that ends with it. @returns its cookies.
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
 * The same session under a new secret, where what may be done in it grows. Its absolute end stays, and so does its epoch: a session that
 * ended with its account's others stays ended.
 *
 * @param change `epoch`: the session's own act ended the others, which makes it the only one of this epoch; one of an older epoch than
 *   the one before was ended by somebody else.
 * @returns its cookies; undefined where it was ended meanwhile: it stays ended.
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
 * Begins a sign-in whose code is due, for as long as the code is valid.
 * @returns its cookie.
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

/** @returns the cookie by which the browser is known afterwards. */
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

/** The end of a session without further use. Seconds since 1970. */
export function sessionEnd({ role, startedAt, lastSeenAt }: StoredSession): number {
  const { idle, whole } = lifetimes[role];
  return Math.min(lastSeenAt + idle, startedAt + whole);
}

/** Joins a session with its account at a time. @returns undefined where it has ended. */
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

/** Sessions as every function of the portal reads them. */
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
