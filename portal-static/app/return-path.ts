/** Reads and checks the path to which a sign-in returns: only a page of the portal is accepted. */

/** Placeholder for the portal's origin. A path that stays on this origin when parsed stays on any origin. */
const anOrigin = 'https://portal.invalid';

/** The page to open after signing in; undefined unless it is a path of this portal, to prevent open redirects. */
export function readReturnPath(query: Readonly<Record<string, string | undefined>>): string | undefined {
  const path = query.return;
  if (path === undefined || !path.startsWith('/')) return undefined;
  // Parsed as a browser does: `//host`, `/\host` and similar paths lead to another origin.
  const url = new URL(path, anOrigin);
  if (url.origin !== anOrigin || url.pathname === '/sign-in') return undefined;
  // `/.//host` has the pathname `//host`, which leads to another origin when it is parsed again.
  return url.pathname.startsWith('//') ? undefined : url.pathname + url.search;
}

export function signInPath(returnTo: string): string {
  return `/sign-in?${new URLSearchParams({ return: returnTo })}`;
}
