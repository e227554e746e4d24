import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { draftRequest } from '../../lambdas/portal/api/application-requests.ts';
import type { ApplicationConfiguration } from '../../lambdas/portal/api/applications.ts';
import { expectAccessible } from '../support/accessible-page.ts';
import { account, openedAccount } from './accounts.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';
import { aConfiguration, anApplication } from './applications-fixtures.ts';
import { calls, credentials, usage } from './applications-fixtures-more.ts';

let portal: PortalBrowser;
beforeAll(async () => {
  portal = await openPortalBrowser();
});
afterAll(() => portal.close());
beforeEach(() => {
  portal.site.reset();
  portal.site.answer('account', { body: account() });
  portal.site.answer('applications', { body: { applications: [] } });
  portal.site.answer('drafts', { body: { drafts: [] } });
  portal.site.answer('saveDraft', { body: {} });
});
afterEach(async () => {
  await portal.leave();
  expect(portal.complaints.splice(0)).toEqual([]);
});

const bodiesOf = (route: string) =>
  portal.site.calls.filter((call) => call.route === route).map(({ body }) => body);

describe('the list of applications', () => {
  it('switches between the environments and shows each state', async () => {
    const applications = [
      anApplication({ applicationId: 'app-1' }),
      anApplication({ applicationId: 'app-2', name: 'Pill Diary', state: 'approved', changeState: 'draft' }),
    ];
    portal.site.answer('applications', { body: { applications } });
    const draft = { draftId: 'draft-0001', screen: 'uris', values: {}, savedAt: '2026-11-19T12:00:00Z' };
    portal.site.answer('drafts', { body: { drafts: [draft] } });
    const page = await portal.open('/applications');
    await page.getByRole('link', { name: 'Pill Diary' }).waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: /Continue draft/ }).getAttribute('href'))
      .toBe('/applications/register?draft=draft-0001&screen=uris');
    await expectAccessible(page, 'applications');
    await page.getByRole('navigation', { name: 'Environment' }).getByText('Production').click();
    await page.getByRole('heading', { name: 'Promote an application to production' }).waitFor();
    await expect
      .poll(() => page.getByRole('heading', { level: 2 }).allTextContents())
      .toEqual(['Pill Diary', 'Promote an application to production']);
    await expectAccessible(page, 'applications-production');
  });

  it('promotes by choosing, and by the older button, and says what is still to do', async () => {
    portal.site.answer('applications', { body: { applications: [anApplication()] } });
    portal.site.answer('promote', {
      problem: 'preflight_failed',
      more: {
        checks: [
          { id: 'evidence', title: 'Patient Access was called', result: 'fail', detail: 'No call yet.' },
        ],
      },
    });
    const page = await portal.open('/applications?environment=production');
    await page.getByRole('button', { name: 'Promote to Prod' }).click();
    await page.getByText('Patient Access was called').waitFor();
    portal.site.answer('promote', { body: anApplication({ state: 'promoted_to_production' }) });
    portal.site.answer('application', { body: anApplication({ state: 'promoted_to_production' }) });
    await page.getByRole('button', { name: 'Register Application' }).click();
    await page.getByLabel('Sandbox application').selectOption('app-1');
    await page.getByRole('button', { name: 'Promote to production' }).click();
    await page.waitForURL('**/applications/app-1/edit/production');
    expect(bodiesOf('promote')).toEqual([{ version: 1 }, { version: 1 }]);
  });
});

