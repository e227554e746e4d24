import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/accessible-page.ts';
import { accessibilityViolations, screenshot } from '../support/chromium.ts';
import { type BuiltSite, openBuiltSite } from './built-site.ts';

let built: BuiltSite;
beforeAll(async () => {
  built = await openBuiltSite();
});
afterAll(() => built.close());

type Answer = readonly [status: number, body: object, headers?: Record<string, string>];

const token: Answer = [200, { access_token: 'token-1', patient: 'p-1', expires_in: 300 }];
const patient: Answer = [
  200,
  {
    resourceType: 'Patient',
    id: 'p-1',
    birthDate: '1961-04-00',
    generalPractitioner: [{ reference: 'Practitioner/d-1' }],
  },
];

/**
 * Opens a page and answers for the sandbox. The built page’s policy allows the sandbox of a deployment only, so the test leaves the policy
 * out.
 */
async function open(path: string, answers: Readonly<Record<string, Answer>>, more = {}) {
  const opened = await built.open(path, { bypassCSP: true, ...more });
  await answerWith(opened.page, answers);
  return opened;
}

async function answerWith(page: Page, answers: Readonly<Record<string, Answer>>) {
  const cors = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' };
  for (const [pattern, [status, json, headers]] of Object.entries(answers)) {
    await page.route(pattern, (route) =>
      route.request().method() === 'OPTIONS'
        ? route.fulfill({
            status: 204,
            headers: { ...cors, 'access-control-allow-headers': '*, authorization' },
          })
        : route.fulfill({ status, json, headers: { ...cors, ...headers } }),
    );
  }
}

const read = '**/extfhirpatientaccess/v1/**';
const tokens = '**/fhir-oauth2/pub/dsnp/token';

describe('the live sandbox', () => {
  it.each([
    '/',
    '/docs/get-started',
  ])('reads a fictional member from %s, and what it refers to', async (path) => {
    const { page, complaints } = await open(path, {
      [tokens]: token,
      [read]: patient,
      '**/Practitioner/d-1': [200, { resourceType: 'Practitioner', id: 'd-1' }],
    });
    await page.getByRole('button', { name: 'Read a member' }).press('Enter');
    const live = page.locator('#live-sandbox');
    await live.getByRole('heading', { name: /Read a member 200 after \d+ ms/ }).waitFor();
    await live.getByText('"1961-04-00"').waitFor();
    await live.getByText('curl --include --location --request GET').waitFor();
    await live.getByLabel('Language').first().selectOption({ label: 'Python' });
    await live.getByText('import urllib.request').first().waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, `live-sandbox${path.replaceAll('/', '-')}`);
    await live.getByRole('button', { name: '"Practitioner/d-1"' }).press('Enter');
    await live.getByRole('heading', { name: /Read Practitioner\/d-1 200/ }).waitFor();
    expect(await page.evaluate('document.activeElement.className')).toBe('live__title');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('says when to try again after too many calls, and keeps the buttons', async () => {
    const { page } = await open('/', {
      [tokens]: [429, { error: 'temporarily_unavailable' }, { 'Retry-After': '42' }],
    });
    await page.getByRole('button', { name: 'Read a member' }).click();
    await page.getByText('Try again in 42 seconds, or get your own key.').waitFor();
    await answerWith(page, { [tokens]: token, [read]: patient });
    await page.getByRole('button', { name: 'Search the member’s claims' }).click();
    await page.getByRole('heading', { name: /Search the member’s claims 200/ }).waitFor();
    await page.context().close();
  });

  it('says that there was no answer where the browser is offline, before and after its script came', async () => {
    const { page } = await open('/', { [tokens]: token, [read]: patient });
    await page.context().setOffline(true);
    await page.route(/\/assets\/(?!.*home).*\.js$/, (route) => route.abort());
    await page.getByRole('button', { name: 'Read a member' }).click();
    await page.getByText('The page could not load the part that sends the call.').waitFor();
    await page.getByText('curl --include --location --request POST').first().waitFor();
    await page.context().close();

    const second = await open('/', {});
    await second.page.route(tokens, (route) => route.abort());
    await second.page.getByRole('button', { name: 'Read a member' }).click();
    await second.page.getByText('You may be offline').waitFor();
    await second.page.context().close();
  });

  it('shows requests that work in a terminal, and no button, where no script runs', async () => {
    const { page } = await open('/', {}, { javaScriptEnabled: false });
    await page.getByText('curl --include --location --request POST').first().waitFor();
    await page.getByText('client_id=sandbox-demonstration').first().waitFor();
    expect(await page.getByRole('button', { name: 'Read a member' }).isVisible()).toBe(false);
    await page.context().close();
  });

  it('is accessible with a response, light and dark, on a laptop and a phone', async () => {
    const { page } = await open('/', { [tokens]: token, [read]: patient });
    await page.getByRole('button', { name: 'Read a member' }).click();
    await page.getByText('"1961-04-00"').waitFor();
    await expectAccessible(page, 'live-sandbox');
    await page.context().close();
  });
});
