/** Check of the path that a sign-in returns to: only one of the portal's own pages. */

/** Stands for the portal's own: a path that stays on it stays on any. */
const anOrigin = 'https://portal.invalid';

/**
 * The page to come back to after signing in. It is a path of this portal, never an address somebody else chose.
 */
export function readReturnPath(query: Readonly<Record<string, string | undefined>>): string | undefined {
  const path = query.return;
  if (path === undefined || !path.startsWith('/')) return undefined;
  // As the browser reads it: `//host`, `/\host` and the like name another origin.
  const url = new URL(path, anOrigin);
  if (url.origin !== anOrigin || url.pathname === '/sign-in') return undefined;
  // What is left of `/.//host`: read once more, it would name another origin.
  return url.pathname.startsWith('//') ? undefined : url.pathname + url.search;
}

export function signInPath(returnTo: string): string {
  return `/sign-in?${new URLSearchParams({ return: returnTo })}`;
}
