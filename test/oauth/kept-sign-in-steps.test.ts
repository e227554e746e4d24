import { describe, expect, it } from 'vitest';
import type { BrowserAnswer } from '../../lambdas/oauth/browser-step.ts';
import type { Client } from '../../lambdas/oauth/client.ts';
import { messagePage } from '../../lambdas/oauth/pages/message-page.ts';
import { digests } from '../../lambdas/runtime/digests.ts';
import { aClient, theMember, theRedirectUri } from './builders.ts';
import {
  asked,
  type MemoryPages,
  member,
  memoryBrowser,
  memoryPages,
  only,
  openSignIn,
  password,
} from './memory-pages.ts';
import { startMs } from './memory-server.ts';
import type { Changes } from './refreshing.ts';

/** A sign-in that is kept, over a store in memory: how it begins, what it stands in for, how it ends. */

const start = startMs / 1000;
const address = 'https://auth.sandbox.example.org/fhir-oauth2/sec/dsnp';
const cookieName = '__Host-member-sign-in-dsnp';
const keeping = { ...password, keep: 'yes' };

const locationOf = (answer: BrowserAnswer) => ('location' in answer ? answer.location : '');
const htmlOf = (answer: BrowserAnswer) => ('html' in answer ? answer.html : '');
const errorOf = (answer: BrowserAnswer) => new URL(locationOf(answer)).searchParams.get('error');
const codeOf = (answer: BrowserAnswer) => new URL(locationOf(answer)).searchParams.get('code') ?? '';

/** A member signed in and kept it; at the consent page. */
async function kept(changes: Partial<MemoryPages> = {}, request: Changes = {}) {
  const client = aClient();
  const pages = Object.assign(memoryPages(client), changes);
  const { browser } = await openSignIn(pages, client, request);
  const signedIn = await browser.submit('sign-in', keeping);
  await browser.follow(signedIn);
  const authorize = (more: Changes = {}, by: Client = client) =>
    browser.send('GET', 'authorize', { query: asked(by, more) });
  return { client, pages, browser, signedIn, authorize };
}

/** And shared with the application, which used its code. */
async function shared(changes: Partial<MemoryPages> = {}, request: Changes = {}) {
  const world = await kept(changes, request);
  const answer = await world.browser.submit('consent', { answer: 'share' });
  const { pages } = world;
  for (const [name, consent] of pages.consents)
    pages.consents.set(name, { ...consent, state: 'active', expiresAt: start + 1_800 });
  pages.events.length = 0;
  return {
    ...world,
    answer,
    silently: (more: Changes = {}, by?: Client) => world.authorize({ prompt: 'none', ...more }, by),
  };
}

