import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DeveloperType } from '../../lambdas/catalog/portal-accounts.ts';
import { http } from './journey.ts';
import { attest, promote, register, submit, viewCredentials } from './portal/applications.ts';
import { api, openPortalChromium, type PortalChromium } from './portal/browser.ts';
import { runApplication } from './portal/calls.ts';
import { anOperator, decide, verifyOrganization } from './portal/operations.ts';
import { aPerson, e164Of, isOrganization } from './portal/people.ts';
import { codeTo, mailed, messagesTo, ops } from './portal/portal.ts';
import { prove, signIn, signUp, typeCode } from './portal/sign-up.ts';

let chromium: PortalChromium;
/** An operator's console. */
let operator: Page;
beforeAll(async () => {
  chromium = await openPortalChromium();
  operator = await chromium.open('/sign-in');
  await signIn(operator, await anOperator());
});
afterAll(async () => {
  await chromium.close();
});
afterEach(() => {
  expect(chromium.complaints.splice(0)).toEqual([]);
});

const lob = 'MAPD';

/** Side by side: one of them waits for a minute to pass. */
const mostMs = 150_000;

describe.concurrent('a developer who signs up', () => {
  it.each<{
    readonly developerType: DeveloperType;
    readonly promoted: 'Promote to Prod' | 'Register Application';
    readonly approved: 'console' | 'command line';
    readonly ended: 'Suspend' | 'Revoke';
  }>([
    { developerType: 'individual', promoted: 'Promote to Prod', approved: 'console', ended: 'Suspend' },
    { developerType: 'payer', promoted: 'Register Application', approved: 'command line', ended: 'Revoke' },
    { developerType: 'brokerage', promoted: 'Promote to Prod', approved: 'console', ended: 'Revoke' },
    {
      developerType: 'classic',
      promoted: 'Register Application',
      approved: 'command line',
      ended: 'Suspend',
    },
  ])(
    'as $developerType calls production once the $approved has approved, and no more after $ended',
    async ({ developerType, promoted, approved, ended }) => {
      const person = aPerson(developerType);
      const desk = await operator.context().newPage();
      const page = await chromium.open('/sign-up');
      await signUp(page, person);
      await prove(page, person);
      if (isOrganization(person)) {
        await page.getByRole('heading', { name: 'We are checking your organization' }).waitFor();
        await verifyOrganization(desk, person);
        await page.getByRole('button', { name: 'Look whether it is decided' }).click();
      }
      const application = { name: `Steps of ${person.company}`, lob };
      const id = await register(page, application);

      const sandbox = runApplication(
        'sandbox',
        lob,
        await viewCredentials(page, id, 'sandbox', person.password),
      );
      expect(await sandbox.read(await sandbox.token())).toBe(200);
      await attest(page, id);
      await promote(page, application, promoted);
      await submit(page);

      const shown = await viewCredentials(page, id, 'production', person.password);
      const production = runApplication('production', lob, shown);
      const refused = await http({ method: 'GET', url: production.authorizationUrl() });
      expect({ status: refused.status, signsIn: refused.headers.location !== undefined }).toEqual({
        status: 400,
        signsIn: false,
      });

      if (approved === 'console') await decide(desk, id, 'Approve');
      else await ops('apps', 'approve', id, '--note', 'Welcome');
      const token = await production.token();
      expect(await production.read(token)).toBe(200);

      if (approved === 'console') await decide(desk, id, ended, 'It sends too much.');
      else await ops('apps', ended.toLowerCase(), id, '--reason', 'It sends too much.');
      expect([401, 403]).toContain(await production.read(token));
      expect((await http({ method: 'GET', url: production.authorizationUrl() })).status).toBe(400);
      await mailed(person.email, /(It sends too much)/);
      await Promise.all([page.context().close(), desk.close()]);
    },
    mostMs,
  );

  it(
    'gets another code after a minute; then only the newer one works',
    async () => {
      const person = aPerson('individual');
      const page = await chromium.open('/sign-up');
      await signUp(page, person);
      const first = await codeTo(person.email);
      const path = '/api/account/email-code/resend';
      const early = await api<{ readonly code: string; readonly retryAfter: number }>(page, 'POST', path, {});
      expect(early).toMatchObject({ status: 429, body: { code: 'too_many_codes' } });
      expect(early.body.retryAfter).toBeLessThanOrEqual(60);
      await page.waitForTimeout(early.body.retryAfter * 1_000 + 1_000);
      await page.getByRole('button', { name: 'send a new code' }).click();
      await page.getByText('A new code is on its way.').waitFor();
      const second = await codeTo(person.email, 1);
      await typeCode(page, first);
      await page.getByText('That is not the code we sent.').first().waitFor();
      await typeCode(page, second);
      await page.getByRole('heading', { name: 'Enter the code from your phone' }).waitFor();
      expect(await messagesTo(e164Of(person))).toHaveLength(1);
      await page.context().close();
    },
    mostMs,
  );
});
