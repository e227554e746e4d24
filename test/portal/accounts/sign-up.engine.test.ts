import { afterAll, describe, expect, it } from 'vitest';
import { accountKey } from '../../../lambdas/portal/adapters/portal-table-keys.ts';
import {
  anActiveDeveloper,
  anAddress,
  anOperator,
  aPhone,
  individual,
  password,
  payer,
  person,
  startPortalWorld,
  terms,
} from './portal-world.ts';

const world = await startPortalWorld();
afterAll(() => world.stop());

describe('the four forms', () => {
  it('take an individual from the form to an active account, one step after the other', async () => {
    const form = individual({ username: 'dana.okafor' });
    const browser = world.browser();
    const begun = await browser.send('POST', '/api/accounts', form);
    expect(begun.status).toBe(201);
    expect(begun.body).toMatchObject({
      state: 'pending_email',
      nextStep: 'verify_email',
      role: 'developer',
      codeSentTo: `d•••@${form.email.split('@')[1]}`,
    });
    expect(begun.body.phone).toHaveLength(4);
    expect(JSON.stringify(begun.body)).not.toContain(password);
    const phone = await browser.send('POST', '/api/account/email-code', { code: world.code(form.email) });
    expect(phone.body).toMatchObject({ state: 'pending_phone', nextStep: 'verify_phone' });
    const e164 = `+1${form.mobilePhone.replace(/\D/g, '')}`;
    expect(phone.body.codeSentTo).toBe(`•••• ${e164.slice(-4)}`);
    const accepting = await browser.send('POST', '/api/account/phone-code', { code: world.code(e164) });
    expect(accepting.body).toMatchObject({ state: 'pending_terms', nextStep: 'accept_terms' });
    const before = browser.cookies['__Host-session'];
    const active = await browser.send('POST', '/api/account/terms', terms);
    expect(active.body).toMatchObject({
      state: 'active',
      nextStep: 'none',
      termsVersion: terms.version,
      phone: e164,
    });
    expect(browser.cookies['__Host-session']).not.toBe(before);
    const events = await world.services.accounts.events(String(active.body.accountId));
    expect(events.map(({ act }) => act)).toEqual(['sign_up', 'verify_email', 'verify_phone', 'accept_terms']);
  });

  it('keep no password in the table', async () => {
    const { accountId } = await anActiveDeveloper(world);
    const { pk } = accountKey(accountId);
    const { items } = await world.table.query({ pk });
    expect(items.length).toBeGreaterThan(4);
    expect(JSON.stringify(items)).not.toContain(password);
    expect(JSON.stringify(items)).not.toContain('person-');
  });

  it('take the older form with role and contact phone', async () => {
    const { company, mobilePhone, ...rest } = individual();
    const form = {
      ...rest,
      developerType: 'classic',
      role: 'developer',
      companyName: company,
      contactPhone: mobilePhone,
    };
    const browser = world.browser();
    const begun = await browser.send('POST', '/api/accounts', form);
    expect(begun.status).toBe(201);
    expect(begun.body).toMatchObject({ company, developerType: 'classic' });
    const next = await browser.send('POST', '/api/account/email-code', { code: world.code(form.email) });
    expect(next.body.state).toBe('pending_phone');
  });

  it.each([
    ['payer', { organizationIdentifiers: { npi: '1234567893', naicCompanyCode: '12345' } }],
    ['brokerage', { developerType: 'brokerage', employerIdentificationNumber: '12-3456789' }],
  ])('have a %s await an operator, who opens the account', async (_, changes) => {
    const form = payer(changes);
    const browser = world.browser();
    expect((await browser.send('POST', '/api/accounts', form)).status).toBe(201);
    const { email } = form.primaryContact;
    const terms1 = await browser.send('POST', '/api/account/email-code', { code: world.code(email) });
    expect(terms1.body).toMatchObject({ state: 'pending_terms', company: 'Good Health Inc' });
    const waiting = await browser.send('POST', '/api/account/terms', terms);
    expect(waiting.body).toMatchObject({ state: 'pending_verification', nextStep: 'await_verification' });
    const id = String(waiting.body.accountId);
    const queued = await world.table.query({ pk: 'QUEUE' });
    expect(queued.items).toContainEqual(
      expect.objectContaining({ kind: 'account', id, company: 'Good Health Inc' }),
    );

    const operator = await anOperator(world);
    const shown = await operator.send('GET', `/api/operations/accounts/${id}`);
    expect(shown.body.signUp).toMatchObject({ companyEmailDomain: form.companyEmailDomain });
    expect(JSON.stringify(shown.body)).not.toContain(password);
    const stale = { act: 'verify_organization', version: 1 };
    const old = await operator.send('POST', `/api/operations/accounts/${id}/decisions`, stale);
    expect(old.body).toMatchObject({ status: 409, code: 'stale_version' });
    const decision = { act: 'verify_organization', version: shown.body.version };
    const decided = await operator.send('POST', `/api/operations/accounts/${id}/decisions`, decision);
    expect(decided.body).toMatchObject({ state: 'active' });
    expect((await browser.send('GET', '/api/team')).status).toBe(200);
    expect(world.messagesTo(email).at(-1)?.subject).toBe('Your developer portal account is active');
    const left = await world.table.query({ pk: 'QUEUE' });
    expect(left.items.filter((item) => item.id === id)).toEqual([]);
  });

  it('let a refused organization sign up again with its address', async () => {
    const form = payer();
    const browser = world.browser();
    await browser.send('POST', '/api/accounts', form);
    await browser.send('POST', '/api/account/email-code', { code: world.code(form.primaryContact.email) });
    const waiting = await browser.send('POST', '/api/account/terms', terms);
    const path = `/api/operations/accounts/${String(waiting.body.accountId)}/decisions`;
    const operator = await anOperator(world);
    const decision = { act: 'refuse_organization', version: waiting.body.version };
    expect((await operator.send('POST', path, decision)).body.errors).toEqual([
      { pointer: '/reason', code: 'missing', expected: 'the reason that the developer reads' },
    ]);
    const decided = await operator.send('POST', path, { ...decision, reason: 'The company is not known.' });
    expect(decided.body.state).toBe('closed');
    expect((await browser.send('GET', '/api/account')).body.code).toBe('signed_out');
    expect(world.messagesTo(form.primaryContact.email).at(-1)?.text).toContain('The company is not known.');
    const again = await world.browser().send('POST', '/api/accounts', { ...form, botCheck: person() });
    expect(again.status).toBe(201);
    world.after(60);
  });
});

