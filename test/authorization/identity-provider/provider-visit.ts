/**
 * Signs in at a provider's development pages as a browser does.
 *
 * @returns the address to which the provider redirects in the end: the client's redirect URI with the answer.
 */
export async function signInAtProvider(address: string, login: string): Promise<string> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  let next = new URL(address);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 10 && next.origin === origin; step += 1) {
    const answer = await fetch(next, {
      ...{ redirect: 'manual', method: form === undefined ? 'GET' : 'POST' },
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { body: form }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location !== null) {
      form = undefined;
      next = new URL(location, next);
      continue;
    }
    const page = await answer.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`no form: ${page.slice(0, 400)}`);
    form = new URLSearchParams({ prompt: 'login', login, password: 'any' });
    next = new URL(action, next);
  }
  return next.href;
}