describe('the box on the sign-in page', () => {
  it('is there and unticked where an application asks, and not on the member’s own visit', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const { page } = await openSignIn(pages, client);
    expect(htmlOf(page)).toContain('Keep me signed in on this browser for 15 minutes');
    expect(/<input type="checkbox"[^>]*>/.exec(htmlOf(page))?.[0]).not.toContain('checked');
    expect(htmlOf(await memoryBrowser(pages).get('connected-apps'))).not.toContain('checkbox');
  });

  it('left empty keeps nothing', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser } = await openSignIn(pages, client);
    const answer = await browser.submit('sign-in', password);
    expect(answer.setCookies).toEqual([]);
    expect(pages.kept.size).toBe(0);
    expect(only(pages.interactions.values())).not.toHaveProperty('keptId');
    expect(only(pages.events)).not.toHaveProperty('reason');
  });

  it.each(['no', 'on', 'YES', '', ['yes', 'yes']])('sent as %j keeps nothing', async (keep) => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser } = await openSignIn(pages, client);
    expect((await browser.submit('sign-in', { ...password, keep })).setCookies).toEqual([]);
    expect(pages.kept.size).toBe(0);
  });

  it('ticked keeps the sign-in for a quarter of an hour, in a cookie of this LOB’s own', async () => {
    const { client, pages, signedIn } = await kept();
    const [, secret = ''] =
      /^__Host-member-sign-in-dsnp=([\w-]{43}); Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=900$/.exec(
        only(signedIn.setCookies ?? []),
      ) ?? [];
    const keptId = digests.sha256Hex(secret);
    expect(only(pages.kept.values())).toEqual({
      ...{ keptId, state: 'open', member },
      authTime: start,
      expiresAt: start + 900,
    });
    expect(only(pages.interactions.values())).toMatchObject({ keptId, authTime: start });
    expect(JSON.stringify([...pages.kept, ...pages.interactions])).not.toContain(secret);
    const about = { actor: theMember.sub, clientId: client.clientId, patientId: theMember.patientId };
    const event = { action: 'member.sign-in', outcome: 'succeeded', reason: 'kept', ...about };
    expect(pages.events).toMatchObject([event]);
  });

  it('stays as it was when the password was wrong, and keeps nothing then', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser } = await openSignIn(pages, client);
    const box = (page: BrowserAnswer) => /<input type="checkbox"[^>]*>/.exec(htmlOf(page))?.[0];
    const wrong = { ...password, password: 'x' };
    expect(box(await browser.submit('sign-in', wrong))).not.toContain('checked');
    expect(box(await browser.submit('sign-in', { ...wrong, keep: 'yes' }))).toContain('checked');
    expect(pages.kept.size).toBe(0);
  });

  it('waits for the code where one is asked for', async () => {
    const client = aClient();
    const pages = Object.assign(memoryPages(client), { setting: 'always' as const });
    const { browser } = await openSignIn(pages, client);
    await browser.follow(await browser.submit('sign-in', keeping));
    expect(pages.kept.size).toBe(0);
    pages.nowMs += 60_000;
    await browser.submit('code', { answer: 'email' });
    const code = /\d{6}/.exec(pages.messages.at(-1)?.text ?? '')?.[0] ?? '';
    const answer = await browser.submit('code', { code });
    expect(answer.setCookies?.map((cookie) => cookie.split('=', 1)[0])).toEqual([
      '__Host-member-browser-dsnp',
      cookieName,
    ]);
    expect(only(pages.kept.values())).toMatchObject({ authTime: start + 60, expiresAt: start + 960 });
    expect(pages.events.at(-1)).toMatchObject({ outcome: 'succeeded', reason: 'kept' });
  });

  it('is no page’s but the sign-in’s: a code’s form can’t ask for it', async () => {
    const client = aClient();
    const pages = Object.assign(memoryPages(client), { setting: 'always' as const });
    const { browser } = await openSignIn(pages, client);
    await browser.follow(await browser.submit('sign-in', password));
    const code = /\d{6}/.exec(pages.messages.at(-1)?.text ?? '')?.[0] ?? '';
    await browser.submit('code', { code, keep: 'yes' });
    expect(pages.kept.size).toBe(0);
  });

  it('opens nothing on the member’s own visit, and where another tab was first', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const visitor = memoryBrowser(pages);
    await visitor.get('connected-apps');
    await visitor.submit('sign-in', keeping);
    expect(pages.kept.size).toBe(0);
    const { browser } = await openSignIn(pages, client);
    pages.server = { ...pages.server, store: { ...pages.server.store, signIn: async () => false } };
    expect(await browser.submit('sign-in', keeping)).toEqual(messagePage(400, 'interaction_expired', 'en'));
    expect(browser.cookies.has(cookieName)).toBe(false);
  });
});

