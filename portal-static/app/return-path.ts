/** Check of the path that a sign-in returns to: only one of the portal's own pages. */

/** Placeholder for the portal's origin: a path that stays on it stays on any origin. */
const anOrigin = 'https://portal.invalid';

/**
 * The page to come back to after signing in. It is a path of this portal, never an address somebody else chose.
 */
export function readReturnPath(query: Readonly<Record<string, string | undefined>>): string | undefined {
  const path = query.return;
  if (path === undefined || !path.startsWith('/')) return undefined;
  // Parsed as a browser does: `//host`, `/\host` and the like name another origin.
  const url = new URL(path, anOrigin);
  if (url.origin !== anOrigin || url.pathname === '/sign-in') return undefined;
  // Rejects the rest of `/.//host`, which names another origin when parsed again.
  return url.pathname.startsWith('//') ? undefined : url.pathname + url.search;
}

export function signInPath(returnTo: string): string {
  return `/sign-in?${new URLSearchParams({ return: returnTo })}`;
}
