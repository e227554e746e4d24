import { afterAll, describe, expect, it } from 'vitest';
import { totp } from '../../../lambdas/platform/runtime/totp.ts';
import { createOperatorCommands } from '../../../lambdas/portal/accounts/operator-commands.ts';
import { accountKey } from '../../../lambdas/portal/adapters/portal-table-keys.ts';
import {
  anActiveDeveloper,
  anAddress,
  anOperator,
  type Browser,
  password,
  person,
  startPortalWorld,
} from './portal-world.ts';

const world = await startPortalWorld();
afterAll(() => world.stop());

/** An authenticator app with this key. Returns the present code when it is called. */
function anApp(key: string) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return (later = 0) => totp.code(bytes.toString('base64url'), Math.floor(world.clock.ms / 30_000) + later);
}

interface Enrolled {
  readonly name: string;
  readonly browser: Browser;
  readonly code: ReturnType<typeof anApp>;
  readonly accountId: string;
}

async function enrolled(): Promise<Enrolled> {
  const name = `operator:${anAddress().split('@')[0]}`;
  const browser = await anOperator(world, name);
  const begun = await browser.send('POST', '/api/account/authenticator', { password });
  const code = anApp(String(begun.body.key));
  const enrollment = begun.body.enrollment;
  const done = await browser.send('POST', '/api/account/authenticator/confirm', { enrollment, code: code() });
  if (done.status !== 200) throw new Error(JSON.stringify(done.body));
  world.after(60);
  return { name, browser, code, accountId: String(done.body.accountId) };
}

async function passwordTyped(name: string) {
  const browser = world.browser();
  const asked = await browser.send('POST', '/api/session', {
    identifier: name,
    password,
    botCheck: person(),
  });
  return {
    browser,
    asked,
    enter: async (code: string) => await browser.send('POST', '/api/session/code', { code }),
  };
}

const wrongOf = (code: string) => (code === '123456' ? '654321' : '123456');

