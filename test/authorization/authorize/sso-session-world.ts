import type { BrowserResponse } from '../../../lambdas/authorization/authorize/browser-request.ts';
import type { OAuthClient } from '../../../lambdas/authorization/oauth/oauth-client.ts';
import { aClient } from '../builders.ts';
import { asked, type MemoryPages, memoryPages, openSignIn, password } from '../memory-pages.ts';
import { startMs } from '../memory-server.ts';
import type { Changes } from '../refreshing.ts';

/** Browsers with an SSO session, over a store in memory, for the tests of SSO sessions. */

export const start = startMs / 1000;
export const address = 'https://auth.sandbox.example.org/fhir-oauth2/sec/dsnp';
export const cookieName = '__Host-member-sign-in-dsnp';
export const keeping = { ...password, keep: 'yes' };

export const locationOf = (answer: BrowserResponse) => (answer.kind === 'redirect' ? answer.location : '');
export const htmlOf = (answer: BrowserResponse) => (answer.kind === 'page' ? answer.html : '');
export const errorOf = (answer: BrowserResponse) => new URL(locationOf(answer)).searchParams.get('error');
export const codeOf = (answer: BrowserResponse) => new URL(locationOf(answer)).searchParams.get('code') ?? '';

/** Signs a member in with an SSO session and opens the consent page. */
export async function withSsoSession(changes: Partial<MemoryPages> = {}, request: Changes = {}) {
  const client = aClient();
  const pages = Object.assign(memoryPages(client), changes);
  const { browser } = await openSignIn(pages, client, request);
  const signedIn = await browser.submit('sign-in', keeping);
  await browser.follow(signedIn);
  const authorize = (more: Changes = {}, by: OAuthClient = client) =>
    browser.send('GET', 'authorize', { query: asked(by, more) });
  return { client, pages, browser, signedIn, authorize };
}

/** Does the same; then the member shares, and the application redeems its code. */
export async function shared(changes: Partial<MemoryPages> = {}, request: Changes = {}) {
  const world = await withSsoSession(changes, request);
  const answer = await world.browser.submit('consent', { answer: 'share' });
  const { pages } = world;
  for (const [name, consent] of pages.consents)
    pages.consents.set(name, { ...consent, state: 'active', expiresAt: start + 1_800 });
  pages.events.length = 0;
  return {
    ...world,
    answer,
    silently: (more: Changes = {}, by?: OAuthClient) => world.authorize({ prompt: 'none', ...more }, by),
  };
}