describe('registration', () => {
  it('is filled in with examples by one press, each marked until it is changed', async () => {
    portal.site.answer('registerApplication', { status: 201, body: anApplication() });
    portal.site.answer('application', { body: anApplication() });
    const page = await portal.open('/applications/register');
    await page.getByLabel('Application Name').fill('Steps');
    await page.getByRole('button', { name: 'Fill in examples and review' }).press('Enter');
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    expect(await page.getByText('Example. Replace it before production.').count()).toBe(6);
    expect(await page.getByText('From your account.').count()).toBe(2);
    await expectAccessible(page, 'register-examples');
    await page.getByRole('button', { name: 'Change URIs' }).click();
    await page.getByLabel('Privacy URI').fill('https://steps.example.org/privacy');
    await expect.poll(() => page.getByText('Example. Replace it before production.').count()).toBe(5);
    await expectAccessible(page, 'register-examples-uris');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Register in sandbox' }).click();
    await page.waitForURL('**/applications/app-1');
    const [sent] = bodiesOf('registerApplication') as { configuration: object }[];
    expect(sent?.configuration).toMatchObject({
      applicationName: 'Steps',
      applicationUri: 'http://localhost:3000/',
      loginRedirectUris: ['http://localhost:3000/callback'],
      privacyUri: 'https://steps.example.org/privacy',
      contactEmail: account().email,
    });
  });

  it('goes over three screens to a review, and keeps a draft with each', async () => {
    portal.site.answer('registerApplication', { status: 201, body: anApplication() });
    portal.site.answer('application', { body: anApplication() });
    const page = await portal.open('/applications/register');
    await page.getByRole('button', { name: 'Continue' }).click();
    const summary = page.getByRole('alert');
    await summary.getByRole('link', { name: /Application Name/ }).click();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('applicationName');
    await page.getByLabel('Application Name').fill(aConfiguration.applicationName);
    await page.getByLabel('Web application with a server').press('Space');
    await expect.poll(() => page.getByLabel('authorization_code').isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel('client_secret_basic').isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel('client_credentials').isDisabled()).toBe(true);
    await page.getByLabel('Patient Access').press('Space');
    await page.getByLabel('Provider Directory').press('Space');
    await page.getByLabel('MHBE').press('Space');
    await page.getByLabel('DSNP').press('Space');
    await page.getByText('MHBE has no Provider Directory.').waitFor();
    // Each error disappeared when its field was answered.
    expect(await page.locator('.usa-error-message').count()).toBe(0);
    await expectAccessible(page, 'register-1');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'URIs', level: 1 }).waitFor();
    await fillAddresses(page);
    await expectAccessible(page, 'register-2');
    await page.getByRole('button', { name: 'Back' }).click();
    await expect
      .poll(() => page.getByLabel('Application Name').inputValue())
      .toBe(aConfiguration.applicationName);
    await page.goForward().catch(() => undefined);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'URIs', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Contact Email').fill('team@companion.example.org');
    await page.getByLabel('US Support Contact Phone Number').fill('202-555-0123');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    await expectAccessible(page, 'register-review');
    await page.getByRole('button', { name: 'Register in sandbox' }).click();
    await page.waitForURL('**/applications/app-1');
    const [sent] = bodiesOf('registerApplication') as { configuration: object; draftId: string }[];
    expect(sent?.configuration).toMatchObject({
      applicationType: 'web',
      products: ['patient-access', 'provider-directory'],
      loginRedirectUris: ['https://companion.example.org/callback', 'http://localhost:3000/callback'],
      contactEmail: 'team@companion.example.org',
    });
    const drafts = bodiesOf('saveDraft') as { screen: string }[];
    expect(drafts.map(({ screen }) => screen)).toEqual(
      expect.arrayContaining(['registration', 'uris', 'contact']),
    );
  });

  it('goes on with a draft, and shows what the API refuses at its field', async () => {
    const { contactEmail: _, ...values } = aConfiguration;
    const draft = { draftId: 'draft-0001', screen: 'contact', values, savedAt: '2026-11-19T12:00:00Z' };
    portal.site.answer('drafts', { body: { drafts: [draft] } });
    portal.site.answer('registerApplication', {
      problem: 'invalid_request',
      more: {
        errors: [{ pointer: '/configuration/tosUri', code: 'invalid', expected: 'an address that answers' }],
      },
    });
    const page = await portal.open('/applications/register?draft=draft-0001&screen=contact');
    await expect
      .poll(() => page.getByLabel('US Support Contact Phone Number').inputValue())
      .toBe('202-555-0123');
    await page.getByLabel('Contact Email').fill('team@companion.example.org');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Register in sandbox' }).click();
    await page.getByRole('heading', { name: 'URIs', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'TOS URI: Enter an address that answers' }).waitFor();
  });

  it('keeps what was typed when the session has ended, over signing in again', async () => {
    portal.site.answer('saveDraft', { problem: 'signed_out' });
    portal.site.answer('drafts', { body: { drafts: [] } });
    portal.site.answer('signIn', { body: { next: 'signed_in', account: account() } });
    const page = await portal.open('/applications/register');
    await page.getByLabel('Application Name').fill('Care Map');
    await page.getByLabel('Single-page application').press('Space');
    await page.getByLabel('Patient Access').press('Space');
    await page.getByRole('checkbox', { name: 'DSNP' }).press('Space');
    portal.site.answer('account', { problem: 'signed_out' });
    await page.getByRole('button', { name: 'Continue' }).click();
    await signInAgain(page);
    await expect.poll(() => page.getByLabel('Application Name').inputValue()).toBe('Care Map');
    await expect.poll(() => page.getByLabel('Single-page application').isChecked()).toBe(true);
    portal.site.answer('saveDraft', { body: {} });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'URIs' }).waitFor();
  });

  it('keeps what was typed when the page is left', async () => {
    const page = await portal.open('/applications/register');
    await page.getByLabel('Application Name').fill('Half a name');
    await page.getByRole('link', { name: 'Sandbox' }).first().click();
    // The page of the test before may still be saving a draft of its own.
    const values = expect.objectContaining({ applicationName: 'Half a name' });
    await expect
      .poll(() => bodiesOf('saveDraft'), { timeout: 45_000 })
      .toContainEqual(expect.objectContaining({ values }));
  });
});

