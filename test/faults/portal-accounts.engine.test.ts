import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anActiveDeveloper,
  anOperator,
  type Browser,
  type Got,
  individual,
  type PortalWorld,
  password,
  payer,
  person,
  startPortalWorld,
  terms,
} from '../portal/accounts/portal-world.ts';
import type { FaultyProxy } from '../support/faulty-proxy.ts';
import { inTurn } from '../support/matrix-turn.ts';
import { planAt } from './faults.ts';
import { breakableTable, portalCases as cases } from './portal-store.ts';

/**
 * Breaks each store call of every act on the portal's accounts with every fault: an answer is true, an act that was not answered can be
 * repeated or is found done, and nobody but its owner gets into an account.
 */

let world: PortalWorld;
let proxy: FaultyProxy;
beforeAll(async () => {
  world = await startPortalWorld({}, async (engine) => {
    const broken = await breakableTable(engine);
    proxy = broken.proxy;
    return broken.table;
  });
});
afterAll(async () => {
  await proxy.stop();
  await world.stop();
});

interface Ready {
  readonly run: () => Promise<Got>;
  /** @param first answer of the run during the fault */
  readonly settle: (first: Got) => Promise<void>;
}
interface Act {
  readonly name: string;
  /** The status of the answer without a fault. */
  readonly good: number;
  readonly ready: () => Promise<Ready>;
}

const stateOf = async (browser: Browser) => (await browser.send('GET', '/api/account')).body.state;
const eventsOf = async (accountId: string, act: string) =>
  (await world.services.accounts.events(accountId)).filter((event) => event.act === act);

/** Signs up; the account waits for the e-mail's code. */
async function newcomer(form = individual()) {
  const browser = world.browser();
  const { body } = await browser.send('POST', '/api/accounts', form);
  return { browser, form, accountId: String(body.accountId) };
}

const signUp: Act = {
  name: 'a sign-up',
  good: 201,
  async ready() {
    const form = individual();
    const browser = world.browser();
    const send = async () => await browser.send('POST', '/api/accounts', { ...form, botCheck: person() });
    return {
      run: send,
      async settle(first) {
        if (first.status === 201) {
          const holder = await world.services.accounts.findByEmail(form.email);
          expect(holder).toMatchObject({
            accountId: first.body.accountId,
            decoy: false,
            state: 'pending_email',
          });
          expect(await stateOf(browser)).toBe('pending_email');
          return;
        }
        // The sign-up may have been written without an answer. A repeat gets the same answer, and the password signs in to one account.
        expect((await send()).status).toBe(201);
        const again = world.browser();
        const signedIn = await again.send('POST', '/api/session', {
          identifier: form.email,
          password,
          botCheck: person(),
        });
        const holder = await world.services.accounts.findByEmail(form.email);
        expect(holder).toMatchObject({ decoy: false, state: 'pending_email' });
        expect(signedIn.body).toMatchObject({
          next: 'signed_in',
          account: { accountId: holder?.accountId ?? 'somebody' },
        });
      },
    };
  },
};

const useCode: Act = {
  name: 'the use of a code',
  good: 200,
  async ready() {
    const { browser, form, accountId } = await newcomer();
    const code = world.code(form.email);
    const send = async () => await browser.send('POST', '/api/account/email-code', { code });
    return {
      run: send,
      async settle(first) {
        if (first.status === 200) expect(await stateOf(browser)).toBe('pending_phone');
        const again = await send();
        // An act that took effect is not repeated; otherwise the code is still valid.
        if (first.status === 200) expect(again.body.code).toBe('account_state');
        else expect([200, 409]).toContain(again.status);
        expect(await stateOf(browser)).toBe('pending_phone');
        expect(await eventsOf(accountId, 'verify_email')).toHaveLength(1);
      },
    };
  },
};

