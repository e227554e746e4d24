import { afterAll, expect, it } from 'vitest';
import {
  anActiveDeveloper,
  anAddress,
  individual,
  password,
  person,
  startPortalWorld,
} from '../portal/accounts/portal-world.ts';

/** Without access to the mails of an address, no sequence of calls reveals whether the address has an account. */

const world = await startPortalWorld();
afterAll(() => world.stop());

const mine = 'some other lantern and river';

/** Makes every call that needs only an address and no mail. Returns the answers without their random values. */
async function probed(email: string): Promise<readonly string[]> {
  const form = individual({ email, password: mine, passwordConfirmation: mine });
  const browser = world.browser();
  const told: string[] = [];
  const tell = async (method: string, path: string, body?: unknown, from = browser) => {
    const { status, body: got, headers } = await from.send(method, path, body);
    const { code, state, nextStep, triesLeft, next, codeSentTo, errors } = got;
    const cookies = (headers['Set-Cookie'] as string[] | undefined)?.map((line) =>
      line.replace(/=[\w-]+/, '='),
    );
    told.push(
      JSON.stringify([
        method,
        path,
        status,
        Object.keys(got),
        code,
        state,
        nextStep,
        triesLeft,
        next,
        codeSentTo,
        errors,
        cookies,
      ]),
    );
  };
  const signIn = (given: string) => ({ identifier: email, password: given, botCheck: person() });
  await tell('POST', '/api/accounts', form);
  await tell('GET', '/api/account');
  await tell('POST', '/api/account/email-code', { code: '123456' });
  await tell('POST', '/api/account/email-code/resend');
  await tell('POST', '/api/account/terms', { version: '2026-11-22', scrolledToEnd: true, accepted: true });
  await tell('GET', '/api/team');
  await tell('POST', '/api/session', signIn(mine), world.browser());
  await tell('POST', '/api/session', signIn('not the password'), world.browser());
  await tell('POST', '/api/session', signIn(mine), browser);
  await tell('POST', '/api/accounts', { ...form, botCheck: person() }, world.browser());
  await tell('POST', '/api/password-reset', { email, botCheck: person() }, world.browser());
  const reset = { email, code: '123456', password: mine, passwordConfirmation: mine };
  await tell('POST', '/api/password-reset/confirm', reset, world.browser());
  world.after(61);
  await tell('POST', '/api/account/email-code/resend');
  await tell('POST', '/api/account/close', { password: mine });
  await tell('POST', '/api/session', signIn(mine), world.browser());
  return told;
}

it('answers alike for an address that somebody has and for one that nobody has, step by step', async () => {
  const { email } = await anActiveDeveloper(world);
  // Codes are limited for each address and hour; the owner's sign-up used some of the first hour.
  world.after(3_600);
  const taken = await probed(email);
  const free = await probed(anAddress());
  expect(taken).toEqual(free);
});

/** Several people sign up with one address, each with a password of their own. Returns, for each hour, whose password signs in. */
async function severalPeople(email: string): Promise<readonly string[]> {
  const given = [
    'first lantern and river',
    'second lantern and river',
    'third lantern and river',
    'fourth lantern and river',
  ];
  const told: string[] = [];
  const browsers = given.map(() => world.browser());
  const look = async (when: string) => {
    for (const [at, each] of given.entries()) {
      const body = { identifier: email, password: each, botCheck: person() };
      const { status, body: got } = await world.browser().send('POST', '/api/session', body);
      const own = await browsers[at]?.send('GET', '/api/account');
      told.push(`${when}: ${at} ${status} ${String(got.next ?? got.code)}, browser ${own?.status}`);
    }
  };
  const signUp = async (at: number) => {
    const form = individual({ email, password: given[at], passwordConfirmation: given[at] });
    const { status, body } = (await browsers[at]?.send('POST', '/api/accounts', form)) ?? {
      status: 0,
      body: {} as never,
    };
    told.push(`sign-up ${at}: ${status} ${String(body.state ?? body.code)}`);
  };
  await signUp(0);
  await look('one');
  await signUp(1);
  await look('two');
  world.after(1_300);
  await Promise.all([
    signUp(2),
    browsers[0]?.send('GET', '/api/account'),
    browsers[1]?.send('GET', '/api/account'),
  ]);
  await look('three');
  world.after(1_300);
  await look('later');
  world.after(1_300);
  await signUp(3);
  await look('an hour later');
  world.after(1_300);
  await browsers[3]?.send('POST', '/api/account/close', { password: given[3] });
  await look('closed');
  return told;
}

