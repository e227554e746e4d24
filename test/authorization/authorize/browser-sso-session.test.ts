import { describe, expect, it } from 'vitest';
import type { BrowserResponse } from '../../../lambdas/authorization/authorize/browser-request.ts';
import { messagePage } from '../../../lambdas/authorization/pages/message-page.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { aClient, theMember } from '../builders.ts';
import { member, memoryBrowser, memoryPages, only, openSignIn, password } from '../memory-pages.ts';
import { startMs } from '../memory-server.ts';
import { codeOf, cookieName, htmlOf, keeping, start, withSsoSession } from './sso-session-world.ts';

/** SSO sessions over a store in memory: how they begin and how they end. */

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
    expect(answer.setCookies).toBeUndefined();
    expect(pages.ssoSessions.size).toBe(0);
    expect(only(pages.interactions.values())).not.toHaveProperty('ssoSessionId');
    expect(only(pages.events)).not.toHaveProperty('reason');
  });

  it.each(['no', 'on', 'YES', '', ['yes', 'yes']])('sent as %j keeps nothing', async (keep) => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser } = await openSignIn(pages, client);
    expect((await browser.submit('sign-in', { ...password, keep })).setCookies).toBeUndefined();
    expect(pages.ssoSessions.size).toBe(0);
  });

  it('ticked keeps the sign-in for a quarter of an hour, in a cookie of this LOB’s own', async () => {
    const { client, pages, signedIn } = await withSsoSession();
    const [, secret = ''] =
      /^__Host-member-sign-in-dsnp=([\w-]{43}); Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=900$/.exec(
        only(signedIn.setCookies ?? []),
      ) ?? [];
    const ssoSessionId = digests.sha256Hex(secret);
    expect(only(pages.ssoSessions.values())).toEqual({
      ...{ ssoSessionId, state: 'open', member },
      authTime: start,
      expiresAt: start + 900,
    });
    expect(only(pages.interactions.values())).toMatchObject({ ssoSessionId, authTime: start });
    expect(JSON.stringify([...pages.ssoSessions, ...pages.interactions])).not.toContain(secret);
    const about = { actor: theMember.sub, clientId: client.clientId, patientId: theMember.patientId };
    const event = { action: 'member.sign-in', outcome: 'succeeded', reason: 'kept', ...about };
    expect(pages.events).toMatchObject([event]);
  });

  it('stays as it was when the password was wrong, and keeps nothing then', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser } = await openSignIn(pages, client);
    const box = (page: BrowserResponse) => /<input type="checkbox"[^>]*>/.exec(htmlOf(page))?.[0];
    const wrong = { ...password, password: 'x' };
    expect(box(await browser.submit('sign-in', wrong))).not.toContain('checked');
    expect(box(await browser.submit('sign-in', { ...wrong, keep: 'yes' }))).toContain('checked');
    expect(pages.ssoSessions.size).toBe(0);
  });

  it('waits for the code where one is asked for', async () => {
    const client = aClient();
    const pages = Object.assign(memoryPages(client), { setting: 'always' as const });
    const { browser } = await openSignIn(pages, client);
    await browser.follow(await browser.submit('sign-in', keeping));
    expect(pages.ssoSessions.size).toBe(0);
    pages.nowMs += 60_000;
    await browser.submit('code', { answer: 'email' });
    const code = /\d{6}/.exec(pages.messages.at(-1)?.text ?? '')?.[0] ?? '';
    const answer = await browser.submit('code', { code });
    expect(answer.setCookies?.map((cookie) => cookie.split('=', 1)[0])).toEqual([
      '__Host-member-browser-dsnp',
      cookieName,
    ]);
    expect(only(pages.ssoSessions.values())).toMatchObject({ authTime: start + 60, expiresAt: start + 960 });
    expect(pages.events.at(-1)).toMatchObject({ outcome: 'succeeded', reason: 'kept' });
  });

  it('is no page’s but the sign-in’s: a code’s form can’t ask for it', async () => {
    const client = aClient();
    const pages = Object.assign(memoryPages(client), { setting: 'always' as const });
    const { browser } = await openSignIn(pages, client);
    await browser.follow(await browser.submit('sign-in', password));
    const code = /\d{6}/.exec(pages.messages.at(-1)?.text ?? '')?.[0] ?? '';
    await browser.submit('code', { code, keep: 'yes' });
    expect(pages.ssoSessions.size).toBe(0);
  });

  it('opens nothing on the member’s own visit, and where another tab was first', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const visitor = memoryBrowser(pages);
    await visitor.get('connected-apps');
    await visitor.submit('sign-in', keeping);
    expect(pages.ssoSessions.size).toBe(0);
    const { browser } = await openSignIn(pages, client);
    pages.server = { ...pages.server, store: { ...pages.server.store, signIn: async () => false } };
    expect(await browser.submit('sign-in', keeping)).toEqual(messagePage(400, 'interaction_expired', 'en'));
    expect(browser.cookies.has(cookieName)).toBe(false);
  });
});

