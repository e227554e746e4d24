/** The member's browser in the demo. */

import { CookieJar } from 'tough-cookie';
import { type Http, type HttpResponse, headerText } from '../http/client.ts';
import { fillIn, formWithButton, type HtmlPage, readPage } from '../http/html-page.ts';
import { Unexpected } from './expect.ts';

/** Location of the browser: a page, or a URL of the app to which it was redirected. */
export type Location =
  | { readonly kind: 'page'; readonly url: string; readonly response: HttpResponse; readonly page: HtmlPage }
  | { readonly kind: 'app'; readonly url: string };

/** A member's browser, without a screen or scripts. */
export interface Browser {
  open(url: string): Promise<Location>;
  /** Fills in the labeled fields of the form that contains the button, and presses the button. */
  submit(from: Location, byLabel: Readonly<Record<string, string>>, button: string): Promise<Location>;
}

/** Most redirects that the browser follows in a row. */
const mostRedirects = 10;

/**
 * Makes a browser.
 *
 * @param appUri URLs that begin with it are the app's: the browser stops there.
 */
export function createBrowser(http: Http, appUri: string): Browser {
  // The strict jar throws for a `__Host-` cookie without its required attributes, which a real browser would drop silently.
  const jar = new CookieJar(undefined, { prefixSecurity: 'strict' });

  async function go(method: 'GET' | 'POST', url: string, form?: URLSearchParams): Promise<Location> {
    let asked = { method, url, form };
    for (let count = 0; count <= mostRedirects; count += 1) {
      if (asked.url.startsWith(appUri)) return { kind: 'app', url: asked.url };
      const response = await send(asked.method, asked.url, asked.form);
      const location = headerText(response, 'location');
      if (response.status < 300 || response.status > 399 || location === undefined) {
        return { kind: 'page', url: asked.url, response, page: readPage(response.body) };
      }
      asked = { method: 'GET', url: new URL(location, asked.url).href, form: undefined };
    }
    throw new Unexpected('the way to a page', `at most ${mostRedirects} redirects`, asked.url);
  }

  async function send(method: 'GET' | 'POST', url: string, form?: URLSearchParams): Promise<HttpResponse> {
    const cookie = jar.getCookieStringSync(url);
    const { origin } = new URL(url);
    const response = await http({
      method,
      url,
      headers: {
        accept: 'text/html',
        ...(cookie === '' ? {} : { cookie }),
        ...(form === undefined ? {} : { origin, 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: form.toString() }),
    });
    for (const line of response.headers['set-cookie'] ?? []) jar.setCookieSync(line, url);
    return response;
  }

  return {
    open: (url) => go('GET', url),
    async submit(from, byLabel, button) {
      const form = from.kind === 'page' ? formWithButton(from.page, button) : undefined;
      if (from.kind !== 'page' || form === undefined) {
        const seen = from.kind === 'page' ? from.page.text.slice(0, 300) : from.url;
        throw new Unexpected('the page', `a form with the button "${button}"`, seen);
      }
      const fields = fillIn(form, byLabel, button);
      const target = new URL(form.action === '' ? from.url : form.action, from.url);
      if (form.method === 'POST') return await go('POST', target.href, fields);
      target.search = fields.toString();
      return await go('GET', target.href);
    },
  };
}
