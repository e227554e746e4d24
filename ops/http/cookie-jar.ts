interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
}

/**
 * What a browser keeps of `Set-Cookie` (RFC 6265) for hosts without a `Domain` attribute, as ours have none. `Secure`
 * cookies work over http to this machine, as in Chromium.
 */
export interface CookieJar {
  store(url: string, setCookie: readonly string[]): void;
  /** The `Cookie` header for a URL; undefined when there is none. */
  header(url: string): string | undefined;
}

export function createCookieJar(now: () => number = Date.now): CookieJar {
  let cookies: Cookie[] = [];
  return {
    store(url, setCookie) {
      for (const line of setCookie) {
        const { cookie, ended } = parseSetCookie(url, line, now());
        cookies = cookies.filter(
          ({ name, host, path }) => !(name === cookie.name && host === cookie.host && path === cookie.path),
        );
        if (!ended) cookies.push(cookie);
      }
    },
    header(url) {
      const { hostname, pathname } = new URL(url);
      const sent = cookies.filter(({ host, path }) => host === hostname && underPath(pathname, path));
      return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
  };
}

function parseSetCookie(url: string, line: string, now: number): { cookie: Cookie; ended: boolean } {
  const { hostname, pathname } = new URL(url);
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
  const attributes = new Map(
    rest.map((part) => {
      const [name = '', value = ''] = split(part);
      return [name.toLowerCase(), value] as const;
    }),
  );
  const [name, value] = split(pair);
  const given = attributes.get('path');
  const path = given?.startsWith('/') ? given : pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
  const maxAge = attributes.get('max-age');
  const expires = attributes.get('expires');
  const ended =
    maxAge !== undefined ? Number(maxAge) <= 0 : expires !== undefined && Date.parse(expires) <= now;
  return { cookie: { name, value, host: hostname, path }, ended };
}

function split(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** RFC 6265 section 5.1.4. */
function underPath(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
