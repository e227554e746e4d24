import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { laptop, phone } from '../support/accessible-page.ts';
import { accessibilityViolations, openChromium, screenshot } from '../support/chromium.ts';
import { localFetch, runningSystem } from './journey.ts';

/**
 * "Find a doctor" on a phone, without JavaScript, and by keyboard. The synthetic directory is loaded in the background when the system
 * starts.
 */

const sizes = [
  ['a phone', phone],
  ['a laptop', laptop],
] as const;

let browser: Browser;
let address: string;
beforeAll(async () => {
  browser = await openChromium();
  address = `http://portal.localhost:${runningSystem().port}/find-a-doctor`;
  const page = await browser.newPage();
  await vi.waitFor(
    async () => {
      const response = await page.goto(`${address}?environment=sandbox&lob=DSNP`);
      expect(response?.status()).toBe(200);
    },
    // One IP address may search once a second.
    { timeout: 120_000, interval: 2_000 },
  );
  await page.close();
});
afterAll(async () => {
  await browser.close();
});

const doctors = (page: Page) => page.locator('ol > li');
const isWider = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

describe.each(sizes)('on %s, without JavaScript', (name, look) => {
  it('finds doctors by plan, specialty, ZIP code and language', async () => {
    const page = await (await browser.newContext({ ...look, javaScriptEnabled: false })).newPage();
    // The sandbox has a directory from the start, so the page shows results without a search.
    await page.goto(address);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Find a doctor');
    await page.getByLabel('Health plan').selectOption('DSNP');
    await page.getByLabel('Specialty').selectOption('primary');
    await page.getByRole('button', { name: 'Search' }).click();
    // The click ends when the next page begins to load; its list may arrive later.
    await expect.poll(() => doctors(page).count()).toBe(20);
    await expect.poll(() => page.locator('#results').textContent()).toMatch(/^Results 1 to 20 of [\d,]+$/);
    for (const doctor of await doctors(page).all())
      await expect.poll(() => doctor.textContent()).toContain('Primary care');
    const zip =
      /\b(\d{5})\b/.exec((await doctors(page).first().locator('address').first().textContent()) ?? '')?.[1] ??
      '';
    await page.getByLabel('ZIP code').fill(zip);
    await page.getByLabel('Distance').selectOption('5');
    await page.getByRole('button', { name: 'Search' }).click();
    await page
      .getByText(/ miles away/)
      .first()
      .waitFor();
    await expect.poll(() => page.getByLabel('ZIP code').inputValue()).toBe(zip);
    // The cards have a padding.
    await expect
      .poll(() => page.evaluate('getComputedStyle(document.querySelector("ol > li")).paddingLeft'))
      .not.toBe('0px');
    await screenshot(page, `find-a-doctor-${name}`);
    await page.context().close();
  });

  it('has no violation of WCAG 2.2 AA, and nothing wider than the screen', async () => {
    const page = await (await browser.newContext(look)).newPage();
    for (const query of [
      '',
      '?lob=',
      '?environment=sandbox&lob=DSNP&specialty=primary',
      '?environment=sandbox&lob=DSNP&zip=abc',
    ]) {
      await page.goto(`${address}${query}`);
      expect([query, await accessibilityViolations(page)]).toEqual([query, []]);
      expect([query, await isWider(page)]).toEqual([query, false]);
    }
    await page.context().close();
  });
});

it('the truth report of a directory is a page without violations of WCAG 2.2 AA', async () => {
  const page = await browser.newPage(phone);
  const host = `http://dsnp.api.sandbox.localhost:${runningSystem().port}`;
  await page.goto(`${host}/extfhirproviderdir/v1/public/truth-report`);
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('is verified');
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await isWider(page)).toBe(false);
  await page.close();
});

describe('the page', () => {
  it('is used with the keyboard alone', async () => {
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto(`${address}?environment=sandbox&lob=DSNP`);
    await page.getByLabel('Name').focus();
    await page.keyboard.type('a');
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]name=a&/);
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]name=&/);
    const next = page.getByRole('link', { name: 'Next results' });
    await next.focus();
    const first = await doctors(page).first().textContent();
    await page.keyboard.press('Enter');
    await page.waitForURL(/cursor=/);
    await expect.poll(() => doctors(page).first().textContent()).not.toBe(first);
    expect(await page.title()).toMatch(/^Results 21 to 40 of [\d,]+: Find a doctor/);
    // Back and a reload show the same results again, because the address has the search.
    await page.reload();
    await expect.poll(() => doctors(page).first().textContent()).not.toBe(first);
    await page.goBack();
    await expect.poll(() => doctors(page).first().textContent()).toBe(first);
    await page.context().close();
  });

  it('leads to the results, and from none to those of a wider search', async () => {
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto(`${address}?environment=sandbox&lob=DSNP`);
    await page.getByLabel('Name').fill('dermatologist');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/name=dermatologist.*#results$/);
    await page.getByRole('link', { name: 'Search for the specialty Skin (dermatology)' }).click();
    await page.waitForURL(/specialty=skin/);
    await expect.poll(() => doctors(page).count()).toBeGreaterThan(0);
    expect(await page.getByLabel('Name').inputValue()).toBe('');
    await page.context().close();
  });

  it('finds a name that is written with the last name first', async () => {
    const page = await browser.newPage();
    await page.goto(`${address}?lob=DSNP`);
    const name = (await doctors(page).first().locator('h3').textContent()) ?? '';
    const [first = '', ...others] = name.split(',')[0]?.split(' ') ?? [];
    await page.goto(`${address}?lob=DSNP&name=${encodeURIComponent(`${others.join(' ')}, ${first}`)}`);
    await expect.poll(() => doctors(page).first().locator('h3').textContent()).toBe(name);
    await page.close();
  });

  it('shows the request behind each result, and no key', async () => {
    const page = await browser.newPage();
    await page.goto(`${address}?environment=sandbox&lob=DSNP`);
    const summary = page.getByText('The request behind this result').first();
    await summary.click();
    const shown = await doctors(page).first().locator('pre').textContent();
    expect(shown).toMatch(/GET http.*\/extfhirproviderdir\/v1\/PractitionerRole\/\S+/);
    expect(await page.content()).not.toMatch(/x-api-subscription-key: (?!your key)/);
    await page.close();
  });

  it.each([
    ['lob=', 400, 'Select a plan.'],
    ['lob=DSNP&zip=9720', 400, 'Enter a 5-digit ZIP code'],
    // The synthetic directory has no address near Portland, Oregon; the coordinates of the ZIP code are from the table.
    ['lob=DSNP&zip=97201', 200, 'No results'],
    ['lob=DSNP&zip=00000', 200, 'ZIP code 00000 is not in use'],
    [`lob=DSNP&cursor=forged`, 200, 'cursor'],
    [`lob=DSNP&name=${encodeURIComponent(`"';-- NEAR( <b>`)}`, 200, 'No results'],
  ])('says what is wrong with %s', async (query, status, words) => {
    const page = await browser.newPage();
    const response = await page.goto(`${address}?environment=sandbox&${query}`);
    expect(response?.status()).toBe(status);
    await expect.poll(() => page.locator('main').textContent()).toContain(words);
    await page.close();
  });
});

// The last test, since it uses up the searches of the IP address that all tests share.
it('lets one address search sixty times in a minute, and says when it may again', async () => {
  const statuses = new Set<number>();
  for (let search = 0; search < 130 && !statuses.has(429); search += 1)
    statuses.add((await localFetch(`${address}?lob=`)).status);
  expect(statuses).toContain(429);
  const refused = await localFetch(`${address}?lob=`);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.text()).toContain('Too many searches');
});
