import { describe, expect, it } from 'vitest';
import { messagePage } from '../../../lambdas/authorization/pages/message-page.ts';
import { aClient, theMember } from '../builders.ts';
import {
  type MemoryPages,
  member,
  memoryBrowser,
  memoryPages,
  openSignIn,
  password,
  asked as requested,
} from '../memory-pages.ts';
import { startMs } from '../memory-server.ts';
import type { Changes } from '../refreshing.ts';

/** Sign-in with a password and a verification code, over a store in memory. */

const start = startMs / 1000;
const address = 'https://auth.sandbox.example.org/fhir-oauth2/sec/dsnp';

async function world(changes: Partial<MemoryPages> = {}) {
  const client = aClient();
  const pages = Object.assign(memoryPages(client), changes);
  const { browser } = await openSignIn(pages, client);
  const interaction = () => [...pages.interactions.values()].at(-1);
  return { client, pages, browser, interaction };
}

describe('the sign-in form', () => {
  it('leads to the consent page, with one event of the member', async () => {
    const { client, pages, browser, interaction } = await world();
    const answer = await browser.submit('sign-in', password);
    const { interaction: handle } = browser.fields();
    expect(answer).toEqual({ kind: 'redirect', location: `${address}/consent?interaction=${handle}` });
    expect(interaction()).toMatchObject({ state: 'consenting', member, authTime: start });
    expect(pages.forgotten).toEqual(['dsnp0001']);
    const about = { actor: theMember.sub, clientId: client.clientId, patientId: theMember.patientId };
    expect(pages.events).toMatchObject([{ action: 'member.sign-in', outcome: 'succeeded', ...about }]);
  });

  it('has the user name that the application named, until the member types another', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser, page } = await openSignIn(pages, client, { login_hint: 'DSNP<0001>' });
    expect(page).toMatchObject({ html: expect.stringContaining('value="DSNP&lt;0001&gt;"') });
    const answer = await browser.submit('sign-in', { username: 'MAPD0001', password: '' });
    expect(answer).toMatchObject({ html: expect.stringContaining('value="MAPD0001"') });
    expect(answer).not.toMatchObject({ html: expect.stringContaining('DSNP') });
  });

  it('sent again, or gone back to, leads on to where the member is', async () => {
    const { browser } = await world();
    const first = await browser.submit('sign-in', password);
    const location = first.kind === 'redirect' ? first.location : '';
    expect(await browser.submit('sign-in', {})).toEqual({ kind: 'redirect', location });
    const { interaction } = browser.fields();
    expect(await browser.get('sign-in', { interaction })).toEqual({ kind: 'redirect', location });
  });

  it.each<[string, Changes]>([
    ['no name', { username: undefined }],
    ['a blank name', { username: '  ' }],
    ['no password', { password: '' }],
  ])('with %s asks nobody and records nothing', async (_what, changes) => {
    const { pages, browser } = await world({ signInAnswer: { kind: 'refusal', refusal: 'unavailable' } });
    const answer = await browser.submit('sign-in', { ...password, ...changes });
    expect(answer).toMatchObject({ status: 400, formAction: 'https://app.example.com' });
    expect(pages.events).toEqual([]);
  });

  it.each([
    [{ kind: 'refusal', refusal: 'refused' }, { status: 400 }],
    [{ kind: 'refusal', refusal: 'not_covered' }, { status: 400 }],
    [{ kind: 'refusal', refusal: 'unavailable' }, { status: 503 }],
    [
      { kind: 'refusal', refusal: 'locked', retryAfterSeconds: 9 },
      { status: 429, retryAfterSeconds: 9 },
    ],
  ] as const)('answers %j with %j and one event, and keeps the name', async (signInAnswer, expected) => {
    const { client, pages, browser } = await world({ signInAnswer });
    const name = 'n'.repeat(254);
    const answer = await browser.submit('sign-in', { username: `${name}m`, password: 'secret word' });
    expect(answer).toMatchObject(expected);
    expect(answer).toMatchObject({ html: expect.stringContaining(`value="${name}"`) });
    expect(answer).not.toMatchObject({ html: expect.stringContaining('secret word') });
    const event = { action: 'member.sign-in', outcome: 'refused', reason: signInAnswer.refusal };
    expect(pages.events).toMatchObject([{ ...event, actor: 'member', clientId: client.clientId }]);
    expect(pages.events[0]).not.toHaveProperty('patientId');
  });

  it('leads to the consent page whichever response to a form that is sent twice the browser shows', async () => {
    const { pages, browser } = await world();
    const [first, second] = await Promise.all([
      browser.submit('sign-in', password),
      browser.submit('sign-in', password),
    ]);
    expect(first).toMatchObject({ location: expect.stringContaining('/consent?') });
    expect(second).toMatchObject({ location: expect.stringContaining('/consent?') });
    expect(pages.events.map(({ outcome }) => outcome)).toEqual(['succeeded']);
  });

  it('is over where another was first', async () => {
    const { pages, browser } = await world();
    pages.server = { ...pages.server, store: { ...pages.server.store, signIn: async () => false } };
    expect(await browser.submit('sign-in', password)).toEqual(messagePage(400, 'interaction_expired', 'en'));
  });
});

