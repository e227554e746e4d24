import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fhirFailures } from '../../lambdas/catalog/fhir/fhir-refusals.ts';
import type { AddressesView } from '../../lambdas/portal/api/views.ts';
import { configuredService } from '../../portal-static/build/build.ts';
import {
  goesToSandbox,
  sandboxDocument,
  withCredentials,
} from '../../portal-static/pages/reference/sandbox-document.ts';
import { member, operationsOf } from '../docs/documents.ts';
import { accessibilityViolations, screenshot } from '../support/chromium.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';

const { environments } = configuredService({});
const addressesOf = (name: 'sandbox' | 'production') => ({
  ...environments[name].origins,
  resourceId: environments[name].resourceId,
});
const addresses: AddressesView = {
  environments: { sandbox: addressesOf('sandbox'), production: addressesOf('production') },
  tryItRedirectUri: 'https://developer.memberdata.example/try/callback',
};
const { sandbox, production } = addresses.environments;
const dsnp = sandbox.apiTemplate.replace('{lob}', 'dsnp');

describe('what a call from the reference carries', () => {
  const credentials = { subscriptionKey: 'the-key', accessToken: 'the-token' };
  const sent = (url: string, headers: Record<string, string> = {}) =>
    withCredentials({ url, headers }, credentials, addresses).headers;

  it('is key and token on the sandbox’s data', () => {
    expect(sent(`${dsnp}/extfhirpatientaccess/v1/Patient/1`)).toEqual({
      'x-api-subscription-key': 'the-key',
      Authorization: 'Bearer the-token',
    });
  });

  it('is what was given by hand, where something was', () => {
    const own = { authorization: 'Bearer other', 'X-API-Subscription-Key': 'other' };
    expect(sent(`${dsnp}/extfhirpatientaccess/v1/Patient/1`, own)).toEqual(own);
  });

  it('is no token where a client’s own secret belongs', () => {
    expect(sent(`${sandbox.auth}/fhir-oauth2/pub/dsnp/token`)).not.toHaveProperty('Authorization');
    expect(sent(`${sandbox.token}/token/v2`)).toEqual({ 'x-api-subscription-key': 'the-key' });
    expect(sent(`${sandbox.auth}/fhir-oauth2/pub/dsnp/userinfo`)).toHaveProperty('Authorization');
  });

  it.each([
    production.apiTemplate.replace('{lob}', 'dsnp'),
    production.auth,
    'https://evil.example',
    `${dsnp}.evil.example`,
    dsnp.replace('dsnp', 'dsnp.evil.example/'),
    dsnp.replace('dsnp', 'user:pass@evil'),
    dsnp.replace('https://', 'https://user@'),
    '/docs/openapi.json',
  ])('is nothing for %s', (origin) => {
    expect(sent(`${origin}/extfhirpatientaccess/v1/Patient/1`)).toEqual({});
    expect(goesToSandbox(origin, addresses)).toBe(false);
  });

  it('goes to the sandbox alone: the document shows no other server', () => {
    const shown = sandboxDocument(member as never, addresses);
    const text = JSON.stringify([shown.servers, Object.values(shown.paths).map(({ servers }) => servers)]);
    expect(text).not.toContain(`"${production.apiTemplate}"`);
    expect(text).not.toContain(`"${production.auth}"`);
    for (const { servers } of Object.values(shown.paths)) expect(servers).toHaveLength(1);
  });
});