describe('an authorization request in a kept sign-in', () => {
  it('goes to the consent page, which says who is signed in, with one event', async () => {
    const { client, pages, browser, authorize } = await kept();
    pages.events.length = 0;
    pages.nowMs += 10_000;
    const answer = await authorize();
    expect(locationOf(answer)).toMatch(/\/sec\/dsnp\/consent\?interaction=[\w-]{11}$/);
    expect(only(answer.setCookies ?? [])).toMatch(/^__Host-interaction-[\w-]{11}=.*Max-Age=890$/);
    const about = { actor: theMember.sub, clientId: client.clientId, patientId: theMember.patientId };
    expect(pages.events).toMatchObject([{ action: 'sign-in.continue', outcome: 'succeeded', ...about }]);
    const page = htmlOf(await browser.follow(answer));
    expect(page).toContain(`You are signed in as ${theMember.displayName}.`);
    expect(page).toContain('Not you? Switch account');
    expect([...pages.interactions.values()].at(-1)).toMatchObject({
      ...{ state: 'consenting', member, authTime: start, expiresAt: start + 900, continued: true },
    });
  });

  it('tells the application when the member really signed in', async () => {
    const { pages, browser, authorize } = await kept();
    pages.nowMs += 300_000;
    await browser.follow(await authorize());
    pages.nowMs += 60_000;
    await browser.submit('consent', { answer: 'share' });
    expect(only(pages.codes)).toMatchObject({ authTime: start, expiresAt: start + 360 + 60 });
  });

  it.each<[string, Changes]>([
    ['prompt=login', { prompt: 'login' }],
    ['prompt=select_account', { prompt: 'select_account' }],
    ['max_age=0', { max_age: '0' }],
    ['a max_age that is over', { max_age: '9' }],
    ['a hint nobody is named by', { id_token_hint: 'a.b.c' }],
  ])('signs in again for %s', async (_what, changes) => {
    const { pages, authorize } = await kept();
    pages.nowMs += 10_000;
    expect(htmlOf(await authorize(changes))).toContain('password');
    expect([...pages.kept.values()]).toMatchObject([{ state: 'open' }]);
  });

  it.each<[string, Changes]>([
    ['prompt=consent', { prompt: 'consent' }],
    ['max_age=10000', { max_age: '10000' }],
    ['a hint of the member', { id_token_hint: 'a.b.own' }],
  ])('goes on for %s', async (_what, changes) => {
    const { pages, authorize } = await kept({ hinted: new Map([['a.b.own', theMember.sub]]) });
    pages.nowMs += 10_000;
    expect(locationOf(await authorize(changes))).toContain('/consent?');
  });

  it('asks for the password when its time is over, and when it ended a moment ago', async () => {
    const { pages, authorize } = await kept();
    const { server } = pages;
    pages.server = { ...server, kept: { ...server.kept, begin: async () => false } };
    expect(htmlOf(await authorize())).toContain('password');
    pages.server = server;
    pages.nowMs = startMs + 900_000;
    expect(htmlOf(await authorize())).toContain('password');
  });

  it('of another LOB knows nothing of it, whatever name its cookie has', async () => {
    const { client, pages, browser } = await kept();
    const other = memoryBrowser(pages, 'MAPD');
    const secret = browser.cookies.get(cookieName) ?? '';
    other.cookies.set(cookieName, secret);
    const aud = 'https://mapd.api.sandbox.example.org/extfhirpatientaccess/v1';
    const looked: string[] = [];
    const { server } = pages;
    const find = async (lob: string) => void looked.push(lob);
    pages.server = { ...server, kept: { ...server.kept, find } };
    expect(htmlOf(await other.send('GET', 'authorize', { query: asked(client, { aud }) }))).toContain(
      'password',
    );
    expect(looked).toEqual([]);
    other.cookies.set('__Host-member-sign-in-mapd', secret);
    await other.send('GET', 'authorize', { query: asked(client, { aud }) });
    expect(looked).toEqual(['MAPD']);
  });

  it.each([
    '',
    'x',
    's'.repeat(42),
    's'.repeat(44),
    `${'s'.repeat(42)}.`,
  ])('looks for no secret like "%s"', async (text) => {
    const { pages, browser, authorize } = await kept();
    browser.cookies.set(cookieName, text);
    const { server } = pages;
    const find = async (): Promise<never> => {
      throw new Error('looked for a secret that is none');
    };
    pages.server = { ...server, kept: { ...server.kept, find } };
    expect(htmlOf(await authorize())).toContain('password');
  });

  it('is not opened by a secret of the browser’s own choice (fixation)', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser } = await openSignIn(pages, client);
    const chosen = 'f'.repeat(43);
    browser.cookies.set(cookieName, chosen);
    await browser.submit('sign-in', keeping);
    expect(browser.cookies.get(cookieName)).not.toBe(chosen);
    expect(only(pages.kept.keys())).not.toBe(digests.sha256Hex(chosen));
    const attacker = memoryBrowser(pages);
    attacker.cookies.set(cookieName, chosen);
    expect(htmlOf(await attacker.send('GET', 'authorize', { query: asked(client) }))).toContain('password');
  });

  it('has the connected apps ask for the password all the same', async () => {
    const { browser } = await kept();
    expect(htmlOf(await browser.get('connected-apps'))).toContain('password');
    browser.cookies.set('__Host-member-session-dsnp', browser.cookies.get(cookieName) ?? '');
    expect(htmlOf(await browser.get('connected-apps'))).toContain('password');
  });
});