async function codeAsked(changes: Partial<MemoryPages> = {}) {
  const made = await world({ setting: 'always', ...changes });
  const answer = await made.browser.submit('sign-in', password);
  const code = () => /\d{6}/.exec(made.pages.messages.at(-1)?.text ?? '')?.[0] ?? '';
  const wrong = () => (code() === '000000' ? '000001' : '000000');
  return { ...made, answer, code, wrong };
}

describe('a code', () => {
  it('is sent by e-mail, kept as a keyed digest, and gives the member their time again', async () => {
    const { pages, browser, answer, interaction, code } = await codeAsked();
    const { interaction: handle } = browser.fields();
    expect(answer).toMatchObject({ location: `${address}/code?interaction=${handle}` });
    expect(answer.setCookies?.join()).toMatch(/^__Host-interaction-.*Max-Age=900$/);
    expect(pages.messages).toMatchObject([{ channel: 'email', to: 'rosa@example.org' }]);
    expect(interaction()).toMatchObject({ state: 'verifying', expiresAt: start + 900, member });
    expect(interaction()?.verification).toMatchObject({
      ...{ channel: 'email', name: 'dsnp0001', sentAt: start, expiresAt: start + 600, tries: 0 },
    });
    expect(JSON.stringify(interaction())).not.toContain(code());
    expect(pages.events).toMatchObject([{ outcome: 'refused', reason: 'code_asked' }]);
    expect(pages.forgotten).toEqual([]);
    expect(await browser.follow(answer)).toMatchObject({
      status: 200,
      formAction: 'https://app.example.com',
    });
    expect(await browser.get('sign-in', { interaction: handle })).toHaveProperty('location');
    expect(await browser.get('consent', { interaction: handle })).toMatchObject({
      location: `${address}/code?interaction=${handle}`,
    });
  });

  it('that is right leads on, forgets the failures, and makes the browser known', async () => {
    const { pages, browser, interaction, code } = await codeAsked();
    const answer = await browser.submit('code', { code: ` ${code().slice(0, 3)} ${code().slice(3)}` });
    expect(answer.kind === 'redirect' && answer.location).toContain('/consent?interaction=');
    expect(answer.setCookies?.join()).toMatch(/^__Host-member-browser-dsnp=[\w-]{43};.*Max-Age=15552000$/);
    expect([...pages.browsers.values()]).toMatchObject([
      { sub: theMember.sub, expiresAt: start + 15_552_000 },
    ]);
    expect(interaction()?.state).toBe('consenting');
    expect(pages.forgotten).toEqual(['dsnp0001']);
    expect(pages.events.at(-1)).toMatchObject({ action: 'member.sign-in', outcome: 'succeeded' });
  });

  it('that is wrong is counted and recorded; after five even the right one is over', async () => {
    const { pages, browser, interaction, code, wrong } = await codeAsked();
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await browser.submit('code', { code: wrong() })).toMatchObject({ status: 400 });
      expect(interaction()?.verification?.tries).toBe(tries);
    }
    expect(pages.events.filter(({ reason }) => reason === 'code_wrong')).toHaveLength(5);
    expect(await browser.submit('code', { code: code() })).toMatchObject({ status: 400 });
    expect(interaction()?.state).toBe('verifying');
    expect(pages.events).toHaveLength(6);
  });

  it('is good for ten minutes, to the second', async () => {
    const { pages, browser, interaction, code } = await codeAsked();
    pages.nowMs = startMs + 600_000;
    expect(await browser.submit('code', { code: code() })).toMatchObject({ status: 400 });
    pages.nowMs -= 1_000;
    expect(await browser.submit('code', { code: code() })).toHaveProperty('location');
    expect(interaction()?.state).toBe('consenting');
  });

  it.each([
    undefined,
    '',
    '12345',
    '1234567',
    'abcdef',
  ])('typed as %s is none, and not counted', async (code) => {
    const { pages, browser, interaction } = await codeAsked();
    expect(await browser.submit('code', { code })).toMatchObject({ status: 400 });
    expect(interaction()?.verification?.tries).toBe(0);
    expect(pages.events).toHaveLength(1);
  });

  it('tried twice at once counts once, right or wrong', async () => {
    const { pages, browser, code, wrong } = await codeAsked();
    const { signIns } = pages.server;
    const lost = async () => false;
    pages.server = { ...pages.server, signIns: { ...signIns, rightCode: lost, wrongCode: lost } };
    const busy = await browser.submit('code', { code: code() });
    expect(busy).toMatchObject({ status: 400 });
    expect(await browser.submit('code', { code: wrong() })).toEqual(busy);
    expect(pages.forgotten).toEqual([]);
  });

  it('is sent again a minute later, by text if wished, and the one before is over', async () => {
    const { pages, browser, interaction, code } = await codeAsked();
    const first = code();
    pages.nowMs = startMs + 59_000;
    expect(await browser.submit('code', { answer: 'sms' })).toMatchObject({ status: 400 });
    expect(pages.messages).toHaveLength(1);
    pages.nowMs = startMs + 60_000;
    expect(await browser.submit('code', { answer: 'sms' })).toHaveProperty('location');
    expect(pages.messages[1]).toMatchObject({ channel: 'sms', to: '+12125550199' });
    expect(interaction()?.verification).toMatchObject({
      channel: 'sms',
      sentAt: start + 60,
      name: 'dsnp0001',
    });
    expect(interaction()?.expiresAt).toBe(start + 960);
    if (first !== code())
      expect(await browser.submit('code', { code: first })).toMatchObject({ status: 400 });
  });

  it('goes to an address five times an hour', async () => {
    const { pages, browser } = await codeAsked();
    for (let sent = 1; sent < 5; sent += 1) {
      pages.nowMs += 60_000;
      await browser.submit('code', { answer: 'email' });
    }
    pages.nowMs += 60_000;
    const answer = await browser.submit('code', { answer: 'email' });
    expect(answer).toEqual({ ...messagePage(429, 'too_many_codes', 'en'), retryAfterSeconds: 77 });
    expect(pages.messages).toHaveLength(5);
  });

  it.each([
    ['nobody can be reached', { contact: undefined }],
    ['it can’t be handed over', { sends: false }],
  ])('is an apology where %s', async (_what, changes) => {
    const { answer } = await codeAsked(changes);
    expect(answer).toEqual(messagePage(503, 'code_unsendable', 'en'));
  });

  it('is asked for from the third failure on, but not in a browser where one was right', async () => {
    for (const [failures, asks] of [
      [2, false],
      [3, true],
    ] as const) {
      const { browser } = await world({ setting: 'risk', failures });
      const answer = await browser.submit('sign-in', password);
      expect(answer.kind === 'redirect' && answer.location.includes('/code?')).toBe(asks);
    }
    const { client, pages, browser, code } = await codeAsked({ setting: 'risk', failures: 3 });
    await browser.submit('code', { code: code() });
    const again = memoryBrowser(pages);
    for (const [name, value] of browser.cookies) again.cookies.set(name, value);
    const begin = async () => {
      await again.send('GET', 'authorize', { query: requested(client) });
      const answer = await again.submit('sign-in', password);
      return answer.kind === 'redirect' && answer.location.includes('/code?');
    };
    expect(await begin()).toBe(false);
    const [id = '', known] = [...pages.browsers][0] ?? [];
    if (known === undefined) throw new Error('no browser is known');
    pages.browsers.set(id, { ...known, sub: 'another' });
    expect(await begin()).toBe(true);
    pages.browsers.set(id, { ...known, expiresAt: start });
    expect(await begin()).toBe(true);
  });

  it('is no page before the password, nor after the code', async () => {
    const { browser, interaction } = await world();
    const { interaction: handle } = browser.fields();
    expect(await browser.get('code', { interaction: handle })).toEqual({
      kind: 'redirect',
      location: `${address}/sign-in?interaction=${handle}`,
    });
    await browser.submit('sign-in', password);
    expect(await browser.submit('code', { code: '123456' })).toEqual({
      kind: 'redirect',
      location: `${address}/consent?interaction=${handle}`,
    });
    expect(interaction()?.state).toBe('consenting');
  });
});
