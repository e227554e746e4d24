import { describe, expect, it } from 'vitest';
import { messagePage } from '../../../lambdas/authorization/pages/message-page.ts';
import { aClient, rfc7636, theMember, theRedirectUri } from '../builders.ts';
import { memoryPages, only, openConsent, openSignIn } from '../memory-pages.ts';
import { startMs } from '../memory-server.ts';

/** The consent page and the member's answer, over a store in memory. */

const start = startMs / 1000;
const issuer = 'https://auth.sandbox.example.org/fhir-oauth2/dsnp';

function world(changes: Parameters<typeof aClient>[0] = {}) {
  const client = aClient(changes);
  return { client, pages: memoryPages(client) };
}

describe('the member’s answer', () => {
  it('shares nothing of an account that was closed while the page stood open', async () => {
    const { client, pages } = world();
    const { browser } = await openConsent(pages, client);
    pages.stands = false;
    const answer = await browser.submit('consent', { answer: 'share' });
    // The page tells the member the reason. The application gets `access_denied` with a description that differs from that of a refusal.
    const html = answer.kind === 'page' ? answer.html : '';
    expect(html).toContain('Nothing was shared');
    const [, href = ''] = /class="button" href="([^"]+)"/.exec(html) ?? [];
    const { searchParams } = new URL(href.replaceAll('&amp;', '&'));
    expect(searchParams.get('error')).toBe('access_denied');
    expect(searchParams.get('error_description')).toMatch(/^the account of the member changed/);
    expect([pages.grants, pages.codes]).toEqual([[], []]);
    expect(pages.events.at(-1)).toMatchObject({ outcome: 'refused', reason: 'account_ended' });
  });

  it('shares: one grant, one code that stands for it, one event, and back to the application', async () => {
    const { client, pages } = world();
    const { browser, page } = await openConsent(pages, client);
    expect(page).toMatchObject({ status: 200, formAction: 'https://app.example.com' });
    pages.nowMs += 5_000;
    const answer = await browser.submit('consent', { answer: 'share' });
    const { searchParams } = new URL(answer.kind === 'redirect' ? answer.location : '');
    expect([...searchParams.keys()]).toEqual(['code', 'state', 'iss']);
    expect(searchParams.get('iss')).toBe(issuer);
    expect(only(answer.setCookies ?? [])).toMatch(
      /^__Host-interaction-[\w-]{11}=; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=0$/,
    );
    const grant = only(pages.grants);
    const { sub, patientId } = theMember;
    const { clientId } = client;
    const scope = 'openid fhirUser launch/patient patient/Patient.rs';
    expect(grant).toEqual({
      ...{ grantId: expect.any(String), clientId, sub, patientId, scope },
      createdAt: new Date(startMs + 5_000).toISOString(),
      expiresAt: start + 5 + 60,
    });
    expect(only(pages.codes)).toEqual({
      sha256: pages.server.digests.sha256Hex(searchParams.get('code') ?? ''),
      state: 'issued',
      ...{ clientId, sub, patientId, scope, redirectUri: theRedirectUri, grantId: grant.grantId },
      requestedScope: 'openid fhirUser launch/patient patient/Patient.rs',
      codeChallenge: rfc7636.challenge,
      nonce: 'nonce-1',
      authTime: start,
      expiresAt: start + 5 + 60,
    });
    const event = { action: 'grant.create', outcome: 'succeeded', actor: sub, clientId, patientId };
    expect(pages.events).toMatchObject([{ ...event, grantId: grant.grantId }]);
  });

  it('shares a sign-in without data: only the identity is on the page, and in the grant', async () => {
    const { client, pages } = world();
    const { browser, page } = await openConsent(pages, client, { scope: 'openid fhirUser' });
    const html = page.kind === 'page' ? page.html : '';
    expect(html).toContain('Your identity');
    expect(html).not.toContain('Your details');
    await browser.submit('consent', { answer: 'share' });
    expect(only(pages.grants).scope).toBe('openid fhirUser');
    expect(only(pages.codes).scope).toBe('openid fhirUser');
  });

  it('makes a grant that is as short as its code, until the code is redeemed', async () => {
    const { client, pages } = world();
    const { browser } = await openConsent(pages, client, { scope: 'offline_access patient/Patient.rs' });
    await browser.submit('consent', { answer: 'share' });
    expect(only(pages.grants).expiresAt).toBe(start + 60);
  });

  it('shares nothing at an address that is no longer registered', async () => {
    const { client, pages } = world();
    const { browser } = await openConsent(pages, client);
    pages.clientsById.set(client.clientId, { ...client, redirectUris: [`${theRedirectUri}/new`] });
    const refused = messagePage(400, 'redirect_uri_unregistered', 'en');
    expect(await browser.submit('consent', { answer: 'share' })).toEqual(refused);
    expect(await browser.submit('consent', { answer: 'decline' })).toEqual(refused);
    expect(await browser.get('consent', { interaction: browser.fields().interaction ?? '' })).toEqual(
      refused,
    );
    expect(pages.grants).toEqual([]);
  });

  it('declines: no grant, one event, and the application hears of it', async () => {
    const { client, pages } = world();
    const { browser } = await openConsent(pages, client);
    const answer = await browser.submit('consent', { answer: 'decline' });
    const error_description = 'the member declined to share data';
    const query = { error: 'access_denied', error_description, state: 'state-1', iss: issuer };
    expect(answer).toMatchObject({ location: `${theRedirectUri}?${new URLSearchParams(query)}` });
    expect(answer.setCookies?.join()).toContain('Max-Age=0');
    expect(pages.grants).toEqual([]);
    const event = { action: 'grant.create', outcome: 'refused', reason: 'member_declined' };
    expect(pages.events).toMatchObject([{ ...event, actor: theMember.sub, clientId: client.clientId }]);
  });

  it('switches the account: another interaction for the rest of the time, and this one is over', async () => {
    const { client, pages } = world();
    const { browser } = await openConsent(pages, client, { login_hint: 'DSNP0001' });
    const before = browser.fields();
    pages.nowMs += 100_000;
    const answer = await browser.submit('consent', { answer: 'switch' });
    expect(answer.kind === 'redirect' && answer.location).toMatch(
      /^https:\/\/auth\.sandbox\.example\.org\/fhir-oauth2\/sec\/dsnp\/sign-in\?interaction=[\w-]{11}$/,
    );
    expect(answer.setCookies?.map((cookie) => /Max-Age=\d+/.exec(cookie)?.[0])).toEqual([
      'Max-Age=800',
      'Max-Age=0',
    ]);
    expect(pages.events).toMatchObject([{ outcome: 'refused', reason: 'account_switched' }]);
    const [old, next] = [...pages.interactions.values()];
    expect(old?.state).toBe('answered');
    const { authentication, ...request } = old?.request ?? {};
    expect(next).toMatchObject({ state: 'signing-in', language: 'en', request });
    // The hint named the account that the member switches from.
    expect(authentication?.loginHint).toBe('DSNP0001');
    expect(next?.request?.authentication).toMatchObject({
      prompts: ['select_account'],
      loginHint: undefined,
    });
    expect([next?.expiresAt, next?.member]).toEqual([old?.expiresAt, undefined]);
    expect(await browser.follow(answer)).toMatchObject({ status: 200 });
    expect(browser.fields().interaction).not.toBe(before.interaction);
  });

  it('is needed, and counts once', async () => {
    const { client, pages } = world();
    const { browser } = await openConsent(pages, client);
    const form = browser.fields();
    const missing = messagePage(400, 'answer_missing', 'en');
    expect(await browser.submit('consent', {})).toEqual(missing);
    expect(await browser.submit('consent', { answer: 'maybe' })).toEqual(missing);
    for (const answer of ['share', 'decline', 'switch']) {
      const [id = '', interaction] = only(pages.interactions);
      const { store, signIns } = pages.server;
      const lost = async () => false;
      pages.server = {
        ...pages.server,
        store: { ...store, share: lost, decline: lost },
        signIns: { ...signIns, switchAccount: lost },
      };
      expect(await browser.submit('consent', { ...form, answer })).toEqual(
        messagePage(400, 'interaction_answered', 'en'),
      );
      pages.interactions.set(id, interaction);
    }
  });

  it.each([
    'share',
    'decline',
  ])('leads to the application whichever response to a second %s the browser shows', async (answer) => {
    const { client, pages } = world();
    const { browser } = await openConsent(pages, client);
    const cookies = [...browser.cookies];
    const [first, second] = await Promise.all([
      browser.submit('consent', { answer }),
      browser.submit('consent', { answer }),
    ]);
    expect(first).toMatchObject({ kind: 'redirect' });
    expect(second).toEqual(first);
    // The same after the first request is over, with the cookie that its lost response would have cleared.
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(await browser.submit('consent', { answer })).toEqual(first);
    expect(pages.events.filter(({ action }) => action === 'grant.create')).toHaveLength(1);
  });

  it('is not repeated with another one, nor with a code that was presented', async () => {
    const { client, pages } = world();
    const { browser } = await openConsent(pages, client);
    const cookies = [...browser.cookies];
    const again = async (answer: string) => {
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      return await browser.submit('consent', { answer });
    };
    await browser.submit('consent', { answer: 'share' });
    const answered = messagePage(400, 'interaction_answered', 'en');
    expect(await again('decline')).toEqual(answered);
    expect(await again('switch')).toEqual(answered);
    const code = only(pages.codes);
    pages.codes[0] = { ...code, state: 'redeemed' };
    expect(await again('share')).toEqual(answered);
    pages.codes[0] = code;
    pages.nowMs = code.expiresAt * 1_000;
    expect(await again('share')).toEqual(answered);
  });

  it('is asked of nobody who has not signed in', async () => {
    const { client, pages } = world();
    const { browser } = await openSignIn(pages, client);
    const { interaction } = browser.fields();
    const unknown = messagePage(400, 'interaction_unknown', 'en');
    expect(await browser.get('consent', { interaction })).toEqual(unknown);
    expect(await browser.submit('consent', { answer: 'share' })).toEqual(unknown);
  });
});
