import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { SyntheticMember } from '../../ops/generator/members.ts';
import { readingTicked } from '../authorization/builders.ts';
import { accessibilityViolations, screenshot } from '../support/chromium.ts';
import { http, originsOf, register, registrationOf } from './journey.ts';

/** The scope that is shared if the member submits the consent page unchanged: sensitive groups are not selected. */
export const sharedScope = `openid ${readingTicked}`;

/** An app on this machine to which a browser can be redirected. */
export interface CalledBackApp {
  readonly clientId: string;
  readonly name: string;
  /** The app's authorization request. */
  authorizationUrl(parameters?: Readonly<Record<string, string>>): string;
  /**
   * Exchanges the code of a callback.
   *
   * @returns a function that sends a GET request to Patient Access, with a path below its base, and returns the status
   */
  caller(callback: URL): Promise<(path: string) => Promise<number>>;
  /**
   * Exchanges the code of a callback.
   *
   * @returns a function that reads the member’s Patient and returns the status
   */
  reader(callback: URL): Promise<(patientId: string) => Promise<number>>;
}

export interface AppHost {
  readonly redirectUri: string;
  close(): void;
}

/**
 * Starts the app's server. Chromium follows a redirect only if the page's policy allows it, which a test sees when the app's page is
 * reached.
 */
export async function startAppHost(): Promise<AppHost> {
  const server: Server = createServer((_request, response) => response.end('back at the app'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    close: () => server.close(),
  };
}

export async function registerApp(
  lob: LineOfBusiness,
  name: string,
  { redirectUri }: AppHost,
): Promise<CalledBackApp> {
  const origins = originsOf('sandbox');
  const endpoints = authorizationServerEndpoints(origins, lob);
  const base = fhirBase(origins, lob, 'patient-access');
  const { clientId, clientSecret, subscriptionKey } = await register(
    'sandbox',
    registrationOf(lob, {
      displayName: name,
      redirectUris: [redirectUri],
      pkceRequired: false,
      applicationUri: 'https://app.example.org',
      privacyUri: 'https://app.example.org/privacy',
      termsOfServiceUri: 'https://app.example.org/terms',
      contactEmail: 'help@app.example.org',
    }),
  );
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  async function caller(callback: URL): Promise<(path: string) => Promise<number>> {
    const tokens = await http({
      method: 'POST',
      url: endpoints.token,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code'),
        redirect_uri: redirectUri,
      }),
    });
    const { access_token: token, scope } = JSON.parse(tokens.body) as Record<string, string>;
    expect(scope).toBe(sharedScope);
    const headers = { authorization: `Bearer ${token}`, 'x-api-subscription-key': subscriptionKey };
    return async (path) => (await http({ method: 'GET', url: `${base}/${path}`, headers })).status;
  }
  return {
    clientId,
    name,
    authorizationUrl: (parameters = {}) =>
      `${endpoints.authorization}?${new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'openid patient/*.read',
        state: 'state',
        aud: base,
        ...parameters,
      })}`,
    caller,
    async reader(callback) {
      const call = await caller(callback);
      return async (id) => await call(`Patient/${id}`);
    },
  };
}

export const english = {
  username: 'Member ID or e-mail',
  password: 'Password',
  signIn: 'Sign in',
  share: 'Share my data',
} as const;

export async function signIn(
  page: Page,
  { memberId, password }: Pick<SyntheticMember, 'memberId' | 'password'>,
  labels: Readonly<Record<keyof typeof english, string>> = english,
): Promise<void> {
  await page.getByLabel(labels.username).fill(memberId);
  await page.getByLabel(labels.password).fill(password);
  await page.getByRole('button', { name: labels.signIn, exact: true }).click();
}

export async function expectAccessible(page: Page, name: string): Promise<void> {
  await screenshot(page, name);
  expect(await accessibilityViolations(page)).toEqual([]);
  const scrolls = await page.locator('html').evaluate((html) => html.scrollWidth);
  expect(scrolls).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  expect((await page.content()).length).toBeLessThan(15_000);
}