describe('prompt=none', () => {
  it('in a kept sign-in gives a code of what was shared in it, without a page, with one event', async () => {
    const { client, pages, silently } = await shared();
    pages.nowMs += 20_000;
    const answer = await silently({ nonce: 'nonce-2', state: 'state-2' });
    expect(locationOf(answer).startsWith(`${theRedirectUri}?code=`)).toBe(true);
    expect(new URL(locationOf(answer)).searchParams.get('state')).toBe('state-2');
    expect(answer).not.toHaveProperty('setCookies');
    const [first, second] = pages.codes;
    const { sub, patientId } = theMember;
    expect(second).toEqual({
      ...first,
      sha256: digests.sha256Hex(codeOf(answer)),
      nonce: 'nonce-2',
      expiresAt: start + 20 + 60,
      grantExpiresAt: start + 1_800,
    });
    expect(second).toMatchObject({ grantId: first?.grantId, authTime: start });
    expect(pages.grants).toHaveLength(1);
    const about = { actor: sub, clientId: client.clientId, patientId, grantId: first?.grantId };
    expect(pages.events).toMatchObject([{ action: 'grant.renew', outcome: 'succeeded', ...about }]);
    expect(pages.interactions.size).toBe(1);
  });

  it('gives no more than is asked for now', async () => {
    const { pages, silently } = await shared();
    await silently({ scope: 'openid patient/Patient.r' });
    expect(pages.codes[1]?.scope).toBe('openid patient/Patient.r');
  });

  type World = Awaited<ReturnType<typeof shared>>;
  const as = (): undefined => undefined;
  const later = (ms: number) => (world: World) => {
    world.pages.nowMs += ms;
  };
  it.each<[string, (world: World) => void, Changes, string]>([
    ['without a kept sign-in', ({ browser }) => browser.cookies.clear(), {}, 'login_required'],
    ['when its time is over', later(900_000), {}, 'login_required'],
    ['for max_age=0', as, { max_age: '0' }, 'login_required'],
    ['for a max_age that is over', later(2_000), { max_age: '1' }, 'login_required'],
    ['for a hint of another member', as, { id_token_hint: 'a.b.other' }, 'login_required'],
    ['for a hint of nobody', as, { id_token_hint: 'a.b.c' }, 'login_required'],
    ['for a wider scope', as, { scope: 'openid offline_access patient/Patient.rs' }, 'consent_required'],
    ['where nothing was shared', ({ pages }) => pages.consents.clear(), {}, 'consent_required'],
    ['beside another prompt', as, { prompt: 'none login' }, 'invalid_request'],
  ])('%s is refused, with one event of the application', async (_what, change, changes, error) => {
    const world = await shared({ hinted: new Map([['a.b.other', 'another']]) });
    const { client, pages } = world;
    change(world);
    const answer = await world.silently(changes);
    expect(locationOf(answer)).not.toContain('code=');
    expect(errorOf(answer)).toBe(error);
    expect(pages.codes).toHaveLength(1);
    const event = { action: 'authorization.request', outcome: 'refused', reason: error };
    expect(pages.events).toMatchObject([{ ...event, actor: 'member', clientId: client.clientId }]);
  });

  it.each(['pending', 'revoked'] as const)('needs a grant that is active, not %s', async (state) => {
    const { pages, silently } = await shared();
    for (const [name, consent] of pages.consents) pages.consents.set(name, { ...consent, state });
    expect(errorOf(await silently())).toBe('consent_required');
  });

  it.each([
    ['sign_in_ended', 'login_required'],
    ['grant_ended', 'consent_required'],
  ] as const)('that finds %s while it is answered says %s', async (renewed, error) => {
    const { pages, silently } = await shared();
    const { server } = pages;
    pages.server = { ...server, kept: { ...server.kept, renew: async () => renewed } };
    expect(errorOf(await silently())).toBe(error);
  });

  it('gives another application nothing of what this one was given', async () => {
    const other = aClient();
    const { pages, silently } = await shared();
    pages.clientsById.set(other.clientId, other);
    expect(errorOf(await silently({}, other))).toBe('consent_required');
    expect(errorOf(await silently())).toBeNull();
  });

  it('stops for an application that is suspended, with a page', async () => {
    const { client, pages, silently } = await shared();
    pages.clientsById.set(client.clientId, { ...client, state: 'suspended' });
    expect(await silently()).toEqual(messagePage(400, 'client_inactive', 'en'));
    expect(pages.codes).toHaveLength(1);
  });

  it('asks again after the member’s last answer was no', async () => {
    const { browser, authorize, silently } = await shared();
    await browser.follow(await authorize());
    await browser.submit('consent', { answer: 'decline' });
    expect(errorOf(await silently())).toBe('consent_required');
  });

  it('in a sign-in that was not kept is login_required', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser } = await openSignIn(pages, client);
    await browser.follow(await browser.submit('sign-in', password));
    await browser.submit('consent', { answer: 'share' });
    const answer = await browser.send('GET', 'authorize', { query: asked(client, { prompt: 'none' }) });
    expect(errorOf(answer)).toBe('login_required');
    expect(pages.consents.size).toBe(0);
  });
});

