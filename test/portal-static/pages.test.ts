import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountView } from '../../lambdas/portal/api/views.ts';
import { expectAccessible } from '../support/accessible-page.ts';
import { account } from './accounts.ts';
import { type BuiltSite, openBuiltSite } from './built-site.ts';

let built: BuiltSite;

beforeAll(async () => {
  built = await openBuiltSite();
});
afterAll(() => built.close());
beforeEach(() => {
  built.site.reset();
  built.site.answer('team', { body: team });
});

const team = {
  teamId: 't-1',
  name: 'Riverside Health Apps',
  members: [
    {
      accountId: 'a-1',
      name: 'Dana Rivera',
      email: 'dana@example.org',
      role: 'owner',
      joinedAt: '2026-11-20T10:00:00Z',
    },
    {
      accountId: 'a-2',
      name: 'Sam Okafor',
      email: 'sam@example.org',
      role: 'member',
      joinedAt: '2026-11-20T10:00:00Z',
    },
  ],
  invitations: [
    {
      invitationId: 'i-1',
      email: 'lee@example.org',
      invitedBy: 'Dana Rivera',
      expiresAt: '2026-11-27T10:00:00Z',
    },
  ],
};

const awaiting = (more: Partial<AccountView>) => account({ codeSentTo: 'd•••@example.org', ...more });

interface PageLooked {
  readonly path: string;
  readonly heading: string;
  readonly who?: AccountView;
}

/** Every page of this part of the portal: path, heading, and viewer. */
const pages: readonly PageLooked[] = [
  { path: '/', heading: 'Build with the health plan data members choose to share' },
  { path: '/terms', heading: 'Terms of Use' },
  { path: '/privacy', heading: 'Privacy' },
  { path: '/accessibility', heading: 'Accessibility' },
  { path: '/nowhere', heading: 'Page not found' },
  { path: '/sign-up', heading: 'Sign up' },
  { path: '/sign-up/individual', heading: 'Sign up as an individual developer' },
  { path: '/sign-up/classic', heading: 'Sign up with the older form' },
  { path: '/sign-up/payer', heading: 'Sign up for a payer entity: your company' },
  { path: '/sign-up/brokerage', heading: 'Sign up for a brokerage entity: your company' },
  { path: '/sign-in', heading: 'Sign in' },
  { path: '/password-reset', heading: 'Set a new password' },
  { path: '/invitation#abcdefghijklmnopqrstuvwx', heading: 'You are invited to a team' },
  {
    path: '/verify-email',
    heading: 'Enter the code from your e-mail',
    who: awaiting({ nextStep: 'verify_email' }),
  },
  {
    path: '/verify-phone',
    heading: 'Enter the code from your phone',
    who: awaiting({ nextStep: 'verify_phone' }),
  },
  { path: '/terms-of-use', heading: 'Terms of Use', who: awaiting({ nextStep: 'accept_terms' }) },
  {
    path: '/await-verification',
    heading: 'We are verifying your organization',
    who: awaiting({ nextStep: 'await_verification', developerType: 'payer' }),
  },
  { path: '/account', heading: 'Your account', who: account() },
  { path: '/account/name', heading: 'Change your name', who: account() },
  { path: '/account/email', heading: 'Change your e-mail address', who: account() },
  { path: '/account/phone', heading: 'Change your phone number', who: account() },
  { path: '/account/password', heading: 'Change your password', who: account() },
  { path: '/account/close', heading: 'Close your account', who: account() },
  { path: '/team', heading: 'Team', who: account() },
  {
    path: '/invitation#abcdefghijklmnopqrstuvwx',
    heading: 'Join the team that invited you',
    who: account(),
  },
  { path: '/sign-up/nowhere', heading: 'Page not found' },
];

describe('every page', () => {
  it.each(pages)('$path is accessible, light and dark, on a laptop and a phone', async (looked) => {
    const { path, heading, who } = looked;
    if (who !== undefined) built.site.answer('account', { body: who });
    const { page, complaints } = await built.open(path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    expect(await page.title()).toContain(heading.split(':')[0]);
    await expectAccessible(page, `portal${path.replace(/\W+/g, '-')}${who === undefined ? '' : '-in'}`);
    const missing =
      path === '/nowhere'
        ? ['Failed to load resource: the server responded with a status of 404 (Not Found)']
        : [];
    expect(complaints).toEqual(missing);
    await page.context().close();
  });
});

describe('a page whose code does not come', () => {
  it('says so, and is there once it is loaded again', async () => {
    const { page } = await built.open('/sign-up');
    await page.getByRole('heading', { level: 1, name: 'Sign up' }).waitFor();
    // As after a deployment, when the old files' names are gone.
    await page.route('**/assets/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Individual developer' }).click();
    await page.getByRole('heading', { level: 1, name: 'This page did not load' }).waitFor();
    await page.unroute('**/assets/**');
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign up as an individual developer' }).waitFor();
    await page.context().close();
  });
});

describe('who may see a page', () => {
  it('leads somebody who is not signed in to the sign-in page, with the way back', async () => {
    const { page } = await built.open('/account/email');
    await page.waitForURL('**/sign-in?return=%2Faccount%2Femail');
    await expect.poll(() => page.getByText('You then return to the same page').count()).toBe(1);
    await page.context().close();
  });

  it('leads an unfinished account to its next step', async () => {
    built.site.answer('account', { body: awaiting({ nextStep: 'verify_phone' }) });
    const { page } = await built.open('/team');
    await page.waitForURL('**/verify-phone');
    await page.context().close();
  });

  it('says that the portal could not be reached, and tries again when asked', async () => {
    built.site.answer('account', { broken: true });
    const { page } = await built.open('/account');
    await page.getByText('We could not reach the portal.').waitFor();
    built.site.answer('account', { body: account() });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.context().close();
  });

  it('gives the focus to the heading of the page that follows', async () => {
    built.site.answer('account', { body: account() });
    const { page } = await built.open('/account');
    await page.getByRole('link', { name: 'Change your name' }).click();
    await page.getByRole('heading', { name: 'Change your name' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Change your name');
    await page.context().close();
  });
});
