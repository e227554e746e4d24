import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { documentationPages } from '../../lambdas/portal/catalog/documentation-pages.ts';
import type { PortalRouteName } from '../../lambdas/portal/catalog/portal-routes.ts';
import type { Who } from './keyboard-answers.ts';
import { pressAt, readAndAccept, tabTo, typeAt } from './keyboard-walk.ts';

/**
 * A page of the portal for the keyboard tests: its viewer, its path, and what people do there with keys alone. The result is a call of the
 * API (`calls`), or the heading of the next page (`leads`).
 */
export interface KeyboardPage {
  readonly who: Who;
  /** Path with values, if the page's path has parameters. */
  readonly at?: string;
  act(page: Page): Promise<void>;
  readonly calls?: PortalRouteName;
  readonly leads?: string | RegExp;
}

const follow = (link: string | RegExp, heading: string | RegExp, who: Who = 'nobody'): KeyboardPage => ({
  who,
  act: (page) => pressAt(page, link),
  leads: heading,
});

/** A page of text: keys scroll it if it is longer than the window. */
const read = (): KeyboardPage => ({
  who: 'nobody',
  act: async (page) => {
    await page.setViewportSize({ width: 1280, height: 400 });
    await pressAt(page, 'A Skip to main content');
    await page.keyboard.press('PageDown');
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
  },
});

const form = (who: Who, calls: PortalRouteName, fields: Readonly<Record<string, string>>): KeyboardPage => ({
  who,
  calls,
  act: async (page) => {
    for (const [label, text] of Object.entries(fields)) await typeAt(page, `INPUT ${label}`, text);
    await page.keyboard.press('Enter');
  },
});

const password = 'tall lantern maps harbor';
const person = (more: Readonly<Record<string, string>>) =>
  form('nobody', 'signUp', {
    'First name': 'Dana',
    'Last name': 'Rivera',
    ...more,
    'New password': password,
    'Confirm password': password,
  });

/** Fills in the first screen of the form and continues to the second. */
const organization = (number: Readonly<Record<string, string>>): KeyboardPage => ({
  who: 'nobody',
  act: async (page) => {
    await typeAt(page, 'INPUT Company legal name', 'Harbor Health Plan');
    for (const [label, text] of Object.entries(number)) await typeAt(page, `INPUT ${label}`, text);
    await typeAt(page, 'INPUT Company e-mail domain', 'harbor.example.org');
    await pressAt(page, /^INPUT I affirm/, 'Space');
    await pressAt(page, 'BUTTON Continue');
  },
  leads: /address and customer service/,
});

const confirm = async (page: Page, button: string) => {
  await pressAt(page, button);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Enter');
};

