import { describe, expect, it } from 'vitest';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { aClient, theMember } from '../builders.ts';
import { asked, member, memoryBrowser, memoryPages, only, openSignIn } from '../memory-pages.ts';
import { startMs } from '../memory-server.ts';
import type { Changes } from '../refreshing.ts';
import {
  address,
  cookieName,
  htmlOf,
  keeping,
  locationOf,
  start,
  withSsoSession,
} from './sso-session-world.ts';

/** An SSO session replaces the password and never the consent. Over a store in memory. */

describe('an authorization request in an SSO session', () => {
  it('goes to the consent page, which says who is signed in, with one event', async () => {
    const { client, pages, browser, authorize } = await withSsoSession();
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
    const { pages, browser, authorize } = await withSsoSession();
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
    const { pages, authorize } = await withSsoSession();
    pages.nowMs += 10_000;
    expect(htmlOf(await authorize(changes))).toContain('password');
    expect([...pages.ssoSessions.values()]).toMatchObject([{ state: 'open' }]);
  });

  it.each<[string, Changes]>([
    ['prompt=consent', { prompt: 'consent' }],
    ['max_age=10000', { max_age: '10000' }],
    ['a hint of the member', { id_token_hint: 'a.b.own' }],
  ])('goes on for %s', async (_what, changes) => {
    const { pages, authorize } = await withSsoSession({ hinted: new Map([['a.b.own', theMember.sub]]) });
    pages.nowMs += 10_000;
    expect(locationOf(await authorize(changes))).toContain('/consent?');
  });

  it('asks for the password when its time is over, and when it ended a moment ago', async () => {
    const { pages, authorize } = await withSsoSession();
    const { server } = pages;
    pages.server = { ...server, ssoSessions: { ...server.ssoSessions, begin: async () => false } };
    expect(htmlOf(await authorize())).toContain('password');
    pages.server = server;
    pages.nowMs = startMs + 900_000;
    expect(htmlOf(await authorize())).toContain('password');
  });

  it('asks for the password where the account was closed meanwhile, and shares nothing new', async () => {
    const { pages, authorize } = await withSsoSession();
    pages.stands = false;
    pages.events.length = 0;
    expect(htmlOf(await authorize())).toContain('password');
    expect(pages.events).toEqual([]);
    pages.stands = true;
    expect(locationOf(await authorize())).toContain('/consent?');
  });

  it('of another LOB knows nothing of it, whatever name its cookie has', async () => {
    const { client, pages, browser } = await withSsoSession();
    const other = memoryBrowser(pages, 'MAPD');
    const secret = browser.cookies.get(cookieName) ?? '';
    other.cookies.set(cookieName, secret);
    const aud = 'https://mapd.api.sandbox.example.org/extfhirpatientaccess/v1';
    const looked: string[] = [];
    const { server } = pages;
    const find = async (lob: string) => void looked.push(lob);
    pages.server = { ...server, ssoSessions: { ...server.ssoSessions, find } };
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
    const { pages, browser, authorize } = await withSsoSession();
    browser.cookies.set(cookieName, text);
    const { server } = pages;
    const find = async (): Promise<never> => {
      throw new Error('looked for a secret that is none');
    };
    pages.server = { ...server, ssoSessions: { ...server.ssoSessions, find } };
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
    expect(only(pages.ssoSessions.keys())).not.toBe(digests.sha256Hex(chosen));
    const attacker = memoryBrowser(pages);
    attacker.cookies.set(cookieName, chosen);
    expect(htmlOf(await attacker.send('GET', 'authorize', { query: asked(client) }))).toContain('password');
  });

  it('has the connected apps ask for the password all the same', async () => {
    const { browser } = await withSsoSession();
    expect(htmlOf(await browser.get('connected-apps'))).toContain('password');
    browser.cookies.set('__Host-member-session-dsnp', browser.cookies.get(cookieName) ?? '');
    expect(htmlOf(await browser.get('connected-apps'))).toContain('password');
  });
});

it('a consent page of an SSO session leads back to no sign-in form', async () => {
  const { browser, authorize } = await withSsoSession();
  const answer = await authorize();
  const { interaction } = Object.fromEntries(new URL(locationOf(answer)).searchParams);
  expect(locationOf(await browser.get('sign-in', { interaction }))).toBe(
    `${address}/consent?interaction=${interaction}`,
  );
});
