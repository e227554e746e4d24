import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { StatusView } from '../../lambdas/portal/api/status-view.ts';
import { laptop, phone } from '../support/accessible-page.ts';
import { accessibilityViolations, openChromium, screenshot } from '../support/chromium.ts';
import { localFetch } from './journey.ts';
import { ops, opsEnds, portalOrigin } from './portal/portal.ts';

/** The status as its readers have it, without JavaScript, beside operators who write an incident and end it. */

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser.close());

/** The functions keep a status for half a minute. */
const patience = { timeout: 45_000, interval: 1_000 };
const readJson = async () => (await (await localFetch(`${portalOrigin()}/api/status`)).json()) as StatusView;
const isWider = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

it('is measured at the public addresses of every component, and counted once in five minutes', async () => {
  // Beside other tests a cold start may take longer than a call of the measurement waits; the next one finds the function warm.
  await vi.waitFor(
    async () => expect(await ops('status', 'measure')).toMatch(/^\d+ components answer, 0 do not/),
    { timeout: 240_000, interval: 1_000 },
  );
  await ops('status', 'measure');
  const listed = await ops('status', 'components');
  for (const component of ['portal', 'production/registration', 'sandbox/DSNP/patient-access']) {
    expect(listed).toMatch(new RegExp(`${component} +answers`));
  }
  await vi.waitFor(async () => {
    const { parts: measured } = await readJson();
    expect(measured.length).toBeGreaterThan(35);
    expect(measured.filter(({ answers }) => !answers)).toEqual([]);
  }, patience);
});

describe.each([
  ['a phone', phone],
  ['a laptop', laptop],
] as const)('on %s, without JavaScript', (name, look) => {
  it('says what answers, loads no script, and has no violation of WCAG 2.2 AA', async () => {
    const page = await (await browser.newContext({ ...look, javaScriptEnabled: false })).newPage();
    await page.goto(`${portalOrigin()}/status`);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Status');
    expect(await page.locator('.page__lead').textContent()).toMatch(/^All \d+ measured components answer\./);
    expect(await page.locator('script').count()).toBe(0);
    expect(await page.getByText(/% of [\d,]+ checks? answered on 1 measured day/).count()).toBeGreaterThan(
      10,
    );
    expect(await page.locator('svg.day-bars').count()).toBeGreaterThan(10);
    expect(await isWider(page)).toBe(false);
    await screenshot(page, `status-${name.slice(2)}`);
    await page.context().close();
    const looked = await (await browser.newContext(look)).newPage();
    await looked.goto(`${portalOrigin()}/status`);
    expect(await accessibilityViolations(looked)).toEqual([]);
    await looked.context().close();
  });
});

it('shows an incident of an operator on the page, in the feed and in the API, until another one ends it', async () => {
  const title = `Searches are slow ${randomUUID().slice(0, 8)}`;
  const written = [
    ...['status', 'open', '--severity', 'degraded', '--title', title, '--text', 'Searches take $& seconds.'],
    ...['--environment', 'sandbox', '--lob', 'DSNP,MAPD', '--component', 'patient-access'],
  ];
  const opened = JSON.parse(await ops(...written, '--json')).result as { readonly id: string };
  // The same command again, as after an unknown outcome.
  expect(JSON.parse(await ops(...written, '--json')).result.id).toBe(opened.id);
  await vi.waitFor(async () => {
    const found = (await readJson()).incidents.filter(({ id }) => id === opened.id);
    expect(found).toMatchObject([
      { title, state: 'open', parts: ['sandbox/DSNP/patient-access', 'sandbox/MAPD/patient-access'] },
    ]);
  }, patience);
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await vi.waitFor(async () => {
    await page.goto(`${portalOrigin()}/status`);
    const incident = await page.locator(`[id="${opened.id}"]`).textContent({ timeout: 2_000 });
    expect(incident).toContain('Searches take $& seconds.');
  }, patience);
  await page.context().close();

  const [one, other] = await Promise.all(
    ['Olga', 'Omar'].map((operator) =>
      opsEnds('status', 'update', opened.id, '--text', `${operator} is looking.`, '--operator', operator),
    ),
  );
  expect([one?.code, other?.code]).toContain(0);
  await ops('status', 'resolve', opened.id, '--text', 'The index is built again.');
  const again = await opsEnds('status', 'update', opened.id, '--text', 'One more.');
  expect([again.code, again.printed]).toEqual([1, expect.stringContaining('The incident is over.')]);
  await vi.waitFor(async () => {
    const feed = await localFetch(`${portalOrigin()}/status.xml`);
    expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    const text = await feed.text();
    expect(text).toContain(`<title>Resolved: ${title} (degraded)</title>`);
    expect(text).not.toContain('Olga</');
  }, patience);
});
