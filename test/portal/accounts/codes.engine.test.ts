import { afterAll, describe, expect, it } from 'vitest';
import {
  anActiveDeveloper,
  anAddress,
  anOperator,
  individual,
  password,
  person,
  startPortalWorld,
} from './portal-world.ts';

const world = await startPortalWorld();
afterAll(() => world.stop());

async function signedUp() {
  const form = individual();
  const browser = world.browser();
  await browser.send('POST', '/api/accounts', form);
  const enter = async (code: string) => await browser.send('POST', '/api/account/email-code', { code });
  const resend = async () => await browser.send('POST', '/api/account/email-code/resend');
  return { form, enter, resend, code: world.code(form.email), email: form.email };
}

const other = (code: string) => (code === '999999' ? '000000' : '999999');

describe('a code', () => {
  it.each([
    [0, 'pending_phone'],
    [599, 'pending_phone'],
    [599.999, 'pending_phone'],
    [600, 'code_expired'],
    [601, 'code_expired'],
  ])('typed %s seconds after it was sent: %s', async (seconds, outcome) => {
    const { enter, code } = await signedUp();
    world.after(seconds);
    const { body } = await enter(code);
    expect(body.code ?? body.state).toBe(outcome);
  });

  it('may be wrong five times; then the right one is over too', async () => {
    const { enter, code, resend, email } = await signedUp();
    const left = [];
    for (let tries = 0; tries < 5; tries += 1) left.push((await enter(other(code))).body.triesLeft);
    expect(left).toEqual([4, 3, 2, 1, 0]);
    expect((await enter(code)).body.code).toBe('code_expired');
    world.after(60);
    await resend();
    expect((await enter(world.code(email))).body.state).toBe('pending_phone');
  });

  it('works once, of two at the same time too', async () => {
    const { enter, code } = await signedUp();
    const both = await Promise.all([enter(code), enter(code)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await enter(code)).body).toMatchObject({ code: 'account_state', state: 'pending_phone' });
  });

  it('is replaced by a new one: the old is not right any more', async () => {
    const { enter, resend, code, email } = await signedUp();
    world.after(60);
    await resend();
    const fresh = world.code(email);
    if (fresh !== code) expect((await enter(code)).body.code).toBe('wrong_code');
    expect((await enter(fresh)).status).toBe(200);
  });

  it('is right for its own account only', async () => {
    const [one, another] = [await signedUp(), await signedUp()];
    if (one.code !== another.code) expect((await one.enter(another.code)).body.code).toBe('wrong_code');
    expect((await one.enter(one.code)).status).toBe(200);
  });

  it('stands in the table as a keyed digest only', async () => {
    const { form, code } = await signedUp();
    const account = await world.services.accounts.findByEmail(form.email);
    const { items } = await world.table.query({ pk: `ACCOUNT#${account?.accountId}`, skBeginsWith: 'CODE#' });
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain(code);
  });
});

/** Every page on which a code is entered: the request that sends one, and the request that enters it. */
const places: Readonly<Record<string, () => Promise<Place>>> = {
  'at sign-up, by e-mail': async () => {
    const { enter, code, resend, email } = await signedUp();
    return { enter, code, another: async () => [await resend(), world.code(email)][1] as string };
  },
  'at sign-up, by text message': async () => {
    const form = individual();
    const browser = world.browser();
    await browser.send('POST', '/api/accounts', form);
    await browser.send('POST', '/api/account/email-code', { code: world.code(form.email) });
    const phone = `+1${form.mobilePhone.replace(/\D/g, '')}`;
    return {
      enter: async (code) => await browser.send('POST', '/api/account/phone-code', { code }),
      code: world.code(phone),
      async another() {
        await browser.send('POST', '/api/account/phone-code/resend');
        return world.code(phone);
      },
    };
  },
  'for a new password': async () => {
    const { email } = await anActiveDeveloper(world);
    const ask = async () => {
      await world.browser().send('POST', '/api/password-reset', { email, botCheck: person() });
      return world.code(email);
    };
    const chosen = 'a lantern that nobody knows';
    const fields = { email, password: chosen, passwordConfirmation: chosen };
    const enter = async (code: string) =>
      await world.browser().send('POST', '/api/password-reset/confirm', { ...fields, code });
    return { enter, code: await ask(), another: ask };
  },
  'at an operator’s sign-in': async () => {
    const name = `operator:${anAddress().split('@')[0]}`;
    world.directory.users.set(name, { password, enabled: true, operator: true });
    const browser = world.browser();
    await browser.send('POST', '/api/session', { identifier: name, password, botCheck: person() });
    const email = `${name.replace(':', '.')}@plan.example`;
    return {
      enter: async (code) => await browser.send('POST', '/api/session/code', { code }),
      code: world.code(email),
      async another() {
        await browser.send('POST', '/api/session/code/resend');
        return world.code(email);
      },
    };
  },
};