const guess: Act = {
  name: 'a wrong code',
  good: 400,
  async ready() {
    const { browser, form } = await newcomer();
    const right = world.code(form.email);
    const wrong = right === '000000' ? '000001' : '000000';
    const send = async () => await browser.send('POST', '/api/account/email-code', { code: wrong });
    return {
      run: send,
      async settle(first) {
        // There are five tries in all. The try that was not answered may not have been counted.
        let told = first.status === 400 ? 1 : 0;
        for (let tries = 0; tries < 5; tries += 1) if ((await send()).body.code === 'wrong_code') told += 1;
        expect(told).toBeLessThanOrEqual(5);
        const late = await browser.send('POST', '/api/account/email-code', { code: right });
        expect(late.body.code).toBe('code_expired');
        expect(await stateOf(browser)).toBe('pending_email');
      },
    };
  },
};

const acceptTerms: Act = {
  name: 'an organization’s acceptance of the terms',
  good: 200,
  async ready() {
    const { browser, form, accountId } = await newcomer(payer() as never);
    const email = (form as unknown as { primaryContact: { email: string } }).primaryContact.email;
    await browser.send('POST', '/api/account/email-code', { code: world.code(email) });
    const before = { ...browser.cookies };
    return {
      run: async () => await browser.send('POST', '/api/account/terms', terms),
      async settle(first) {
        if (first.status !== 200) {
          // The browser's cookie either continues the session or is no longer valid.
          const again = await world.browser(before).send('POST', '/api/account/terms', terms);
          expect([200, 401, 409]).toContain(again.status);
        }
        expect(await world.services.accounts.find(accountId)).toMatchObject({
          state: 'pending_verification',
        });
        expect(await eventsOf(accountId, 'accept_organization_terms')).toHaveLength(1);
        expect((await browser.send('GET', '/api/team')).status).not.toBe(200);
      },
    };
  },
};

const signIn: Act = {
  name: 'a sign-in',
  good: 200,
  async ready() {
    const { browser: known, email } = await anActiveDeveloper(world);
    const cookie = known.cookies['__Host-browser'] ?? '';
    const browser = world.browser({ '__Host-browser': cookie });
    const send = async () =>
      await browser.send('POST', '/api/session', { identifier: email, password, botCheck: person() });
    return {
      run: send,
      async settle(first) {
        if (first.status === 200) expect(await stateOf(browser)).toBe('active');
        else expect((await browser.send('GET', '/api/account')).status).toBe(401);
        expect((await send()).body.next).toBe('signed_in');
        expect(await stateOf(browser)).toBe('active');
      },
    };
  },
};

const wrongPassword: Act = {
  name: 'a wrong password',
  good: 401,
  async ready() {
    const { email } = await anActiveDeveloper(world);
    const browser = world.browser();
    const send = async () =>
      await browser.send('POST', '/api/session', {
        identifier: email,
        password: 'not that',
        botCheck: person(),
      });
    return {
      run: send,
      async settle() {
        expect(browser.cookies).toEqual({});
        const answers: unknown[] = [];
        for (let tries = 0; tries < 5; tries += 1) answers.push((await send()).body.code);
        // A try that was not answered may have been counted or not.
        expect(answers.filter((code) => code === 'sign_in_refused').length).toBeLessThanOrEqual(5);
        expect((await send()).body.code).toBe('too_many_requests');
      },
    };
  },
};

const signInCode: Act = {
  name: 'the code of a sign-in',
  good: 200,
  async ready() {
    const { email, phone } = await anActiveDeveloper(world);
    world.after(61);
    const browser = world.browser();
    await browser.send('POST', '/api/session', { identifier: email, password, botCheck: person() });
    const code = world.code(phone);
    const before = { ...browser.cookies };
    const send = async (from: Browser) => await from.send('POST', '/api/session/code', { code });
    return {
      run: async () => await send(browser),
      async settle(first) {
        if (first.status === 200) expect(await stateOf(browser)).toBe('active');
        else expect((await browser.send('GET', '/api/account')).status).toBe(401);
        // A code begins one session only.
        const again = await send(world.browser(before));
        if (first.status === 200) expect(again.status).not.toBe(200);
        else expect([200, 400, 401]).toContain(again.status);
        expect((await send(world.browser(before))).status).not.toBe(200);
      },
    };
  },
};

