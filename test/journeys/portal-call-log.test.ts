import { expect, it } from 'vitest';
import { authorizationServerEndpoints } from '../../lambdas/catalog/addresses.ts';
import type { CallsView, CredentialsView } from '../../lambdas/portal/api/views.ts';
import { http, originsOf, redirectUri } from './journey.ts';
import { credentialsByApi, openApplication, registerByApi } from './portal/applications.ts';
import { done, portalChromium } from './portal/browser.ts';
import { runApplication } from './portal/calls.ts';
import { aDeveloper } from './portal/developer.ts';

const chromium = portalChromium();

const lob = 'MAPD';

it('shows token requests and reads with why each was refused, to their own developer only', async () => {
  const { page, person } = await aDeveloper(chromium);
  const { applicationId: id } = await registerByApi(page, { name: 'Cedar Journal', lob });
  const shown = await credentialsByApi(page, id, 'sandbox', person.password);
  const tokenUrl = authorizationServerEndpoints(originsOf('sandbox'), lob).token;
  const request = async (secret: string) =>
    await http({
      method: 'POST',
      url: tokenUrl,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${shown.clientId}:${secret}`).toString('base64')}`,
      },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'no-such-code',
        redirect_uri: redirectUri,
      }).toString(),
    });
  const running = runApplication('sandbox', lob, shown);
  expect(await running.read(await running.token())).toBe(200);
  expect(await running.read('not.a.token')).toBe(401);
  expect((await request('not-the-secret')).status).toBe(401);
  expect((await request(shown.clientSecret)).status).toBe(400);

  const calls = async (query = '') =>
    (await done<CallsView>(page, 'GET', `/api/applications/${id}/calls/sandbox${query}`)).calls;
  const token = '/fhir-oauth2/pub/{lob}/token';
  const read = '/extfhirpatientaccess/v1/Patient/{id}';
  await expect
    .poll(async () =>
      (await calls()).map(({ lob: of, route, status, reason }) => [of, route, status, reason]),
    )
    .toEqual([
      [lob, token, 400, 'code_unknown'],
      [lob, token, 401, 'client_secret_wrong'],
      [lob, read, 401, 'token_malformed'],
      [lob, read, 200, undefined],
      [lob, token, 200, undefined],
    ]);
  expect((await calls('?outcome=refused&path=token')).map(({ status }) => status)).toEqual([400, 401]);
  expect(await calls('?lob=DSNP')).toEqual([]);
  const [first] = await calls('?limit=1&status=200');
  expect(first?.route).toBe(read);
  const credentials = await done<CredentialsView>(
    page,
    'POST',
    `/api/applications/${id}/credentials/sandbox`,
    {},
  );
  const used = Date.parse(credentials.secrets[0]?.lastUsedAt ?? '');
  expect(Date.now() - used).toBeLessThan(10 * 60_000);

  await openApplication(page, id, '/calls');
  await page.getByText('5 calls.').waitFor();
  await page.getByRole('link', { name: 'code_unknown' }).click();
  await page.locator('#reason-code_unknown').waitFor();
  await page.goBack();
  await page.getByLabel('Outcome').selectOption('refused');
  await page.getByRole('button', { name: 'Show matching calls' }).click();
  await page.getByText('3 calls.').waitFor();
  await page.getByText('Follow new calls').click();
  expect((await request('not-the-secret-either')).status).toBe(401);
  await page.getByText('4 calls.').waitFor();
  await page.reload();
  await page.getByText('4 calls.').waitFor();

  const stranger = await aDeveloper(chromium);
  const other = await registerByApi(stranger.page, { name: 'Maple Journal', lob });
  const theirs = await done<CallsView>(
    stranger.page,
    'GET',
    `/api/applications/${other.applicationId}/calls/sandbox`,
  );
  expect(theirs.calls).toEqual([]);
});
