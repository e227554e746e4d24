import { beforeAll, describe, expect, it } from 'vitest';
import { runningSystem } from './journey.ts';
import {
  type Answer,
  aDeveloper,
  aForm,
  alike,
  anEmail,
  anOperator,
  bodyOf,
  type Developer,
  type Door,
  portalDoor,
  signIn,
  signUp,
  type Visitor,
} from './portal-door.ts';
import { systemFile } from './system-file.ts';

/** Attacks on accounts and sessions of the deployed portal, through HTTP. */

let door: Door;
let dana: Developer;
let operator: Visitor;
beforeAll(async () => {
  door = portalDoor(runningSystem());
  [dana, { visitor: operator }] = await Promise.all([aDeveloper(door), anOperator(door, systemFile())]);
});

const codeOf = (answer: Answer) => bodyOf(answer).code;
const account = async (visitor: Visitor) => (await visitor.send('GET', '/api/account')).status;
const sessionOf = ({ cookies }: Visitor) => cookies.get('__Host-session') ?? '';

/** A visitor whose session cookie has this value. */
function withSession(value: string): Visitor {
  const visitor = door.visitor();
  visitor.cookies.set('__Host-session', value);
  return visitor;
}

describe('an e-mail address that somebody has', () => {
  it('is answered like one that nobody has: status, headers, cookies and fields', async () => {
    const [taken, free] = await Promise.all([
      signUp(door, aForm({ email: dana.form.email.toUpperCase() })),
      signUp(door, aForm()),
    ]);
    const shape = ({ answer }: typeof taken) => ({
      status: answer.status,
      headers: Object.keys(answer.headers).sort(),
      cookies: answer.setCookies.map((line) => line.replace(/=[\w-]{43}/, '=…')),
      fields: Object.keys(bodyOf(answer)),
      state: bodyOf(answer).state,
    });
    expect(shape(taken)).toEqual(shape(free));
    expect(taken.answer.setCookies[0]).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
    for (const { visitor } of [taken, free]) {
      expect(codeOf(await visitor.send('GET', '/api/team'))).toBe('account_state');
      expect(
        codeOf(await visitor.send('POST', '/api/account/email-code', { body: { code: '000000' } })),
      ).toBe('wrong_code');
    }
    const told = (await door.messagesTo(dana.form.email.toUpperCase()))[0];
    expect(told?.subject).toBe('You already have a developer portal account');
    expect(told?.text).not.toMatch(/\d{6}/);
  });

  it('is told by no sign-in: whoever signed up with it gets into the account they made, and no further', async () => {
    const form = aForm({ email: dana.form.email });
    const [taken, fresh] = [form, aForm()];
    await signUp(door, taken);
    await signUp(door, fresh);
    const [one, other] = [
      await signIn(door, taken.email, taken.password),
      await signIn(door, fresh.email, fresh.password),
    ];
    expect([one.answer.status, bodyOf(one.answer).next]).toEqual([other.answer.status, 'signed_in']);
    expect(bodyOf(await one.visitor.send('GET', '/api/account')).accountId).not.toBe(dana.accountId);
    expect(codeOf(await one.visitor.send('GET', '/api/applications'))).toBe('account_state');
  });
});

