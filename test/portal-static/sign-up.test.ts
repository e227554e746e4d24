import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signUpSchemas } from '../../lambdas/portal/api/accounts.ts';
import type { AccountView } from '../../lambdas/portal/api/views.ts';
import { accessibilityViolations } from '../support/chromium.ts';
import { account } from './accounts.ts';
import { type BuiltSite, openBuiltSite } from './built-site.ts';

let built: BuiltSite;

beforeAll(async () => {
  built = await openBuiltSite();
});
afterAll(() => built.close());
beforeEach(() => built.site.reset());

const password = 'correct horse battery staple';

/** Sets the account that the API returns from now on. */
function nowIs(more: Partial<AccountView>): void {
  built.site.answer('account', { body: account(more) });
}

const bodyOf = (route: string) => built.site.calls.findLast((call) => call.route === route)?.body;
const callsOf = (route: string) => built.site.calls.filter((call) => call.route === route).length;

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

const individual = {
  'First name': 'Dana',
  'Last name': 'Rivera',
  Company: 'Riverside Health Apps',
  'E-mail address': 'dana@example.org',
  'Mobile phone': '(202) 555-0123',
  'New password': password,
  'Confirm password': password,
};

describe('what is typed and not sent yet', () => {
  it('holds no code of a message', async () => {
    built.site.answer('requestPasswordReset', {});
    const { page } = await built.open('/password-reset');
    await page.getByLabel('E-mail address').fill('dana@example.org');
    await page.getByLabel('E-mail address').press('Enter');
    await page.getByLabel('Code').fill('123456');
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('123456');
  });
});

