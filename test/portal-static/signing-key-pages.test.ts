import { generateKeyPairSync } from 'node:crypto';
import { importJWK, type JWK, jwtVerify } from 'jose';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApplicationConfiguration } from '../../lambdas/portal/api/applications.ts';
import { expectAccessible } from '../support/accessible-page.ts';
import { openedAccount } from './accounts.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';
import { aConfiguration, anApplication } from './applications-fixtures.ts';
import { addresses, credentials, members } from './applications-fixtures-more.ts';

/** The guided first call of applications that sign with a key of their own (private_key_jwt). */

let portal: PortalBrowser;
beforeAll(async () => {
  portal = await openPortalBrowser();
});
afterAll(() => portal.close());
beforeEach(() => {
  const { site } = portal;
  site.reset();
  site.answer('account', { body: openedAccount() });
  site.answer('testMembers', { body: { members } });
  site.answer('addresses', { body: addresses(site.origin) });
  site.answer('credentials', { body: { ...credentials, secrets: [] } });
  site.answer('preflight', { body: { checks: [] } });
});
afterEach(async () => {
  await portal.leave();
  expect(portal.complaints.splice(0)).toEqual([]);
});

type Sandbox = Partial<ApplicationConfiguration>;

/**
 * Scripts an application that stores what the page saves.
 *
 * @returns a function that gives the stored configuration
 */
function application(more: Sandbox): () => ApplicationConfiguration {
  let configuration = { ...aConfiguration, tokenEndpointAuthMethod: 'private_key_jwt', ...more } as const;
  const view = () => anApplication({ sandbox: { clientId: 'client-sandbox-1', configuration } });
  portal.site.answer('application', () => ({ body: view() }));
  portal.site.answer('updateSandbox', (body: { configuration: typeof configuration }) => {
    configuration = body.configuration;
    return { body: view() };
  });
  return () => configuration;
}

const machine: Sandbox = {
  applicationType: 'service',
  grantType: 'client_credentials',
  responseType: 'none',
  products: ['payer-access'],
};

/** Answers for the sandbox's hosts and records each request. */
async function environment(page: Page, token: object, status = 200) {
  const sent: { readonly path: string; readonly body: string }[] = [];
  await page.route('**/fhir-oauth2/sec/**', (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const back = `${asked.get('redirect_uri')}?code=the-code&state=${asked.get('state')}`;
    return route.fulfill({ status: 302, headers: { location: back } });
  });
  await page.route(/\/fhir-oauth2\/pub\/|\/token\/v2|\/extfhir/, async (route) => {
    const path = new URL(route.request().url()).pathname;
    sent.push({ path, body: route.request().postData() ?? '' });
    const isToken = path.includes('token');
    await route.fulfill({ status: isToken ? status : 200, json: isToken ? token : { resourceType: 'Any' } });
  });
  return sent;
}

/**
 * @returns the claims of an assertion that the registered public key verifies.
 * @throws Error if it does not
 */
async function verified(assertion: string, configuration: ApplicationConfiguration) {
  const [key] = configuration.jwks?.keys ?? [];
  const { payload } = await jwtVerify(assertion, await importJWK(key as JWK, key?.alg ?? ''));
  return payload;
}

