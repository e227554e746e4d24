import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import { aPhone, domainOf, e164Of, isOrganization, type Person } from './people.ts';
import { codeTo } from './portal.ts';

/** The pages of sign-up and sign-in, as journeys use them. */

const choices = {
  individual: 'Individual developer',
  payer: 'Developer from a payer entity',
  brokerage: 'Developer from a brokerage entity',
  classic: 'Use the older sign-up form',
} as const;

/** Signs up, from the choice of a form to the page that asks for the e-mail code. */
export async function signUp(page: Page, person: Person): Promise<void> {
  await page.getByRole('link', { name: choices[person.developerType] }).click();
  if (isOrganization(person)) await fillOrganization(page, person);
  else await fillPerson(page, person);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('Code').waitFor();
}

async function fillPerson(page: Page, person: Person): Promise<void> {
  const classic = person.developerType === 'classic';
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  if (classic) await page.getByLabel('Role').fill('developer');
  await page.getByLabel(classic ? 'Company name' : 'Company').fill(person.company);
  await page.getByLabel(classic ? 'US contact phone number' : 'Mobile phone').fill(person.phone);
  await page.getByLabel('E-mail address').fill(person.email);
  await fillPassword(page, person);
}

async function fillPassword(page: Page, { password }: Person): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(password);
}

/** Fills in the three screens of an organization: the company, its address, its people. */
async function fillOrganization(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Company legal name').fill(person.company);
  if (person.developerType === 'brokerage') {
    await page.getByLabel('Employer identification number').fill('12-3456789');
  }
  await page.getByLabel('Company e-mail domain').fill(domainOf(person));
  await page.getByRole('checkbox').press('Space');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Street address').fill('1 Main Street');
  await page.getByLabel('City').fill('Washington');
  await page.getByLabel('State', { exact: true }).selectOption('DC');
  await page.getByLabel('ZIP code').fill('20001');
  await page.getByLabel('Company phone').fill(aPhone());
  await page.getByLabel('Website').fill(`https://${domainOf(person)}`);
  await page.getByLabel('Customer service e-mail').fill(`service@${domainOf(person)}`);
  await page.getByLabel('Customer service phone').fill(aPhone());
  await page.getByRole('button', { name: 'Continue' }).click();
  await fillContact(page, 'Primary contact', person);
  const other = { firstName: 'Sam', lastName: 'Second', email: `sam@${domainOf(person)}`, phone: aPhone() };
  await fillContact(page, 'Secondary contact', other);
  await fillPassword(page, person);
}

async function fillContact(
  page: Page,
  who: string,
  person: Pick<Person, 'firstName' | 'lastName' | 'email' | 'phone'>,
): Promise<void> {
  const field = (name: string) => page.getByLabel(`${who}’s ${name}`);
  await field('first name').fill(person.firstName);
  await field('last name').fill(person.lastName);
  await field('company e-mail address').fill(person.email);
  await field('company phone').fill(person.phone);
  await field('designation').fill('compliance officer');
}

/** Enters the code of the mail, and that of the text message if a phone is verified, and accepts the Terms of Use. */
export async function prove(page: Page, person: Person): Promise<void> {
  await typeCode(page, await codeTo(person.email));
  if (!isOrganization(person)) {
    await page.getByRole('heading', { name: 'Enter the code from your phone' }).waitFor();
    await typeCode(page, await codeTo(e164Of(person)));
  }
  await acceptTerms(page);
}

export async function typeCode(page: Page, code: string, button = 'Continue'): Promise<void> {
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: button }).click();
}

/** Accepts the Terms of Use: the button works after the text was scrolled to its end and the checkbox is selected. */
export async function acceptTerms(page: Page): Promise<void> {
  const accept = page.getByRole('button', { name: 'Accept' });
  await accept.waitFor();
  if (await accept.isEnabled()) throw new Error('the terms can be accepted unread');
  await readAndTick(page);
  await accept.click();
}

/** Scrolls a text of the page to its end, and selects the checkbox below it. */
export async function readAndTick(page: Page): Promise<void> {
  const box = page.getByRole('checkbox');
  await box.waitFor();
  const text = page.getByRole('main').getByRole('region').first();
  // A new page gives its heading the focus: a key pressed at that moment scrolls the page instead of the text.
  await vi.waitFor(
    async () => {
      await text.press('End');
      await page.getByText('You have reached the end of the text.').waitFor({ timeout: 1_000 });
    },
    { timeout: 30_000 },
  );
  await box.press('Space');
}

/** Signs in on the sign-in page, and enters a code if one is asked for. */
export async function signIn(
  page: Page,
  { email, password, ...person }: Pick<Person, 'email' | 'password' | 'phone'>,
): Promise<void> {
  const to = e164Of(person);
  await page.getByLabel('E-mail address or user name').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const code = page.getByLabel('Code');
  const inside = page.getByRole('button', { name: 'Sign out' });
  await code.or(inside).first().waitFor();
  if (!(await code.isVisible())) return;
  await typeCode(page, await codeTo(to), 'Sign in');
  await inside.waitFor();
}
