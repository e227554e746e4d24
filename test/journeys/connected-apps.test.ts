import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { memberOf, originsOf } from './journey.ts';
import {
  type AppHost,
  english,
  expectAccessible,
  registerApp,
  signIn,
  startAppHost,
} from './pages-browser.ts';

describe('a member’s connected apps', () => {
  const member = memberOf('sandbox', 'MAPD', 1);
  const address = () => `${originsOf('sandbox').auth}/fhir-oauth2/sec/mapd/connected-apps`;
  let browser: Browser;
  let host: AppHost;
  beforeAll(async () => {
    browser = await openChromium();
    host = await startAppHost();
  });
  afterAll(async () => {
    await browser.close();
    host.close();
  });

  async function shareWith(name: string) {
    const app = await registerApp('MAPD', name, host);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(app.authorizationUrl());
    await signIn(page, member);
    await page.getByRole('button', { name: english.share }).click();
    const call = await app.caller(new URL(page.url()));
    await context.close();
    return { app, call, read: async (id: string) => await call(`Patient/${id}`) };
  }

  it.each([
    ['desktop', { viewport: { width: 1280, height: 900 } }],
    ['phone, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', deviceScaleFactor: 2 }],
  ] as const)('are shown with what they read, and stop at the press of a button: %s', async (size, options) => {
    const { app, call, read } = await shareWith(`Blue Steps ${size}`);
    const other = await shareWith(`Green Walks ${size}`);
    expect(await read(member.patientId)).toBe(200);
    expect(await call('ExplanationOfBenefit?_include=ExplanationOfBenefit:coverage')).toBe(200);
    expect(await call('ExplanationOfBenefit?type=none-like-this')).toBe(200);
    expect(await read('another-member')).toBe(404);

    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(address());
    await expectAccessible(page, `visit sign-in ${size}`);
    await signIn(page, member);
    expect(page.url()).toBe(address());
    await expectAccessible(page, `connected apps ${size}`);
    const card = page.locator('section', { hasText: app.name });
    const text = (await card.textContent()) ?? '';
    expect(text).toContain('app.example.org');
    expect(text).toMatch(/Your details\s*Your coverage\s*Your claims/);
    expect(text).toMatch(/Last viewed\s*[A-Z][a-z]+ \d{1,2}, \d{4}, \d{1,2}:\d{2}/);
    const untouched = (await page.locator('section', { hasText: other.app.name }).textContent()) ?? '';
    expect(untouched).toMatch(/Last viewed\s*Not yet/);

    await card.getByRole('link', { name: `Data ${app.name} has viewed` }).click();
    await expectAccessible(page, `history ${size}`);
    const shown = await page.locator('tbody tr td:nth-child(2)').allInnerTexts();
    const claims = member.resources.filter(({ resourceType }) => resourceType === 'ExplanationOfBenefit');
    expect(shown).toEqual([
      'Your claims: no records',
      expect.stringMatching(
        new RegExp(`^Your claims: ${claims.length} records\nYour coverage: \\d records?$`),
      ),
      'Your details',
    ]);
    await page.getByRole('link', { name: 'Back to apps and plans' }).click();

    // The page asks first. Whoever keeps sharing, goes back or loads the page again has ended nothing.
    await page.getByRole('link', { name: `Stop sharing with ${app.name}` }).click();
    await expectAccessible(page, `stop ${size}`);
    await page.reload();
    await page.getByRole('link', { name: 'Keep sharing' }).click();
    expect(await read(member.patientId)).toBe(200);
    await page.getByRole('link', { name: `Stop sharing with ${app.name}` }).click();
    await page.getByRole('button', { name: 'Stop sharing' }).dblclick();
    await expect.poll(() => page.getByRole('status').textContent()).toContain(app.name);
    await expectAccessible(page, `stopped ${size}`);
    expect(await page.getByRole('status').textContent()).toContain('You can share again at any time');
    expect(await page.locator('section', { hasText: app.name }).count()).toBe(0);
    expect(await read(member.patientId)).toBe(401);
    expect(await other.read(member.patientId)).toBe(200);

    await page.getByRole('link', { name: `Stop sharing with ${other.app.name}` }).click();
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('status').waitFor();
    expect(await other.read(member.patientId)).toBe(401);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(address());
    await expect.poll(() => page.getByLabel(english.password).count()).toBe(1);
    await context.close();
  });
});
