import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openChromium } from '../../support/chromium.ts';
import { type PublishedApi, publishedApi } from '../published-openapi.ts';
import { portalOrigin } from './portal.ts';

/** One Chromium. Each page has a session of its own. */
export interface PortalChromium {
  /** Opens a page in a new profile, at a path of the portal. */
  open(path: string): Promise<Page>;
}

/**
 * Chromium for the tests of a file: opened before them and closed after them. A test fails for an error that a page logged or that its policy
 * refused, and for an answer of the portal's API that differs from its OpenAPI document. Answers of 400 and above are left to the test.
 */
export function portalChromium(): PortalChromium {
  const complaints: string[] = [];
  let browser: Browser;
  let api: PublishedApi;
  beforeAll(async () => {
    browser = await openChromium();
    api = await publishedApi('portal-openapi.json');
  });
  afterAll(async () => await browser.close());
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });
  return {
    async open(path) {
      const context = await browser.newContext();
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on('requestfinished', async (request) => complaints.push(...(await aboutAnswer(api, request))));
      // On a busy machine the portal may give up a call after a time and ask the person to repeat it. If the journey then waits in vain,
      // this line shows the call.
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
  };
}

/** Differences between an answer and the portal's document; empty if the page has closed meanwhile. */
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

/** Calls the portal's API with the page's session, for steps that other journeys take on the pages. */
export async function api<Answer>(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: Answer }> {
  const asked = JSON.stringify({ method, path, body });
  // Passed as text, since the project's types have no browser.
  return await page.evaluate(`(async ({ method, path, body }) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  })(${asked})`);
}

/**
 * Calls the API and returns the body.
 *
 * @throws Error unless the call succeeds
 */
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