describe('a registration that is interrupted', () => {
  it('goes on with the same draft over a reload, also while the network is away', async () => {
    portal.site.answer('saveDraft', { broken: true });
    const page = await portal.open('/applications/register');
    await page.getByLabel('Application Name').fill('\u05de\u05e4\u05ea \u{1f9ed}');
    const { search } = new URL(page.url());
    expect(search).toMatch(/^\?draft=[\w-]{36}&screen=registration$/);
    await page.reload();
    await expect
      .poll(() => page.getByLabel('Application Name').inputValue())
      .toBe('\u05de\u05e4\u05ea \u{1f9ed}');
    expect(new URL(page.url()).search).toBe(search);
    await page.getByLabel('Single-page application').press('Space');
    await page.getByLabel('Patient Access').press('Space');
    await page.getByRole('checkbox', { name: 'DSNP' }).press('Space');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The draft could not be saved').waitFor();
    portal.site.answer('saveDraft', { body: {} });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'URIs' }).waitFor();
  });

  it('registers once, however often the button is pressed in one tick', async () => {
    portal.site.answer('registerApplication', { body: anApplication(), delayMilliseconds: 300 });
    portal.site.answer('application', { body: anApplication() });
    const draft = {
      draftId: 'draft-0001',
      screen: 'contact',
      values: aConfiguration,
      savedAt: '2026-11-19T12:00:00Z',
    };
    portal.site.answer('drafts', { body: { drafts: [draft] } });
    const page = await portal.open('/applications/register?draft=draft-0001&screen=review');
    const button = page.getByRole('button', { name: 'Register in sandbox' });
    await button.waitFor();
    await button.focus();
    await page.evaluate('for (let press = 0; press < 3; press += 1) document.activeElement.click()');
    await page.waitForURL('**/applications/app-1');
    await page.getByText('The application is registered in the sandbox.').waitFor();
    expect(bodiesOf('registerApplication')).toHaveLength(1);
  });

  it('says beside the field that a text is too long, and keeps the rest', async () => {
    const page = await portal.open('/applications/register');
    await page.getByLabel('Application Name').fill('Care Map');
    await page.getByLabel('Application Description').focus();
    await page.evaluate(`(() => {
      const field = document.activeElement;
      field.value = 'x'.repeat(10_000_000);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await page.getByRole('button', { name: 'Continue' }).click();
    const summary = page.getByRole('alert');
    await summary.getByRole('link', { name: /^Application Description: .*1000/ }).waitFor();
    expect(await page.getByLabel('Application Name').inputValue()).toBe('Care Map');
    await page.getByLabel('Application Description').fill('');
  });
});

async function fillAddresses(page: Page): Promise<void> {
  const at = (path: string) => `https://companion.example.org/${path}`;
  await page.getByLabel('Application URI').fill(at(''));
  await page.getByLabel('Login initiate URI').fill(at('login'));
  await page.getByLabel('Address', { exact: true }).fill(at('callback'));
  await page.getByRole('button', { name: 'Add another address' }).click();
  await page.getByLabel('Address 2', { exact: true }).fill('http://localhost:3000/callback');
  await page.getByLabel('Logout Redirect URI').fill(at('goodbye'));
  await page.getByLabel('Privacy URI').fill(at('privacy'));
  await page.getByLabel('TOS URI').fill(at('terms'));
}

/** Signs in on the sign-in page, to which the end of a session leads, and expects the page that was open before. */
async function signInAgain(page: Page): Promise<void> {
  await page.getByText('What you typed there is saved').waitFor();
  portal.site.answer('account', { body: account() });
  await page.getByLabel('E-mail address or user name').fill('dana@example.org');
  await page.getByLabel('Password', { exact: true }).fill('tall lantern maps harbor');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('a key set', () => {
  const configuration: ApplicationConfiguration = {
    ...aConfiguration,
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [{ kty: 'EC', crv: 'P-384', kid: 'ours', x: 'x', y: 'y' }] },
  };
  const make = 'Create a key pair in this browser';

  it('is made by the browser for the sandbox, and for production by a program alone', async () => {
    const environment = { clientId: 'client-1', configuration };
    const application = anApplication({
      state: 'promoted_to_production',
      sandbox: environment,
      production: environment,
    });
    portal.site.answer('application', { body: application });
    const sandbox = await portal.open('/applications/app-1/edit/sandbox');
    await sandbox.getByRole('button', { name: make }).waitFor();
    await expectAccessible(sandbox, 'edit-key-set');
    const production = await portal.open('/applications/app-1/edit/production');
    await production.getByLabel('JWK Set').waitFor();
    expect(await production.getByRole('button', { name: make }).count()).toBe(0);
  });

  it('is kept by a draft as it was typed', async () => {
    portal.site.answer('saveDraft', { body: {} });
    const page = await portal.open('/applications/register');
    await page.getByLabel('Application Name').fill('Pill Diary');
    await page.getByLabel('Web application with a server').press('Space');
    await page.getByRole('radio', { name: /^private_key_jwt/ }).press('Space');
    await page.getByRole('button', { name: make }).click();
    await page.getByText('The public key is filled in.').waitFor();
    const typed = await page.getByLabel('JWK Set').inputValue();
    await page.getByLabel('Patient Access').press('Space');
    await page.getByLabel('DSNP').press('Space');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'URIs', level: 1 }).waitFor();
    const sent = bodiesOf('saveDraft').at(-1);
    expect(sent).toMatchObject({ values: { jwks: typed } });
    expect(draftRequest.safeParse(sent).success).toBe(true);
  });
});

