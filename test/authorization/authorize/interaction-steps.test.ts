import { describe, expect, it } from 'vitest';
import { messagePage } from '../../../lambdas/authorization/pages/message-page.ts';
import { aClient, rfc7636, theRedirectUri } from '../builders.ts';
import {
  asked,
  memoryBrowser,
  memoryPages,
  only,
  openConsent,
  openSignIn,
  password,
} from '../memory-pages.ts';
import { startMs } from '../memory-server.ts';
import type { Changes } from '../refreshing.ts';

/** The authorization endpoint, and the binding of an interaction to one browser, over a store in memory. */

const start = startMs / 1000;
const issuer = 'https://auth.sandbox.example.org/fhir-oauth2/dsnp';

function world(changes: Parameters<typeof aClient>[0] = {}) {
  const client = aClient(changes);
  return { client, pages: memoryPages(client) };
}

describe('the authorization endpoint', () => {
  it('opens an interaction that is this browser’s alone, and puts nothing on record yet', async () => {
    const { client, pages } = world();
    const { page } = await openSignIn(pages, client);
    expect(page).toMatchObject({ status: 200, formAction: 'https://app.example.com' });
    expect(only(page.setCookies ?? [])).toMatch(
      /^__Host-interaction-[\w-]{11}=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=900$/,
    );
    expect(only(pages.interactions.values())).toMatchObject({
      interactionId: expect.stringMatching(/^[0-9a-f]{64}$/),
      state: 'signing-in',
      language: 'en',
      expiresAt: start + 900,
      request: {
        clientId: client.clientId,
        redirectUri: theRedirectUri,
        state: 'state-1',
        scope: 'openid fhirUser launch/patient patient/Patient.rs',
        codeChallenge: rfc7636.challenge,
        nonce: 'nonce-1',
      },
    });
    expect(pages.events).toEqual([]);
  });

  it('takes the request from a form too, and not from the query then', async () => {
    const { client, pages } = world();
    const form = Object.fromEntries(asked(client));
    const posted = await memoryBrowser(pages).send('POST', 'authorize', { form });
    expect(posted).toMatchObject({ status: 200 });
    const mixed = await memoryBrowser(pages).send('POST', 'authorize', { query: asked(client) });
    expect(mixed).toMatchObject({ status: 400, html: expect.stringContaining('This link does not work') });
  });

  it('sends a refusal back with its words, state and issuer, and records it', async () => {
    const { client, pages } = world();
    const { page } = await openSignIn(pages, client, { prompt: 'none' });
    const query = { error: 'login_required', error_description: 'the member must sign in', state: 'state-1' };
    const location = `${theRedirectUri}?${new URLSearchParams({ ...query, iss: issuer })}`;
    expect(page).toMatchObject({ kind: 'redirect', location });
    const decision = { action: 'authorization.request', outcome: 'refused', reason: 'login_required' };
    expect(pages.events).toMatchObject([{ ...decision, actor: 'member', clientId: client.clientId }]);
    expect(pages.interactions.size).toBe(0);
  });

  it('keeps the query of a redirect URI that has one, and leaves out a state that was not sent', async () => {
    const { client, pages } = world({ redirectUris: [`${theRedirectUri}?x=1`] });
    const changes = { redirect_uri: `${theRedirectUri}?x=1`, prompt: 'none', state: undefined };
    const { page } = await openSignIn(pages, client, changes);
    expect(page.kind === 'redirect' && page.location).toMatch(/callback\?x=1&error=login_required&/);
    expect(page.kind === 'redirect' && page.location).not.toContain('state');
  });

  it.each<[string, Changes, number]>([
    ['redirect_uri_unregistered', { redirect_uri: 'https://other.example/' }, 1],
    ['client_unknown', { client_id: 'nobody-here' }, 0],
    ['client_id_missing', { client_id: undefined }, 0],
  ])('shows a page for %s, recorded where it is about a registered application', async (...row) => {
    const [reason, changes, events] = row;
    const { client, pages } = world();
    const { page } = await openSignIn(pages, client, changes);
    const shown = messagePage(400, reason as 'client_unknown', 'en', { requestId: 'request-1' });
    expect(page).toMatchObject(shown);
    expect(pages.events.map((event) => event.reason)).toEqual(Array(events).fill(reason));
  });

  it('looks up a client id of 64 characters, and no longer one', async () => {
    for (const [length, status] of [
      [64, 200],
      [65, 400],
    ] as const) {
      const client = aClient({ clientId: 'c'.repeat(length) });
      const { page } = await openSignIn(memoryPages(client), client);
      expect(page).toMatchObject({ status });
    }
  });
});

