import type { Browser, Page, Request } from 'playwright-core';
import { openChromium } from '../../support/chromium.ts';
import { type PublishedApi, publishedApi } from '../published-openapi.ts';
import { portalOrigin } from './portal.ts';

/** One Chromium; each page has a session of its own. */
export interface PortalChromium {
  /** A page in a fresh profile, at a path of the portal. */
  open(path: string): Promise<Page>;
  /**
   * Errors a page logged, or its policy refused, and answers of the portal's API that aren't as its OpenAPI document says; answers
   * of 400 and above are the journey's own.
   */
  readonly complaints: string[];
  close(): Promise<void>;
}

export async function openPortalChromium(): Promise<PortalChromium> {
  const browser: Browser = await openChromium();
  const complaints: string[] = [];
  const api = await publishedApi('portal-openapi.json');
  return {
    complaints,
    async open(path) {
      const context = await browser.newContext();
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on('requestfinished', async (request) => complaints.push(...(await aboutAnswer(api, request))));
      // On a busy machine the portal gives up a call by the clock and asks the person to repeat it: a wait in vain shows which.
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (response.status() >= 500)
          console.error(`${response.status()} ${response.request().method()} ${pathname}`);
      });
      page.on('pageerror', (error) => complaints.push(`${page.url()}: ${String(error)}`));
      page.on('console', (message) => {
        const answered = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !answered) complaints.push(`${page.url()}: ${message.text()}`);
      });
      await page.goto(portalOrigin() + path);
      return page;
    },
    close: async () => await browser.close(),
  };
}

/** Differences between an answer and the portal's document; none for an answer whose page has closed. */
async function aboutAnswer(api: PublishedApi, request: Request): Promise<readonly string[]> {
  const response = await request.response().catch(() => null);
  const isCall = request.url().startsWith(`${portalOrigin()}/api/`);
  if (!isCall || response === null || !api.has(request.method(), request.url())) return [];
  const text = await response.text().catch(() => undefined);
  if (text === undefined) return [];
  const headers = response.headers();
  const answered = { status: response.status(), header: (name: string) => headers[name.toLowerCase()], text };
  return api.complaints(request.method(), request.url(), answered);
}

/** A call of the portal's API with the page's own session: for steps that other journeys take by hand. */
export async function api<Answer>(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: Answer }> {
  const asked = JSON.stringify({ method, path, body });
  // As text: the project's types know no browser.
  return await page.evaluate(`(async ({ method, path, body }) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  })(${asked})`);
}

/** The same, where anything but success is a failure of the journey. */
export async function done<Answer>(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await api<Answer>(page, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.body;
}
