import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { http, memberOf, runningSystem } from './journey.ts';
import {
  type AppHost,
  type CalledBackApp,
  english,
  expectAccessible,
  registerApp,
  signIn,
  startAppHost,
} from './pages-browser.ts';

/** Messages to one recipient, newest first. */
async function messagesTo(to: string): Promise<readonly { readonly kind: string; readonly text: string }[]> {
  const url = new URL(`http://inbox.localhost:${runningSystem().port}/messages`);
  url.searchParams.set('to', to);
  const answer = await http({ method: 'GET', url: url.href });
  return (JSON.parse(answer.body) as { messages: { kind: string; text: string }[] }).messages;
}

const codeIn = (text: string | undefined): string => /\d{6}/.exec(text ?? '')?.[0] ?? '';

describe('a code at the sign-in', () => {
  const member = memberOf('sandbox', 'EGWP', 1);
  let browser: Browser;
  let host: AppHost;
  let app: CalledBackApp;
  beforeAll(async () => {
    browser = await openChromium();
    host = await startAppHost();
    app = await registerApp('EGWP', 'Blue Steps', host);
  });
  afterAll(async () => {
    await browser.close();
    host.close();
  });

  async function failThreeTimes(page: Page): Promise<void> {
    for (let failures = 0; failures < 3; failures += 1) {
      await signIn(page, { ...member, password: 'not the right password' });
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('We could not sign you in');
    }
  }

  it('is asked for after failures, sent by e-mail, right once, and then never again in this browser', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
    const page = await context.newPage();
    await page.goto(app.authorizationUrl());
    await failThreeTimes(page);
    await signIn(page, member);
    await expectAccessible(page, 'code phone');
    const [first = ''] = member.email;
    await expect.poll(() => page.getByRole('main').textContent()).toContain(`${first}•••@example.com`);
    expect(await page.content()).not.toContain(member.email);
    const [mail] = await messagesTo(member.email);
    const code = codeIn(mail?.text);

    await page.getByLabel('6-digit code').fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expectAccessible(page, 'code wrong');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('incorrect');
    await page.getByRole('button', { name: 'Send a new code by text message' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Wait a minute');
    await page.getByLabel('6-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: english.share }).click();
    const read = await app.reader(new URL(page.url()));
    expect(await read(member.patientId)).toBe(200);

    await page.goto(app.authorizationUrl());
    await failThreeTimes(page);
    await signIn(page, member);
    await page.getByRole('button', { name: english.share }).waitFor();
    expect(await messagesTo(member.email)).toHaveLength(1);
    await context.close();
  });

  it('is written in the language of the page', async () => {
    const context = await browser.newContext({ locale: 'es-US' });
    const page = await context.newPage();
    await page.goto(app.authorizationUrl());
    const labels = {
      username: 'Número de miembro o correo electrónico',
      password: 'Contraseña',
      signIn: 'Iniciar sesión',
      share: 'Compartir mis datos',
    };
    for (let failures = 0; failures < 3; failures += 1)
      await signIn(page, { ...member, password: 'no es esta' }, labels);
    await signIn(page, member, labels);
    await expectAccessible(page, 'code español');
    const [mail] = await messagesTo(member.email);
    expect(mail?.text).toContain('es su código para iniciar sesión');
    await page.getByLabel('Código de 6 dígitos').fill(codeIn(mail?.text));
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('button', { name: labels.share }).click();
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/^[\w-]{43,}$/);
    await context.close();
  });
});

describe('too many wrong passwords', () => {
  it.each([
    ['a member', memberOf('sandbox', 'CHPMD', 1).memberId],
    ['nobody', 'CHPMD99999999'],
  ])('under the name of %s are made to wait, with the same words', async (who, memberId) => {
    const browser = await openChromium();
    const host = await startAppHost();
    const app = await registerApp('CHPMD', 'Blue Steps', host);
    const page = await browser.newPage();
    await page.goto(app.authorizationUrl());
    let [tries, status, retryAfter] = [0, 400, ''];
    // Delays begin with a second and double. A busy machine takes longer than the first ones for a try, so several tries may pass.
    while (status === 400 && tries < 12) {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      await signIn(page, { memberId, password: 'wrong' });
      const response = await answered;
      status = response.status();
      retryAfter = response.headers()['retry-after'] ?? '';
      tries += 1;
      await expect
        .poll(() => page.getByRole('alert').textContent())
        .toContain(status === 400 ? 'We could not sign you in' : `Wait ${retryAfter} second`);
    }
    expect(status).toBe(429);
    expect(tries).toBeGreaterThan(5);
    await expectAccessible(page, `locked ${who}`);
    await browser.close();
    host.close();
  });
});