describe('the API reference', () => {
  let portal: PortalBrowser;

  beforeAll(async () => {
    portal = await openPortalBrowser();
  });
  afterAll(async () => {
    await portal.close();
  });
  beforeEach(() => {
    portal.site.reset();
    portal.complaints.length = 0;
    portal.site.answer('addresses', { body: addresses });
  });

  const operations = operationsOf(member);

  /** Opens the reference with a long timeout, since Swagger UI runs much script. */
  async function openReference() {
    const page = await portal.open('/reference');
    page.setDefaultTimeout(45_000);
    return page;
  }

  /** Opens the reference and waits for its last operation: Swagger UI renders tag by tag. */
  async function openWholeReference() {
    const page = await openReference();
    await page
      .locator('.opblock')
      .nth(operations.length - 1)
      .waitFor();
    return page;
  }

  it('shows every operation, under the policy the site has', async () => {
    const page = await openWholeReference();
    await expect.poll(() => page.locator('.opblock').count()).toBe(operations.length);
    const paths = await page.$$eval('[class^=opblock-summary-path][data-path]', (all) =>
      all.map((it) => it.getAttribute('data-path')),
    );
    expect([...new Set(paths)].sort()).toEqual([...new Set(operations.map(({ path }) => path))].sort());
    const read = page.locator('#operations-Patient_Access-readPatient');
    await read.getByRole('button').first().click();
    await page.getByRole('button', { name: 'Try it out' }).waitFor();
    // A response that many operations share is in the document once, and is shown here.
    await read
      .locator('.response[data-code="503"]')
      .getByText(fhirFailures.unavailable.diagnostics)
      .first()
      .waitFor();
    await screenshot(page, 'reference');
    expect(portal.complaints).toEqual([]);
  });

  it('follows the color scheme and the portal’s font, with its servers on the grid', async () => {
    const page = await openWholeReference();
    const look = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const isDark = `document.documentElement.classList.contains('dark-mode')`;
      await expect.poll(() => page.evaluate(isDark)).toBe(colorScheme === 'dark');
      for (const selector of ['.reference', '.swagger-ui', '.scheme-container']) {
        expect(await look(selector, 'backgroundColor'), selector).toBe('rgba(0, 0, 0, 0)');
      }
      await screenshot(page, `reference-${colorScheme}`);
    }
    const font = await look('body', 'fontFamily');
    for (const selector of [
      '.swagger-ui',
      '.opblock-tag',
      '.opblock-summary-description',
      '.servers label',
    ]) {
      expect(await look(selector, 'fontFamily'), selector).toBe(font);
    }
    const left = (selector: string) =>
      page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().left`);
    expect(await left('.servers')).toBe(await left('.opblock-tag-section'));
  });

  it('sends key and token with a call to the sandbox', async () => {
    const page = await openReference();
    await page.getByLabel('Subscription key (sandbox)').fill('the-key');
    await page.getByLabel('Access token (sandbox)').fill('the-token');
    const operation = page.locator('#operations-Patient_Access-readPatient');
    await operation.waitFor({ timeout: 45_000 });
    await operation.getByRole('button').first().click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table').waitFor();
    // The policy of the test's site allows calls to this host only, so the browser stops the call. The shown command has what would be
    // sent.
    const command = await operation.locator('.curl-command').textContent();
    expect(command).toContain(`${dsnp}/extfhirpatientaccess/v1/Patient/`);
    expect(command).toContain('x-api-subscription-key: the-key');
    expect(command).toContain('Authorization: Bearer the-token');
  });

  it('fills the key in from a developer’s own application', async () => {
    portal.site.answer('account', {
      body: {
        accountId: 'a',
        version: 1,
        state: 'active',
        nextStep: 'none',
        role: 'developer',
        firstName: 'Rosa',
        lastName: 'Example',
        email: 'rosa@example.org',
        company: 'Example',
        teamId: 't',
        createdAt: '2026-11-20T00:00:00Z',
        secretsOpenUntil: new Date(Date.now() + 300_000).toISOString(),
      },
    });
    portal.site.answer('applications', {
      body: {
        applications: [
          {
            applicationId: 'app-1',
            name: 'Care Map',
            state: 'registered_in_sandbox',
            changeState: 'none',
            version: 1,
            updatedAt: '2026-11-20T00:00:00Z',
            attested: false,
          },
        ],
      },
    });
    portal.site.answer('credentials', {
      body: {
        environment: 'sandbox',
        clientId: 'c',
        secrets: [],
        subscriptionKeys: [{ value: 'key-of-care-map', createdAt: '2026-11-20T00:00:00Z' }],
        state: 'active',
      },
    });
    const page = await openReference();
    await page.getByLabel('Use the key of an application').selectOption({ label: 'Care Map' });
    await expect
      .poll(() => page.getByLabel('Subscription key (sandbox)').inputValue(), { timeout: 45_000 })
      .toBe('key-of-care-map');
  });

  it('says so where it could not be loaded, and tries again', async () => {
    portal.site.answer('addresses', { problem: 'environment_unavailable' });
    const page = await openReference();
    await page.getByText('The reference could not be loaded').waitFor({ timeout: 45_000 });
    portal.site.answer('addresses', { body: addresses });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.opblock').first().waitFor({ timeout: 45_000 });
  });

  it('is kept to 320 pixels, and has no violation of our own', async () => {
    const page = await openWholeReference();
    await page.setViewportSize({ width: 320, height: 640 });
    await screenshot(page, 'reference-320');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    const outside = await page.evaluate(
      `[...document.querySelectorAll('.schemes-server-container, .servers select')]
        .filter((it) => it.getBoundingClientRect().left < 0).length`,
    );
    expect(outside).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    // Swagger UI follows the dark color scheme.
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityViolations(page, ['color-contrast'])).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('#operations-Patient_Access-readPatient').getByRole('button').first().click();
    await page.getByRole('button', { name: 'Try it out' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
