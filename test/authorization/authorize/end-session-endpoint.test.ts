import { describe, expect, it } from 'vitest';
import { messagePage } from '../../../lambdas/authorization/pages/message-page.ts';
import { aClient, theMember } from '../builders.ts';
import { memoryBrowser, memoryPages } from '../memory-pages.ts';
import type { Changes } from '../refreshing.ts';
import { cookieName, htmlOf, withSsoSession } from './sso-session-world.ts';

/** OpenID Connect RP-Initiated Logout 1.0, over a store in memory. */

const bye = 'https://app.example.com/bye';
const idToken = 'a.b.own';

/** A browser with an SSO session of a member, and an application with a registered post-logout redirect URI. */
async function world(changes: Parameters<typeof aClient>[0] = {}) {
  const { client, pages, browser } = await withSsoSession();
  pages.clientsById.set(client.clientId, { ...client, postLogoutRedirectUris: [bye], ...changes });
  pages.hinted.set(idToken, theMember.sub);
  pages.hinted.set('a.b.other', 'somebody-else');
  pages.events.length = 0;
  const logout = (query: Changes) => browser.get('logout', query);
  const open = () => [...pages.ssoSessions.values()].map(({ state }) => state);
  return { client, pages, browser, logout, open };
}

describe('a logout an application asks for', () => {
  it('with an id_token of the member who is signed in is done at once, on record, and goes back', async () => {
    const { client, pages, browser, logout, open } = await world();
    const answer = await logout({ id_token_hint: idToken, post_logout_redirect_uri: bye, state: 'a&b' });
    expect(answer).toMatchObject({ location: `${bye}?state=a%26b` });
    expect(open()).toEqual(['ended']);
    expect(browser.cookies.has(cookieName)).toBe(false);
    const event = { action: 'sign-in.end', outcome: 'succeeded', reason: 'signed_out' };
    expect(pages.events).toMatchObject([{ ...event, actor: theMember.sub, clientId: client.clientId }]);
  });

  it('without an address ends on a page that says so', async () => {
    const { logout } = await world();
    expect(await logout({ id_token_hint: idToken })).toMatchObject(messagePage(200, 'signed_out', 'en'));
  });

  it.each<[string, Changes]>([
    ['no id_token', {}],
    ['an id_token that is not ours', { id_token_hint: 'x.y.z' }],
    ['an id_token of another member', { id_token_hint: 'a.b.other' }],
  ])('with %s asks the member first', async (_what, changes) => {
    const { client, pages, browser, logout, open } = await world();
    const query = { client_id: client.clientId, post_logout_redirect_uri: bye, state: 's', ...changes };
    const page = await logout(query);
    expect(page).toMatchObject({ status: 200, formAction: 'https://app.example.com' });
    expect(htmlOf(page)).toContain('Do you want to sign out?');
    expect(open()).toEqual(['open']);
    expect(await browser.submit('logout', { answer: 'stay' })).toEqual(
      messagePage(200, 'still_signed_in', 'en'),
    );
    expect(open()).toEqual(['open']);
    expect(pages.events).toEqual([]);
    const answer = await browser.submit('logout', { answer: 'sign-out' });
    expect(answer).toMatchObject({ location: `${bye}?state=s` });
    expect(open()).toEqual(['ended']);
  });

  it('by a form of the application is sent on as a GET, which has our cookies', async () => {
    const { browser, open } = await world();
    const form = { id_token_hint: idToken, post_logout_redirect_uri: bye, other: 'x' };
    const sent = await browser.send('POST', 'logout', { form, origin: 'https://app.example.com' });
    const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: bye });
    expect(sent).toEqual({
      kind: 'redirect',
      location: `https://auth.sandbox.example.org/fhir-oauth2/sec/dsnp/logout?${query}`,
    });
    expect(open()).toEqual(['open']);
    expect(await browser.follow(sent)).toMatchObject({ location: bye });
    expect(open()).toEqual(['ended']);
  });

  it('is answered by nobody else’s form', async () => {
    const { browser, logout, open } = await world();
    await logout({});
    const foreign = { origin: 'https://evil.example', fetchSite: 'cross-site' };
    const answer = await browser.submit('logout', { answer: 'sign-out' }, foreign);
    expect(answer).toEqual(messagePage(403, 'form_foreign', 'en'));
    expect(open()).toEqual(['open']);
  });

  it.each<[string, Changes, Parameters<typeof aClient>[0]]>([
    ['an address that is not registered', { post_logout_redirect_uri: `${bye}/` }, {}],
    ['a redirect URI', { post_logout_redirect_uri: 'https://app.example.com/callback' }, {}],
    ['no application', { id_token_hint: undefined }, {}],
    ['an unknown application', { id_token_hint: undefined, client_id: 'nobody' }, {}],
    ['an application that registered none', {}, { postLogoutRedirectUris: undefined }],
    ['a suspended application', {}, { state: 'suspended' }],
  ])('leads nowhere with %s, and ends nothing', async (_what, changes, registered) => {
    const { logout, open } = await world(registered);
    const answer = await logout({ id_token_hint: idToken, post_logout_redirect_uri: bye, ...changes });
    expect(answer).toEqual(messagePage(400, 'logout_uri_unregistered', 'en'));
    expect(open()).toEqual(['open']);
  });

  it('is refused where client_id and id_token name two applications', async () => {
    const { logout, open } = await world();
    const answer = await logout({ id_token_hint: idToken, client_id: 'another' });
    expect(answer).toEqual(messagePage(400, 'logout_request_malformed', 'en'));
    expect(open()).toEqual(['open']);
  });

  it('is done already where nobody is signed in', async () => {
    const client = aClient({ postLogoutRedirectUris: [bye] });
    const pages = Object.assign(memoryPages(client), { hinted: new Map([[idToken, theMember.sub]]) });
    const query = { id_token_hint: idToken, post_logout_redirect_uri: bye };
    expect(await memoryBrowser(pages).get('logout', query)).toMatchObject({ location: bye });
    expect(pages.events).toEqual([]);
  });
});