describe('fields', () => {
  const errorsOf = async (form: object) => (await world.browser().send('POST', '/api/accounts', form)).body;

  it.each([
    ['a Canadian number', '416-555-0123'],
    ['a Jamaican number', '876-555-0123'],
    ['a number that costs who calls it', '900-555-0123'],
    ['a toll-free number, which gets no texts', '800-555-0123'],
  ])('refuse %s as mobile phone', async (_, mobilePhone) => {
    expect(await errorsOf(individual({ mobilePhone }))).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/mobilePhone', code: 'not_us_number' }],
    });
  });

  it.each([
    ['everybody knows', 'correct horse battery staple'],
    ['is a word in a row', 'passwordpassword2024'],
    ['is made of the own name', 'DanaOkafor-12345678'],
    ['is made of the company', 'Wellness Works 2026!'],
  ])('refuse a password that %s', async (_, guessed) => {
    expect(await errorsOf(individual({ password: guessed, passwordConfirmation: guessed }))).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/password', code: 'known_password' }],
    });
  });

  it('refuse what only the portal may set', async () => {
    expect(await errorsOf(individual({ state: 'active', role: 'operator' }))).toMatchObject({
      errors: [
        { pointer: '/state', code: 'unknown_field' },
        { pointer: '/role', code: 'unknown_field' },
      ],
    });
  });

  it('refuse an unknown type of developer at its field', async () => {
    expect(await errorsOf(individual({ developerType: 'admin' }))).toMatchObject({
      errors: [{ pointer: '/developerType', expected: 'individual, payer, brokerage or classic' }],
    });
  });

  it('refuse an older HIPAA affirmation and name the newer one', async () => {
    const form = payer({ hipaaAffirmation: { accepted: true, version: '2020-01-01' } });
    expect(await errorsOf(form)).toMatchObject({ code: 'terms_outdated', version: '2026-11-22' });
  });

  it('refuse a user name that somebody has, in capitals too', async () => {
    await world.browser().send('POST', '/api/accounts', individual({ username: 'first.come' }));
    expect(await errorsOf(individual({ username: 'First.Come' }))).toMatchObject({
      errors: [{ pointer: '/username', code: 'taken' }],
    });
  });

  it('do not use up the bot check', async () => {
    const botCheck = person();
    expect((await errorsOf(individual({ botCheck, mobilePhone: '416-555-0123' }))).code).toBe(
      'invalid_request',
    );
    expect((await world.browser().send('POST', '/api/accounts', individual({ botCheck }))).status).toBe(201);
  });
});