describe('wrong passwords', () => {
  it('are answered and delayed alike for an account and for none', async () => {
    const { form } = await aDeveloper(door);
    const knock = async (identifier: string, botCheck: string) => {
      const body = { identifier, password: 'not the password at all', botCheck };
      const answer = await door.visitor().send('POST', '/api/session', { body });
      const seconds = answer.headers['retry-after'] ?? '';
      const text = alike(answer).replace(`"retryAfter":${seconds}`, '"retryAfter":0');
      return { code: codeOf(answer), seconds, words: [text, ...answer.setCookies] };
    };
    const series = async (identifier: string) => {
      const checks = await Promise.all(Array.from({ length: 12 }, () => door.botCheck()));
      const answers: Awaited<ReturnType<typeof knock>>[] = [];
      // Delays begin with a second and double. A busy machine takes longer than the first ones for a try, so several tries may pass.
      for (const botCheck of checks) {
        answers.push(await knock(identifier, botCheck));
        if (answers.at(-1)?.code === 'too_many_requests') break;
      }
      return answers;
    };
    const [known, unknown] = await Promise.all([series(form.email), series(anEmail())]);
    for (const answers of [known, unknown]) {
      const last = answers.length - 1;
      expect(last).toBeGreaterThanOrEqual(5);
      const refused = [...Array(last).fill('sign_in_refused'), 'too_many_requests'];
      expect(answers.map(({ code }) => code)).toEqual(refused);
      // The delay after this many failures is at most this long, counted from the last failure.
      expect(Number(answers[last]?.seconds)).toBeGreaterThanOrEqual(1);
      expect(Number(answers[last]?.seconds)).toBeLessThanOrEqual(2 ** (last - 5));
      expect(answers.slice(0, last).map(({ seconds }) => seconds)).toEqual(Array(last).fill(''));
    }
    const worded = (answers: typeof known) => new Set(answers.map(({ words }) => words.join('\n')));
    expect(worded(known)).toEqual(worded(unknown));
  });
});

describe('a bot check', () => {
  const signInBy = async (botCheck: string) =>
    codeOf(
      await door
        .visitor()
        .send('POST', '/api/session', { body: { identifier: anEmail(), password: 'x', botCheck } }),
    );

  it('counts once', async () => {
    const botCheck = await door.botCheck();
    expect(await signInBy(botCheck)).toBe('sign_in_refused');
    expect(await signInBy(botCheck)).toBe('bot_check_failed');
    const form = { ...aForm(), botCheck };
    expect(codeOf(await door.visitor().send('POST', '/api/accounts', { body: form }))).toBe(
      'bot_check_failed',
    );
    const [one, other] = [await door.botCheck(), await door.botCheck()];
    const both = await Promise.all([signInBy(one), signInBy(one), signInBy(other)]);
    expect(both.filter((code) => code === 'bot_check_failed')).toHaveLength(1);
  });

  it('is nobody’s own work: neither its parts, nor its time, nor its cost can be changed', async () => {
    const read = async () => JSON.parse(Buffer.from(await door.botCheck(), 'base64').toString());
    const [one, other] = await Promise.all([read(), read()]);
    const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const changed = (parameters: object) => ({
      ...one,
      challenge: { ...one.challenge, parameters: { ...one.challenge.parameters, ...parameters } },
    });
    const forged = [
      { ...one, solution: other.solution },
      { challenge: other.challenge, solution: one.solution },
      { ...one, challenge: { ...one.challenge, signature: other.challenge.signature } },
      { ...one, challenge: { ...one.challenge, signature: '0'.repeat(64) } },
      changed({ expiresAt: one.challenge.parameters.expiresAt + 600 }),
      changed({ cost: 1 }),
      changed({ keyPrefix: '' }),
      changed({ keySignature: undefined }),
      { ...one, state: 'approved' },
      {},
      [],
      null,
    ];
    for (const each of forged) expect(await signInBy(written(each))).toBe('bot_check_failed');
    for (const text of ['%%%', '{}', 'x'.repeat(8_192)])
      expect(await signInBy(text)).toBe('bot_check_failed');
  });
});

