import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  anActiveDeveloper,
  anAddress,
  anOperator,
  aPhone,
  hasApplications,
  individual,
  password,
  payer,
  person,
  startPortalWorld,
  terms,
} from './portal-world.ts';

const world = await startPortalWorld();
afterAll(() => world.stop());

const chosen = 'seven green paper boats';
const signIn = async (identifier: string, given: string) =>
  await world.browser().send('POST', '/api/session', { identifier, password: given, botCheck: person() });

describe('names', () => {
  it('change, and nothing else does', async () => {
    const { browser, email } = await anActiveDeveloper(world);
    const got = await browser.send('PATCH', '/api/account', {
      firstName: 'Daniela',
      lastName: 'Okafor-Lind',
    });
    expect(got.body).toMatchObject({ firstName: 'Daniela', lastName: 'Okafor-Lind', email, version: 5 });
    const more = await browser.send('PATCH', '/api/account', {
      firstName: 'Daniela',
      lastName: 'Lind',
      email: anAddress(),
    });
    expect(more.body.errors).toMatchObject([{ pointer: '/email', code: 'unknown_field' }]);
  });

  it.each([
    '<script>alert(1)</script>',
    'Dana\r\nBcc: all@example.org',
    'Dana\u202eanaD',
    '',
  ])('with what does not belong in a name are refused: %j', async (firstName) => {
    const { browser } = await anActiveDeveloper(world);
    const got = await browser.send('PATCH', '/api/account', { firstName, lastName: 'Okafor' });
    expect(got.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/firstName' }] });
  });
});

describe('the e-mail address', () => {
  it('changes by the password and a code to the new one, and the old one is told', async () => {
    const { browser, email } = await anActiveDeveloper(world);
    const fresh = anAddress();
    const wrong = await browser.send('POST', '/api/account/email', {
      email: fresh,
      password: 'not this one at all',
    });
    expect(wrong.body.code).toBe('wrong_password');
    const begun = await browser.send('POST', '/api/account/email', { email: fresh, password });
    expect(begun.status).toBe(202);
    expect((await browser.send('GET', '/api/account')).body.email).toBe(email);
    const done = await browser.send('POST', '/api/account/email/confirm', { code: world.code(fresh) });
    expect(done.body.email).toBe(fresh);
    expect(world.messagesTo(email).at(-1)?.subject).toBe('Your developer portal e-mail address was changed');
    expect((await signIn(email, password)).body.code).toBe('sign_in_refused');
    expect((await signIn(fresh, password)).body.next).toBe('code');
    expect((await world.browser().send('POST', '/api/accounts', individual({ email }))).status).toBe(201);
    expect((await world.services.accounts.findByEmail(email))?.decoy).toBe(false);
  });

  it('of somebody else is answered like any other and never confirmed', async () => {
    const other = await anActiveDeveloper(world);
    const { browser } = await anActiveDeveloper(world);
    world.after(61);
    const begun = await browser.send('POST', '/api/account/email', { email: other.email, password });
    expect(begun.status).toBe(202);
    expect(world.messagesTo(other.email).at(-1)?.subject).toBe('You already have a developer portal account');
    const got = await browser.send('POST', '/api/account/email/confirm', { code: '123456' });
    expect(got.body.code).toBe('wrong_code');
  });

  it('of an organization stays at its domain', async () => {
    const form = payer();
    const browser = world.browser();
    await browser.send('POST', '/api/accounts', form);
    await browser.send('POST', '/api/account/email-code', { code: world.code(form.primaryContact.email) });
    const waiting = await browser.send('POST', '/api/account/terms', terms);
    const operator = await anOperator(world, 'operator:dom');
    const decision = { act: 'verify_organization', version: waiting.body.version };
    const path = `/api/operations/accounts/${String(waiting.body.accountId)}/decisions`;
    await operator.send('POST', path, decision);
    const elsewhere = await browser.send('POST', '/api/account/email', { email: anAddress(), password });
    expect(elsewhere.body.errors).toMatchObject([{ pointer: '/email', code: 'invalid' }]);
    const fresh = `other.person@${form.companyEmailDomain}`;
    expect((await browser.send('POST', '/api/account/email', { email: fresh, password })).status).toBe(202);
  });

  it('that two ask for at the same time is had by one', async () => {
    const [one, other] = [await anActiveDeveloper(world), await anActiveDeveloper(world)];
    const fresh = anAddress();
    await one.browser.send('POST', '/api/account/email', { email: fresh, password });
    const first = world.code(fresh);
    await other.browser.send('POST', '/api/account/email', { email: fresh, password });
    const second = world.code(fresh);
    const both = await Promise.all([
      one.browser.send('POST', '/api/account/email/confirm', { code: first }),
      other.browser.send('POST', '/api/account/email/confirm', { code: second }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

/** A sign-up whose e-mail address is confirmed. */
async function awaitsPhoneCode() {
  const form = individual();
  const browser = world.browser();
  await browser.send('POST', '/api/accounts', form);
  await browser.send('POST', '/api/account/email-code', { code: world.code(form.email) });
  return { browser, form };
}

describe('the phone', () => {
  it('changes by the password and a code to the new one', async () => {
    const { browser, email } = await anActiveDeveloper(world);
    const body = { phone: '(202) 555-0188', password };
    expect((await browser.send('POST', '/api/account/phone', body)).body.codeSentTo).toBe('•••• 0188');
    const done = await browser.send('POST', '/api/account/phone/confirm', {
      code: world.code('+12025550188'),
    });
    expect(done.body.phone).toBe('+12025550188');
    expect(world.messagesTo(email).at(-1)?.subject).toBe('Your developer portal phone number was changed');
  });

  it('is mended in a sign-up that waits for its code, and nothing else is entered again', async () => {
    const { browser, form } = await awaitsPhoneCode();
    const phone = aPhone();
    const begun = await browser.send('POST', '/api/account/phone', { phone, password });
    expect(begun.body).toEqual({ codeSentTo: `•••• ${phone.slice(-4)}` });
    const code = world.code(`+1${phone.replaceAll('-', '')}`);
    const done = await browser.send('POST', '/api/account/phone/confirm', { code });
    expect(done.body).toMatchObject({ state: 'pending_terms', email: form.email, company: form.company });
    expect(world.messagesTo(form.email).map(({ subject }) => subject)).not.toContain(
      'Your developer portal phone number was changed',
    );
    const signedUp = await browser.send('POST', '/api/account/terms', terms);
    expect(signedUp.body).toMatchObject({ state: 'active', phone: `+1${phone.replaceAll('-', '')}` });
  });

  it('stays as it was where the code to the first number was entered meanwhile', async () => {
    const { browser, form } = await awaitsPhoneCode();
    const phone = aPhone();
    await browser.send('POST', '/api/account/phone', { phone, password });
    const first = world.code(`+1${form.mobilePhone.replace(/\D/g, '')}`);
    expect((await browser.send('POST', '/api/account/phone-code', { code: first })).status).toBe(200);
    const code = world.code(`+1${phone.replaceAll('-', '')}`);
    const late = await browser.send('POST', '/api/account/phone/confirm', { code });
    expect(late.body).toMatchObject({ code: 'account_state', state: 'pending_terms' });
  });

  it('of a sign-up whose address is not proven gets no text message', async () => {
    const browser = world.browser();
    await browser.send('POST', '/api/accounts', individual());
    const phone = aPhone();
    const got = await browser.send('POST', '/api/account/phone', { phone, password });
    expect(got.body).toMatchObject({ code: 'account_state', state: 'pending_email' });
    expect(world.messagesTo(`+1${phone.replaceAll('-', '')}`)).toEqual([]);
  });

  it('must be of the United States', async () => {
    const { browser } = await anActiveDeveloper(world);
    const got = await browser.send('POST', '/api/account/phone', { phone: '604-555-0123', password });
    expect(got.body.errors).toMatchObject([{ pointer: '/phone', code: 'not_us_number' }]);
  });
});

describe('the password', () => {
  it('changes by the old one; every other session ends and this one goes on under a new cookie', async () => {
    const { browser, email } = await anActiveDeveloper(world);
    const second = world.browser({ '__Host-browser': String(browser.cookies['__Host-browser']) });
    await second.send('POST', '/api/session', { identifier: email, password, botCheck: person() });
    const before = browser.cookies['__Host-session'];
    const body = { presentPassword: password, password: chosen, passwordConfirmation: chosen };
    const got = await browser.send('POST', '/api/account/password', body);
    expect(got.status).toBe(200);
    expect(browser.cookies['__Host-session']).not.toBe(before);
    expect((await browser.send('GET', '/api/account')).status).toBe(200);
    expect((await second.send('GET', '/api/account')).status).toBe(401);
    expect((await signIn(email, password)).body.code).toBe('sign_in_refused');
    expect(world.messagesTo(email).at(-1)?.subject).toBe('Your developer portal password was changed');
  });

  it('may not be a known one', async () => {
    const { browser, email } = await anActiveDeveloper(world);
    const guessed = `${email.split('@')[0]} 2026`;
    const body = { presentPassword: password, password: guessed, passwordConfirmation: guessed };
    expect((await browser.send('POST', '/api/account/password', body)).body.errors).toMatchObject([
      { pointer: '/password', code: 'known_password' },
    ]);
  });

  it('once more opens secrets for five minutes, under a new cookie', async () => {
    const { browser, accountId } = await anActiveDeveloper(world);
    const before = String(browser.cookies['__Host-session']);
    expect((await browser.send('POST', '/api/session/password', { password })).status).toBe(204);
    const after = String(browser.cookies['__Host-session']);
    expect(after).not.toBe(before);
    const stored = await world.services.sessions.get(world.services.sha256Hex(after));
    expect(stored).toMatchObject({ accountId, secretsOpenUntil: world.clock.ms / 1000 + 300 });
    expect(await world.services.sessions.get(world.services.sha256Hex(before))).toBeUndefined();
  });

  it('tells the pages until when secrets are open, so that they ask for the password at once', async () => {
    const { browser } = await anActiveDeveloper(world);
    const opened = async () => (await browser.send('GET', '/api/account')).body.secretsOpenUntil;
    expect(await opened()).toBeUndefined();
    await browser.send('POST', '/api/session/password', { password });
    expect(await opened()).toBe(new Date(world.clock.ms + 300_000).toISOString());
    world.after(301);
    expect(await opened()).toBeUndefined();
  });

  it('once more, and a sign-out by the cookie of before: both sessions have ended', async () => {
    const { browser } = await anActiveDeveloper(world);
    const tab = world.browser({ ...browser.cookies });
    const older = world.browser({ ...browser.cookies });
    for (let times = 0; times < 3; times += 1)
      expect((await tab.send('POST', '/api/session/password', { password })).status).toBe(204);
    expect((await tab.send('GET', '/api/account')).status).toBe(200);
    expect((await older.send('GET', '/api/account')).status).toBe(401);
    expect((await world.browser({ ...browser.cookies }).send('DELETE', '/api/session')).status).toBe(204);
    expect((await tab.send('GET', '/api/account')).status).toBe(401);
  });

  it('signs out whoever asks, with a session or without', async () => {
    const { browser } = await anActiveDeveloper(world);
    const before = { ...browser.cookies };
    for (const cookies of [
      before,
      before,
      {},
      { '__Host-session': 'x'.repeat(43) },
      { '__Host-session': 'x' },
    ]) {
      const got = await world.browser(cookies).send('DELETE', '/api/session');
      expect(got.status).toBe(204);
      expect(got.headers['Set-Cookie']).toContain(
        '__Host-session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
      );
    }
    expect((await browser.send('GET', '/api/account')).status).toBe(401);
  });

  describe('and a sign-out between the reading and the writing of the session', () => {
    /** Ends the session just before it is replaced by the next one. */
    function signsOutMeanwhile() {
      const { rotate, end } = world.services.sessions;
      vi.spyOn(world.services.sessions, 'rotate').mockImplementationOnce(async (session, replaces) => {
        await end(replaces);
        return await rotate(session, replaces);
      });
    }

    it('opens no secrets: the session stays ended', async () => {
      const { browser } = await anActiveDeveloper(world);
      signsOutMeanwhile();
      const got = await browser.send('POST', '/api/session/password', { password });
      expect(got).toMatchObject({ status: 401, body: { code: 'signed_out' } });
      expect((await browser.send('GET', '/api/account')).status).toBe(401);
    });

    it('changes the password, and the session stays ended', async () => {
      const { browser, email } = await anActiveDeveloper(world);
      signsOutMeanwhile();
      const body = { presentPassword: password, password: chosen, passwordConfirmation: chosen };
      expect((await browser.send('POST', '/api/account/password', body)).status).toBe(200);
      expect(browser.cookies['__Host-session']).toBeUndefined();
      expect((await signIn(email, chosen)).status).toBe(200);
    });
  });

  it('is guessed in a session no faster than at sign-in', async () => {
    const { browser } = await anActiveDeveloper(world);
    const codes: unknown[] = [];
    for (let tries = 0; tries < 6; tries += 1) {
      const got = await browser.send('POST', '/api/session/password', { password: 'not this one at all' });
      codes.push(got.body.code);
    }
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'wrong_password'), 'too_many_requests']);
  });
});

describe('a password reset', () => {
  const ask = async (email: string) =>
    await world.browser().send('POST', '/api/password-reset', { email, botCheck: person() });
  const confirm = async (email: string, code: string) =>
    await world.browser().send('POST', '/api/password-reset/confirm', {
      email,
      code,
      password: chosen,
      passwordConfirmation: chosen,
    });

  it('sets a new password by a code, ends all sessions and tells the owner', async () => {
    const { browser, email } = await anActiveDeveloper(world);
    world.after(61);
    expect((await ask(email)).status).toBe(202);
    expect((await confirm(email, world.code(email))).status).toBe(204);
    expect((await browser.send('GET', '/api/account')).status).toBe(401);
    expect((await signIn(email, chosen)).body.next).toBe('code');
    expect(world.messagesTo(email).at(-1)?.subject).toBe('Your developer portal password was changed');
  });

  it('is answered alike for an address nobody has, which is told by mail', async () => {
    const { email } = await anActiveDeveloper(world);
    world.after(61);
    const nobody = anAddress();
    const [known, unknown] = [await ask(email), await ask(nobody)];
    expect(unknown.status).toBe(known.status);
    expect(Object.keys(unknown.body)).toEqual(Object.keys(known.body));
    expect(world.messagesTo(nobody).at(-1)?.subject).toBe('No developer portal account for this address');
    const wrong = world.code(email) === '123456' ? '654321' : '123456';
    for (let tries = 0; tries < 6; tries += 1) {
      const [one, other] = [await confirm(email, wrong), await confirm(nobody, wrong)];
      expect(other.body).toEqual(one.body);
    }
  });

  it('by one code sets one password, of two at the same time too', async () => {
    const { email } = await anActiveDeveloper(world);
    world.after(61);
    await ask(email);
    const code = world.code(email);
    const both = await Promise.all([confirm(email, code), confirm(email, code)]);
    expect(both.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
  });
});

describe('closing', () => {
  it('needs the password, ends everything, and lets the address go', async () => {
    const { browser, email, accountId } = await anActiveDeveloper(world);
    const refused = await browser.send('POST', '/api/account/close', { password: 'not this one at all' });
    expect(refused.body.code).toBe('wrong_password');
    expect((await browser.send('POST', '/api/account/close', { password })).status).toBe(204);
    expect(world.directory.users.get(accountId)?.enabled).toBe(false);
    expect((await signIn(email, password)).body.code).toBe('sign_in_refused');
    world.after(61);
    const again = await world.browser().send('POST', '/api/accounts', individual({ email }));
    expect(again.status).toBe(201);
    expect((await world.services.accounts.findByEmail(email))?.accountId).toBe(again.body.accountId);
  });

  it('is refused to the last of a team whose applications go on, also where one is registered meanwhile', async () => {
    const { browser, accountId } = await anActiveDeveloper(world);
    const teamId = (await world.services.accounts.find(accountId))?.teamId ?? '';
    const close = async () => await browser.send('POST', '/api/account/close', { password });
    await hasApplications(world, teamId, 1);
    const refused = await close();
    expect(refused).toMatchObject({ status: 409, body: { code: 'applications_live' } });
    expect(refused.body.detail).toContain('Withdraw the applications');
    expect((await world.services.accounts.find(accountId))?.state).toBe('active');

    const account = await world.services.accounts.find(accountId);
    if (account === undefined) throw new Error('no account');
    const next = { ...account, state: 'closed', version: account.version + 1 } as const;
    const event = {
      at: new Date(world.clock.ms).toISOString(),
      eventId: 'late',
      actor: { kind: 'developer', id: accountId, name: 'Dana' },
      act: 'close',
      state: 'closed',
      requestId: 'request-late',
    } as const;
    expect(await world.services.accounts.change({ account, next, event })).toBe(false);

    await hasApplications(world, teamId, 0);
    expect((await close()).status).toBe(204);
  });

  it('leaves a team’s applications to the others in it', async () => {
    const host = await anActiveDeveloper(world);
    const teamId = (await world.services.accounts.find(host.accountId))?.teamId ?? '';
    const email = anAddress();
    await host.browser.send('POST', '/api/team/invitations', { email });
    const invitation = /#(\S+)/.exec(world.messagesTo(email).at(-1)?.text ?? '')?.[1] ?? '';
    const guest = await anActiveDeveloper(world, { email, invitation });
    await hasApplications(world, teamId, 1);
    const close = async ({ browser }: typeof guest) =>
      await browser.send('POST', '/api/account/close', { password });
    const both = await Promise.all([close(host), close(guest)]);
    expect(both.map(({ body, status }) => body?.code ?? status).sort()).toEqual([204, 'applications_live']);
  });

  it('takes an organization that waits out of the operators’ queue', async () => {
    const form = payer();
    const browser = world.browser();
    await browser.send('POST', '/api/accounts', form);
    await browser.send('POST', '/api/account/email-code', { code: world.code(form.primaryContact.email) });
    const waiting = await browser.send('POST', '/api/account/terms', terms);
    const queued = async () =>
      (await world.table.query({ pk: 'QUEUE' })).items.filter(({ id }) => id === waiting.body.accountId);
    expect(await queued()).toHaveLength(1);
    expect((await browser.send('POST', '/api/account/close', { password })).status).toBe(204);
    expect(await queued()).toEqual([]);
  });

  it('lets somebody begin anew who typed another’s phone at sign-up', async () => {
    const form = individual();
    const browser = world.browser();
    await browser.send('POST', '/api/accounts', form);
    await browser.send('POST', '/api/account/email-code', { code: world.code(form.email) });
    expect((await browser.send('POST', '/api/account/close', { password })).status).toBe(204);
    world.after(61);
    const again = world.browser();
    await again.send('POST', '/api/accounts', individual({ email: form.email }));
    const next = await again.send('POST', '/api/account/email-code', { code: world.code(form.email) });
    expect(next.body.state).toBe('pending_phone');
  });
});