describe('an edit in a session that has ended', () => {
  it('is there after signing in again, and joined with what was saved meanwhile', async () => {
    portal.site.answer('application', { body: anApplication() });
    portal.site.answer('updateSandbox', { problem: 'signed_out' });
    portal.site.answer('signIn', { body: { next: 'signed_in', account: account() } });
    const page = await portal.open('/applications/app-1/edit/sandbox');
    await page.getByLabel('Application Display name').fill('Typed and not saved');
    portal.site.answer('account', { problem: 'signed_out' });
    await page.getByRole('button', { name: 'Save sandbox values' }).click();
    const configuration = { ...aConfiguration, tosUri: 'https://companion.example.org/terms-2' };
    portal.site.answer('application', {
      body: anApplication({ version: 2, sandbox: { clientId: 'client-sandbox-1', configuration } }),
    });
    await signInAgain(page);
    await page.getByText('Changes from the other edit').first().waitFor();
    await expect
      .poll(() => page.getByLabel('Application Display name').inputValue())
      .toBe('Typed and not saved');
    await expect
      .poll(() => page.getByLabel('TOS URI').inputValue())
      .toBe('https://companion.example.org/terms-2');
    portal.site.answer('updateSandbox', { body: anApplication() });
    await page.getByRole('button', { name: 'Save sandbox values' }).click();
    await page.getByRole('heading', { level: 1, name: 'Claims Companion' }).waitFor();
    const [, second] = bodiesOf('updateSandbox') as { version: number; configuration: object }[];
    expect(second).toMatchObject({ version: 2, configuration: { displayName: 'Typed and not saved' } });
  });
});

describe('an edit that is left', () => {
  it('is there on the way back, until it is dropped', async () => {
    portal.site.answer('application', { body: anApplication() });
    const page = await portal.open('/applications/app-1/edit/sandbox');
    await page.getByLabel('Application Display name').fill('Half a thought');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Claims Companion' }).waitFor();
    await page.goBack();
    await page.getByText('Unsaved changes restored').waitFor();
    await expect.poll(() => page.getByLabel('Application Display name').inputValue()).toBe('Half a thought');
    await page.reload();
    await expect.poll(() => page.getByLabel('Application Display name').inputValue()).toBe('Half a thought');
    await page.getByRole('button', { name: 'Discard changes and show saved values' }).click();
    await expect.poll(() => page.getByLabel('Application Display name').inputValue()).toBe('Companion');
    await page.getByLabel('Application Display name').fill('Something else');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Claims Companion' }).waitFor();
    await page.goBack();
    await page.getByLabel('Application Display name').waitFor();
    await expect.poll(() => page.getByLabel('Application Display name').inputValue()).toBe('Companion');
  });
});