describe('signing up as an individual developer', () => {
  it('works by keyboard alone, from the form to the accepted terms', async () => {
    built.site.answer('signUp', () => {
      nowIs({ nextStep: 'verify_email', codeSentTo: 'd•••@example.org' });
      return { status: 201, body: account({ nextStep: 'verify_email' }) };
    });
    built.site.answer('verifyEmail', () => {
      nowIs({ nextStep: 'verify_phone', codeSentTo: '•••• 0123' });
      return {};
    });
    built.site.answer('verifyPhone', () => {
      nowIs({ nextStep: 'accept_terms' });
      return {};
    });
    built.site.answer('acceptTerms', () => {
      nowIs({});
      return {};
    });
    const { page, complaints } = await built.open('/sign-up/individual');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const type = async (text: string) => {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    };
    // Seven stops before the fields: skip link, name, three of the navigation, two of the account.
    for (let stop = 0; stop < 7; stop += 1) await page.keyboard.press('Tab');
    const { 'New password': first, 'Confirm password': second, ...fields } = individual;
    for (const text of Object.values(fields)) await type(text);
    await type('dana.rivera');
    await type(first);
    await page.keyboard.press('Tab');
    await type(second);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Enter the code from your e-mail' }).waitFor();
    expect(signUpSchemas.individual.safeParse(bodyOf('signUp')).success).toBe(true);
    expect(bodyOf('signUp')).toMatchObject({ developerType: 'individual', username: 'dana.rivera' });

    await tabTo(page, 'Code');
    await page.keyboard.type('123456');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Enter the code from your phone' }).waitFor();
    await tabTo(page, 'Code');
    await page.keyboard.type('654321');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Terms of Use' }).waitFor();
    expect(bodyOf('verifyPhone')).toEqual({ code: '654321' });

    await tabTo(page, 'Terms of Use');
    await page.keyboard.press('End');
    await page.getByText('You have reached the end of the text.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/applications');
    expect(bodyOf('acceptTerms')).toMatchObject({ scrolledToEnd: true, accepted: true });
    expect(complaints.filter((it) => !it.includes('/api/'))).toEqual([]);
    await page.context().close();
  });

  it('takes the click that leaves a field whose error is mended, wherever it lands', async () => {
    const { page } = await built.open('/sign-up/individual');
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByText(/First name: /).waitFor();
    const press = async (target: Locator) => {
      await target.scrollIntoViewIfNeeded();
      const box = await target.boundingBox();
      if (box === null) throw new Error('there is nothing to press');
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      // Changes that the page makes when the field loses the focus are drawn before the button is released.
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      await page.mouse.up();
    };
    await page.getByLabel('First name').fill('Dana');
    await page.evaluate(
      'document.addEventListener("click", (event) => (window.clicked = event.target.name))',
    );
    await press(page.getByLabel('Company'));
    expect(await page.evaluate('window.clicked')).toBe('company');
    await expect.poll(() => page.getByText(/First name: /).count()).toBe(0);
    await page.getByLabel('Company').fill('Riverside');
    await press(page.getByRole('button', { name: 'Sign up', exact: true }));
    await expect.poll(() => page.getByText(/Company: /).count()).toBe(0);
    await page.getByRole('heading', { name: /There are \d problems/ }).waitFor();
    await page.context().close();
  });

  it('says at each field what is expected, and takes the focus to a list of them', async () => {
    const { page } = await built.open('/sign-up/individual');
    await fill(page, { 'First name': 'Dana', 'E-mail address': 'dana@', 'Confirm password': 'other' });
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByRole('heading', { name: 'There are 6 problems' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('error-summary');
    const links = await page.locator('.error-summary a').allTextContents();
    expect(links).toContain('E-mail address: Enter an e-mail address like name@example.org');
    expect(links[0]).toBe('Last name: Enter your last name');
    expect(links).toContain('Confirm password: Enter the password again to confirm it');
    await page.getByRole('link', { name: /^Mobile phone/ }).click();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('mobilePhone');
    const field = page.getByLabel('Mobile phone');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    expect(
      await page
        .locator(`[id="${(await field.getAttribute('aria-describedby'))?.split(' ').at(-1)}"]`)
        .textContent(),
    ).toContain('Enter a US phone number of ten digits');
    expect(await accessibilityViolations(page)).toEqual([]);
    // From now on a field is checked when it loses the focus.
    await field.fill('202-555-0123');
    await field.blur();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBeNull();
    expect(callsOf('signUp')).toBe(0);
    await page.context().close();
  });

  it('shows what the API refuses at the field, and keeps what was typed', async () => {
    built.site.answer('signUp', {
      problem: 'invalid_request',
      more: {
        errors: [
          { pointer: '/mobilePhone', code: 'not_us_number', expected: 'a US phone number' },
          { pointer: '/username', code: 'taken', expected: 'another user name: this one is taken' },
        ],
      },
    });
    const { page } = await built.open('/sign-up/individual');
    await fill(page, { ...individual, 'Mobile phone': '416-555-0123' });
    await page.getByLabel('User name').fill('dana');
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByRole('link', { name: 'Mobile phone: Enter a US phone number' }).waitFor();
    await page.getByRole('link', { name: 'User name: Another user name: this one is taken' }).waitFor();
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Dana');
    await expect.poll(() => page.getByLabel('New password').inputValue()).toBe(password);
    await page.context().close();
  });

  it('sends once, however often the button is pressed, with a fresh bot check each time', async () => {
    built.site.answer('signUp', { problem: 'unavailable', delayMilliseconds: 400 });
    const { page } = await built.open('/sign-up/individual');
    await fill(page, individual);
    const button = page.getByRole('button', { name: 'Sign up', exact: true });
    await button.click();
    await button.click({ force: true });
    await page.keyboard.press('Enter');
    await page.getByText('The portal is not available right now.').waitFor();
    expect(callsOf('signUp')).toBe(1);
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('error-summary');
    await button.click();
    await expect.poll(() => callsOf('signUp')).toBe(2);
    expect(callsOf('botCheck')).toBeGreaterThanOrEqual(2);
    await page.context().close();
  });

  it('keeps what was typed when the page is left, but no password', async () => {
    const { page } = await built.open('/sign-up/individual');
    await fill(page, individual);
    await page.reload();
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Dana');
    await expect.poll(() => page.getByLabel('New password').inputValue()).toBe('');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(password);
    await page.context().close();
  });
});

const company = {
  'Company legal name': 'Riverside Health Plan, Inc.',
  'Company e-mail domain': 'riverside.example.org',
};
const address = {
  'Street address': '1 Main Street',
  City: 'Washington',
  'ZIP code': '20001',
  'Company phone': '202-555-0100',
  Website: 'https://riverside.example.org',
  'Customer service e-mail': 'help@riverside.example.org',
  'Customer service phone': '202-555-0101',
};
const person = (who: string, firstName: string) => ({
  [`${who}’s first name`]: firstName,
  [`${who}’s last name`]: 'Okafor',
  [`${who}’s company e-mail address`]: `${firstName.toLowerCase()}@riverside.example.org`,
  [`${who}’s company phone`]: '202-555-0102',
  [`${who}’s designation`]: 'Compliance officer',
});

describe.each(['payer', 'brokerage'] as const)('signing up for a %s entity', (developerType) => {
  it('asks for every field in three parts, and retypes nothing', async () => {
    built.site.answer('signUp', () => {
      nowIs({ nextStep: 'verify_email', developerType });
      return { status: 201, body: account() };
    });
    const { page, complaints } = await built.open(`/sign-up/${developerType}`);
    await fill(page, company);
    if (developerType === 'brokerage')
      await page.getByLabel('Employer identification number').fill('12-3456789');
    // The NPI is optional, and its check digit is verified.
    if (developerType === 'payer') await page.getByLabel('NPI').fill('1234567890');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: /Select the box to continue/ }).waitFor();
    if (developerType === 'payer') {
      await page.getByRole('link', { name: /NPI: Enter an NPI/ }).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.getByLabel('NPI').fill('1234567893');
    }
    await page.getByText('I affirm this for my organization.', { exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: /address and customer service/ }).waitFor();
    await fill(page, address);
    await page.getByLabel('State', { exact: true }).selectOption('DC');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back' }).click();
    await expect
      .poll(() => page.getByLabel('Company legal name').inputValue())
      .toBe(company['Company legal name']);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: /people and password/ }).waitFor();
    await fill(page, { ...person('Primary contact', 'Sam'), ...person('Secondary contact', 'Sam') });
    await fill(page, { 'New password': password, 'Confirm password': password });
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByRole('link', { name: /Enter another person’s e-mail address/ }).waitFor();
    await fill(page, person('Secondary contact', 'Lee'));
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByRole('heading', { name: 'Enter the code from your e-mail' }).waitFor();
    expect(signUpSchemas[developerType].safeParse(bodyOf('signUp'))).toMatchObject({ success: true });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('goes back to the part before by the browser’s own way back, and stays on its part over a reload', async () => {
    const { page } = await built.open(`/sign-up/${developerType}?part=3`);
    // The company comes before the password.
    await page.getByRole('heading', { name: /your company/ }).waitFor();
    await fill(page, company);
    if (developerType === 'brokerage')
      await page.getByLabel('Employer identification number').fill('123456789');
    await page.getByText('I affirm this for my organization.', { exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: /address and customer service/ }).waitFor();
    await fill(page, address);
    await page.reload();
    for (const [label, value] of Object.entries(address)) {
      await expect.poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(value);
    }
    await page.goBack();
    await page.getByRole('heading', { name: /your company/ }).waitFor();
    await expect
      .poll(() => page.getByLabel('Company legal name').inputValue())
      .toBe(company['Company legal name']);
    await page.context().close();
  });

  it('goes back to the part with what the API refuses', async () => {
    built.site.answer('signUp', {
      problem: 'invalid_request',
      more: {
        errors: [{ pointer: '/companyAddress/phone', code: 'not_us_number', expected: 'a US number' }],
      },
    });
    const { page } = await built.open(`/sign-up/${developerType}`);
    await fill(page, company);
    if (developerType === 'brokerage')
      await page.getByLabel('Employer identification number').fill('123456789');
    await page.getByText('I affirm this for my organization.', { exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('State', { exact: true }).selectOption('DC');
    await fill(page, address);
    await page.getByRole('button', { name: 'Continue' }).click();
    await fill(page, { ...person('Primary contact', 'Sam'), ...person('Secondary contact', 'Lee') });
    await fill(page, { 'New password': password, 'Confirm password': password });
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByRole('heading', { name: /address and customer service/ }).waitFor();
    await page.getByRole('link', { name: 'Company phone: Enter a US number' }).waitFor();
    await page.context().close();
  });
});

describe('the older sign-up form', () => {
  it('sends role, company name and contact phone', async () => {
    built.site.answer('signUp', () => {
      nowIs({ nextStep: 'verify_email', developerType: 'classic' });
      return { status: 201, body: account() };
    });
    const { page } = await built.open('/sign-up/classic');
    const { Company, 'Mobile phone': phone, ...rest } = individual;
    await fill(page, {
      ...rest,
      Role: 'Developer',
      'Company name': Company,
      'US contact phone number': phone,
    });
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByRole('heading', { name: 'Enter the code from your e-mail' }).waitFor();
    expect(signUpSchemas.classic.safeParse(bodyOf('signUp')).success).toBe(true);
    await page.context().close();
  });
});

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const named = `(() => { const it = document.activeElement; return it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? ''; })()`;
  for (let stop = 0; stop < 30; stop += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(named)) === name) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}
