import { afterAll, describe, expect, it } from 'vitest';
import {
  anActiveDeveloper,
  anOperator,
  individual,
  type PortalWorld,
  password,
  person,
  startPortalWorld,
} from './portal-world.ts';

const world = await startPortalWorld();
afterAll(() => world.stop());

const wrong = 'not the password at all';
const signIn = async (browser: ReturnType<PortalWorld['browser']>, identifier: string, given = password) =>
  await browser.send('POST', '/api/session', { identifier, password: given, botCheck: person() });

describe('signing in', () => {
  it('works by e-mail address in any case and by user name, without a code in a known browser', async () => {
    const { browser, email } = await anActiveDeveloper(world, { username: 'dana.signs.in' });
    const known = { '__Host-browser': String(browser.cookies['__Host-browser']) };
    for (const identifier of [email, email.toUpperCase(), 'dana.signs.in', 'Dana.Signs.In']) {
      const there = world.browser({ ...known });
      const got = await signIn(there, identifier);
      expect(got.body).toMatchObject({ next: 'signed_in', account: { state: 'active', email } });
      expect((await there.send('GET', '/api/account')).status).toBe(200);
    }
  });

  it('asks an unknown browser for the code of a text, and knows it afterwards', async () => {
    const { email, phone } = await anActiveDeveloper(world);
    world.after(61);
    const browser = world.browser();
    const asked = await signIn(browser, email);
    expect(asked.body).toEqual({ next: 'code', sentTo: `•••• ${phone.slice(-4)}`, channel: 'sms' });
    expect(browser.cookies['__Host-session']).toBeUndefined();
    expect(browser.cookies['__Host-signed-in']).toBeUndefined();
    expect((await browser.send('GET', '/api/account')).status).toBe(401);
    expect((await browser.send('POST', '/api/session/code', { code: '000000' })).body).toMatchObject({
      code: 'wrong_code',
      triesLeft: 4,
    });
    const done = await browser.send('POST', '/api/session/code', { code: world.code(phone) });
    expect(done.body).toMatchObject({ next: 'signed_in' });
    const again = await browser.send('POST', '/api/session/code', { code: world.code(phone) });
    expect(again.body.code).toBe('signed_out');
    expect((await signIn(browser, email)).body.next).toBe('signed_in');
  });

  it('sends no second code within a minute: the first is still good', async () => {
    const { email, phone } = await anActiveDeveloper(world);
    world.after(61);
    const [one, other] = [world.browser(), world.browser()];
    await signIn(one, email);
    const texts = world.messagesTo(phone).length;
    expect((await signIn(other, email)).body.next).toBe('code');
    expect(world.messagesTo(phone)).toHaveLength(texts);
    expect((await other.send('POST', '/api/session/code/resend')).body).toMatchObject({
      code: 'too_many_codes',
      retryAfter: 60,
    });
    world.after(60);
    expect((await other.send('POST', '/api/session/code/resend')).status).toBe(202);
    expect(world.messagesTo(phone)).toHaveLength(texts + 1);
    const done = await other.send('POST', '/api/session/code', { code: world.code(phone) });
    expect(done.body.next).toBe('signed_in');
  });

  it('uses a right code once, of two at the same time too', async () => {
    const { email, phone } = await anActiveDeveloper(world);
    world.after(61);
    const browser = world.browser();
    await signIn(browser, email);
    const twins = [world.browser({ ...browser.cookies }), world.browser({ ...browser.cookies })];
    const code = world.code(phone);
    const both = await Promise.all(twins.map((each) => each.send('POST', '/api/session/code', { code })));
    expect(both.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });

  it('begins a session of its own: what the browser had before is over', async () => {
    const { browser, email } = await anActiveDeveloper(world);
    const before = String(browser.cookies['__Host-session']);
    await signIn(browser, email);
    expect(browser.cookies['__Host-session']).not.toBe(before);
    const old = world.browser({ '__Host-session': before });
    expect((await old.send('GET', '/api/account')).body.code).toBe('signed_out');
  });

  it('leads an account that is not finished to its next step, without a code', async () => {
    const form = individual();
    await world.browser().send('POST', '/api/accounts', form);
    const got = await signIn(world.browser(), form.email);
    expect(got.body).toMatchObject({ next: 'signed_in', account: { nextStep: 'verify_email' } });
  });

  it('needs a bot check that was not used', async () => {
    const { email } = await anActiveDeveloper(world);
    const body = { identifier: email, password, botCheck: person() };
    await world.browser().send('POST', '/api/session', body);
    expect((await world.browser().send('POST', '/api/session', body)).body.code).toBe('bot_check_failed');
  });
});

describe('what does not fit', () => {
  it('is answered alike for an account and for none, by the same calls', async () => {
    const { email } = await anActiveDeveloper(world);
    const before = world.directory.asked.length;
    const known = await signIn(world.browser(), email, wrong);
    const unknown = await signIn(world.browser(), 'nobody@example.org', wrong);
    const noName = await signIn(world.browser(), 'nobody.here', wrong);
    for (const got of [known, unknown, noName]) expect(got.body).toEqual(known.body);
    expect(known.body).toMatchObject({ status: 401, code: 'sign_in_refused' });
    expect(world.directory.asked).toHaveLength(before + 3);
  });

  it.each(['a known account', 'a name nobody has'])('is delayed after five failures: %s', async (whose) => {
    const { email } = await anActiveDeveloper(world);
    const identifier = whose === 'a known account' ? email : `nobody-${email}`;
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await signIn(world.browser(), identifier, wrong)).body.code).toBe('sign_in_refused');
    }
    const delayed = await signIn(world.browser(), identifier);
    expect(delayed.body).toMatchObject({ status: 429, code: 'too_many_requests', retryAfter: 1 });
    expect(delayed.headers).toMatchObject({ 'Retry-After': '1' });
    world.after(1);
    await signIn(world.browser(), identifier, wrong);
    expect((await signIn(world.browser(), identifier)).body.retryAfter).toBe(2);
  });

  it('counts an e-mail address and a user name of one account together', async () => {
    const { email } = await anActiveDeveloper(world, { username: 'two.names' });
    for (const identifier of [email, 'two.names', email, 'two.names', email]) {
      await signIn(world.browser(), identifier, wrong);
    }
    expect((await signIn(world.browser(), 'two.names')).body.code).toBe('too_many_requests');
  });

  it('locks the account at the twentieth, tells its owner, and only the right password learns of it', async () => {
    const { browser, email, accountId } = await anActiveDeveloper(world);
    for (let tries = 0; tries < 20; tries += 1) {
      await signIn(world.browser(), email, wrong);
      world.after(900);
    }
    expect((await world.services.accounts.find(accountId))?.state).toBe('locked');
    expect(world.messagesTo(email).at(-1)?.subject).toBe('Your developer portal account is locked');
    expect((await signIn(world.browser(), email, wrong)).body.code).toBe('sign_in_refused');
    world.after(900);
    expect((await signIn(world.browser(), email)).body.code).toBe('account_locked');
    world.after(900);
    expect((await browser.send('GET', '/api/team')).body.code).toBe('signed_out');

    const chosen = 'seven green paper boats';
    await world.browser().send('POST', '/api/password-reset', { email, botCheck: person() });
    const reset = { email, code: world.code(email), password: chosen, passwordConfirmation: chosen };
    expect((await world.browser().send('POST', '/api/password-reset/confirm', reset)).status).toBe(204);
    expect((await world.services.accounts.find(accountId))?.state).toBe('active');
    expect((await signIn(world.browser(), email, chosen)).status).toBe(200);
  });
});