describe('a code', () => {
  it('has five tries, after which the right one is as wrong', async () => {
    const form = aForm();
    const { visitor } = await signUp(door, form);
    const right = await door.codeTo(form.email);
    const wrong = right === '000000' ? '000001' : '000000';
    const tries = [];
    for (let at = 0; at < 5; at += 1)
      tries.push(
        bodyOf(await visitor.send('POST', '/api/account/email-code', { body: { code: wrong } })).triesLeft,
      );
    expect(tries).toEqual([4, 3, 2, 1, 0]);
    const late = await visitor.send('POST', '/api/account/email-code', { body: { code: right } });
    expect(codeOf(late)).toBe('code_expired');
    expect(bodyOf(await visitor.send('GET', '/api/account')).state).toBe('pending_email');
  });

  it('is good for the account it was sent to, once, and for its purpose', async () => {
    const [mine, theirs] = [aForm(), aForm()];
    const [me, them] = [await signUp(door, mine), await signUp(door, theirs)];
    const code = await door.codeTo(theirs.email);
    const path = '/api/account/email-code';
    if (code !== (await door.codeTo(mine.email)))
      expect(codeOf(await me.visitor.send('POST', path, { body: { code } }))).toBe('wrong_code');
    expect(codeOf(await them.visitor.send('POST', '/api/account/phone-code', { body: { code } }))).toBe(
      'account_state',
    );
    const both = await Promise.all([1, 2].map(() => them.visitor.send('POST', path, { body: { code } })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    // The account now waits for the code of the text message, and the mail's code is no longer valid.
    const next = await them.visitor.send('POST', '/api/account/phone-code', { body: { code } });
    if (code !== (await door.codeTo(theirs.mobilePhone))) expect(codeOf(next)).toBe('wrong_code');
  });
});

describe('a session', () => {
  it('is never one that somebody else chose', async () => {
    const chosen = 'A'.repeat(43);
    const visitor = withSession(chosen);
    const body = { ...aForm(), botCheck: await door.botCheck() };
    await visitor.send('POST', '/api/accounts', { body });
    expect(sessionOf(visitor)).not.toBe(chosen);
    expect(await account(withSession(chosen))).toBe(401);
    expect(await account(visitor)).toBe(200);
  });

  it('is believed in a cookie of its own name only, and not where there are two', async () => {
    const value = sessionOf(dana.visitor);
    const cookies = [
      `session=${value}`,
      `__Host-Session=${value}`,
      `__Secure-session=${value}`,
      `__Host-session=${value}; __Host-session=${'A'.repeat(43)}`,
      `__Host-session="${value}"`,
      `__Host-session=${value}x`,
      `__Host-session=${value.slice(0, -1)}`,
      `__Host-session=`,
    ];
    for (const cookie of cookies) {
      expect((await door.knock('GET', '/api/account', { headers: { cookie } })).status).toBe(401);
    }
    const authorization = { authorization: `Bearer ${value}` };
    expect((await door.knock('GET', '/api/account', { headers: authorization })).status).toBe(401);
    expect((await door.knock('GET', `/api/account?session=${value}`)).status).toBe(401);
  });

  it('gets another name when more may be done in it, and the old one is nothing', async () => {
    const { visitor, form } = await aDeveloper(door);
    const before = sessionOf(visitor);
    const { password } = form;
    await visitor.send('POST', '/api/session/password', { body: { password } });
    expect(sessionOf(visitor)).not.toBe(before);
    expect([await account(withSession(before)), await account(visitor)]).toEqual([401, 200]);
  });

  it('ends at sign-out, here; everywhere where that is asked; and elsewhere with a new password', async () => {
    const { visitor, form } = await aDeveloper(door);
    const known = visitor.cookies.get('__Host-browser') ?? '';
    const another = async (password: string) => {
      const browser = door.visitor();
      browser.cookies.set('__Host-browser', known);
      const { answer } = await signIn(door, form.email, password, browser);
      expect(bodyOf(answer).next).toBe('signed_in');
      return browser;
    };
    const [second, third] = [await another(form.password), await another(form.password)];
    const ended = sessionOf(second);
    const out = await second.send('DELETE', '/api/session');
    expect([out.status, ...out.setCookies]).toEqual([
      204,
      '__Host-session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
      '__Host-signed-in=; Path=/; Secure; SameSite=Lax; Max-Age=0',
    ]);
    expect(await account(withSession(ended))).toBe(401);
    expect([await account(visitor), await account(third)]).toEqual([200, 200]);

    const password = 'quiet orchard of seven kites';
    const before = sessionOf(visitor);
    const body = { presentPassword: form.password, password, passwordConfirmation: password };
    expect((await visitor.send('POST', '/api/account/password', { body })).status).toBe(200);
    expect([await account(visitor), await account(third), await account(withSession(before))]).toEqual([
      200, 401, 401,
    ]);
    expect(codeOf((await signIn(door, form.email, form.password)).answer)).toBe('sign_in_refused');

    const fourth = await another(password);
    expect((await visitor.send('DELETE', '/api/sessions')).status).toBe(204);
    expect(await account(fourth)).toBe(401);
  });

  it('ends at once when its account is suspended or closed', async () => {
    const [stopped, leaving] = await Promise.all([aDeveloper(door), aDeveloper(door)]);
    const path = `/api/operations/accounts/${stopped.accountId}`;
    const { version } = bodyOf(await operator.send('GET', path));
    const body = { act: 'suspend', version, reason: 'A test.' };
    expect((await operator.send('POST', `${path}/decisions`, { body })).status).toBe(200);
    for (const [method, at] of [
      ['GET', '/api/account'],
      ['GET', '/api/applications'],
      ['POST', '/api/applications'],
      ['DELETE', '/api/sessions'],
    ] as const)
      expect(codeOf(await stopped.visitor.send(method, at, method === 'GET' ? {} : { body: {} }))).toBe(
        'signed_out',
      );
    const { password, email } = leaving.form;
    const copy = withSession(sessionOf(leaving.visitor));
    expect((await leaving.visitor.send('POST', '/api/account/close', { body: { password } })).status).toBe(
      204,
    );
    expect(await account(copy)).toBe(401);
    const [closed, none] = [await signIn(door, email, password), await signIn(door, anEmail(), password)];
    expect(alike(closed.answer)).toBe(alike(none.answer));
  });
});

describe('an invitation', () => {
  it('is for who was invited, once, and as long as it isn’t withdrawn', async () => {
    const [guest, stranger] = await Promise.all([aDeveloper(door), aDeveloper(door)]);
    const invite = async (email: string) =>
      bodyOf(await dana.visitor.send('POST', '/api/team/invitations', { body: { email } }));
    const tokenTo = async (email: string) => {
      const text = (await door.messagesTo(email))[0]?.text ?? '';
      return /\/invitation#([\w-]{20,})/.exec(text)?.[1] ?? '';
    };
    const accept = async ({ visitor }: Developer, invitation: string) =>
      await visitor.send('POST', '/api/team/invitations/accept', { body: { invitation } });

    const first = await invite(guest.form.email);
    const token = await tokenTo(guest.form.email);
    expect(JSON.stringify([first, bodyOf(await dana.visitor.send('GET', '/api/team'))])).not.toContain(token);
    const tricks = [
      token.slice(0, -1),
      `${token}x`,
      token.toLowerCase(),
      String(first.invitationId),
      ` ${token}`,
    ];
    for (const trick of tricks) expect(codeOf(await accept(guest, trick))).toBe('invitation_invalid');
    expect(codeOf(await accept(stranger, token))).toBe('invitation_invalid');
    const form = { ...aForm(), invitation: token, botCheck: await door.botCheck() };
    expect(codeOf(await door.visitor().send('POST', '/api/accounts', { body: form }))).toBe(
      'invitation_invalid',
    );

    const withdraw = `/api/team/invitations/${first.invitationId}`;
    expect((await stranger.visitor.send('DELETE', withdraw)).status).toBe(404);
    expect((await dana.visitor.send('DELETE', withdraw)).status).toBe(204);
    expect(codeOf(await accept(guest, token))).toBe('invitation_invalid');

    await invite(guest.form.email);
    const again = await tokenTo(guest.form.email);
    expect((await accept(guest, again)).status).toBe(200);
    expect(codeOf(await accept(guest, again))).toBe('invitation_invalid');
    expect(codeOf(await accept(dana, again))).toBe('invitation_invalid');
  });
});
