import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountView } from '../../lambdas/portal/api/views.ts';
import { accessibilityViolations } from '../support/chromium.ts';
import { account } from './accounts.ts';
import { anApplication } from './applications-fixtures.ts';
import { type BuiltSite, openBuiltSite } from './built-site.ts';

let built: BuiltSite;
beforeAll(async () => {
  built = await openBuiltSite();
});
afterAll(() => built.close());
beforeEach(() => built.site.reset());

const password = 'correct horse battery staple';
const nowIs = (more: Partial<AccountView>) => built.site.answer('account', { body: account(more) });
const bodyOf = (route: string) => built.site.calls.findLast((call) => call.route === route)?.body;

const awaitsPhone = {
  state: 'pending_phone',
  nextStep: 'verify_phone',
  codeSentTo: '•••• 0123',
} as const;

describe('a wrong phone number in a sign-up', () => {
  it('is corrected on a page of its own, over a reload, and the sign-up continues', async () => {
    nowIs(awaitsPhone);
    built.site.answer('changePhone', { status: 202, body: { codeSentTo: '•••• 0188' } });
    built.site.answer('confirmPhone', () => {
      nowIs({ state: 'pending_terms', nextStep: 'accept_terms' });
      return { body: account({ state: 'pending_terms', nextStep: 'accept_terms' }) };
    });
    const { page, complaints } = await built.open('/verify-phone');
    await page.getByRole('link', { name: 'Correct it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Correct your phone number' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel('New phone number').fill('202-555-01');
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByRole('link', { name: /^New phone number: Enter a US phone number/ }).click();
    await page.getByLabel('New phone number').fill('202-555-0188');
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByRole('heading', { level: 1, name: 'Enter the code from your new phone' }).waitFor();
    expect(bodyOf('changePhone')).toEqual({ phone: '202-555-0188', password });
    await page.reload();
    await page.getByText('We sent a code to 202-555-0188.').waitFor();
    await page.getByLabel('Code').fill('123456');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('**/terms-of-use');
    await page.getByRole('heading', { level: 1, name: 'Terms of Use' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('a code in two tabs', () => {
  it('that the other tab has entered leads this one to the next step', async () => {
    nowIs(awaitsPhone);
    const { page } = await built.open('/verify-phone');
    await page.getByRole('heading', { level: 1, name: 'Enter the code from your phone' }).waitFor();
    nowIs({ state: 'pending_terms', nextStep: 'accept_terms' });
    built.site.answer('verifyPhone', { problem: 'account_state', more: { state: 'pending_terms' } });
    await page.getByLabel('Code').fill('123456');
    await page.getByLabel('Code').press('Enter');
    await page.waitForURL('**/terms-of-use');
    await page.getByRole('heading', { level: 1, name: 'Terms of Use' }).waitFor();
    await page.context().close();
  });
});

describe('names from right to left, and with emoji', () => {
  it('are signed up as they were typed, and shown in their direction', async () => {
    built.site.answer('signUp', () => {
      nowIs({ nextStep: 'verify_email', codeSentTo: 'd•••@example.org' });
      return { status: 201, body: account({ nextStep: 'verify_email' }) };
    });
    const { page } = await built.open('/sign-up/individual');
    const typed = {
      'First name': 'דנה',
      'Last name': 'ביטון 👩🏽‍⚕️',
      Company: 'شركة النور 🏥',
      'E-mail address': 'dana@example.org',
      'Mobile phone': '(202) 555-0123',
      'New password': password,
      'Confirm password': password,
    };
    for (const [label, text] of Object.entries(typed)) {
      await page.getByLabel(label, { exact: true }).fill(text);
    }
    const direction = `getComputedStyle(document.querySelector('[name="company"]')).direction`;
    expect(await page.evaluate(direction)).toBe('rtl');
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByRole('heading', { name: 'Enter the code from your e-mail' }).waitFor();
    expect(bodyOf('signUp')).toMatchObject({
      firstName: 'דנה',
      lastName: 'ביטון 👩🏽‍⚕️',
      company: 'شركة النور 🏥',
    });
    await page.context().close();
  });

  it('are refused beside the field only if they hide or turn text', async () => {
    const { page } = await built.open('/sign-up/individual');
    await page.getByLabel('First name').fill('Dana\u202eanaD');
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByRole('link', { name: /^First name: .*marks that change the text direction/ }).waitFor();
    await page.context().close();
  });

  it('are registered for an application as they were typed', async () => {
    built.site.answer('account', { body: account() });
    built.site.answer('applications', { body: { applications: [] } });
    built.site.answer('drafts', { body: { drafts: [] } });
    built.site.answer('saveDraft', { body: {} });
    built.site.answer('registerApplication', { status: 201, body: anApplication() });
    built.site.answer('application', { body: anApplication() });
    const { page } = await built.open('/applications/register');
    await page.getByLabel('Application Name').fill('صحتي 🩺');
    await page.getByRole('button', { name: 'Fill in examples and review' }).click();
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    await page.getByText('صحتي 🩺').first().waitFor();
    await page.getByRole('button', { name: 'Register in sandbox' }).click();
    await page.waitForURL('**/applications/app-1');
    expect(bodyOf('registerApplication')).toMatchObject({ configuration: { applicationName: 'صحتي 🩺' } });
    await page.context().close();
  });
});

describe('without script', () => {
  it.each([
    '/sign-in',
    '/sign-up/individual',
    '/applications',
    '/operations',
  ])('%s says that it needs it, and what can be read', async (path) => {
    const { page } = await built.open(path, { javaScriptEnabled: false });
    await page.getByRole('heading', { level: 1, name: 'This page needs JavaScript' }).waitFor();
    expect(
      await page.getByRole('main').getByRole('link', { name: 'documentation' }).getAttribute('href'),
    ).toBe('/docs');
    await page.context().close();
  });

  it.each([
    '/',
    '/docs',
    '/docs/errors',
    '/docs/members',
    '/reference',
    '/reference/patient-access/Patient',
  ])('%s can be read', async (path) => {
    const { page } = await built.open(path, { javaScriptEnabled: false });
    await page.getByRole('heading', { level: 1 }).waitFor();
    // No control that needs the script is shown.
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await page.context().close();
  });
});
