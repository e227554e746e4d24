import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, openChromium, screenshot } from '../support/chromium.ts';
import { localFetch, originsOf, runningSystem } from './journey.ts';

/** The dashboards of the templates, as the local system shows them. */

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser.close());

const metricsAddress = () => `http://localhost:${runningSystem().port}/metrics`;

/** The lines of a graph's legend by their labels. */
async function legendOf(page: Page, graph: string): Promise<ReadonlyMap<string, string>> {
  const items = page.locator('article', { hasText: graph }).locator('.legend li, p + ul li');
  const texts = await items.allTextContents();
  return new Map(
    texts.map((text) => [text.split(': ')[0] ?? '', text.split(': ').slice(1).join(': ')] as const),
  );
}

it('has the calls, refusals and costs of the system in the graphs of the dashboard', async () => {
  const api = originsOf('sandbox').apiTemplate.replace('{lob}', 'egwp');
  const answers = await Promise.all([
    localFetch(`${api}/extfhirpatientaccess/v1/metadata`),
    localFetch(`${api}/extfhirpatientaccess/v1/Patient/other`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(metricsAddress());
  expect((await legendOf(page, 'Calls: ')).get('EGWP')).toMatch(/^\d+, highest \d+$/);
  expect((await legendOf(page, 'Latency, p99: ')).get('EGWP')).toMatch(/, highest /);
  const costs = await legendOf(page, 'Cost of calls: ');
  expect([...costs.keys()]).toEqual([
    'API Gateway and AWS WAF',
    'Lambda, invocations',
    'Lambda, time at 1 GB',
    'DynamoDB, reads',
    'DynamoDB, writes',
  ]);
  for (const dollars of [...costs.values()].slice(0, 3)) expect(Number(dollars)).toBeGreaterThan(0);
  const refusals = page.getByRole('region', { name: /^Refusals by reason/ });
  await expect(
    refusals
      .getByRole('row', { name: /egwp.*401/ })
      .first()
      .textContent(),
  ).resolves.toBeTruthy();
  await page.getByRole('link', { name: 'Server errors by route' }).click();
  await page.getByRole('heading', { level: 1, name: 'Server errors by route' }).waitFor();
  await page.close();
});

it.each([
  ['dark', 390],
  ['light', 1_280],
] as const)('is a page that everybody can read: %s, %i pixels', async (colorScheme, width) => {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
  for (const address of [metricsAddress(), `${metricsAddress()}?query=One+call+in+the+access+log`]) {
    await page.goto(address);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(
      await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    ).toBe(true);
  }
  await page.goto(metricsAddress());
  await screenshot(page, `metrics-${colorScheme}-${width}`);
  await page.close();
});
