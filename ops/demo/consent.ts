/** Signs in and shares, or declines, in the demo. */

import { memberIssuer } from '../../lambdas/catalog/addresses.ts';
import type { SyntheticMember } from '../generator/members.ts';
import { type Browser, createBrowser, type Location } from './browser.ts';
import { expectEqual, expectMatch, expectTrue, Unexpected } from './expect.ts';
import { randomText, redirectUri, type Scene } from './scene.ts';

/** Variations of an authorization request, all allowed by docs/service.md S1.4, S5.2 and S6.1. */
export interface AuthorizationRequestForm {
  readonly clientId: string;
  readonly clientName: string;
  readonly attested: boolean;
  readonly scope: string;
  /** Path of the endpoint: the LOB in lower or upper case, with or without a trailing slash. */
  readonly path: string;
  /** S256 challenge; absent for an app that is exempted from PKCE. */
  readonly codeChallenge?: string;
}

/** Signs in and shares as the member; returns the app's authorization code (docs/service.md S6.1). */
export async function authorizeInBrowser(
  scene: Scene,
  member: SyntheticMember,
  asked: AuthorizationRequestForm,
): Promise<{ readonly code: string }> {
  const { transcript, environment, lob } = scene;
  const state = randomText();
  transcript.mask.add(member.password);
  const browser = createBrowser(transcript.http, redirectUri);

  transcript.heading(
    `${environment} ${lob}: the app sends ${member.givenName}'s browser to the authorization server`,
  );
  const signIn = await browser.open(authorizationRequestUrl(scene, asked, state));
  expectPage('the sign-in page', signIn, 'Sign in');
  transcript.heading(`${environment} ${lob}: ${member.givenName} signs in`);
  const consent = await browser.submit(
    signIn,
    { 'Member ID or e-mail': member.memberId, Password: member.password },
    'Sign in',
  );
  checkConsentPage(consent, asked);

  transcript.heading(`${environment} ${lob}: ${member.givenName} consents`);
  const end = await browser.submit(consent, {}, 'Share my data');
  const answer = appAnswer(end);
  expectEqual('state', answer.get('state'), state);
  expectEqual('iss', answer.get('iss'), memberIssuer(scene.origins, lob));
  const code = expectMatch('code', answer.get('code'), /^[\w.~-]{32,}$/);
  transcript.mask.add(code);
  return { code };
}

/** Declines as the member; the app gets only `access_denied`. */
export async function refuseConsent(
  scene: Scene,
  member: SyntheticMember,
  asked: AuthorizationRequestForm,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  const state = randomText();
  transcript.heading(`${environment} ${lob}: ${member.givenName} declines a second request`);
  const browser: Browser = createBrowser(transcript.http, redirectUri);
  const signIn = await browser.open(authorizationRequestUrl(scene, asked, state));
  const fields = { 'Member ID or e-mail': member.email, Password: member.password };
  const consent = await browser.submit(signIn, fields, 'Sign in');
  const answer = appAnswer(await browser.submit(consent, {}, "Don't share"));
  expectEqual('error', answer.get('error'), 'access_denied');
  expectEqual('state', answer.get('state'), state);
  expectEqual('code', answer.get('code'), null);
}

/** URL of the authorization request, to which the app sends the member's browser. */
export function authorizationRequestUrl(
  scene: Scene,
  asked: AuthorizationRequestForm,
  state: string,
): string {
  const query = new URLSearchParams({
    client_id: asked.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: asked.scope,
    state,
    aud: scene.audience,
  });
  if (asked.codeChallenge !== undefined) {
    query.set('code_challenge', asked.codeChallenge);
    query.set('code_challenge_method', 'S256');
  }
  return `${scene.origins.auth}/fhir-oauth2/sec/${asked.path}?${query}`;
}

function expectPage(what: string, at: Location, button: string): asserts at is Location & { kind: 'page' } {
  if (at.kind !== 'page') throw new Unexpected(what, 'a page', at.url);
  expectEqual(`${what}: status`, at.response.status, 200);
  const buttons = at.page.forms.flatMap((form) => form.buttons.map(({ text }) => text));
  expectTrue(`${what}: a button "${button}"`, buttons.includes(button), at.page.text.slice(0, 500));
}

function checkConsentPage(at: Location, asked: AuthorizationRequestForm): void {
  expectPage('the consent page', at, 'Share my data');
  expectPage('the consent page', at, "Don't share");
  const { text } = at.page;
  expectTrue('the consent page names the app', text.includes(asked.clientName), text);
  const warned = /has not (attested|confirmed|told)|not attested|hasn[’']t/i.test(text);
  expectEqual('the consent page warns of an app that is not attested', warned, !asked.attested);
}

function appAnswer(end: Location): URLSearchParams {
  if (end.kind !== 'app')
    throw new Unexpected('the redirect to the app', redirectUri, end.page.text.slice(0, 500));
  return new URL(end.url).searchParams;
}