interface Place {
  readonly enter: (code: string) => ReturnType<Awaited<ReturnType<typeof signedUp>>['enter']>;
  readonly code: string;
  readonly another: () => Promise<string>;
}

/** Outcomes of attempts: `right`, or the problem's code. */
const outcomes = (answers: readonly { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => (status < 300 ? 'right' : body.code));

describe.each(Object.keys(places))('a code %s', (where) => {
  const place = async () => await (places[where] as () => Promise<Place>)();

  it.each([4, 8, 16])('is judged five times at most in waves of %s guesses', async (wave) => {
    const { enter, code } = await place();
    const judged: unknown[] = [];
    for (let waves = 0; waves < 4; waves += 1) {
      const guesses = Array.from({ length: wave }, () => enter(other(code)));
      judged.push(...outcomes(await Promise.all(guesses)).filter((one) => one === 'wrong_code'));
    }
    expect(judged).toHaveLength(5);
    expect(outcomes([await enter(code)])).not.toContain('right');
  });

  it('is right where it is typed beside wrong guesses, as long as one of the five tries is its own', async () => {
    const { enter, code } = await place();
    const guesses = [code, other(code), other(code), other(code), other(code)].map(enter);
    expect(outcomes(await Promise.all(guesses))[0]).toBe('right');
  });

  it('is not judged after ten tries in an hour, however many codes were sent', async () => {
    world.clock.ms = Math.ceil(world.clock.ms / 3_600_000) * 3_600_000;
    const { enter, code, another } = await place();
    let present = code;
    for (let codes = 0; codes < 3; codes += 1) {
      for (let tries = 0; tries < 4; tries += 1) await enter(other(present));
      world.after(61);
      present = await another();
    }
    const refused = await enter(present);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_tries' } });
    expect(Number(refused.body.retryAfter)).toBeGreaterThan(3_000);
  });
});

describe('another code', () => {
  it('goes out a minute after the last one, and not before', async () => {
    const { resend } = await signedUp();
    const early = await resend();
    expect(early.body).toMatchObject({ status: 429, code: 'too_many_codes', retryAfter: 60 });
    expect(early.headers).toMatchObject({ 'Retry-After': '60' });
    world.after(59);
    expect((await resend()).body.retryAfter).toBe(1);
    world.after(1);
    expect((await resend()).status).toBe(202);
  });

  it('of two asked for at the same time goes out once', async () => {
    const { resend, email } = await signedUp();
    world.after(60);
    const both = await Promise.all([resend(), resend()]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 429]);
    expect(world.messagesTo(email)).toHaveLength(2);
  });

  it('goes to one number five times an hour and ten times a day, whichever account asks', async () => {
    world.clock.ms = Date.parse('2026-12-01T00:00:00.000Z');
    const mobilePhone = '202-555-0147';
    let sent = 0;
    const refused: unknown[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      const form = individual({ mobilePhone });
      const browser = world.browser();
      await browser.send('POST', '/api/accounts', form);
      await browser.send('POST', '/api/account/email-code', { code: world.code(form.email) });
      const again = await browser.send('POST', '/api/account/phone-code/resend');
      refused.push(again.body.retryAfter);
      sent = world.messagesTo('+12025550147').length;
    }
    expect(sent).toBe(5);
    expect(refused.at(-1)).toBe(3_600);
    for (let hour = 0; hour < 3; hour += 1) {
      world.after(3_600);
      for (let tries = 0; tries < 5; tries += 1) {
        const form = individual({ mobilePhone });
        const browser = world.browser();
        await browser.send('POST', '/api/accounts', form);
        await browser.send('POST', '/api/account/email-code', { code: world.code(form.email) });
      }
    }
    // Requests that were refused in the first hour do not count toward the day.
    expect(world.messagesTo('+12025550147')).toHaveLength(10);
  });
});