export const keyboardPages: Readonly<Record<string, KeyboardPage>> = {
  '/': follow('A Sign up to use the sandbox', 'Sign up'),
  '/docs': follow(/^A Get started/, /./),
  ...Object.fromEntries(documentationPages.map((name) => [`/docs/${name}`, read()])),
  '/terms': read(),
  '/privacy': read(),
  '/accessibility': read(),
  '/sign-up': follow('A Individual developer', 'Sign up as an individual developer'),
  '/sign-up/individual': person({
    Company: 'Riverside',
    'E-mail address': 'dana@example.org',
    'Mobile phone': '202-555-0123',
  }),
  '/sign-up/classic': person({
    Role: 'developer',
    'Company name': 'Riverside',
    'US contact phone number': '202-555-0123',
    'E-mail address': 'dana@example.org',
  }),
  '/sign-up/payer': organization({}),
  '/sign-up/brokerage': organization({ 'Employer identification number': '12-3456789' }),
  '/verify-email': form('awaitingEmail', 'verifyEmail', { Code: '123456' }),
  '/verify-phone': form('awaitingPhone', 'verifyPhone', { Code: '123456' }),
  '/terms-of-use': {
    who: 'awaitingTerms',
    act: (page) => readAndAccept(page, /^INPUT /, 'Accept'),
    calls: 'acceptTerms',
  },
  '/await-verification': {
    who: 'awaitingCheck',
    act: (page) => pressAt(page, 'BUTTON Check for a decision'),
    calls: 'account',
  },
  '/sign-in': form('nobody', 'signIn', {
    'E-mail address or user name': 'dana@example.org',
    Password: password,
  }),
  '/password-reset': form('nobody', 'requestPasswordReset', { 'E-mail address': 'dana@example.org' }),
  '/invitation': {
    who: 'developer',
    at: '/invitation#abcdefghijklmnopqrstuvwx',
    act: (page) => pressAt(page, 'BUTTON Join the team'),
    calls: 'acceptInvitation',
  },
  '/account': follow('A Change your name', 'Change your name', 'developer'),
  '/account/name': form('developer', 'updateAccount', { 'First name': 'Dan', 'Last name': 'Rivers' }),
  '/account/email': form('developer', 'changeEmail', {
    'New e-mail address': 'new@example.org',
    'Your password': password,
  }),
  '/account/phone': form('developer', 'changePhone', {
    'New phone number': '202-555-0124',
    'Your password': password,
  }),
  '/account/password': form('developer', 'changePassword', {
    'Current password': password,
    'New password': `${password} two`,
    'Confirm password': `${password} two`,
  }),
  '/account/authenticator': form('operator', 'beginAuthenticator', { 'Your password': password }),
  '/account/close': form('developer', 'closeAccount', { 'Your password': password }),
  '/team': form('developer', 'invite', { 'E-mail address': 'lee@example.org' }),
  '/applications': follow('A Register application', 'Registration', 'developer'),
  '/applications/register': {
    who: 'developer',
    act: async (page) => {
      await typeAt(page, 'INPUT Application Name', 'By keys');
      await pressAt(page, /^INPUT Web application/, 'Space');
      await pressAt(page, /^INPUT Patient Access/, 'Space');
      await pressAt(page, /^INPUT DSNP/, 'Space');
      await pressAt(page, 'BUTTON Continue');
    },
    leads: 'URIs',
  },
  '/applications/:applicationId': {
    who: 'developer',
    at: '/applications/app-1',
    act: (page) => confirm(page, 'BUTTON Withdraw'),
    calls: 'withdraw',
  },
  '/applications/:applicationId/edit/:target': {
    who: 'developer',
    at: '/applications/app-1/edit/sandbox',
    act: async (page) => {
      await typeAt(page, 'INPUT Application Display name', ' Two');
      await pressAt(page, 'BUTTON Save sandbox values');
    },
    calls: 'updateSandbox',
  },
  '/applications/:applicationId/attestation': {
    who: 'developer',
    at: '/applications/app-1/attestation',
    act: (page) => readAndAccept(page, /^INPUT /, 'Submit'),
    calls: 'attest',
  },
  '/applications/:applicationId/credentials': {
    who: 'developer',
    at: '/applications/app-1/credentials',
    act: async (page) => {
      await typeAt(page, 'INPUT Your password', password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Subscription key' }).first().waitFor();
      await pressAt(page, 'BUTTON Show subscription key');
      await page.getByText('subscription-key-value').waitFor();
    },
    calls: 'credentials',
  },
  '/applications/:applicationId/calls': {
    who: 'developer',
    at: '/applications/app-1/calls',
    act: async (page) => {
      await typeAt(page, 'SELECT Outcome', 'R');
      await pressAt(page, 'BUTTON Show matching calls');
      await page.getByText('2 calls.').waitFor();
      await pressAt(page, 'SUMMARY Why it was refused');
      await page.getByText('an active subscription key of the same application').waitFor();
    },
  },
  '/applications/:applicationId/try': {
    who: 'opened',
    at: '/applications/app-1/try',
    act: async (page) => {
      await page.route('**/fhir-oauth2/sec/**', (route) => route.fulfill({ body: 'the sign-in page' }));
      await tabTo(page, /^INPUT Successful call/);
      await page.keyboard.press('ArrowDown');
      await pressAt(page, /^BUTTON Continue to sign-in page/);
      await page.getByText('the sign-in page').waitFor();
    },
  },
  '/try': follow(/^A API reference/, 'API reference'),
  '/try/callback': follow(/^A applications/, 'Applications', 'developer'),
  '/sandbox': {
    who: 'developer',
    act: async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await pressAt(page, 'BUTTON Copy member ID of Adaeze Sampleton');
      await page.getByText('Copied: member ID of Adaeze Sampleton.').waitFor();
    },
  },
  '/operations': follow('A Claims Companion', 'Claims Companion', 'operator'),
  '/operations/applications': follow('A Claims Companion', 'Claims Companion', 'operator'),
  '/operations/applications/:applicationId': {
    who: 'operator',
    at: '/operations/applications/app-1',
    act: async (page) => {
      await pressAt(page, /^INPUT Approve/, 'Space');
      await pressAt(page, 'BUTTON Approve…');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Enter');
    },
    calls: 'decideApplication',
  },
  '/operations/accounts': follow('A Dana Rivera', 'Dana Rivera', 'operator'),
  '/operations/accounts/:accountId': {
    who: 'operator',
    at: '/operations/accounts/account-2',
    act: (page) => confirm(page, 'BUTTON Verify organization'),
    calls: 'decideAccount',
  },
  '/operations/acts': follow('A Steps', 'Claims Companion', 'operator'),
  '/operations/fixes': {
    who: 'operator',
    act: (page) => pressAt(page, 'BUTTON Download all faults of DSNP as CSV'),
    calls: 'directoryFindings',
  },
  '/operations/jobs': follow(/^A Export of a group/, 'Export of a group', 'operator'),
  '/operations/jobs/:environment/:lob/:jobId': {
    who: 'operator',
    at: '/operations/jobs/production/DSNP/job-1',
    act: (page) => confirm(page, 'BUTTON Cancel job'),
    calls: 'cancelJob',
  },
  '/reference': follow('A Coverage', 'Coverage in Patient Access'),
  '/reference/patient-access/Coverage': follow('A Search Coverage', /./),
};