it('answers several people who sign up with one address alike, whether somebody has it or not', async () => {
  const { email } = await anActiveDeveloper(world);
  world.after(3_600);
  const taken = await severalPeople(email);
  const free = await severalPeople(anAddress());
  expect(taken).toEqual(free);
});

it('gives one of two sign-ups at the same moment what the first gets, whether somebody has the address or not', async () => {
  const { email } = await anActiveDeveloper(world);
  world.after(3_600);
  const race = async (address: string) => {
    const given = ['one lantern and the river', 'two lanterns and a river'];
    await Promise.all(
      given.map((each) =>
        world
          .browser()
          .send(
            'POST',
            '/api/accounts',
            individual({ email: address, password: each, passwordConfirmation: each }),
          ),
      ),
    );
    const third = 'three lanterns and a river';
    await world
      .browser()
      .send(
        'POST',
        '/api/accounts',
        individual({ email: address, password: third, passwordConfirmation: third }),
      );
    const answers = await Promise.all(
      [...given, third].map((each) =>
        world
          .browser()
          .send('POST', '/api/session', { identifier: address, password: each, botCheck: person() }),
      ),
    );
    return answers.map(({ status }) => status).sort();
  };
  expect(await race(email)).toEqual(await race(anAddress()));
});

it('lets the owner in who signs up once more with the same password', async () => {
  const { email, accountId } = await anActiveDeveloper(world);
  await world.browser().send('POST', '/api/accounts', individual({ email }));
  world.after(61);
  const browser = world.browser();
  const asked = await browser.send('POST', '/api/session', {
    identifier: email,
    password,
    botCheck: person(),
  });
  expect(asked.body).toMatchObject({ next: 'code', channel: 'sms' });
  const account = await world.services.accounts.findByEmail(email);
  const code = world.code(account?.phone ?? '');
  expect((await browser.send('POST', '/api/session/code', { code })).body).toMatchObject({
    account: { accountId, state: 'active' },
  });
});

it('lets nobody begin the count of the owner’s failures anew, and tells nobody else that there are many', async () => {
  const { email } = await anActiveDeveloper(world);
  const form = individual({ email, password: mine, passwordConfirmation: mine });
  await world.browser().send('POST', '/api/accounts', form);
  const signIn = async (given: string) =>
    await world
      .browser()
      .send('POST', '/api/session', { identifier: email, password: given, botCheck: person() });
  for (let tries = 0; tries < 4; tries += 1) await signIn('not the password');
  for (let tries = 0; tries < 8; tries += 1) expect((await signIn(mine)).body.next).toBe('signed_in');
  // Wrong passwords are counted for the account of the caller's own sign-up. Counting those of the owner's account too would reveal that it
  // exists.
  expect((await signIn(password)).body.code).toBe('sign_in_refused');
  expect((await signIn('not the password')).body.code).toBe('sign_in_refused');
  world.after(900);
  expect((await signIn(password)).body.next).toBe('code');
});

it('gives whoever signed up with another’s address no way to an open account', async () => {
  const { email, accountId } = await anActiveDeveloper(world);
  const browser = world.browser();
  const made = await browser.send(
    'POST',
    '/api/accounts',
    individual({ email, password: mine, passwordConfirmation: mine }),
  );
  const decoy = String(made.body.accountId);
  expect(decoy).not.toBe(accountId);
  const again = world.browser();
  const got = await again.send('POST', '/api/session', {
    identifier: email,
    password: mine,
    botCheck: person(),
  });
  expect(got.body).toMatchObject({
    next: 'signed_in',
    account: { accountId: decoy, state: 'pending_email' },
  });
  expect((await again.send('GET', '/api/team')).body).toMatchObject({ code: 'account_state' });
  const mails = world.messagesTo(email).slice(-2);
  expect(mails.map(({ subject }) => subject)).toContain('You already have a developer portal account');
});