describe('an SSO session ends', () => {
  it('with the switch of the account, and takes the consent pages it stood in for with it', async () => {
    const { pages, browser, authorize } = await withSsoSession();
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
    expect([...pages.ssoSessions.values()]).toMatchObject([{ state: 'ended' }]);
    const expired = messagePage(400, 'interaction_expired', 'en');
    expect(await browser.follow(tab)).toEqual(expired);
    expect(await browser.submit('consent', { ...open, answer: 'share' })).toEqual(expired);
    expect(pages.grants).toEqual([]);
  });

  it('with a share that comes too late by a moment, and nothing is shared', async () => {
    const { pages, browser, authorize } = await withSsoSession();
    await browser.follow(await authorize());
    const { server } = pages;
    const find: typeof server.ssoSessions.find = async (lob, ssoSessionId) => {
      const found = await server.ssoSessions.find(lob, ssoSessionId);
      if (found !== undefined) pages.ssoSessions.set(ssoSessionId, { ...found, state: 'ended' });
      return found;
    };
    pages.server = { ...server, ssoSessions: { ...server.ssoSessions, find } };
    expect(await browser.submit('consent', { answer: 'share' })).toMatchObject({ status: 400 });
    expect([pages.grants, pages.codes]).toEqual([[], []]);
  });

  it('with the sign-out at the connected apps', async () => {
    const { pages, browser, authorize } = await withSsoSession();
    await browser.get('connected-apps');
    const visit = await browser.submit('sign-in', password);
    // The sign-in of the same member at the connected apps does not end the SSO session.
    expect(visit.setCookies).toEqual([
      expect.stringMatching(/^__Host-member-session-dsnp=/),
      expect.stringMatching(/^__Host-interaction-/),
    ]);
    expect([...pages.ssoSessions.values()]).toMatchObject([{ state: 'open' }]);
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
    const { pages, browser } = await withSsoSession();
    const account = { sub: 'another', patients: pages.patients };
    pages.signInAnswer = { kind: 'verified', account, name: 'x', failures: 0 };
    await browser.get('connected-apps');
    pages.events.length = 0;
    const answer = await browser.submit('sign-in', password);
    expect(answer.setCookies?.join()).toContain(`${cookieName}=;`);
    expect([...pages.ssoSessions.values()]).toMatchObject([{ state: 'ended' }]);
    // The end of the session is recorded for the member who began it.
    expect(pages.events[0]).toMatchObject({
      ...{ action: 'sign-in.end', reason: 'signed_in_again', actor: theMember.sub },
      ...{ clientId: 'connected-apps', patientId: theMember.patientId },
    });
  });

  it('with the next sign-in in the browser, ticked or not', async () => {
    const { client, pages, browser, authorize } = await withSsoSession();
    await authorize({ prompt: 'login' });
    pages.events.length = 0;
    await browser.submit('sign-in', keeping);
    expect([...pages.ssoSessions.values()].map(({ state }) => state)).toEqual(['ended', 'open']);
    expect(pages.events.map(({ action, reason }) => [action, reason])).toEqual([
      ['sign-in.end', 'signed_in_again'],
      ['member.sign-in', 'kept'],
    ]);
    expect(pages.events[0]).toMatchObject({ clientId: client.clientId, actor: theMember.sub });
    await authorize({ prompt: 'login' });
    const answer = await browser.submit('sign-in', password);
    expect(answer.setCookies).toEqual([`${cookieName}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`]);
    expect([...pages.ssoSessions.values()].map(({ state }) => state)).toEqual(['ended', 'ended']);
    expect(htmlOf(await authorize())).toContain('password');
  });

  it('once: what is over has no event more', async () => {
    const { pages, browser, authorize } = await withSsoSession();
    await authorize({ prompt: 'login' });
    pages.nowMs = startMs + 900_000;
    await authorize();
    pages.events.length = 0;
    await browser.submit('sign-in', password);
    expect(pages.events.map(({ action }) => action)).toEqual(['member.sign-in']);
  });

  it('and a consent page that the password opened stays the member’s', async () => {
    const { pages, browser } = await withSsoSession();
    const { interaction } = browser.fields();
    for (const [id, each] of pages.ssoSessions) pages.ssoSessions.set(id, { ...each, state: 'ended' });
    expect(await browser.get('consent', { interaction })).toMatchObject({ status: 200 });
    expect(codeOf(await browser.submit('consent', { answer: 'share' }))).not.toBe('');
  });
});
