import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fhirBase, machineTokenEndpoint } from '../../lambdas/catalog/addresses.ts';
import type { Environment } from '../../lambdas/catalog/environments.ts';
import { openChromium } from '../support/chromium.ts';
import { type RunningSystem, startRunningSystem } from '../support/running-system.ts';
import { memberToken } from './app-calls.ts';
import { localFetch, memberOf, originsOf, provision, register, registrationOf } from './journey.ts';
import {
  launchAndShare,
  readOwnPatient,
  registerPublicly,
  type SmartApp,
  startSmartApp,
} from './smart-app.ts';
import { runAgainst } from './system-file.ts';

/** An environment in which the subscription key is optional, beside one that requires it. */

const lob = 'CHPMD';
let system: RunningSystem;
beforeAll(async () => {
  system = await startRunningSystem({ context: { 'sandbox.subscriptionKey': 'optional' } });
  runAgainst(system.stateDirectory);
});
afterAll(async () => {
  await system.stop();
});

describe('where a token alone lets a call in', () => {
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

  it('serves an app that knows the FHIR base and its client id, and nothing of a key', async () => {
    const member = memberOf('sandbox', lob);
    const { clientId } = await registerPublicly(app, lob);
    const page = await browser.newPage();
    await launchAndShare(page, app, {
      iss: fhirBase(originsOf('sandbox'), lob, 'patient-access'),
      clientId,
      member,
    });
    expect(await readOwnPatient(page)).toMatchObject({ id: member.patientId });
    await page.close();

    const today = new Date().toISOString().slice(0, 10);
    const usage = { action: 'usage', clientId, from: today, to: today } as const;
    await expect
      .poll(() => provision('sandbox', usage))
      .toMatchObject({ kind: 'usage', usage: [{ used: expect.any(Number) }] });
    const { usage: days } = (await provision('sandbox', usage)) as { usage: { used: number }[] };
    expect(days[0]?.used).toBeGreaterThan(0);
  });

  it('refuses the next call of an application that is suspended', async () => {
    const app = await register('sandbox', registrationOf(lob));
    const token = await memberToken(app, lob);
    expect((await readByToken('sandbox', token)).status).toBe(200);
    const { clientId } = app;
    await provision('sandbox', { action: 'suspend', requestId: `suspend-${clientId}`, clientId });
    const refused = await readByToken('sandbox', token);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ resourceType: 'OperationOutcome' });
  });

  it('still wants a token, and gives a service its own for the client’s credentials alone', async () => {
    const origins = originsOf('sandbox');
    const member = memberOf('sandbox', lob);
    const url = `${fhirBase(origins, lob, 'patient-access')}/Patient/${member.patientId}`;
    const app = await register('sandbox', registrationOf(lob));
    const { subscriptionKey, clientId, clientSecret } = app;
    const keyOnly = await localFetch(url, { headers: { 'x-api-subscription-key': subscriptionKey } });
    expect([keyOnly.status, keyOnly.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="member-data"',
    ]);
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      scope: app.machineScope ?? '',
      client_id: clientId,
      client_secret: clientSecret,
    });
    // Common client libraries send no key to the token endpoint, and a wrong key is ignored.
    for (const headers of [{}, { 'x-api-subscription-key': 'unknown' }]) {
      const token = await localFetch(machineTokenEndpoint(origins), { method: 'POST', headers, body: form });
      expect([token.status, await token.json()]).toMatchObject([200, { token_type: 'Bearer' }]);
    }
    form.set('client_secret', 'wrong');
    const refused = await localFetch(machineTokenEndpoint(origins), { method: 'POST', body: form });
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  it('is a matter of that environment: the other one asks for the key first', async () => {
    const challenge = async (environment: Environment) =>
      (await readByToken(environment, 'no.token.atall')).headers.get('www-authenticate');
    expect(await challenge('sandbox')).toMatch(/^Bearer error="invalid_token"/);
    expect(await challenge('production')).toBe('Bearer realm="member-data"');
  });
});

/** A read without a subscription key. */
async function readByToken(environment: Environment, token: string): Promise<Response> {
  const { patientId } = memberOf(environment, lob);
  return await localFetch(`${fhirBase(originsOf(environment), lob, 'patient-access')}/Patient/${patientId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
}