describe('id_token_hint', () => {
  it('that names another member lets nobody else’s sign-in answer', async () => {
    const client = aClient();
    const pages = Object.assign(memoryPages(client), { hinted: new Map([['a.b.other', 'another']]) });
    const { browser, page } = await openSignIn(pages, client, { id_token_hint: 'a.b.other' });
    expect(htmlOf(page)).toContain('password');
    const answer = await browser.submit('sign-in', keeping);
    expect(locationOf(answer).startsWith(theRedirectUri)).toBe(true);
    expect(errorOf(answer)).toBe('login_required');
    expect(pages.kept.size).toBe(0);
    expect(only(pages.interactions.values()).state).toBe('answered');
    const event = { action: 'member.sign-in', outcome: 'refused', reason: 'member_not_hinted' };
    expect(pages.events).toMatchObject([{ ...event, actor: theMember.sub, clientId: client.clientId }]);
    expect(pages.forgotten).toEqual([]);
  });

  it('is refused in the same way where another tab was first', async () => {
    const client = aClient();
    const pages = Object.assign(memoryPages(client), { hinted: new Map([['a.b.other', 'another']]) });
    const { browser } = await openSignIn(pages, client, { id_token_hint: 'a.b.other' });
    const { server } = pages;
    pages.server = { ...server, signIns: { ...server.signIns, otherMember: async () => false } };
    expect(await browser.submit('sign-in', password)).toEqual(messagePage(400, 'interaction_expired', 'en'));
  });

  it('that names the member who signs in changes nothing', async () => {
    const client = aClient();
    const pages = Object.assign(memoryPages(client), { hinted: new Map([['a.b.own', theMember.sub]]) });
    const { browser } = await openSignIn(pages, client, { id_token_hint: 'a.b.own' });
    expect(locationOf(await browser.submit('sign-in', password))).toContain('/consent?');
  });

  it('that can’t be verified names nobody: whoever signs in may answer', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser } = await openSignIn(pages, client, { id_token_hint: 'a.b.c' });
    expect(locationOf(await browser.submit('sign-in', password))).toContain('/consent?');
  });
});

