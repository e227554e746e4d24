import { randomUUID } from 'node:crypto';
import { it } from 'vitest';
import type { ApplicationView } from '../../lambdas/portal/api/views.ts';
import { memberOf, provision } from './journey.ts';
import { payerNpi } from './payer-client.ts';
import { guidedCall, openApplication } from './portal/applications.ts';
import { done, portalChromium } from './portal/browser.ts';
import { aDeveloper } from './portal/developer.ts';

/** Applications that authenticate with a key of their own (private_key_jwt), which is made and used in the browser. */

const chromium = portalChromium();

const at = (path: string) => `https://app.example.org${path}`;

it('registers a service with a key made in the browser, and gets it a token', async () => {
  const { page, person } = await aDeveloper(chromium);
  await page.getByRole('link', { name: 'Register application' }).click();
  await page.getByLabel('Application Name').fill('Night shift');
  await page.getByRole('radio', { name: /^Back-end service/ }).press('Space');
  await page.getByRole('radio', { name: /^private_key_jwt/ }).press('Space');
  await page.getByRole('button', { name: 'Create a key pair in this browser' }).click();
  await page.getByText('The public key is filled in.').waitFor();
  await page.getByLabel('Payer Access').press('Space');
  await page.getByRole('checkbox', { name: 'MAPD' }).press('Space');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Application URI').fill(at('/'));
  await page.getByLabel('Privacy URI').fill(at('/privacy'));
  await page.getByLabel('TOS URI').fill(at('/terms'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Contact Email').fill('help@app.example.org');
  await page.getByLabel('US Support Contact Phone Number').fill('202-555-0123');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Register in sandbox' }).click();
  await page.getByRole('link', { name: 'Make first call' }).click();
  await page.getByLabel('Your password').fill(person.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Get a token and call' }).click();
  await page.getByRole('heading', { name: /1\. Get a machine-to-machine token 200/ }).waitFor();
  // Payer Access refuses the token until an operator has verified the organization, and the page says so.
  await page.getByRole('heading', { name: /2\. Search the groups .* in Payer Access 403/ }).waitFor();
  await page.getByText('once an operator has verified your organization').waitFor();
  const id = /\/applications\/([^/]+)/.exec(page.url())?.[1];
  const { sandbox } = await done<ApplicationView>(page, 'GET', `/api/applications/${id}`);
  const verified = { clientId: sandbox.clientId, organization: [payerNpi] };
  await provision('sandbox', { action: 'verify-organization', requestId: randomUUID(), ...verified });
  await page.getByRole('button', { name: 'Get a token and call' }).click();
  await page.getByRole('heading', { name: /4\. Search the groups .* in Payer Access 200/ }).waitFor();
});

it('reads a member’s data with a key in the place of a published address, and revokes with it', async () => {
  const { page, person } = await aDeveloper(chromium);
  const { applicationId } = await done<ApplicationView>(page, 'POST', '/api/applications', {
    configuration: {
      applicationName: 'Own key',
      applicationType: 'web',
      grantType: 'authorization_code',
      responseType: 'code',
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwksUri: at('/jwks'),
      pkce: true,
      products: ['patient-access'],
      linesOfBusiness: ['MAPD'],
      applicationUri: at('/'),
      loginInitiateUri: at('/login'),
      loginRedirectUris: [at('/callback')],
      logoutRedirectUri: at('/bye'),
      privacyUri: at('/privacy'),
      tosUri: at('/terms'),
      contactEmail: 'help@app.example.org',
      supportPhone: '202-555-0123',
    },
  });
  await openApplication(page, applicationId, '/try');
  await page.getByRole('button', { name: 'Create key pair' }).click();
  await page.getByRole('button', { name: 'Register in sandbox' }).click();
  await page.getByLabel('Revoked grant').press('Space');
  await guidedCall(page, memberOf('sandbox', 'MAPD'), person.password);
  await page.getByRole('heading', { name: /1\. Exchange the code for an access token 200/ }).waitFor();
  await page.getByRole('heading', { name: /3\. Revoke the grant 200/ }).waitFor();
  await page.getByRole('heading', { name: /4\. Read the Patient .* 401/ }).waitFor();
});