describe('an operator’s authenticator app', () => {
  it('is asked for at sign-in once it is set up, and no message is sent', async () => {
    const { name, code } = await enrolled();
    const sent = world.sent.length;
    const { browser, asked, enter } = await passwordTyped(name);
    expect(asked.body).toMatchObject({ next: 'code', channel: 'authenticator' });
    expect((await browser.send('POST', '/api/session/code/resend')).body.channel).toBe('authenticator');
    expect(world.sent).toHaveLength(sent);
    const done = await enter(code());
    expect(done.body).toMatchObject({
      next: 'signed_in',
      account: { authenticatorSince: expect.any(String) },
    });
    expect((await browser.send('GET', '/api/operations/accounts')).status).toBe(200);
  });

  it('is set up by the password and a code of it, within ten minutes', async () => {
    const browser = await anOperator(world, `operator:${anAddress().split('@')[0]}`);
    const refused = await browser.send('POST', '/api/account/authenticator', {
      password: 'not the password',
    });
    expect(refused.body.code).toBe('wrong_password');
    const { body } = await browser.send('POST', '/api/account/authenticator', { password });
    expect(body.uri).toBe(
      `otpauth://totp/${encodeURIComponent('Member Data developer portal')}:${encodeURIComponent(String((await browser.send('GET', '/api/account')).body.email))}?secret=${body.key}&issuer=${encodeURIComponent('Member Data developer portal')}&algorithm=SHA1&digits=6&period=30`,
    );
    const app = anApp(String(body.key));
    const confirm = async (enrollment: unknown, code: string) =>
      (await browser.send('POST', '/api/account/authenticator/confirm', { enrollment, code })).body.code;
    expect(await confirm(body.enrollment, wrongOf(app()))).toBe('wrong_code');
    // The key is derived from the enrollment's expiry, so a changed expiry gives another key.
    const later = String(body.enrollment).replace(/^\d+/, (until) => String(Number(until) + 600));
    expect(await confirm(later, app())).toBe('wrong_code');
    world.after(600);
    expect(await confirm(body.enrollment, app())).toBe('code_expired');
    expect((await browser.send('GET', '/api/account')).body).not.toHaveProperty('authenticatorSince');
  });

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('is right by a clock %s steps off: %s', async (off, right) => {
    const { name, code } = await enrolled();
    const { enter } = await passwordTyped(name);
    expect((await enter(code(off))).status === 200).toBe(right);
  });

  it('signs in once with each code, of several at the same time too', async () => {
    const { name, code } = await enrolled();
    const waiting = [await passwordTyped(name), await passwordTyped(name), await passwordTyped(name)];
    const answers = await Promise.all(waiting.map(({ enter }) => enter(code())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { enter } = await passwordTyped(name);
    expect((await enter(code())).body.code).toBe('wrong_code');
    world.after(30);
    expect((await enter(code())).status).toBe(200);
  });

  it.each([4, 8, 16])('is judged ten times in an hour, in waves of %s guesses too', async (wave) => {
    world.clock.ms = Math.ceil(world.clock.ms / 3_600_000) * 3_600_000 - 120_000;
    const { name, code } = await enrolled();
    world.clock.ms = Math.ceil(world.clock.ms / 3_600_000) * 3_600_000 + 60_000;
    const { enter } = await passwordTyped(name);
    const judged: unknown[] = [];
    for (let waves = 0; waves < 4; waves += 1) {
      const answers = await Promise.all(Array.from({ length: wave }, () => enter(wrongOf(code()))));
      judged.push(...answers.filter(({ body }) => body.code === 'wrong_code'));
    }
    expect(judged).toHaveLength(10);
    expect((await enter(code())).body).toMatchObject({ code: 'too_many_tries' });
  });

  it('leaves nothing in the table that a code could be made of', async () => {
    const { accountId, name } = await enrolled();
    const { items } = await world.table.query({ pk: accountKey(accountId).pk });
    const account = await world.services.accounts.find(accountId);
    const material = await world.services.mac(
      `portal authenticator ${accountId} ${account?.authenticator?.enrollment}`,
    );
    expect(JSON.stringify(items)).not.toContain(totp.key(material));
    expect(JSON.stringify(items)).not.toContain(material);
    expect((await passwordTyped(name)).asked.body.channel).toBe('authenticator');
  });

  it('is no developer’s', async () => {
    const { browser } = await anActiveDeveloper(world);
    expect((await browser.send('POST', '/api/account/authenticator', { password })).status).toBe(404);
  });

  it('is reset by another operator, and not by oneself: sessions end, and a code is sent again', async () => {
    const { name, browser, accountId } = await enrolled();
    const path = `/api/operations/accounts/${accountId}/authenticator`;
    expect((await browser.send('DELETE', path)).body.code).toBe('four_eyes');
    const other = await anOperator(world, `operator:${anAddress().split('@')[0]}`);
    const reset = await other.send('DELETE', path);
    expect(reset.body).not.toHaveProperty('authenticatorSince');
    expect((await browser.send('GET', '/api/account')).body.code).toBe('signed_out');
    expect((await passwordTyped(name)).asked.body.channel).toBe('email');
    const { timeline } = reset.body as unknown as { timeline: readonly { act: string; actor: string }[] };
    expect(timeline.map(({ act }) => act)).toEqual(['set_up_authenticator', 'reset_authenticator']);
    expect((await other.send('DELETE', '/api/operations/accounts/nobody/authenticator')).status).toBe(404);
  });

  it('is reset on the operators’ command line', async () => {
    const { name, accountId } = await enrolled();
    const commands = createOperatorCommands({ ...world.services, operators: undefined as never });
    const by = { kind: 'operator', id: 'command-line:ida', name: 'Ida' } as const;
    const request = { by, requestId: 'request-1', dryRun: false };
    expect(await commands.resetAuthenticator(accountId, { ...request, dryRun: true })).toMatchObject({
      body: { authenticatorSince: expect.any(String) },
    });
    expect(await commands.resetAuthenticator(accountId, request)).toMatchObject({ status: 200 });
    expect((await passwordTyped(name)).asked.body.channel).toBe('email');
  });
});
