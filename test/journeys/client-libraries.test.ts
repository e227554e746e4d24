import * as client from 'openid-client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fhirBase, memberIssuer } from '../../lambdas/catalog/addresses.ts';
import { openChromium } from '../support/chromium.ts';
import { decide, localFetch, memberOf, originsOf, redirectUri, register, registrationOf } from './journey.ts';
import {
  launchAndShare,
  readOwnPatient,
  registerPublicly,
  type SmartApp,
  startSmartApp,
} from './smart-app.ts';

/**
 * Unmodified client libraries that app developers use. Each is given the FHIR base URL, the client's credentials and the key header, and
 * finds the rest by discovery.
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
  let app: SmartApp;
  beforeAll(async () => {
    browser = await openChromium();
    app = await startSmartApp();
  });
  afterAll(async () => {
    await browser.close();
    app.stop();
  });

  it('launches standalone as a public client and reads the Patient of its context', async () => {
    const member = memberOf('sandbox', lob);
    const { clientId, subscriptionKey } = await registerPublicly(app, lob);
    const iss = fhirBase(originsOf('sandbox'), lob, 'patient-access');
    const page = await browser.newPage();
    await launchAndShare(page, app, { iss, clientId, member });
    const patient = await readOwnPatient(page, { 'x-api-subscription-key': subscriptionKey });
    expect(patient).toMatchObject({ id: member.patientId });
    await page.close();
  });
});
