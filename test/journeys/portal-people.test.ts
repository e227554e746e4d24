import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DeveloperType } from '../../lambdas/portal/catalog/account-states.ts';
import { http } from './journey.ts';
import { attest, promote, register, registerByApi, submit, viewCredentials } from './portal/applications.ts';
import { api, done, portalChromium } from './portal/browser.ts';
import { runApplication } from './portal/calls.ts';
import { aDeveloper } from './portal/developer.ts';
import { anOperator, decide, verifyOrganization } from './portal/operations.ts';
import { aPerson, e164Of, isOrganization } from './portal/people.ts';
import { codeTo, mailed, messagesTo, ops, opsEnds, portalOrigin } from './portal/portal.ts';
import { prove, signIn, signUp, typeCode } from './portal/sign-up.ts';

const lob = 'MAPD';

const chromium = portalChromium();
/** A page of the operators' console. */
let operator: Page;
beforeAll(async () => {
  operator = await chromium.open('/sign-in');
  await signIn(operator, await anOperator());
  // The first call of a function takes longest, so it is made before the journeys call at once.
  const { page } = await aDeveloper(chromium);
  await registerByApi(page, { name: 'First steps', lob });
  await page.context().close();
});

/** Long, since the journeys run in parallel and one of them waits for a minute. */
const timeout = 300_000;

describe.concurrent('the portal', { timeout }, () => {
  it('sends another code after a minute; then only the newer one works', async () => {
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
    await page.getByText('We sent a new code.').waitFor();
    const second = await codeTo(person.email, 1);
    await typeCode(page, first);
    await page.getByText('Incorrect code.').first().waitFor();
    await typeCode(page, second);
    await page.getByRole('heading', { name: 'Enter the code from your phone' }).waitFor();
    expect(await messagesTo(e164Of(person))).toHaveLength(1);
    await page.context().close();
  });

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
  ])('lets a new developer ($developerType) call production once the $approved has approved, and no more after $ended', async ({
    developerType,
    promoted,
    approved,
    ended,
  }) => {
    const person = aPerson(developerType);
    const desk = await operator.context().newPage();
    const page = await chromium.open('/sign-up');
    await signUp(page, person);
    await prove(page, person);
    if (isOrganization(person)) {
      await page.getByRole('heading', { name: 'We are verifying your organization' }).waitFor();
      await verifyOrganization(desk, person);
      await page.getByRole('button', { name: 'Check for a decision' }).click();
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
  });

  it('signs a developer out everywhere: every browser has to sign in again, with a code where it is not known', async () => {
    const developer = await aDeveloper(chromium);
    const { person, page } = developer;
    const elsewhere = await chromium.open('/sign-in');
    await signIn(elsewhere, person);
    await page.goto(`${portalOrigin()}/account`);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByLabel('E-mail address or user name').waitFor();
    expect((await api(elsewhere, 'GET', '/api/applications')).status).toBe(401);
    await elsewhere.goto(`${portalOrigin()}/applications`);
    await elsewhere.getByLabel('E-mail address or user name').waitFor();
    expect((await api(page, 'GET', '/api/account')).status).toBe(401);
    await signIn(page, person);
    await page.getByRole('link', { name: 'Register application' }).waitFor();
  });

  it('refuses an organization with a reason it gets by mail, and its sign-up ends', async () => {
    const person = aPerson('payer');
    const page = await chromium.open('/sign-up');
    await signUp(page, person);
    await prove(page, person);
    await page.getByRole('heading', { name: 'We are verifying your organization' }).waitFor();
    const { accountId } = await done<{ readonly accountId: string }>(page, 'GET', '/api/account');
    expect(await ops('accounts', 'queue')).toContain(person.company);
    expect(await ops('accounts', 'show', accountId)).toContain('companyEmailDomain');
    await ops('accounts', 'refuse', accountId, '--reason', 'The domain is not yours.');
    await mailed(person.email, /(The domain is not yours)/);
    expect((await api(page, 'GET', '/api/account')).status).toBe(401);
    expect((await opsEnds('accounts', 'verify', accountId)).code).toBe(1);
  });

  it('opens to an organization that the command line verified', async () => {
    const person = aPerson('brokerage');
    const page = await chromium.open('/sign-up');
    await signUp(page, person);
    await prove(page, person);
    await page.getByRole('heading', { name: 'We are verifying your organization' }).waitFor();
    const { accountId } = await done<{ readonly accountId: string }>(page, 'GET', '/api/account');
    await ops('accounts', 'verify', accountId);
    await page.getByRole('button', { name: 'Check for a decision' }).click();
    await page.getByRole('link', { name: 'Register application' }).waitFor();
  });

  it('lets an operator in with a code only, and out of the console at once when removed', async () => {
    const colleague = await anOperator();
    const page = await chromium.open('/sign-in');
    await signIn(page, colleague);
    await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();
    expect(await ops('operators', 'list')).toContain(colleague.email);
    await ops('operators', 'remove', colleague.email);
    expect((await api(page, 'GET', '/api/operations/queue')).status).toBe(401);
    await page.goto(`${portalOrigin()}/operations`);
    await page.getByLabel('E-mail address or user name').waitFor();
    expect(await ops('operators', 'list')).not.toContain(colleague.email);
  });

  it('shows developers the sandbox’s test members', async () => {
    const { page } = await aDeveloper(chromium);
    await page.goto(`${portalOrigin()}/sandbox`);
    await page.getByText('unknown birth month and day').first().waitFor();
  });
});
