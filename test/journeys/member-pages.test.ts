import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import { accessibilityViolations, openChromium, screenshot } from '../support/chromium.ts';
import { memberOf, originsOf, register, registrationOf } from './journey.ts';

/** The members' pages in Chromium: desktop and phone, dark mode, zoom, keyboard. */

const sizes: Record<string, BrowserContextOptions> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  'narrowest, dark': { viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
  // WCAG 1.4.10: 1280 px at 400 % is 320 CSS pixels wide, here 200 high.
  'zoomed 400 %': { viewport: { width: 320, height: 200 }, deviceScaleFactor: 4 },
};

async function authorizationUrl(redirectUri: string, attested = true): Promise<string> {
  const origins = originsOf('sandbox');
  const app = await register(
    'sandbox',
    registrationOf('DSNP', {
      displayName: 'Healthy Steps',
      redirectUris: [redirectUri],
      pkceRequired: false,
      attested,
      applicationUri: 'https://app.example.org',
      privacyUri: 'https://app.example.org/privacy',
      termsOfServiceUri: 'https://app.example.org/terms',
    }),
  );
  return `${authorizationServerEndpoints(origins, 'DSNP').authorization}?${new URLSearchParams({
    client_id: app.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    state: 'pages',
    aud: fhirBase(origins, 'DSNP', 'patient-access'),
  })}`;
}

describe('the member’s pages in Chromium', () => {
  let browser: Browser;
  /** The app's redirect URI on this machine: Chromium follows a redirect only if the page's policy allows it. */
  let app: Server;
  let redirectUri: string;
  beforeAll(async () => {
    browser = await openChromium();
    app = createServer((_request, response) => response.end('back at the app'));
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    redirectUri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
  });
  afterAll(async () => {
    await browser.close();
    app.close();
  });

  async function open(options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext(options);
    return await context.newPage();
  }

  async function expectAccessible(page: Page, name: string): Promise<void> {
    await screenshot(page, name);
    expect(await accessibilityViolations(page)).toEqual([]);
    const { scrolls, view } = {
      scrolls: await page.locator('html').evaluate((html) => html.scrollWidth),
      view: page.viewportSize()?.width ?? 0,
    };
    expect(scrolls).toBeLessThanOrEqual(view);
  }

  it.each(Object.entries(sizes))('let a member sign in and share: %s', async (size, options) => {
    const member = memberOf('sandbox', 'DSNP');
    const page = await open(options);
    await page.goto(await authorizationUrl(redirectUri));
    await expectAccessible(page, `sign-in ${size}`);
    await page.getByLabel('Member ID or e-mail').fill(member.email);
    await page.getByLabel('Password').fill(member.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectAccessible(page, `consent ${size}`);
    await expect(page.getByRole('heading', { level: 1 }).textContent()).resolves.toContain('Healthy Steps');
    await page.getByRole('button', { name: 'Share my data' }).click();
    const back = new URL(page.url());
    expect(back.origin + back.pathname).toBe(redirectUri);
    expect(back.searchParams.get('code')).toMatch(/^[\w-]{43,}$/);
    await page.context().close();
  });

  it('need no JavaScript', async () => {
    const member = memberOf('sandbox', 'DSNP');
    const page = await open({ javaScriptEnabled: false });
    await page.goto(await authorizationUrl(redirectUri));
    await page.getByLabel('Member ID or e-mail').fill(member.memberId);
    await page.getByLabel('Password').fill(member.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Share my data' }).click();
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/^[\w-]{43,}$/);
    await page.context().close();
  });

  it('say what is wrong at the form, and keep the name but not the password', async () => {
    const page = await open(sizes.phone ?? {});
    await page.goto(await authorizationUrl(redirectUri));
    await page.getByLabel('Member ID or e-mail').fill('DSNP00000000');
    await page.getByLabel('Password').fill('not the right password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectAccessible(page, 'sign-in refused');
    await expect(page.getByRole('alert').textContent()).resolves.toMatch(/\S/);
    await expect(page.getByLabel('Member ID or e-mail').inputValue()).resolves.toBe('DSNP00000000');
    await expect(page.getByLabel('Password').inputValue()).resolves.toBe('');
    await page.context().close();
  });

  it('warn of an application that did not attest', async () => {
    const member = memberOf('sandbox', 'DSNP');
    const page = await open(sizes.desktop ?? {});
    await page.goto(await authorizationUrl(redirectUri, false));
    await page.getByLabel('Member ID or e-mail').fill(member.memberId);
    await page.getByLabel('Password').fill(member.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: "Don't share" }).waitFor();
    await expectAccessible(page, 'consent not attested');
    await expect(page.getByRole('main').textContent()).resolves.toMatch(
      /has not (promised|told|confirmed|attested)|not attested/i,
    );
    await page.getByRole('button', { name: "Don't share" }).click();
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    await page.context().close();
  });

  it('show a page for a request that may not be redirected', async () => {
    const page = await open(sizes.phone ?? {});
    const url = new URL(await authorizationUrl(redirectUri));
    url.searchParams.set('redirect_uri', 'https://evil.example/');
    await page.goto(url.href);
    await expectAccessible(page, 'refused request');
    await page.context().close();
  });
});
