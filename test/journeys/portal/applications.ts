import type { Page } from 'playwright-core';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ApplicationView, CredentialsView } from '../../../lambdas/portal/api/views.ts';
import type { SyntheticMember } from '../../../ops/generator/members.ts';
import { redirectUri } from '../journey.ts';
import { done } from './browser.ts';
import { runApplication } from './calls.ts';
import { portalOrigin } from './portal.ts';
import { readAndTick } from './sign-up.ts';

/** The pages of a developer's applications, as journeys use them. */

export interface Registration {
  readonly name: string;
  readonly lob: string;
}

const at = (path: string) => `https://app.example.org${path}`;

/**
 * Registers an application from the list of applications, over three screens and a review.
 *
 * @returns the application's ID
 */
export async function register(page: Page, { name, lob }: Registration): Promise<string> {
  await page.getByRole('link', { name: 'Register application' }).click();
  await page.getByLabel('Application Name').fill(name);
  await page.getByLabel('Web application with a server').press('Space');
  await page.getByLabel('Patient Access').press('Space');
  await page.getByRole('checkbox', { name: lob }).press('Space');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Application URI').fill(at('/'));
  await page.getByLabel('Login initiate URI').fill(at('/login'));
  await page.getByLabel('Address', { exact: true }).fill(redirectUri);
  await page.getByLabel('Logout Redirect URI').fill(at('/bye'));
  await page.getByLabel('Privacy URI').fill(at('/privacy'));
  await page.getByLabel('TOS URI').fill(at('/terms'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Contact Email').fill('help@app.example.org');
  await page.getByLabel('US Support Contact Phone Number').fill('202-555-0123');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Register in sandbox' }).click();
  await page.getByRole('heading', { name: 'Next step' }).waitFor();
  return idOf(page);
}

/**
 * Registers an application with the portal's example values in every field, which takes one press and the review.
 *
 * @returns the application's ID
 */
export async function registerExample(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Register application' }).click();
  await page.getByRole('button', { name: 'Fill in examples and review' }).click();
  await page.getByRole('button', { name: 'Register in sandbox' }).click();
  await page.getByRole('heading', { name: 'Next step' }).waitFor();
  return idOf(page);
}

function idOf(page: Page): string {
  const id = /\/applications\/([^/?#]+)/.exec(page.url())?.[1];
  if (id === undefined) throw new Error(`no application at ${page.url()}`);
  return id;
}

/** Registers an application by the API, with the page's session. */
export async function registerByApi(page: Page, { name, lob }: Registration): Promise<ApplicationView> {
  return await done<ApplicationView>(page, 'POST', '/api/applications', {
    configuration: {
      applicationName: name,
      applicationType: 'web',
      grantType: 'authorization_code',
      responseType: 'code',
      tokenEndpointAuthMethod: 'client_secret_basic',
      pkce: true,
      products: ['patient-access'],
      linesOfBusiness: [lob],
      applicationUri: at('/'),
      loginInitiateUri: at('/login'),
      loginRedirectUris: [redirectUri],
      logoutRedirectUri: at('/bye'),
      privacyUri: at('/privacy'),
      tosUri: at('/terms'),
      contactEmail: 'help@app.example.org',
      supportPhone: '202-555-0123',
    },
  });
}

export async function openApplication(page: Page, id: string, rest = ''): Promise<void> {
  await page.goto(`${portalOrigin()}/applications/${id}${rest}`);
}

/** Client ID, secret and subscription key, as the page of credentials shows them. */
export interface Shown {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly subscriptionKey: string;
}

/** Shows the credentials: enters the password if the page asks for it, then presses Show. */
export async function viewCredentials(
  page: Page,
  id: string,
  environment: 'sandbox' | 'production',
  password: string,
): Promise<Shown> {
  await openApplication(page, id, `/credentials?environment=${environment}`);
  const again = page.getByLabel('Your password');
  const secretHeading = page.getByRole('heading', { name: 'Client secret', exact: true }).first();
  await again.or(secretHeading).first().waitFor();
  if (await again.isVisible()) {
    await again.fill(password);
    await page.getByRole('button', { name: 'View Credentials' }).click();
  }
  await secretHeading.waitFor();
  for (const what of ['client secret', 'subscription key']) {
    await page.getByRole('button', { name: `Show ${what}`, exact: true }).click();
  }
  const values = await page.locator('code.secret__value').allTextContents();
  const [clientId = '', clientSecret = '', subscriptionKey = ''] = values;
  return { clientId, clientSecret, subscriptionKey };
}

/** Reads the credentials by the API, after it has entered the password for the session. */
export async function credentialsByApi(
  page: Page,
  id: string,
  environment: 'sandbox' | 'production',
  password: string,
): Promise<Shown> {
  const shown = await done<CredentialsView>(
    page,
    'POST',
    `/api/applications/${id}/credentials/${environment}`,
    { password },
  );
  return {
    clientId: shown.clientId,
    clientSecret: shown.secrets[0]?.value ?? '',
    subscriptionKey: shown.subscriptionKeys[0]?.value ?? '',
  };
}

/** Makes the guided first call: the member signs in and shares on the members' pages, and the portal shows the answers. */
export async function guidedCall(page: Page, member: SyntheticMember, password: string): Promise<void> {
  const again = page.getByLabel('Your password');
  const leave = page.getByRole('button', { name: 'Continue to sign-in page' });
  await leave.waitFor();
  if (await again.isVisible()) await again.fill(password);
  await leave.click();
  // The page has filled in the user name of the chosen member.
  const username = page.locator('input[name="username"]');
  await username.waitFor();
  if ((await username.inputValue()) !== member.memberId) await username.fill(member.memberId);
  await page.locator('input[name="password"]').fill(member.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Share my data' }).click();
  await page.getByRole('link', { name: 'View in call log' }).waitFor();
}

/** Signs the attestation: scrolls the text to its end, selects the checkbox, and submits. */
export async function attest(page: Page, id: string): Promise<void> {
  await openApplication(page, id, '/attestation');
  await readAndTick(page);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('This application is attested').waitFor();
}

/**
 * Promotes an application to production in one of two ways: by the button on its page, or by Register Application in the category
 * production.
 */
export async function promote(
  page: Page,
  { name }: Registration,
  by: 'Promote to Prod' | 'Register Application',
): Promise<void> {
  await page.goto(`${portalOrigin()}/applications?environment=production`);
  if (by === 'Promote to Prod') {
    const row = page.getByRole('listitem').filter({ hasText: name });
    await row.getByRole('button', { name: 'Promote to Prod' }).click();
  } else {
    await page.getByRole('button', { name: 'Register Application' }).click();
    await page.getByLabel('Sandbox application').selectOption({ label: name });
    await page.getByRole('button', { name: 'Promote to production' }).click();
  }
  await page.waitForURL('**/edit/production');
}

/** Enters the values for production, passes the pre-flight, and submits. */
export async function submit(page: Page): Promise<void> {
  await page.getByLabel('Contact Email').fill('production@app.example.org');
  await page.getByRole('button', { name: 'Save production values' }).click();
  await page.getByRole('button', { name: 'Run pre-flight checks' }).click();
  await page.getByText('The tested configuration is the one submitted').first().waitFor();
  await page.getByRole('button', { name: 'Submit for approval' }).click();
  await page.getByRole('button', { name: 'Recall submission' }).waitFor();
}

/**
 * Registers an application, calls the sandbox with it, promotes and submits it, by the API.
 *
 * @returns the application, which waits for a decision
 */
export async function submittedByApi(
  page: Page,
  registration: Registration & { readonly lob: LineOfBusiness },
  password: string,
): Promise<ApplicationView> {
  const { applicationId: id, version } = await registerByApi(page, registration);
  const shown = await credentialsByApi(page, id, 'sandbox', password);
  const sandbox = runApplication('sandbox', registration.lob, shown);
  await sandbox.read(await sandbox.token());
  const promoted = await done<ApplicationView>(page, 'POST', `/api/applications/${id}/promote`, { version });
  return await done(page, 'POST', `/api/applications/${id}/submit`, { version: promoted.version });
}