describe('operators', () => {
  it('always type a code, and see no developer’s routes', async () => {
    const operator = await anOperator(world, 'operator:ines');
    const account = await operator.send('GET', '/api/account');
    expect(account.body).toMatchObject({ role: 'operator', state: 'active', nextStep: 'none' });
    expect((await operator.send('GET', '/api/team')).body.code).toBe('not_found');
    expect((await operator.send('GET', '/api/operations/accounts?')).status).toBe(404);
    expect((await operator.send('GET', '/api/operations/accounts')).status).toBe(200);
  });

  it('are not made by signing up: a developer finds no operator’s route', async () => {
    const { browser } = await anActiveDeveloper(world);
    expect((await browser.send('GET', '/api/operations/accounts')).body.code).toBe('not_found');
  });

  it('suspend and resume an account, whose sessions end at once', async () => {
    const { browser, email, accountId } = await anActiveDeveloper(world);
    const operator = await anOperator(world, 'operator:suse');
    const path = `/api/operations/accounts/${accountId}`;
    const { version } = (await operator.send('GET', path)).body;
    const suspend = { act: 'suspend', version, reason: 'Calls beyond the terms.' };
    const suspended = await operator.send('POST', `${path}/decisions`, suspend);
    expect(suspended.body.state).toBe('suspended');
    expect(suspended.body.notice).toContain('Its team’s applications keep running');
    expect((await browser.send('GET', '/api/account')).status).toBe(401);
    expect((await signIn(world.browser(), email)).body.code).toBe('account_suspended');
    const resume = { act: 'resume', version: suspended.body.version };
    expect((await operator.send('POST', `${path}/decisions`, resume)).body.state).toBe('active');
    const shown = await operator.send('GET', path);
    expect(shown.body.notice).toBeUndefined();
    expect(shown.body.timeline).toContainEqual(
      expect.objectContaining({ act: 'suspend', actor: 'Olga Operator', words: 'Calls beyond the terms.' }),
    );
  });
});