describe('a page of an interaction', () => {
  const foreign = messagePage(403, 'form_foreign', 'en');
  const unknown = messagePage(400, 'interaction_unknown', 'en');

  it.each([
    ['of another site', { fetchSite: 'cross-site' }, foreign],
    ['of a sister host', { fetchSite: 'same-site' }, foreign],
    ['of another origin', { origin: 'https://evil.example' }, foreign],
    ['of this origin', { origin: 'https://auth.sandbox.example.org', fetchSite: 'same-origin' }, undefined],
    ['of an old browser', {}, undefined],
  ])('takes a form %s for what it is', async (_what, call, expected) => {
    const { client, pages } = world();
    const { browser } = await openSignIn(pages, client);
    const answer = await browser.submit('sign-in', password, call);
    if (expected === undefined) expect(answer).toHaveProperty('location');
    else expect(answer).toEqual(expected);
  });

  it.each<[string, Changes, unknown]>([
    ['no token', { form_token: undefined }, foreign],
    ['another token', { form_token: 'x'.repeat(43) }, foreign],
    ['no interaction', { interaction: undefined }, unknown],
    ['an interaction of another browser', { interaction: 'AAAAAAAAAAA' }, unknown],
    ['a malformed interaction', { interaction: 'AAAAAAAAAAA; x' }, unknown],
  ])('refuses a form with %s', async (_what, form, expected) => {
    const { client, pages } = world();
    const { browser } = await openSignIn(pages, client);
    expect(await browser.submit('sign-in', { ...password, ...form })).toEqual(expected);
    expect(pages.events).toEqual([]);
  });

  it.each([
    '',
    'x',
    'x'.repeat(42),
    'x'.repeat(44),
    `${'x'.repeat(43)} `,
    ` ${'x'.repeat(43)}`,
  ])('does not look for a secret like "%s"', async (secret) => {
    const { client, pages } = world();
    const { browser } = await openSignIn(pages, client);
    const [name = ''] = browser.cookies.keys();
    browser.cookies.set(name, secret);
    const looked: string[] = [];
    const { store } = pages.server;
    pages.server = {
      ...pages.server,
      store: { ...store, interaction: async (_lob, id) => void looked.push(id) },
    };
    const { interaction } = browser.fields();
    expect(await browser.get('sign-in', { interaction })).toEqual(unknown);
    expect(looked).toEqual([]);
  });

  it('is over when its time is, when it was answered, and when its application was stopped', async () => {
    const { client, pages } = world();
    const { browser } = await openConsent(pages, client);
    const { interaction } = browser.fields();
    const show = () => browser.get('consent', { interaction });
    expect(await show()).toMatchObject({ status: 200 });
    pages.clientsById.set(client.clientId, { ...client, state: 'suspended' });
    expect(await show()).toEqual(messagePage(400, 'client_inactive', 'en'));
    pages.clientsById.set(client.clientId, client);
    pages.nowMs = startMs + 900_000 - 1;
    expect(await show()).toMatchObject({ status: 200 });
    pages.nowMs = startMs + 900_000;
    expect(await show()).toEqual(messagePage(400, 'interaction_expired', 'en'));
    const [id = '', present] = only(pages.interactions);
    pages.interactions.set(id, { ...present, state: 'answered' });
    expect(await show()).toEqual(messagePage(400, 'interaction_answered', 'en'));
  });

  it('of another name is unknown, and no page takes another method', async () => {
    const { pages } = world();
    const browser = memoryBrowser(pages);
    expect(await browser.get('toString')).toEqual(messagePage(404, 'page_unknown', 'en'));
    const refused = messagePage(405, 'method_not_allowed', 'en');
    expect(await browser.send('DELETE', 'consent')).toEqual({ ...refused, allow: 'GET, POST' });
    expect(await browser.send('PUT', 'authorize')).toEqual({ ...refused, allow: 'GET, POST' });
    expect(await browser.send('POST', 'complaints')).toEqual({ ...refused, allow: 'GET' });
  });

  it.each(['choosing-an-app', 'privacy-laws', 'complaints'])('%s needs no sign-in', async (page) => {
    const browser = memoryBrowser(world().pages);
    const answer = await browser.get(page, { language: 'es' });
    expect(answer).toMatchObject({ status: 200, html: expect.stringContaining('lang="es"') });
    expect(only(answer.setCookies ?? [])).toContain('language=es');
    expect(await browser.get(page)).toMatchObject({ html: expect.stringContaining('lang="es"') });
  });

  it('leaves `language` at the authorization endpoint to the application', async () => {
    const { client, pages } = world();
    const { page } = await openSignIn(pages, client, { language: 'es' });
    expect(page.setCookies?.join()).not.toContain('language=');
  });
});
