import type { Page } from 'playwright-core';
import { it } from 'vitest';
import { pressAt, readAndAccept, typeAt } from '../portal-static/keyboard-walk.ts';
import { memberOf } from './journey.ts';
import { portalChromium } from './portal/browser.ts';
import { anOperator } from './portal/operations.ts';
import { aPerson, e164Of, type Person } from './portal/people.ts';
import { codeTo, mailed } from './portal/portal.ts';

/** One developer and one operator with a keyboard alone, from the home page to an approval; each page by itself: `test/portal-static/keyboard.test.ts`. */

const chromium = portalChromium();

const at = async (page: Page, name: string | RegExp) =>
  await page.getByRole('heading', { level: 1, name }).waitFor();

async function enterCode(page: Page, to: string): Promise<void> {
  await typeAt(page, 'INPUT Code', await codeTo(to));
  await page.keyboard.press('Enter');
}

async function signsUp(page: Page, person: Person): Promise<void> {
  await pressAt(page, /^A Sign up/);
  await at(page, 'Sign up');
  await pressAt(page, 'A Individual developer');
  await at(page, 'Sign up as an individual developer');
  const typed = {
    'First name': person.firstName,
    'Last name': person.lastName,
    Company: person.company,
    'E-mail address': person.email,
    'Mobile phone': person.phone,
    'New password': person.password,
    'Confirm password': person.password,
  };
  for (const [label, text] of Object.entries(typed)) await typeAt(page, `INPUT ${label}`, text);
  await page.keyboard.press('Enter');
  await at(page, 'Enter the code from your e-mail');
  await enterCode(page, person.email);
  await at(page, 'Enter the code from your phone');
  await enterCode(page, e164Of(person));
  await at(page, 'Terms of Use');
  await readAndAccept(page, /^INPUT /, 'Accept');
  await at(page, 'Applications');
}

/** Registers an application with the portal's examples, and reads a member with it, who signs in and shares by keyboard too. */
async function makesFirstCall(page: Page, { password }: Person): Promise<void> {
  await pressAt(page, /^A Register application/i);
  await at(page, 'Registration');
  await pressAt(page, 'BUTTON Fill in examples and review');
  await at(page, 'Review');
  await pressAt(page, 'BUTTON Register in sandbox');
  await page.getByRole('heading', { name: 'Next step' }).waitFor();
  await pressAt(page, 'A Make first call');
  const leave = page.getByRole('button', { name: 'Continue to sign-in page' });
  await leave.waitFor();
  if (await page.getByLabel('Your password').isVisible()) await typeAt(page, 'INPUT Your password', password);
  await pressAt(page, 'BUTTON Continue to sign-in page');
  await page.getByLabel('Member ID or e-mail').waitFor();
  await typeAt(page, 'INPUT Password', memberOf('sandbox', 'DSNP').password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Share my data' }).waitFor();
  await pressAt(page, 'BUTTON Share my data');
  await page.getByRole('link', { name: 'View in call log' }).waitFor();
}

/** The values of an application that production does not take from the examples. */
const production = {
  'Application URI': 'https://steps.example.org/',
  'Login initiate URI': 'https://steps.example.org/login',
  Address: 'https://steps.example.org/callback',
  'Logout Redirect URI': 'https://steps.example.org/bye',
  'Privacy URI': 'https://steps.example.org/privacy',
  'TOS URI': 'https://steps.example.org/terms',
};

it('leads a developer from the home page to an approval by an operator, with the keyboard alone', async () => {
  const person = aPerson('individual');
  const page = await chromium.open('/');
  await signsUp(page, person);
  await makesFirstCall(page, person);

  await pressAt(page, 'A Back to the application');
  await page.getByRole('heading', { name: 'Next step' }).waitFor();
  const name = await page.getByRole('heading', { level: 1 }).innerText();
  await pressAt(page, 'A Credentials');
  await page.getByRole('button', { name: 'Show client secret', exact: true }).waitFor();
  await pressAt(page, 'BUTTON Show client secret');
  await page.getByRole('button', { name: 'Hide client secret', exact: true }).waitFor();
  await pressAt(page, 'A Overview');
  await page.getByRole('heading', { name: 'Next step' }).waitFor();
  await pressAt(page, 'A Attest the application');
  await at(page, /Attest/);
  await readAndAccept(page, /^INPUT /, 'Submit');
  await page.getByText('This application is attested').waitFor();
  await pressAt(page, 'A Overview');
  await page.getByRole('heading', { name: 'Next step' }).waitFor();
  await pressAt(page, 'BUTTON Promote to Prod');
  await page.getByRole('link', { name: 'Edit values' }).waitFor();
  await pressAt(page, 'A Edit values');
  await page.getByRole('button', { name: 'Save production values' }).waitFor();
  for (const [label, text] of Object.entries(production)) await typeAt(page, `INPUT ${label}`, text);
  await pressAt(page, 'BUTTON Save production values');
  await page.getByRole('button', { name: 'Submit for approval' }).waitFor();
  await pressAt(page, 'BUTTON Submit for approval');
  await page.getByRole('button', { name: 'Recall submission' }).waitFor();

  const operator = await anOperator();
  const desk = await chromium.open('/sign-in');
  await at(desk, 'Sign in');
  await typeAt(desk, 'INPUT E-mail address or user name', operator.email);
  await typeAt(desk, 'INPUT Password', operator.password);
  await desk.keyboard.press('Enter');
  await at(desk, 'Enter the code we sent you');
  await enterCode(desk, e164Of(operator));
  await at(desk, 'Operations');
  await desk.keyboard.press('/');
  await desk.keyboard.type(person.company);
  await desk.getByText(/^1 of \d+ decisions waiting$|^1 decision waiting$/).waitFor();
  await pressAt(desk, `A ${name}`);
  await desk.getByRole('radio', { name: 'Approve' }).first().waitFor();
  await pressAt(desk, /^INPUT Approve/, 'Space');
  await pressAt(desk, 'BUTTON Approve…');
  await desk.getByRole('dialog').waitFor();
  await desk.keyboard.press('Enter');
  await mailed(person.email, /(approved)/i);
  await page.reload();
  await page.getByText('Approved', { exact: true }).first().waitFor();
});
