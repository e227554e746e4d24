import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { memberOf } from './journey.ts';
import {
  type AppHost,
  type CalledBackApp,
  english,
  expectAccessible,
  registerApp,
  sharedScope,
  signIn,
  startAppHost,
} from './pages-browser.ts';

/** SSO sessions in Chromium: the cookies that a real browser sends from an app's own site, and those that it does not send. */

const keepBox = 'Keep me signed in on this browser for 15 minutes';

describe('a member who keeps the sign-in', () => {
  const member = memberOf('sandbox', 'EGWP');
  let browser: Browser;
  let host: AppHost;
  let app: CalledBackApp;
  beforeAll(async () => {
    browser = await openChromium();
    host = await startAppHost();
    app = await registerApp('EGWP', 'Blue Steps', host);
  });
  afterAll(async () => {
    await browser.close();
    host.close();
  });

  /**
   * Signs in and shares.
   *
   * @returns a page on the app's own site, in the same browser
   */
  async function share(keep: boolean): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(app.authorizationUrl());
    if (keep) await page.getByLabel(keepBox).check();
    await expectAccessible(page, `sign-in ${keep ? 'kept' : 'not kept'}`);
    await signIn(page, member);
    await page.getByRole('button', { name: english.share }).click();
    const read = await app.reader(new URL(page.url()));
    expect(await read(member.patientId)).toBe(200);
    return { context, page };
  }

  /** Follows a link on the app's page by a click. */
  async function follow(page: Page, parameters: Readonly<Record<string, string>>): Promise<URL> {
    const address = app.authorizationUrl(parameters);
    await Promise.all([
      page.waitForNavigation(),
      page.evaluate(`location.assign(${JSON.stringify(address)})`),
    ]);
    return new URL(page.url());
  }

  it('comes back to the app without a page, from the app’s own site', async () => {
    const { context, page } = await share(true);
    const back = await follow(page, { prompt: 'none', state: 'silent', scope: sharedScope });
    expect(`${back.origin}${back.pathname}`).toBe(host.redirectUri);
    expect(back.searchParams.get('state')).toBe('silent');
    const read = await app.reader(back);
    expect(await read(member.patientId)).toBe(200);
    await context.close();
  });

  it('sees whom they are signed in as before they share, and can end it there', async () => {
    const { context, page } = await share(true);
    await follow(page, {});
    await expectAccessible(page, 'consent in an SSO session');
    const text = (await page.textContent('main')) ?? '';
    expect(text).toContain('You are signed in as');
    await page.getByRole('button', { name: 'Not you? Switch account' }).click();
    await page.getByLabel(english.password).waitFor();
    await expect.poll(() => page.getByLabel(keepBox).isChecked()).toBe(false);
    await page.goto(host.redirectUri);
    const back = await follow(page, { prompt: 'none' });
    expect(back.searchParams.get('error')).toBe('login_required');
    await context.close();
  });

  it('is asked for the password by another site’s form, and nothing is given to its frame', async () => {
    const { context, page } = await share(true);
    await page.goto(host.redirectUri);
    const { origin, pathname, searchParams } = new URL(app.authorizationUrl());
    const fields = Object.fromEntries(searchParams);
    await Promise.all([
      page.waitForNavigation(),
      page.evaluate(`{
        const form = document.createElement('form');
        form.method = 'post';
        form.action = ${JSON.stringify(`${origin}${pathname}`)};
        for (const [name, value] of Object.entries(${JSON.stringify(fields)}))
          form.append(Object.assign(document.createElement('input'), { name, value }));
        document.body.append(form);
        form.submit();
      }`),
    ]);
    await expect.poll(() => page.getByLabel(english.password).count()).toBe(1);
    await page.goto(host.redirectUri);
    const silent = JSON.stringify(app.authorizationUrl({ prompt: 'none' }));
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: ${silent} }))`,
    );
    const framed = () => page.frames().at(-1)?.url() ?? '';
    await expect.poll(framed).toContain('error=');
    expect(new URL(framed()).searchParams.get('error')).toBe('login_required');
    // Outside a frame the browser sends the cookie, so the member is still signed in.
    const led = await follow(page, { prompt: 'none', scope: sharedScope });
    expect(led.searchParams.get('code')).not.toBeNull();
    await context.close();
  });

  it('or leaves the box empty, and finds the password asked for again', async () => {
    const { context, page } = await share(false);
    const back = await follow(page, { prompt: 'none' });
    expect(back.searchParams.get('error')).toBe('login_required');
    await follow(page, {});
    await expect.poll(() => page.getByLabel(english.password).count()).toBe(1);
    const names = (await context.cookies()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('__Host-member-'))).toEqual([]);
    await context.close();
  });
});
