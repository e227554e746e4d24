import { expect, it } from 'vitest';
import type { TokenResponse } from '../../lambdas/authorization/token/grant-type.ts';
import { demonstration } from '../../lambdas/catalog/oauth/demonstration.ts';
import { demonstratedMember } from '../../ops/demonstration.ts';
import { demonstrationTokenCall } from '../../portal-static/pages/demonstration/demonstration-calls.ts';
import { localFetch, memberOf, originsOf } from './journey.ts';
import { portalChromium } from './portal/browser.ts';
import { portalOrigin } from './portal/portal.ts';

const chromium = portalChromium();

const requestToken = async (environment: 'sandbox' | 'production') => {
  const { url, headers, body } = demonstrationTokenCall(originsOf(environment));
  return await localFetch(url, { method: 'POST', headers, body: String(new URLSearchParams(body)) });
};

it('shows a visitor a member, a page of claims and what it refers to, through the gateway and without an account', async () => {
  const page = await chromium.open('/');
  await page.goto(`${portalOrigin()}/`);
  const live = page.locator('#live-sandbox');
  await live.getByRole('button', { name: 'Read a member' }).click();
  await live.getByRole('heading', { name: /Read a member 200/ }).waitFor();
  await live.getByText(demonstratedMember().patientId).first().waitFor();
  await live.getByRole('button', { name: 'Search the member’s claims' }).click();
  await live.getByRole('heading', { name: /Search the member’s claims 200/ }).waitFor();
  await live.getByRole('button', { name: 'Unfold all' }).first().click();
  await live
    .getByRole('button', { name: /^"Coverage\// })
    .first()
    .click();
  await live.getByRole('heading', { name: /Read Coverage\/.* 200/ }).waitFor();
  await live.getByText('"resourceType": "Coverage"').or(live.getByText('"Coverage"')).first().waitFor();
});

it('has a token that reads its own member only, writes nothing, and is unknown to production', async () => {
  const answer = await requestToken('sandbox');
  expect(answer.status).toBe(200);
  const { access_token: accessToken, patient, expires_in: seconds } = (await answer.json()) as TokenResponse;
  expect(seconds).toBe(demonstration.accessTokenSeconds);
  // Nobody can sign in as this member, so the grants of visitors burden nobody's consents.
  expect(patient).toBe(demonstratedMember().patientId);
  expect(demonstratedMember().password).toBeUndefined();
  const base = `${originsOf('sandbox').apiTemplate.replace('{lob}', 'dsnp')}/extfhirpatientaccess/v1`;
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'x-api-subscription-key': demonstration.subscriptionKey,
  };
  const statusOf = async (path: string, method = 'GET') =>
    (await localFetch(`${base}${path}`, { method, headers })).status;
  expect(await statusOf(`/Patient/${patient}`)).toBe(200);
  expect(await statusOf(`/Patient/${memberOf('sandbox', 'MAPD').patientId}`)).toBe(404);
  expect(await statusOf(`/Patient/${patient}`, 'PUT')).toBe(405);
  expect((await requestToken('production')).status).toBe(401);
});

it('tells an address that asks for too many tokens when to come back', async () => {
  const answers = await Promise.all(
    Array.from({ length: 3 * demonstration.tokensPerMinute }, () => requestToken('sandbox')),
  );
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});
