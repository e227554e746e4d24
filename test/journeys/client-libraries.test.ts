import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fhirBase, memberIssuer } from '../../lambdas/catalog/addresses.ts';
import { openChromium } from '../support/chromium.ts';
import { decide, localFetch, memberOf, originsOf, redirectUri, register, registrationOf } from './journey.ts';

/**
 * The libraries app developers reach for, unmodified: each is given the FHIR base URL, the client's credentials and the key
 * header, and finds the rest by discovery.
 */

const lob = 'CHPMD';

describe('openid-client', () => {
  it('connects from discovery alone and reads the Patient', async () => {
    const origins = originsOf('sandbox');
    const member = memberOf('sandbox', lob);
    const app = await register('sandbox', registrationOf(lob));
    const config = await client.discovery(
      new URL(memberIssuer(origins, lob)),
      app.clientId,
      app.clientSecret,
      client.ClientSecretBasic(app.clientSecret),
      {
        execute: [client.allowInsecureRequests],
        [client.customFetch]: (url: string, options: object) => localFetch(url, options),
      },
    );
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const nonce = client.randomNonce();
    const authorization = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid fhirUser launch/patient patient/Patient.rs',
      aud: fhirBase(origins, lob, 'patient-access'),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const callback = await decide(authorization.href, member);
    const tokens = await client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    expect(tokens.patient).toBe(member.patientId);
    const answer = await client.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(`${fhirBase(origins, lob, 'patient-access')}/Patient/${member.patientId}`),
      'GET',
      null,
      new Headers({ 'x-api-subscription-key': app.subscriptionKey, accept: 'application/fhir+json' }),
    );
    expect(await answer.json()).toMatchObject({ resourceType: 'Patient', id: member.patientId });
  });
});

describe('fhirclient in Chromium', () => {
  let browser: Browser;
  let app: Server;
  let origin: string;
  beforeAll(async () => {
    browser = await openChromium();
    const library = readFileSync(
      createRequire(import.meta.url).resolve('fhirclient/build/fhir-client.pure.min.js'),
    );
    app = createServer((request, response) => {
      if (request.url === '/fhir-client.js')
        response.setHeader('content-type', 'text/javascript').end(library);
      else {
        response
          .setHeader('content-type', 'text/html')
          .end('<!doctype html><title>An app</title><script src="/fhir-client.js"></script>');
      }
    });
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    origin = `http://localhost:${(app.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser.close();
    app.close();
  });

  it('launches standalone as a public client and reads the Patient of its context', async () => {
    const member = memberOf('sandbox', lob);
    const { clientId, subscriptionKey } = await register(
      'sandbox',
      registrationOf(lob, {
        tokenEndpointAuthMethod: 'none',
        grantTypes: ['authorization_code'],
        redirectUris: [`${origin}/callback`],
      }),
    );
    const iss = fhirBase(originsOf('sandbox'), lob, 'patient-access');
    const page = await browser.newPage();
    await page.goto(`${origin}/launch`);
    // As an app's launch page would call it; the library is a global of the page.
    await Promise.all([
      page.waitForURL(/\/fhir-oauth2\/sec\//),
      page.evaluate(
        `FHIR.oauth2.authorize(${JSON.stringify({
          iss,
          clientId,
          scope: 'openid fhirUser launch/patient patient/Patient.rs',
          redirectUri: '/callback',
          pkceMode: 'required',
        })})`,
      ),
    ]);
    await page.getByLabel('Member ID or e-mail').fill(member.memberId);
    await page.getByLabel('Password').fill(member.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Share my data' }).click();
    await page.waitForURL(/\/callback/);
    const read = (await page.evaluate(
      `FHIR.oauth2.ready().then((client) => client.request({
        url: 'Patient/' + client.patient.id,
        headers: { 'x-api-subscription-key': ${JSON.stringify(subscriptionKey)} },
      }))`,
    )) as { id: string };
    expect(read.id).toBe(member.patientId);
    await page.close();
  });
});