describe('an application', () => {
  it('says where it stands, why it was refused, and leads to the field', async () => {
    const view = anApplication({
      state: 'changes_requested',
      version: 7,
      production: { clientId: 'client-2', configuration: { ...aConfiguration, pkce: false } },
      allowed: ['submit', 'withdraw'],
      decision: {
        criterion: 'privacy-policy',
        field: 'privacyUri',
        words: 'It does not say whom data is given to.',
        at: '2026-11-20T09:00:00Z',
      },
      resubmission: [{ field: 'description', before: 'Old.', after: 'New.' }],
    });
    portal.site.answer('application', { body: view });
    portal.site.answer('preflight', {
      body: {
        checks: [{ id: 'x', title: 'Addresses answer', result: 'warn', detail: 'Slow.', field: 'tosUri' }],
      },
    });
    const page = await portal.open('/applications/app-1');
    await page.getByText('It does not say whom data is given to.').waitFor();
    await page.getByRole('button', { name: 'Run pre-flight checks' }).click();
    await page.getByRole('link', { name: 'Edit TOS URI' }).waitFor();
    await expectAccessible(page, 'application');
    portal.site.answer('submit', {
      body: { ...view, state: 'awaiting_operator_approval', decision: undefined },
    });
    await page.getByRole('button', { name: 'Submit for approval' }).click();
    await page.getByText('An operator reviews the application.').waitFor();
    expect(bodiesOf('submit')).toEqual([{ version: 7 }]);
  });

  it('asks before the values that were rejected are submitted again', async () => {
    const view = anApplication({
      state: 'rejected',
      version: 7,
      allowed: ['submit', 'appeal', 'withdraw'],
      production: { clientId: 'client-2', configuration: aConfiguration },
      decision: {
        act: 'reject',
        criterion: 'security_risk',
        words: 'It sends tokens to another host.',
        at: '2026-11-20T09:00:00Z',
      },
      resubmission: [],
    } as never);
    portal.site.answer('application', { body: view });
    const awaiting = { state: 'awaiting_operator_approval', decisionExpectedBy: '2026-12-04' };
    portal.site.answer('submit', { body: { ...view, ...awaiting } });
    const page = await portal.open('/applications/app-1');
    await page.getByText('It sends tokens to another host.').waitFor();
    expect(await page.getByRole('button', { name: 'Submit for approval' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Submit again without changes' }).click();
    const asked = page.getByRole('dialog', { name: 'Submit the same values again?' });
    await expectAccessible(page, 'application-rejected');
    expect(bodiesOf('submit')).toEqual([]);
    await asked.getByRole('button', { name: 'Submit again' }).click();
    await expect.poll(() => bodiesOf('submit')).toEqual([{ version: 7 }]);
    await page.getByText('We expect to decide by Dec 4, 2026 UTC.').waitFor();
  });

  it('shows the addresses of pages as links, and redirect URIs as text', async () => {
    portal.site.answer('application', { body: anApplication() });
    const page = await portal.open('/applications/app-1');
    const link = page.locator(`a[href="${aConfiguration.privacyUri}"]`).first();
    await link.waitFor({ state: 'attached' });
    await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer');
    await expect
      .poll(() => page.locator(`a[href="${aConfiguration.loginRedirectUris?.[0]}"]`).count())
      .toBe(0);
  });

  it('opens the edit at the named field, and survives another tab that saved first', async () => {
    const view = anApplication({
      state: 'promoted_to_production',
      production: { clientId: 'client-2', configuration: aConfiguration },
    });
    portal.site.answer('application', { body: view });
    portal.site.answer('updateProduction', { problem: 'stale_version' });
    const page = await portal.open('/applications/app-1/edit/production#privacyUri');
    await page.getByLabel('Privacy URI').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('privacyUri');
    await page.getByLabel('Privacy URI').fill('https://companion.example.org/mine');
    const configuration = {
      ...aConfiguration,
      privacyUri: 'https://companion.example.org/theirs',
      tosUri: 'https://companion.example.org/their-terms',
    };
    const now = { ...view, version: 2, production: { clientId: 'client-2', configuration } };
    portal.site.answer('application', { body: now });
    await page.getByRole('button', { name: 'Save production values' }).click();
    await page.getByText('This was changed after you opened it').waitFor();
    await expect
      .poll(() => page.getByLabel('Privacy URI').inputValue())
      .toBe('https://companion.example.org/mine');
    await expect
      .poll(() => page.getByLabel('TOS URI').inputValue())
      .toBe('https://companion.example.org/their-terms');
    await expectAccessible(page, 'edit-stale');
    portal.site.answer('updateProduction', { body: now });
    await page.getByRole('button', { name: 'Save production values' }).click();
    await page.waitForURL('**/applications/app-1');
    expect(bodiesOf('updateProduction').at(-1)).toMatchObject({
      version: 2,
      configuration: { ...configuration, privacyUri: 'https://companion.example.org/mine' },
    });
  });

  it('finds calls made outside of the portal when it is asked to look, or looked at again', async () => {
    portal.site.answer('application', { body: anApplication({ evidence: [] }) });
    const page = await portal.open('/applications/app-1');
    await page.getByText('Make a successful sandbox call to Patient Access').waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText(/^Refreshed at .* There is no call yet\.$/).waitFor();
    expect(bodiesOf('application')).toHaveLength(2);
    portal.site.answer('application', { body: anApplication() });
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await page.getByText('The application is tested in the sandbox').waitFor();
    expect(bodiesOf('preflight')).toEqual([]);
  });

  it('leads on to what comes next after an act, and lets nobody edit a change that is looked at', async () => {
    const change = { configuration: aConfiguration, difference: [] };
    const production = { clientId: 'client-production-1', configuration: aConfiguration };
    const approved = anApplication({ state: 'approved', changeState: 'draft', change, production });
    portal.site.answer('application', {
      body: { ...approved, allowed: ['submit_change', 'propose_change'] },
    });
    portal.site.answer('submitChange', {
      body: { ...approved, changeState: 'awaiting_operator_approval', allowed: ['discard_change'] },
    });
    const page = await portal.open('/applications/app-1');
    await page.getByRole('link', { name: 'Edit change' }).waitFor();
    await page.getByRole('button', { name: 'Submit change for approval' }).press('Enter');
    await page.getByText('An operator reviews your change.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent.trim()')).toBe('Next step');
    expect(await page.getByRole('link', { name: 'Edit change' }).count()).toBe(0);
    await expectAccessible(page, 'application-change');
  });

  it('is withdrawn only after asking, by keyboard alone', async () => {
    portal.site.answer('application', { body: anApplication() });
    portal.site.answer('withdraw', { body: anApplication({ state: 'withdrawn', allowed: [] }) });
    const page = await portal.open('/applications/app-1');
    await page.getByRole('button', { name: 'Withdraw' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Withdraw Claims Companion?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(bodiesOf('withdraw')).toEqual([]);
    // The focus has returned to the button.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Withdraw');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Withdraw permanently' }).press('Enter');
    await page.getByText('The application is withdrawn from both environments').waitFor();
  });

  it('is attested once the text was read and the box is ticked', async () => {
    portal.site.answer('application', { body: anApplication() });
    const made = { textVersion: '2026-11-22', at: '2026-11-20T10:00:00Z', by: 'Dana Rivera' };
    portal.site.answer('attest', { body: anApplication({ attested: true, attestation: made }) });
    const page = await portal.open('/applications/app-1/attestation');
    const submit = page.getByRole('button', { name: 'Submit' });
    await page.getByRole('region', { name: /^Attestation of how/ }).press('End');
    await expect.poll(() => submit.isEnabled()).toBe(false);
    await page.getByText('I attest this for the application.').click();
    await expectAccessible(page, 'attestation');
    await submit.click();
    await page.getByText('This application is attested').waitFor();
    expect(bodiesOf('attest')).toMatchObject([
      { textVersion: '2026-11-22', scrolledToEnd: true, accepted: true },
    ]);
  });
});

const oneSecret = { ...credentials, secrets: credentials.secrets.slice(0, 1) };

describe('credentials', () => {
  it('are hidden until the password, and then until shown; a rotation has an overlap', async () => {
    portal.site.answer('application', { body: anApplication() });
    portal.site.answer('credentials', { body: credentials });
    portal.site.answer('passwordAgain', { status: 204 });
    portal.site.answer('rotateSecret', {
      body: { environment: 'sandbox', previousExpiresAt: '2026-11-27T09:00:00Z' },
    });
    const page = await portal.open('/applications/app-1/credentials');
    await page.getByLabel('Your password').fill('correct horse battery staple');
    await expectAccessible(page, 'credentials-password');
    // The page does not request the credentials, since the API would refuse them without the password.
    expect(bodiesOf('credentials')).toEqual([]);
    await page.getByRole('button', { name: 'View Credentials' }).click();
    await page.getByRole('heading', { name: 'Client secret (newest)' }).waitFor();
    expect(await page.content()).not.toContain('new-secret-value');
    // The password form has closed, and the focus is on the credentials.
    await expect
      .poll(() => page.evaluate('document.activeElement.ariaLabel'))
      .toBe('Credentials for sandbox');
    // The use of a secret is known by the day (UTC), that of a key by its calls in the log.
    const lastUsed = await page.locator('dt:text-is("Last used") + dd').allTextContents();
    expect(lastUsed).toEqual(['Not used yet', 'Nov 20, 2026 UTC', 'Not in the last 14 days']);
    await page.getByRole('button', { name: 'Show client secret (newest)' }).click();
    await page.getByText('new-secret-value').waitFor();
    // Two secrets are active; a third one would end one of them.
    await page.getByText('Two are active, which is the maximum.').waitFor();
    expect(await page.getByText('Rotate the client secret').count()).toBe(0);
    portal.site.answer('credentials', { body: oneSecret });
    portal.site.answer('stopSecret', { status: 204 });
    await page.getByRole('button', { name: 'Stop this secret now' }).click();
    const asked = page.getByRole('dialog', { name: 'Stop the older sandbox client secret now?' });
    await asked.getByText('Token requests with it are refused (401)').waitFor();
    await asked.getByText('Last used: Nov 20, 2026 UTC').waitFor();
    await expectAccessible(page, 'credentials-stop');
    expect(bodiesOf('stopSecret')).toEqual([]);
    await asked.getByRole('button', { name: 'Stop this secret' }).click();
    await page.getByText('The older client secret stops within 30 seconds').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toContain('stops within');
    await page.getByText('Rotate the client secret').click();
    expect(bodiesOf('stopSecret')).toMatchObject([{ createdAt: '2026-11-01T09:00:00Z' }]);
    expect(await page.getByRole('button', { name: /^Stop this/ }).count()).toBe(0);
    portal.site.answer('credentials', { body: credentials });
    await page.getByRole('region', { name: 'Client secret' }).getByLabel('7 days').press('Space');
    await expectAccessible(page, 'credentials');
    await page.getByRole('button', { name: 'Create new client secret' }).click();
    await page.getByText('New client secret created').waitFor();
    await page.getByText('The old one is valid until Nov 27, 2026').waitFor();
    expect(bodiesOf('rotateSecret')).toMatchObject([{ overlapSeconds: 604_800 }]);
  });

  it('are replaced without an overlap only by who was told what fails', async () => {
    portal.site.answer('account', { body: openedAccount() });
    portal.site.answer('application', { body: anApplication() });
    portal.site.answer('credentials', { body: oneSecret });
    portal.site.answer('rotateSecret', { body: { environment: 'sandbox' } });
    const page = await portal.open('/applications/app-1/credentials');
    await page.getByText('Rotate the client secret').click();
    await page.getByRole('region', { name: 'Client secret' }).getByLabel('Now').press('Space');
    const make = page.getByRole('button', { name: 'Create new client secret' });
    await make.click();
    const asked = page.getByRole('dialog', { name: 'Replace the sandbox client secret now?' });
    await asked.getByText('The current one stops within 30 seconds.').waitFor();
    await expectAccessible(page, 'credentials-replace');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    expect(bodiesOf('rotateSecret')).toEqual([]);
    await make.click();
    await asked.getByRole('button', { name: 'Replace secret now' }).click();
    await page.getByText('The old one stops within 30 seconds.').waitFor();
    expect(bodiesOf('rotateSecret')).toMatchObject([{ overlapSeconds: 0 }]);
  });

  it('are shown at once where the password was typed a moment ago, and without the log of calls', async () => {
    portal.site.answer('account', { body: openedAccount() });
    portal.site.answer('application', { body: anApplication() });
    portal.site.answer('credentials', { body: { ...credentials, keyUsesUnknown: true } });
    const page = await portal.open('/applications/app-1/credentials');
    await page.getByRole('heading', { name: 'Client secret (newest)' }).waitFor();
    const lastUsed = await page.locator('dt:text-is("Last used") + dd').allTextContents();
    expect(lastUsed).toEqual(['Not used yet', 'Nov 20, 2026 UTC', 'Not available right now']);
  });

  it('ask for the password again where the session says less than the page believed', async () => {
    portal.site.answer('account', { body: openedAccount() });
    portal.site.answer('application', { body: anApplication() });
    portal.site.answer('credentials', { problem: 'password_needed' });
    const page = await portal.open('/applications/app-1/credentials');
    await page.getByLabel('Your password').waitFor();
    // If the API says again that the password is needed, the form stays and takes the password again.
    portal.site.answer('passwordAgain', { status: 204 });
    const reads = () => bodiesOf('credentials').length;
    await page.getByLabel('Your password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'View Credentials' }).click();
    await expect.poll(reads).toBe(2);
    portal.site.answer('credentials', { body: credentials });
    await page.getByRole('button', { name: 'View Credentials' }).click();
    await page.getByRole('heading', { name: 'Client secret (newest)' }).waitFor();
    expect(reads()).toBe(3);
  });
});

describe('the log of calls', () => {
  const queries = () =>
    portal.site.calls.filter(({ route }) => route === 'calls').map(({ query }) => new URLSearchParams(query));
  const begin = () => {
    portal.site.answer('application', { body: anApplication() });
    portal.site.answer('calls', { body: { calls } });
    portal.site.answer('usage', { body: usage });
  };

  it('shows each call to the second, how long it took, and what a refused one lacked', async () => {
    begin();
    const page = await portal.open('/applications/app-1/calls');
    await page.getByText('2 calls.').waitFor();
    await page.locator('.usage__chart canvas').waitFor();
    await page
      .getByText(/10:01:00|:01:00/)
      .first()
      .waitFor();
    await page.getByText('1,042 ms').waitFor();
    await page.getByText('Why it was refused').click();
    await page.getByText('an active subscription key of the same application').waitFor();
    const reason = page.getByRole('link', { name: 'INVALID_API_KEY' });
    expect(await reason.getAttribute('href')).toBe('/docs/errors#fhir-apis');
    await expectAccessible(page, 'calls');
  });

  it('is filtered by the server, and a reload keeps the filter', async () => {
    begin();
    const page = await portal.open('/applications/app-1/calls');
    await page.getByText('2 calls.').waitFor();
    portal.site.answer('calls', { body: { calls: calls.slice(0, 1), next: '5.a' } });
    await page.getByLabel('Outcome').selectOption('refused');
    await page.getByLabel('Part of the path').fill(' Patient/{id} ');
    await page.getByRole('button', { name: 'Show matching calls' }).click();
    await page.getByText('1 call. There may be earlier ones.').waitFor();
    expect(Object.fromEntries(queries().at(-1) ?? [])).toEqual({ outcome: 'refused', path: 'Patient/{id}' });
    await page.getByRole('button', { name: 'Show earlier calls' }).click();
    await expect.poll(() => queries().at(-1)?.get('next')).toBe('5.a');
    expect(queries().at(-1)?.get('outcome')).toBe('refused');
    await page.reload();
    await page.getByText('1 call. There may be earlier ones.').waitFor();
    expect(Object.fromEntries(queries().at(-1) ?? [])).toEqual({ outcome: 'refused', path: 'Patient/{id}' });
    expect(await page.getByLabel('Outcome').inputValue()).toBe('refused');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await expect.poll(() => [...(queries().at(-1) ?? [])]).toEqual([]);
    expect(new URL(page.url()).search).toBe('');
  });

  it('follows new calls while that is switched on, and looks at once when the page is seen again', async () => {
    begin();
    const page = await portal.open('/applications/app-1/calls');
    await page.getByText('2 calls.').waitFor();
    await page.getByText('Follow new calls').click();
    expect(await page.getByRole('switch', { name: 'Follow new calls' }).isChecked()).toBe(true);
    await page.getByText('Waiting for new calls.').waitFor();
    const [newest] = calls;
    if (newest === undefined) throw new Error('no call');
    const later = { ...newest, at: '2026-11-20T10:02:00Z', requestId: 'request-later', status: 200 };
    portal.site.answer('calls', { body: { calls: [later, newest] } });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('3 calls. 1 new.').waitFor();
    expect(queries().at(-1)?.get('from')).toBe('2026-11-20T10:00:00.000Z');
    expect(await page.getByRole('row').nth(1).textContent()).toContain('request-later');
  });
});