const changePassword: Act = {
  name: 'a new password',
  good: 200,
  async ready() {
    const { browser, email, accountId } = await anActiveDeveloper(world);
    const other = world.browser({ '__Host-browser': browser.cookies['__Host-browser'] ?? '' });
    await other.send('POST', '/api/session', { identifier: email, password, botCheck: person() });
    const chosen = 'quiet orchard of seven kites';
    const body = { presentPassword: password, password: chosen, passwordConfirmation: chosen };
    return {
      run: async () => await browser.send('POST', '/api/account/password', body),
      async settle(first) {
        if (first.status !== 200) return;
        expect(world.directory.users.get(accountId)?.password).toBe(chosen);
        expect((await other.send('GET', '/api/account')).status).toBe(401);
        expect(await stateOf(browser)).toBe('active');
      },
    };
  },
};

const resetPassword: Act = {
  name: 'a password set by a code',
  good: 204,
  async ready() {
    const { browser, email, accountId } = await anActiveDeveloper(world);
    await world.browser().send('POST', '/api/password-reset', { email, botCheck: person() });
    const chosen = 'quiet orchard of seven kites';
    const body = { email, code: world.code(email), password: chosen, passwordConfirmation: chosen };
    const send = async () => await world.browser().send('POST', '/api/password-reset/confirm', body);
    return {
      run: send,
      async settle(first) {
        if (first.status === 204) {
          expect(world.directory.users.get(accountId)?.password).toBe(chosen);
          expect((await browser.send('GET', '/api/account')).status).toBe(401);
        }
        const again = await send();
        if (first.status === 204) expect(again.status).not.toBe(204);
        expect(await eventsOf(accountId, 'reset_password')).toHaveLength(1);
      },
    };
  },
};

let operators = 0;
const suspend: Act = {
  name: 'the suspension of an account',
  good: 200,
  async ready() {
    const { browser, accountId } = await anActiveDeveloper(world);
    operators += 1;
    const operator = await anOperator(world, `operator:${operators}`);
    const path = `/api/operations/accounts/${accountId}`;
    const version = async () => (await operator.send('GET', path)).body.version;
    const body = { act: 'suspend', version: await version(), reason: 'A test.' };
    const send = async () => await operator.send('POST', `${path}/decisions`, body);
    return {
      run: send,
      async settle(first) {
        if (first.status !== 200) await send();
        expect((await browser.send('GET', '/api/account')).status).toBe(401);
        expect((await send()).status).toBe(409);
        expect(await eventsOf(accountId, 'suspend')).toHaveLength(1);
      },
    };
  },
};

const signOut: Act = {
  name: 'a sign-out',
  good: 204,
  async ready() {
    const { browser } = await anActiveDeveloper(world);
    const copy = world.browser({ ...browser.cookies });
    return {
      run: async () => await browser.send('DELETE', '/api/session'),
      async settle(first) {
        // Without the answer the browser keeps its cookie and may repeat the request.
        if (first.status !== 204)
          expect([204, 401]).toContain((await browser.send('DELETE', '/api/session')).status);
        expect((await copy.send('GET', '/api/account')).status).toBe(401);
      },
    };
  },
};

const acts = [
  signUp,
  useCode,
  guess,
  acceptTerms,
  signIn,
  wrongPassword,
  signInCode,
  changePassword,
  resetPassword,
  suspend,
  signOut,
];

describe.each(acts)('$name', (act) => {
  it.each(inTurn(cases, act.name))('when $fault, $duration', async ({ met, duration }) => {
    let at = 0;
    for (; ; at += 1) {
      // An hour later, so that the limits of the tests' common network address do not apply.
      world.after(3_600);
      const { run, settle } = await act.ready();
      proxy.plan(...planAt(at, met, duration));
      const answer = await run();
      const calls = proxy.calls.length;
      proxy.plan();
      if (calls <= at) {
        expect(answer.status).toBe(act.good);
        break;
      }
      // The answer without a fault, a temporary refusal, or a conflict with an earlier attempt; never a server error.
      expect([act.good, 409, 400, 503]).toContain(answer.status);
      if (answer.status === 503) expect(answer.body.code).toBe('unavailable');
      await settle(answer);
    }
    expect(at).toBeGreaterThanOrEqual(2);
  });
});