describe('the bot check', () => {
  it('is needed', async () => {
    const got = await world.browser().send('POST', '/api/accounts', individual({ botCheck: 'robot' }));
    expect(got.body).toMatchObject({ status: 400, code: 'bot_check_failed' });
  });

  it('counts once, of two at the same time too', async () => {
    const botCheck = person();
    const forms = [individual({ botCheck }), individual({ botCheck })];
    const both = await Promise.all(forms.map((form) => world.browser().send('POST', '/api/accounts', form)));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
  });
});

describe('an address somebody has', () => {
  it('is answered like any other, gets no code, and its owner is told', async () => {
    const { email } = await anActiveDeveloper(world);
    world.after(61);
    const fresh = await world.browser().send('POST', '/api/accounts', individual());
    const browser = world.browser();
    const mails = world.messagesTo(email).length;
    const got = await browser.send('POST', '/api/accounts', individual({ email: email.toUpperCase() }));
    expect(got.status).toBe(fresh.status);
    expect(Object.keys(got.body)).toEqual(Object.keys(fresh.body));
    expect(Object.keys(got.headers)).toEqual(Object.keys(fresh.headers));
    expect(world.messagesTo(email)).toHaveLength(mails);
    const told = world.messagesTo(email.toUpperCase()).at(-1);
    expect(told?.subject).toBe('You already have a developer portal account');
    expect(told?.text).not.toMatch(/\d{6}/);

    const wrong = await browser.send('POST', '/api/account/email-code', { code: '123456' });
    expect(wrong.body).toMatchObject({ code: 'wrong_code', triesLeft: 4 });
    expect((await browser.send('GET', '/api/account')).body.state).toBe('pending_email');
    expect((await browser.send('POST', '/api/account/email-code/resend')).body.code).toBe('too_many_codes');
    world.after(60);
    expect((await browser.send('POST', '/api/account/email-code/resend')).status).toBe(202);
  });

  it('is told by no user name either: a decoy claims its own', async () => {
    const { email } = await anActiveDeveloper(world);
    const form = individual({ email, username: 'decoy.claims' });
    expect((await world.browser().send('POST', '/api/accounts', form)).status).toBe(201);
    const probe = await world
      .browser()
      .send('POST', '/api/accounts', individual({ username: 'decoy.claims' }));
    expect(probe.body.errors).toMatchObject([{ pointer: '/username', code: 'taken' }]);
  });

  it('has one winner of two at the same time', async () => {
    const email = anAddress();
    const browsers = [world.browser(), world.browser()];
    const both = await Promise.all(
      browsers.map((each) => each.send('POST', '/api/accounts', individual({ email }))),
    );
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    const accounts = await Promise.all(
      both.map(({ body }) => world.services.accounts.find(String(body.accountId))),
    );
    expect(accounts.map((account) => account?.decoy).sort()).toEqual([false, true]);
    const holder = await world.services.accounts.findByEmail(email);
    expect(holder?.accountId).toBe(accounts.find((account) => !account?.decoy)?.accountId);
  });

  it('is its mailbox’s: the owner’s code works beside a stranger’s earlier sign-up, of which nothing stays', async () => {
    const email = anAddress();
    const [stranger, owner] = [world.browser(), world.browser()];
    const strangers = individual({
      email,
      firstName: 'Stranger',
      company: 'Elsewhere',
      username: 'stranger.one',
    });
    const { body: theirs } = await stranger.send('POST', '/api/accounts', strangers);
    world.after(61);
    const form = individual({ email, firstName: 'Olivia' });
    await owner.send('POST', '/api/accounts', form);
    const code = world.code(email);
    expect((await stranger.send('POST', '/api/account/email-code', { code })).body.code).toBe('wrong_code');
    const proven = await owner.send('POST', '/api/account/email-code', { code });
    expect(proven.body).toMatchObject({ state: 'pending_phone', firstName: 'Olivia' });
    const phone = `+1${form.mobilePhone.replace(/\D/g, '')}`;
    await owner.send('POST', '/api/account/phone-code', { code: world.code(phone) });
    expect((await owner.send('POST', '/api/account/terms', terms)).body).toMatchObject({ state: 'active' });
    expect((await owner.send('GET', '/api/team')).body).toMatchObject({
      name: form.company,
      members: [{ email }],
    });
    expect((await stranger.send('GET', '/api/account')).body.code).toBe('signed_out');
    expect(await world.services.accounts.find(String(theirs.accountId))).toMatchObject({ state: 'closed' });
    const holder = await world.services.accounts.findByEmail(email);
    expect(holder).toMatchObject({ accountId: proven.body.accountId, decoy: false });
    expect(JSON.stringify(holder)).not.toMatch(/Stranger|Elsewhere|stranger\.one/);
    const signIn = { identifier: email, password, botCheck: person() };
    expect((await owner.send('POST', '/api/session', signIn)).body).toMatchObject({
      account: { accountId: proven.body.accountId },
    });
    // The user name is available again.
    const again = individual({ username: 'stranger.one' });
    expect((await world.browser().send('POST', '/api/accounts', again)).status).toBe(201);
  });

  it('is proven once, by whichever of its sign-ups types its code first', async () => {
    const email = anAddress();
    const [first, second] = [world.browser(), world.browser()];
    await first.send('POST', '/api/accounts', individual({ email }));
    const firstCode = world.code(email);
    world.after(61);
    await second.send('POST', '/api/accounts', individual({ email }));
    const secondCode = world.code(email);
    const both = await Promise.all([
      first.send('POST', '/api/account/email-code', { code: firstCode }),
      second.send('POST', '/api/account/email-code', { code: secondCode }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = both.find(({ status }) => status === 200);
    expect((await world.services.accounts.findByEmail(email))?.accountId).toBe(winner?.body.accountId);
    const others = await Promise.all([first, second].map((each) => each.send('GET', '/api/account')));
    expect(others.filter(({ body }) => body.state === 'pending_phone')).toHaveLength(1);
  });

  it('is no stranger’s by a new password: what was never proven is not reset', async () => {
    const email = anAddress();
    await world.browser().send('POST', '/api/accounts', individual({ email, firstName: 'Stranger' }));
    world.after(61);
    const asked = await world.browser().send('POST', '/api/password-reset', { email, botCheck: person() });
    expect(asked.status).toBe(202);
    expect(world.messagesTo(email).at(-1)?.subject).toBe('No developer portal account for this address');
  });

  it('is not kept from somebody who changes to it by a sign-up that nobody proved', async () => {
    const { browser } = await anActiveDeveloper(world);
    const email = anAddress();
    const stranger = world.browser();
    await stranger.send('POST', '/api/accounts', individual({ email }));
    world.after(61);
    await browser.send('POST', '/api/account/email', { email, password });
    const changed = await browser.send('POST', '/api/account/email/confirm', { code: world.code(email) });
    expect(changed.body).toMatchObject({ email });
    expect((await stranger.send('GET', '/api/account')).body.code).toBe('signed_out');
  });

  it('is free again an hour after a sign-up that nobody proved', async () => {
    const email = anAddress();
    const squatter = world.browser();
    await squatter.send('POST', '/api/accounts', individual({ email, username: 'squatter.one' }));
    world.after(3_600);
    const owner = world.browser();
    await owner.send('POST', '/api/accounts', individual({ email, username: 'squatter.one' }));
    const next = await owner.send('POST', '/api/account/email-code', { code: world.code(email) });
    expect(next.body.state).toBe('pending_phone');
    expect((await squatter.send('GET', '/api/account')).body.code).toBe('signed_out');
  });
});

describe('terms', () => {
  it('are accepted in the version that is in force, after scrolling and ticking', async () => {
    const form = payer();
    const browser = world.browser();
    await browser.send('POST', '/api/accounts', form);
    await browser.send('POST', '/api/account/email-code', { code: world.code(form.primaryContact.email) });
    const old = await browser.send('POST', '/api/account/terms', { ...terms, version: '2020-01-01' });
    expect(old.body).toMatchObject({ code: 'terms_outdated', version: terms.version });
    const unread = await browser.send('POST', '/api/account/terms', { ...terms, scrolledToEnd: false });
    expect(unread.body.errors).toMatchObject([{ pointer: '/scrolledToEnd' }]);
    expect((await browser.send('GET', '/api/account')).body.state).toBe('pending_terms');
  });

  it('can not be accepted before the phone is proven', async () => {
    const browser = world.browser();
    const form = individual({ mobilePhone: aPhone() });
    await browser.send('POST', '/api/accounts', form);
    const early = await browser.send('POST', '/api/account/terms', terms);
    expect(early.body).toMatchObject({ status: 409, code: 'account_state', state: 'pending_email' });
  });
});
