import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAltchaCheck } from '../../lambdas/portal/adapters/bot-check.ts';
import { type BuiltSite, openBuiltSite } from './built-site.ts';

let built: BuiltSite;

beforeAll(async () => {
  built = await openBuiltSite();
});
afterAll(() => built.close());

it('solves in the browser what the API offers, and the API takes it', async () => {
  const services = { secret: async () => 'a secret of this test', useOnce: async () => true, now: Date.now };
  // The bot check of the deployed portal.
  const check = createAltchaCheck(services, { cost: 2_000 });
  built.site.answer('botCheck', { body: await check.offer() });
  built.site.answer('signIn', { problem: 'sign_in_refused' });
  const { page } = await built.open('/sign-in');
  await page.getByLabel('E-mail address or user name').fill('dana@example.org');
  await page.getByLabel('Password', { exact: true }).fill('a password of Dana');
  // The button is pressed at once, and the form waits for the bot check.
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Incorrect e-mail or password').waitFor({ timeout: 60_000 });
  const sent = built.site.calls.findLast(({ route }) => route === 'signIn')?.body as { botCheck: string };
  const passed = await check.check(sent.botCheck, '127.0.0.1');
  expect(passed.kind).toBe('passed');
  await page.context().close();
});
