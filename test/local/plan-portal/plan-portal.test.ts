import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { createPlanPortal, planPortalPath } from '../../../local/plan-portal/plan-portal.ts';
import { freePort } from '../../support/free-port.ts';

const port = await freePort();
const issuer = `http://localhost:${port}${planPortalPath}`;
const callback = `http://auth.sandbox.localhost:${port}/fhir-oauth2/federation/mhbe/callback`;
const server = createServer(createPlanPortal({ issuer, port }).handle).listen(port, '127.0.0.1');
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A browser that keeps its cookies and follows no redirect. */
function openBrowser() {
  const cookies = new Map<string, string>();
  return async (url: string, login?: string): Promise<Response> => {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(login !== undefined && { method: 'POST', body: new URLSearchParams({ login }) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
}

/** Begins a sign-in. Returns the address of the page that asks for the member ID. */
async function begin(browser: ReturnType<typeof openBrowser>): Promise<string> {
  const query = new URLSearchParams({
    ...{ client_id: 'member-data', response_type: 'code', redirect_uri: callback, scope: 'openid plan' },
    ...{ state: 'of-the-sign-in', nonce: 'once', code_challenge_method: 'S256' },
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });
  const answer = await browser(`${issuer}/auth?${query}`);
  return new URL(answer.headers.get('location') ?? '', issuer).href;
}

describe('the stand-in of a member portal', () => {
  it('asks for a member ID, and leads back with a code', async () => {
    const browser = openBrowser();
    const page = await begin(browser);
    expect(await (await browser(page)).text()).toContain('It asks for no password');
    const resumed = (await browser(page, 'MHBE20207691')).headers.get('location') ?? '';
    const back = new URL((await browser(resumed)).headers.get('location') ?? '');
    expect(back.href.startsWith(`${callback}?code=`)).toBe(true);
    expect(back.searchParams.get('iss')).toBe(issuer);
  });

  it('says what a member ID is, and asks again', async () => {
    const browser = openBrowser();
    const page = await begin(browser);
    for (const login of ['', 'two words', '<b>']) {
      const answer = await browser(page, login);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('Enter a member ID of letters and digits.');
    }
    expect((await browser(page, 'MHBE20207691')).status).toBe(303);
  });

  it('says that a sign-in has ended, where the browser has none', async () => {
    const page = await begin(openBrowser());
    const answer = await openBrowser()(page);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('This sign-in has ended');
  });
});
