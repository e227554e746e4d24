import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { portalPages } from '../../lambdas/portal/catalog/pages.ts';
import { referencePaths } from '../../lambdas/portal/catalog/reference-pages.ts';
import { expectAccessible } from '../support/accessible-page.ts';
import { accessibilityViolations } from '../support/chromium.ts';
import { account } from './accounts.ts';
import { type BuiltSite, openBuiltSite } from './built-site.ts';

let built: BuiltSite;

beforeAll(async () => {
  built = await openBuiltSite();
});
afterAll(() => built.close());
beforeEach(() => built.site.reset());

const bodyOf = (route: string) => built.site.calls.findLast((call) => call.route === route)?.body;

describe('the sign-in page', () => {
  it('leads on somebody who is signed in, as from the header of a page without script', async () => {
    built.site.answer('account', { body: account() });
    built.site.answer('applications', { body: { applications: [] } });
    built.site.answer('drafts', { body: { drafts: [] } });
    const { page } = await built.open('/docs');
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor();
    expect(built.site.calls.map(({ route }) => route)).not.toContain('signIn');
    await page.context().close();
  });
});

describe('the header of a page without script', () => {
  const links = (page: Page) => page.locator('.header__account a').allInnerTexts();
  const visitors = ['Sign in', 'Sign up'];
  const signedIn = ['Your account'];

  /** Opens a page and reloads it, so that the second request sends the cookie that the first answer has set. */
  const openMarked = async (path: string) => {
    const { page, complaints } = await built.open(path);
    await page.reload();
    return { page, complaints };
  };

  const referencePages = referencePaths.slice(1);
  const paths = portalPages.prerendered.filter((path) => !referencePages.includes(path));

  // The pages of the reference are made as its contents are.
  it.each(paths)('says on %s who may be signed in, and to visitors how', async (path) => {
    built.site.answer('status', { body: { checkedAt: '2026-11-20T10:00:00Z', parts: [] } });
    const { page } = await openMarked(path);
    expect(await links(page)).toEqual(visitors);
    built.site.answer('account', { body: account() });
    await page.reload();
    await page.reload();
    expect(await links(page)).toEqual(signedIn);
    await page.context().close();
  });

  it('says so where there is no page, too', async () => {
    built.site.answer('account', { body: account() });
    const { page } = await openMarked('/nowhere');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    expect(await links(page)).toEqual(signedIn);
    await page.context().close();
  });

  it('leads an operator to the queue and a developer to the applications', async () => {
    built.site.answer('applications', { body: { applications: [] } });
    built.site.answer('drafts', { body: { drafts: [] } });
    built.site.answer('queue', { body: { items: [] } });
    for (const [role, heading] of [
      ['operator', 'Operations'],
      ['developer', 'Applications'],
    ] as const) {
      built.site.answer('account', { body: account({ role }) });
      const { page } = await openMarked('/docs');
      await page.getByRole('link', { name: 'Applications', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.context().close();
    }
  });

  it('asks somebody whose session has ended to sign in', async () => {
    built.site.answer('account', { body: account() });
    const { page } = await openMarked('/docs');
    built.site.answer('account', { problem: 'signed_out' });
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.goto(`${built.site.origin}/docs`);
    expect(await links(page)).toEqual(visitors);
    await page.context().close();
  });

  it('comes with a start page that asks nobody who is signed in to sign up', async () => {
    built.site.answer('account', { body: account() });
    const { page } = await openMarked('/');
    await page.getByRole('link', { name: 'Go to your workspace' }).waitFor();
    expect(await page.getByRole('link', { name: /sign (in|up)/i }).count()).toBe(0);
    await page.context().close();
  });

  it.each(['/', '/docs'])('is accessible on %s, light and dark, on a laptop and a phone', async (path) => {
    built.site.answer('account', { body: account() });
    const { page, complaints } = await openMarked(path);
    await expectAccessible(page, `signed-in${path.replace(/\W+/g, '-')}`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('the Terms of Use', () => {
  const open = async (height: number) => {
    built.site.answer('account', { body: account({ nextStep: 'accept_terms' }) });
    const opened = await built.open('/terms-of-use', { viewport: { width: 1280, height } });
    await opened.page.getByRole('heading', { level: 1 }).waitFor();
    return opened;
  };

  it('can be accepted only once the text was scrolled and the box is ticked, in either order', async () => {
    const { page } = await open(700);
    const accept = page.getByRole('button', { name: 'Accept' });
    const text = page.getByRole('region', { name: 'Terms of Use' });
    await expect.poll(() => accept.isDisabled()).toBe(true);
    await page.getByText('I have read the Terms of Use').click();
    await expect.poll(() => accept.isDisabled()).toBe(true);
    await text.evaluate((it: { scrollTop: number; scrollHeight: number }) => {
      it.scrollTop = it.scrollHeight / 2;
    });
    await expect.poll(() => accept.isDisabled()).toBe(true);
    await text.evaluate((it: { scrollTop: number; scrollHeight: number }) => {
      it.scrollTop = it.scrollHeight;
    });
    await page.getByText('You have reached the end of the text.').waitFor();
    await expect.poll(() => accept.isEnabled()).toBe(true);
    await page.getByText('I have read the Terms of Use').click();
    await expect.poll(() => accept.isDisabled()).toBe(true);
    await page.context().close();
  });

  it('need no scrolling where the whole text fits', async () => {
    const { page } = await open(700);
    await expect.poll(() => page.getByText('Scroll to the end of the text to continue.').count()).toBe(1);
    await page.evaluate(`document.querySelector('.agreement__text').style.maxHeight = 'none'`);
    await page.getByText('You have reached the end of the text.').waitFor();
    await page.getByText('I have read the Terms of Use').click();
    await expect.poll(() => page.getByRole('button', { name: 'Accept' }).isEnabled()).toBe(true);
    await page.context().close();
  });
});

describe('signing in', () => {
  const fillIn = async (path = '/sign-in') => {
    const { page } = await built.open(path);
    await page.getByLabel('E-mail address or user name').fill('dana@example.org');
    await page.getByLabel('Password', { exact: true }).fill('a password of Dana');
    return page;
  };

  it('asks for a code where the API does, and comes back to the page that was wanted', async () => {
    built.site.answer('signIn', { body: { next: 'code', sentTo: '•••• 0123', channel: 'sms' } });
    built.site.answer('signInCode', () => {
      built.site.answer('account', { body: account() });
      return { body: { next: 'signed_in', account: account() } };
    });
    const page = await fillIn('/sign-in?return=%2Faccount%2Fname');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('we sent a code by text message to •••• 0123').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await expect.poll(() => page.getByLabel('Code').getAttribute('autocomplete')).toBe('one-time-code');
    await page.getByLabel('Code').fill('123456');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/account/name');
    expect(bodyOf('signIn')).toMatchObject({
      identifier: 'dana@example.org',
      password: 'a password of Dana',
    });
    await page.context().close();
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
  ])('goes to no other site that the address names (%s)', async (address) => {
    built.site.answer('signIn', () => {
      built.site.answer('account', { body: account() });
      return { body: { next: 'signed_in', account: account() } };
    });
    const page = await fillIn(`/sign-in?return=${encodeURIComponent(address)}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${built.site.origin}/applications`);
    await page.context().close();
  });

  it('says what does not fit together, and how long to wait', async () => {
    built.site.answer('signIn', { problem: 'sign_in_refused' });
    const page = await fillIn();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Incorrect e-mail or password.').waitFor();
    built.site.answer('signIn', { problem: 'too_many_requests', more: { retryAfter: 90 } });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Try again in 2 minutes.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.context().close();
  });

  it('shows a password when asked, and lets it be pasted', async () => {
    const page = await fillIn();
    const field = page.getByLabel('Password', { exact: true });
    await expect.poll(() => field.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: /^Show/ }).click();
    await expect.poll(() => field.getAttribute('type')).toBe('text');
    await expect.poll(() => field.getAttribute('autocomplete')).toBe('current-password');
    await field
      .evaluate((it: { dispatchEvent(event: unknown): boolean }) =>
        it.dispatchEvent(new Event('paste', { cancelable: true })),
      )
      .then((kept) => expect(kept).toBe(true));
    await page.context().close();
  });

  it('lets the bot check be tried again when it failed', async () => {
    built.site.answer('botCheck', { broken: true });
    const { page } = await built.open('/sign-in');
    await page.getByText('The check that you are a person did not finish.').waitFor();
    built.site.reset();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('The check that you are a person is complete.').waitFor();
    await page.context().close();
  });
});

describe('a code', () => {
  it('tells the tries that are left, and lets a new one be asked for after a minute', async () => {
    built.site.answer('account', {
      body: account({ nextStep: 'verify_email', codeSentTo: 'd•••@example.org' }),
    });
    built.site.answer('verifyEmail', { problem: 'wrong_code', more: { triesLeft: 3 } });
    built.site.answer('resendEmailCode', {});
    const context = await built.browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${built.site.origin}/verify-email`);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    // The error is in the summary and beside the field.
    await page.getByRole('link', { name: /^Code: Incorrect code.*You have 3 tries left/ }).waitFor();
    await page.getByLabel('Code').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByText('triesLeft').waitFor({ state: 'detached' });
    const again = page.getByRole('button', { name: 'send a new code' });
    await expect.poll(() => again.getAttribute('aria-disabled')).toBe('true');
    for (let second = 0; second < 61; second += 1) await page.clock.runFor(1000);
    await expect.poll(() => again.getAttribute('aria-disabled')).toBe('false');
    await again.click();
    await page.getByText('We sent a new code.').waitFor();
    // The message about the last code is gone, and the wait continues after a reload.
    expect(await page.locator('.usa-error-message').count()).toBe(0);
    await expect.poll(() => page.getByLabel('Code').inputValue()).toBe('');
    await page.waitForTimeout(2_000);
    await page.reload();
    await page.getByText(/\(in 5\d seconds\)/).waitFor();
    expect(built.site.calls.filter(({ route }) => route === 'resendEmailCode')).toHaveLength(1);
    await context.close();
  });
});

describe('who is signed in', () => {
  const asked = () => built.site.calls.filter(({ route }) => route === 'account').length;

  it('is asked of no visitor: nothing in the console is red', async () => {
    const { page } = await built.open('/sign-in');
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(response.url());
    });
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.goto(`${built.site.origin}/applications`);
    await page.waitForURL('**/sign-in?return=*');
    expect(asked()).toBe(0);
    expect(failed).toEqual([]);
    await page.context().close();
  });

  it('is asked where somebody was signed in, who signs in again when the session has ended', async () => {
    built.site.answer('account', { body: account() });
    const { page } = await built.open('/account');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate('document.cookie')).toBe('__Host-signed-in=1');
    await page.route('**/api/account', (route) =>
      route.fulfill({ status: 401, json: { code: 'signed_out', title: 'You are not signed in.' } }),
    );
    await page.reload();
    await page.waitForURL('**/sign-in?return=*');
    await page.context().close();
  });
});
