import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityViolations, screenshot } from '../support/chromium.ts';
import { account } from './accounts.ts';
import { type BuiltSite, openBuiltSite } from './built-site.ts';

/** The button Sign out in the header of the portal's pages, in a browser. */

let built: BuiltSite;

beforeAll(async () => {
  built = await openBuiltSite();
});
afterAll(() => built.close());
beforeEach(() => {
  built.site.reset();
  built.site.answer('account', { body: account() });
});

async function pressSignOut(path = '/account/name'): Promise<{ readonly page: Page }> {
  const opened = await built.open(path);
  await opened.page.getByRole('heading', { level: 1 }).waitFor();
  await opened.page.getByRole('button', { name: 'Sign out', exact: true }).click();
  return opened;
}

const signsOut = () => {
  built.site.answer('signOut', () => {
    built.site.answer('account', { problem: 'signed_out' });
    return { status: 204 };
  });
};

const refusals = [
  {
    what: 'no answer came',
    answer: { broken: true },
    title: 'You may still be signed in',
    words: 'We could not reach the portal. Check your connection and try again.',
  },
  {
    what: 'there were too many requests',
    answer: { problem: 'too_many_requests', more: { retryAfter: 90 } },
    title: 'You are still signed in',
    words: 'Too many requests. Try again in 2 minutes.',
  },
  {
    what: 'the portal cannot answer',
    answer: { problem: 'unavailable' },
    title: 'You are still signed in',
    words: 'The portal is not available right now. Try again in a moment.',
  },
  {
    what: 'something went wrong',
    answer: { problem: 'defect', more: { requestId: 'r-4711' } },
    title: 'You are still signed in',
    words: 'The portal could not complete the request.',
  },
] as const;

describe('signing out', () => {
  it('says that somebody is signed out once the session has ended', async () => {
    signsOut();
    const { page } = await pressSignOut();
    await page.waitForURL('**/sign-in');
    await page.getByText('You are signed out.').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.context().close();
  });

  it.each(refusals)('says how things stand where $what, and tries again', async ({
    answer,
    title,
    words,
  }) => {
    built.site.answer('signOut', answer);
    const { page } = await pressSignOut();
    const alert = page.getByRole('alert').filter({ hasText: title });
    await alert.waitFor();
    const text = (await alert.innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain(words);
    if ('more' in answer && 'requestId' in answer.more) expect(text).toContain(answer.more.requestId);
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
    // The page is unchanged and says nothing else about the session.
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Change your name');
    expect(await page.getByText('You are signed out.').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, `portal-not-signed-out-${title.includes('may') ? 'unanswered' : text.length}`);
    signsOut();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL('**/sign-in');
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.context().close();
  });

  it('forgets on the next page that it did not happen', async () => {
    built.site.answer('signOut', { problem: 'unavailable' });
    const { page } = await pressSignOut();
    await page.getByText('You are still signed in').waitFor();
    await page.getByRole('link', { name: /^Your account/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    expect(await page.getByText('You are still signed in').count()).toBe(0);
    await page.context().close();
  });

  it('counts as done where the session had ended before', async () => {
    built.site.answer('signOut', { problem: 'signed_out' });
    const { page } = await pressSignOut();
    await page.waitForURL('**/sign-in*');
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor({ state: 'detached' });
    await page.context().close();
  });
});