describe('a service that signs with its own key', () => {
  it('gets a key in the browser, registers its public part, and makes the calls', async () => {
    const registered = application(machine);
    const page = await portal.open('/applications/app-1/try');
    const sent = await environment(page, { access_token: 'machine-token' });
    await page.getByRole('button', { name: 'Create key pair' }).waitFor();
    await expectAccessible(page, 'signing-key-choose');
    await page.getByRole('button', { name: 'Create key pair' }).click();
    await page.getByRole('heading', { name: 'Register the public key' }).waitFor();
    await expectAccessible(page, 'signing-key-register');
    await page.getByRole('button', { name: 'Register in sandbox' }).click();
    await page.getByRole('button', { name: 'Get a token and call' }).click();
    await page.getByRole('heading', { name: /2. Search the groups/ }).waitFor();
    const body = new URLSearchParams(sent[0]?.body);
    expect(body.get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    expect(body.get('client_secret')).toBeNull();
    const claims = await verified(body.get('client_assertion') ?? '', registered());
    expect(claims).toMatchObject({
      iss: 'client-sandbox-1',
      sub: 'client-sandbox-1',
      aud: `${portal.site.origin}/token/v2`,
    });
    // Only the public key was sent to the portal.
    expect(JSON.stringify(portal.site.calls)).not.toMatch(/"d":/);
    // The assertion is hidden, and its claims are shown.
    expect(await page.content()).not.toContain(body.get('client_assertion'));
    await page.getByText('Contents of the assertion').click();
    await page.getByText('"iss": "client-sandbox-1"').waitFor();
    await expectAccessible(page, 'signing-key-answer');
  });

  it('finds its key again after a reload, and signs anew for each request', async () => {
    application(machine);
    const page = await portal.open('/applications/app-1/try');
    const sent = await environment(page, { access_token: 'machine-token' });
    await page.getByRole('button', { name: 'Create key pair' }).click();
    await page.getByRole('button', { name: 'Register in sandbox' }).click();
    await page.getByRole('button', { name: 'Get a token and call' }).waitFor();
    await page.reload();
    for (let turn = 1; turn <= 2; turn += 1) {
      await page.getByRole('button', { name: 'Get a token and call' }).click();
      await expect.poll(() => sent.filter(({ path }) => path === '/token/v2').length).toBe(turn);
      await page.getByRole('heading', { name: /2. Search the groups/ }).waitFor();
    }
    const assertions = sent
      .filter(({ path }) => path === '/token/v2')
      .map(({ body }) => new URLSearchParams(body).get('client_assertion'));
    expect(new Set(assertions).size).toBe(2);
    await page.getByRole('button', { name: 'Use another key' }).click();
    await page.getByRole('button', { name: 'Create key pair' }).waitFor();
  });

  it('uses the key of its program where its public part is published, and says why one was not taken', async () => {
    application({ ...machine, jwksUri: 'https://companion.example.org/jwks' });
    const page = await portal.open('/applications/app-1/try');
    const sent = await environment(page, { error: 'invalid_client' }, 401);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const fileOf = (jwk: object) => ({
      name: 'key.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(jwk)),
    });
    await page.getByLabel('Private key as a file').setInputFiles(fileOf(publicKey.export({ format: 'jwk' })));
    await page.getByText('This is only a public key.').waitFor();
    await page
      .getByLabel('Private key as a file')
      .setInputFiles(fileOf({ ...privateKey.export({ format: 'jwk' }), kid: 'ours' }));
    await page.getByText('https://companion.example.org/jwks').waitFor();
    await page.getByRole('button', { name: 'The key is published' }).click();
    await page.getByRole('button', { name: 'Get a token and call' }).click();
    await page.getByText('The token endpoint refused the assertion.').waitFor();
    const assertion = new URLSearchParams(sent[0]?.body).get('client_assertion') ?? '';
    const { protectedHeader } = await jwtVerify(assertion, publicKey);
    expect(protectedHeader).toMatchObject({ alg: 'ES384', kid: 'ours' });
    expect(JSON.stringify(portal.site.calls)).not.toContain(privateKey.export({ format: 'jwk' }).d);
  });
});

describe('an application of members that signs with its own key', () => {
  it('exchanges the code with an assertion, and revokes with another', async () => {
    const registered = application({});
    const page = await portal.open('/applications/app-1/try');
    const token = { access_token: 'token-1', patient: members[0]?.patientId };
    const sent = await environment(page, token);
    await page.getByRole('button', { name: 'Create key pair' }).click();
    await page.getByRole('button', { name: 'Register in sandbox' }).click();
    await page.getByLabel('Revoked grant').press('Space');
    await page.getByRole('button', { name: 'Continue to sign-in page' }).click();
    await page.getByRole('heading', { name: /4. Read the Patient/ }).waitFor();
    await page.getByRole('link', { name: 'Make another call' }).waitFor();
    const exchange = JSON.parse(sent[0]?.body ?? '') as Record<string, string>;
    const of = `${portal.site.origin}/fhir-oauth2/pub/dsnp`;
    expect(exchange).toMatchObject({ grant_type: 'authorization_code', code: 'the-code' });
    expect((await verified(exchange.client_assertion ?? '', registered())).aud).toBe(`${of}/token`);
    const revocation = new URLSearchParams(sent.find(({ path }) => path.endsWith('/revoke'))?.body);
    expect((await verified(revocation.get('client_assertion') ?? '', registered())).aud).toBe(`${of}/revoke`);
  });
});