describe('a kept sign-in ends', () => {
  it('with the switch of the account, and takes the consent pages it stood in for with it', async () => {
    const { pages, browser, authorize } = await kept();
    const tab = await authorize();
    await browser.follow(tab);
    const open = browser.fields();
    await browser.follow(await authorize());
    pages.events.length = 0;
    const answer = await browser.submit('consent', { answer: 'switch' });
    expect(answer.setCookies?.at(-1)).toBe(
      `${cookieName}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`,
    );
    expect(pages.events.map(({ action, reason }) => [action, reason])).toEqual([
      ['sign-in.end', 'account_switched'],
      ['grant.create', 'account_switched'],
    ]);
    expect([...pages.kept.values()]).toMatchObject([{ state: 'ended' }]);
    const expired = messagePage(400, 'interaction_expired', 'en');
    expect(await browser.follow(tab)).toEqual(expired);
    expect(await browser.submit('consent', { ...open, answer: 'share' })).toEqual(expired);
    expect(pages.grants).toEqual([]);
  });

  it('with a share that comes too late by a moment, and nothing is shared', async () => {
    const { pages, browser, authorize } = await kept();
    await browser.follow(await authorize());
    const { server } = pages;
    const find: typeof server.kept.find = async (lob, keptId) => {
      const found = await server.kept.find(lob, keptId);
      if (found !== undefined) pages.kept.set(keptId, { ...found, state: 'ended' });
      return found;
    };
    pages.server = { ...server, kept: { ...server.kept, find } };
    expect(await browser.submit('consent', { answer: 'share' })).toMatchObject({ status: 400 });
    expect([pages.grants, pages.codes]).toEqual([[], []]);
  });

  it('with the sign-out at the connected apps', async () => {
    const { pages, browser, authorize } = await kept();
    await browser.get('connected-apps');
    await browser.submit('sign-in', password);
    // The same member's visit leaves it.
    expect([...pages.kept.values()]).toMatchObject([{ state: 'open' }]);
    await browser.get('connected-apps');
    pages.events.length = 0;
    const answer = await browser.submit('connected-apps', { answer: 'sign-out' });
    expect(answer.setCookies?.map((cookie) => /^([^=]+)=;.*Max-Age=0$/.exec(cookie)?.[1])).toEqual([
      '__Host-member-session-dsnp',
      cookieName,
    ]);
    const about = { actor: theMember.sub, clientId: 'connected-apps', patientId: theMember.patientId };
    expect(pages.events).toMatchObject([{ action: 'sign-in.end', reason: 'signed_out', ...about }]);
    expect(htmlOf(await authorize())).toContain('password');
  });

  it('with another member’s visit to the connected apps in the same browser', async () => {
    const { pages, browser } = await kept();
    pages.signInAnswer = { member: { ...member, sub: 'another' }, name: 'x', failures: 0 };
    await browser.get('connected-apps');
    const answer = await browser.submit('sign-in', password);
    expect(answer.setCookies?.join()).toContain(`${cookieName}=;`);
    expect([...pages.kept.values()]).toMatchObject([{ state: 'ended' }]);
  });

  it('with the next sign-in in the browser, ticked or not', async () => {
    const { pages, browser, authorize } = await kept();
    await authorize({ prompt: 'login' });
    pages.events.length = 0;
    await browser.submit('sign-in', keeping);
    expect([...pages.kept.values()].map(({ state }) => state)).toEqual(['ended', 'open']);
    expect(pages.events.map(({ action, reason }) => [action, reason])).toEqual([
      ['sign-in.end', 'signed_in_again'],
      ['member.sign-in', 'kept'],
    ]);
    await authorize({ prompt: 'login' });
    const answer = await browser.submit('sign-in', password);
    expect(answer.setCookies).toEqual([`${cookieName}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`]);
    expect([...pages.kept.values()].map(({ state }) => state)).toEqual(['ended', 'ended']);
    expect(htmlOf(await authorize())).toContain('password');
  });

  it('once: what is over has no event more', async () => {
    const { pages, browser, authorize } = await kept();
    await authorize({ prompt: 'login' });
    pages.nowMs = startMs + 900_000;
    await authorize();
    pages.events.length = 0;
    await browser.submit('sign-in', password);
    expect(pages.events.map(({ action }) => action)).toEqual(['member.sign-in']);
  });

  it('and a consent page that the password opened stays the member’s', async () => {
    const { pages, browser } = await kept();
    const { interaction } = browser.fields();
    for (const [id, each] of pages.kept) pages.kept.set(id, { ...each, state: 'ended' });
    expect(await browser.get('consent', { interaction })).toMatchObject({ status: 200 });
    expect(codeOf(await browser.submit('consent', { answer: 'share' }))).not.toBe('');
  });
});

it('a consent page of a kept sign-in leads back to no sign-in form', async () => {
  const { browser, authorize } = await kept();
  const answer = await authorize();
  const { interaction } = Object.fromEntries(new URL(locationOf(answer)).searchParams);
  expect(locationOf(await browser.get('sign-in', { interaction }))).toBe(
    `${address}/consent?interaction=${interaction}`,
  );
});