describe('codes to one address', () => {
  type Ask = (email: string) => Promise<unknown>;
  const post = async (path: string, body: object) => await world.browser().send('POST', path, body);
  const signUp: Ask = async (email) => await post('/api/accounts', individual({ email }));
  const reset: Ask = async (email) => await post('/api/password-reset', { email, botCheck: person() });
  const signIn: Ask = async (identifier) =>
    await post('/api/session', { identifier, password, botCheck: person() });

  /** Asks for codes six times an hour for four hours. Returns the number of codes sent in each hour. */
  async function asked(ask: Ask, email: string): Promise<readonly number[]> {
    const sent: number[] = [];
    for (let hour = 0; hour < 4; hour += 1) {
      const before = world.messagesTo(email).length;
      for (let tries = 0; tries < 6; tries += 1) {
        await ask(email);
        world.after(61);
      }
      sent.push(world.messagesTo(email).length - before);
      world.after(3_600 - 6 * 61);
    }
    return sent;
  }

  async function anOperatorsAddress(): Promise<string> {
    await anOperator(world, 'operator:otto');
    return 'operator.otto@plan.example';
  }

  it.each([
    ['sign-ups', signUp],
    ['new passwords', reset],
  ])('for %s are five an hour and ten a day, and leave its person those to sign in', async (_what, ask) => {
    world.clock.ms = Math.ceil(world.clock.ms / 86_400_000) * 86_400_000;
    const email = await anOperatorsAddress();
    world.after(3_600);
    expect(await asked(ask, email)).toEqual([5, 5, 0, 0]);
    const before = world.messagesTo(email).length;
    expect(await signIn('operator:otto')).toMatchObject({ status: 200, body: { next: 'code' } });
    expect(world.messagesTo(email)).toHaveLength(before + 1);
    expect(world.code(email)).toMatch(/^\d{6}$/);
  });

  it('to sign in are limited likewise, by themselves', async () => {
    world.clock.ms = Math.ceil(world.clock.ms / 86_400_000) * 86_400_000 + 3_600_000;
    const { phone, email } = await anActiveDeveloper(world);
    world.after(3_600);
    const before = world.messagesTo(phone).length;
    // The sign-up of the account used one of the ten text messages a day.
    for (let hour = 0; hour < 4; hour += 1) {
      for (let tries = 0; tries < 6; tries += 1) {
        await signIn(email);
        world.after(61);
      }
      world.after(3_600 - 6 * 61);
    }
    expect(world.messagesTo(phone).length - before).toBe(9);
  });

  it('are refused alike whether or not somebody has it', async () => {
    world.clock.ms = Math.ceil(world.clock.ms / 86_400_000) * 86_400_000;
    const { email: had } = await anActiveDeveloper(world);
    world.after(3_600);
    for (const email of [had, anAddress()]) {
      for (let tries = 0; tries < 6; tries += 1) {
        await reset(email);
        world.after(61);
      }
      expect(await reset(email), email).toMatchObject({ body: { code: 'too_many_codes' } });
      // Only an answer whose code could not be sent has `Retry-After`; the first five sign-ups have none.
      for (let tries = 0; tries < 5; tries += 1) {
        expect(await signUp(email)).toMatchObject({
          status: 201,
          headers: expect.not.objectContaining({ 'Retry-After': expect.anything() }),
        });
      }
      expect(await signUp(email)).toMatchObject({ headers: { 'Retry-After': expect.any(String) } });
      world.after(3_600);
      world.clock.ms = Math.ceil(world.clock.ms / 3_600_000) * 3_600_000;
    }
  });
});
