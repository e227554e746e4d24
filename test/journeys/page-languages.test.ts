import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { memberOf, originsOf } from './journey.ts';
import {
  type AppHost,
  type CalledBackApp,
  english,
  expectAccessible,
  registerApp,
  signIn,
  startAppHost,
} from './pages-browser.ts';

const spanish = {
  username: 'Número de miembro o correo electrónico',
  password: 'Contraseña',
  signIn: 'Iniciar sesión',
  share: 'Compartir mis datos',
} as const;

describe('the pages in two languages', () => {
  const member = memberOf('sandbox', 'CHPDC');
  let browser: Browser;
  let host: AppHost;
  let app: CalledBackApp;
  beforeAll(async () => {
    browser = await openChromium();
    host = await startAppHost();
    app = await registerApp('CHPDC', 'Pasos Azules', host);
  });
  afterAll(async () => {
    await browser.close();
    host.close();
  });

  it('follow ui_locales, and keep the sign-in when the member switches', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(app.authorizationUrl({ ui_locales: 'fr es-MX' }));
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('es');
    await expectAccessible(page, 'sign-in español');
    await page.getByRole('link', { name: 'English' }).click();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    await signIn(page, member);
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    await page.getByRole('link', { name: 'Español' }).click();
    await expectAccessible(page, 'consent español');
    await page.getByRole('button', { name: spanish.share }).click();
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/^[\w-]{43,}$/);
    await context.close();
  });

  it('remember what the member chose, and else follow the browser', async () => {
    const context = await browser.newContext({ locale: 'es-PR' });
    const page = await context.newPage();
    await page.goto(app.authorizationUrl());
    await expect.poll(() => page.getByLabel(spanish.username).count()).toBe(1);
    await page.getByRole('link', { name: 'English' }).click();
    await page.goto(app.authorizationUrl({ ui_locales: 'es' }));
    await expect.poll(() => page.getByLabel(english.username).count()).toBe(1);
    await context.close();
  });

  it('let a member switch the account and end up at the other one’s data', async () => {
    const other = memberOf('sandbox', 'CHPDC', 1);
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
    const page = await context.newPage();
    await page.goto(app.authorizationUrl());
    await signIn(page, member);
    const first = page.url();
    await page.getByRole('button', { name: 'Not you? Switch account' }).click();
    await signIn(page, other);
    await expect.poll(() => page.getByRole('main').textContent()).toContain(other.familyName);
    await page.getByRole('button', { name: english.share }).click();
    const read = await app.reader(new URL(page.url()));
    expect(await read(other.patientId)).toBe(200);
    expect(await read(member.patientId)).toBe(404);
    await page.goto(first);
    expect(await page.getByRole('button', { name: english.share }).count()).toBe(0);
    await context.close();
  });

  it.each(['choosing-an-app', 'privacy-laws', 'complaints'])('explain %s to anybody', async (guide) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${originsOf('sandbox').auth}/fhir-oauth2/sec/mhbe/${guide}`);
    await expectAccessible(page, `${guide} en`);
    await page.getByRole('link', { name: 'Español' }).click();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('es');
    await page.setViewportSize({ width: 320, height: 640 });
    await expectAccessible(page, `${guide} es`);
    await context.close();
  });
});
