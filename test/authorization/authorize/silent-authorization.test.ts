import { describe, expect, it } from 'vitest';
import { messagePage } from '../../../lambdas/authorization/pages/message-page.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { aClient, theMember, theRedirectUri } from '../builders.ts';
import { asked, memoryPages, only, openSignIn, password } from '../memory-pages.ts';
import type { Changes } from '../refreshing.ts';
import { codeOf, errorOf, htmlOf, keeping, locationOf, shared, start } from './sso-session-world.ts';

/** `prompt=none` and `id_token_hint`, over a store in memory. */

describe('prompt=none', () => {
  it('in an SSO session gives a code of what was shared in it, without a page, with one event', async () => {
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
    ['without an SSO session', ({ browser }) => browser.cookies.clear(), {}, 'login_required'],
    [
      'of an account that was disabled meanwhile',
      ({ pages }) => {
        pages.stands = false;
      },
      {},
      'login_required',
    ],
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
    pages.server = { ...server, ssoSessions: { ...server.ssoSessions, renew: async () => renewed } };
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
    expect(await silently()).toMatchObject(
      messagePage(400, 'client_inactive', 'en', { requestId: 'request-1' }),
    );
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
    const description = new URL(locationOf(answer)).searchParams.get('error_description');
    expect(description).toBe('the member who signed in is not the member of id_token_hint');
    expect(only(answer.setCookies ?? [])).toMatch(/^__Host-interaction-[\w-]{11}=;.*Max-Age=0$/);
    expect(pages.ssoSessions.size).toBe(0);
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