describe('sessions', () => {
  it('end after 30 minutes without a request, and not before', async () => {
    const { browser } = await anActiveDeveloper(world);
    world.after(30 * 60 - 1);
    expect((await browser.send('GET', '/api/account')).status).toBe(200);
    world.after(30 * 60 - 1);
    expect((await browser.send('GET', '/api/account')).status).toBe(200);
    world.after(30 * 60);
    expect((await browser.send('GET', '/api/account')).status).toBe(401);
  });

  it('end after 12 hours however busy', async () => {
    const { browser } = await anActiveDeveloper(world);
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      world.after(20 * 60);
      expect((await browser.send('GET', '/api/account')).status).toBe(200);
    }
    world.after(20 * 60);
    expect((await browser.send('GET', '/api/account')).status).toBe(401);
  });

  it('of operators end after 15 minutes', async () => {
    const operator = await anOperator(world, 'operator:kurt');
    world.after(15 * 60 - 1);
    expect((await operator.send('GET', '/api/account')).status).toBe(200);
    world.after(15 * 60);
    expect((await operator.send('GET', '/api/account')).status).toBe(401);
  });

  it('end by signing out, here or everywhere', async () => {
    const { browser, email } = await anActiveDeveloper(world);
    const second = world.browser({ '__Host-browser': String(browser.cookies['__Host-browser']) });
    await signIn(second, email);
    const kept = { ...browser.cookies };
    expect(browser.cookies['__Host-signed-in']).toBe('1');
    expect((await browser.send('DELETE', '/api/session')).status).toBe(204);
    expect(browser.cookies['__Host-session']).toBeUndefined();
    expect(browser.cookies['__Host-signed-in']).toBeUndefined();
    // The cookie `__Host-signed-in` only makes the pages ask for the account; the API does not accept it.
    expect((await world.browser({ '__Host-signed-in': '1' }).send('GET', '/api/account')).status).toBe(401);
    expect((await world.browser(kept).send('GET', '/api/account')).status).toBe(401);
    const third = world.browser({ '__Host-browser': String(browser.cookies['__Host-browser']) });
    await signIn(third, email);
    expect((await second.send('DELETE', '/api/sessions')).status).toBe(204);
    expect((await third.send('GET', '/api/account')).status).toBe(401);
  });
});
