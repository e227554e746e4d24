import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { fhirBase, memberIssuer } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { ClientRegistration } from '../../lambdas/clients/provisioning/registration-contract.ts';
import { createBrowser, type Location } from '../../ops/demo/browser.ts';
import type { HtmlField } from '../../ops/http/html-page.ts';
import {
  answerPages,
  decide,
  http,
  localFetch,
  memberOf,
  originsOf,
  redirectUri,
  register,
  registrationOf,
} from './journey.ts';

/**
 * A relying party as the public test plans use one: it finds all endpoints by discovery and makes the checks of a client library.
 * docs/conformance.md lists the tests of the plans.
 */
export const lob: LineOfBusiness = 'DSNP';
export const member = memberOf('sandbox', lob);
export const standaloneScope = 'openid fhirUser launch/patient offline_access patient/Patient.rs';

export type App = Awaited<ReturnType<typeof register>>;
/** Parameters to add or change; undefined removes a parameter. */
export type Changes = Readonly<Record<string, string | undefined>>;

export const base = () => fhirBase(originsOf('sandbox'), lob, 'patient-access');
export const issuer = () => memberIssuer(originsOf('sandbox'), lob);

export async function newApp(changes: Partial<ClientRegistration> = {}): Promise<App> {
  return await register('sandbox', registrationOf(lob, changes));
}

export async function jsonOf<Shape = Record<string, unknown>>(answer: Response): Promise<Shape> {
  return (await answer.json()) as Shape;
}

/** The provider metadata (OpenID Connect Discovery), with the members that tests read by name. */
export interface Provider extends Readonly<Record<string, unknown>> {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint: string;
  readonly jwks_uri: string;
  readonly revocation_endpoint: string;
  readonly introspection_endpoint: string;
}

export async function provider(): Promise<Provider> {
  return await jsonOf(await localFetch(`${issuer()}/.well-known/openid-configuration`));
}

/** An authorization request, and the values of it that the app remembers. */
export interface Asked {
  readonly parameters: URLSearchParams;
  readonly verifier: string;
}

export function ask(app: App, changes: Changes = {}): Asked {
  const verifier = randomBytes(32).toString('base64url');
  const sent: Changes = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUri,
    scope: standaloneScope,
    state: randomBytes(16).toString('base64url'),
    nonce: randomBytes(16).toString('base64url'),
    aud: base(),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) parameters.set(name, value);
  return { parameters, verifier };
}

export async function addressOf({ parameters }: Asked): Promise<string> {
  return `${(await provider()).authorization_endpoint}?${parameters}`;
}

/** Returns the first response to an authorization request: a page, or a redirect to the app. */
export async function firstAnswer(asked: Asked): Promise<Response> {
  return await localFetch(await addressOf(asked), { redirect: 'manual' });
}

/** The parameters of a redirect of the authorization endpoint to the app. */
export function sentBack(answer: Response): Record<string, string> {
  const location = answer.headers.get('location') ?? '';
  if (!location.startsWith(`${redirectUri}?`)) throw new Error(`not sent back to the app: ${location}`);
  return Object.fromEntries(new URL(location).searchParams);
}

/** Client authentication of an app at the token endpoint. */
export type Authentication = 'client_secret_basic' | 'client_secret_post' | 'none';

export async function post(
  address: string,
  form: Changes,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const sent = Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return await localFetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(sent).toString(),
  });
}

export async function postAs(
  app: App,
  address: string,
  form: Changes,
  authentication: Authentication = 'client_secret_basic',
): Promise<Response> {
  const { clientId: client_id, clientSecret: client_secret } = app;
  if (authentication === 'none') return await post(address, { client_id, ...form });
  if (authentication === 'client_secret_post')
    return await post(address, { client_id, client_secret, ...form });
  return await post(address, form, { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` });
}

/** Exchanges a code. Returns the token endpoint's response. */
export async function exchange(
  app: App,
  code: string,
  asked: Asked,
  changes: Changes = {},
  authentication?: Authentication,
): Promise<Response> {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: asked.verifier,
    ...changes,
  };
  return await postAs(app, (await provider()).token_endpoint, form, authentication);
}

export interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly patient: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

/** The claims of an id_token with a valid signature, issuer, audience and times (OpenID Connect Core section 3.1.3.7). */
export async function idTokenClaims(app: App, idToken: string): Promise<JWTPayload> {
  const { jwks_uri } = await provider();
  const keys = createLocalJWKSet(await jsonOf<JSONWebKeySet>(await localFetch(jwks_uri)));
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: issuer(),
    audience: app.clientId,
    algorithms: ['RS256'],
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
  });
  return payload;
}

/** Obtains the app's tokens: the member signs in and shares, and the code is exchanged. */
export async function complete(app: App, changes: Changes = {}, authentication?: Authentication) {
  const asked = ask(app, changes);
  const callback = await decide(await addressOf(asked), member);
  const code = callback.searchParams.get('code') ?? '';
  const answer = await exchange(app, code, asked, {}, authentication);
  const tokens = await jsonOf<Tokens>(answer);
  if (answer.status !== 200) throw new Error(`no tokens: ${JSON.stringify(tokens)}`);
  const claims = await idTokenClaims(app, tokens.id_token);
  return { asked, callback, code, answer, tokens, claims };
}

/** Label of the checkbox on the sign-in page that begins an SSO session. */
export const keepBox = 'Keep me signed in on this browser for 15 minutes';

/**
 * Returns the page with one checkbox selected or cleared.
 *
 * @throws Error if it has no such checkbox
 */
export function ticked(from: Location, label: string, checked = true): Location {
  if (from.kind !== 'page') throw new Error(`no page, but ${from.url}`);
  const isBox = ({ type, label: own }: HtmlField) => type === 'checkbox' && own === label;
  const forms = from.page.forms.map((form) => ({
    ...form,
    fields: form.fields.map((field) => (isBox(field) ? { ...field, checked } : field)),
  }));
  if (!from.page.forms.some(({ fields }) => fields.some(isBox))) throw new Error(`no box "${label}"`);
  return { ...from, page: { ...from.page, forms } };
}

/** Obtains the app's tokens from a member who does not share one data group. */
export async function completeWithout(app: App, group: string, changes: Changes = {}): Promise<Tokens> {
  const browser = createBrowser(http, redirectUri);
  const asked = ask(app, changes);
  const credentials = { 'Member ID or e-mail': member.memberId, Password: member.password };
  const consent = await browser.submit(await browser.open(await addressOf(asked)), credentials, 'Sign in');
  const back = await browser.submit(ticked(consent, group, false), {}, 'Share my data');
  return await tokensOf(app, new URL(back.url), asked);
}

/** Obtains the app's tokens in a new browser, in which the member begins an SSO session. */
export async function completeAndKeep(app: App, changes: Changes = {}) {
  const browser = createBrowser(http, redirectUri);
  const asked = ask(app, changes);
  const page = await browser.open(await addressOf(asked));
  const callback = await answerPages(browser, ticked(page, keepBox), member);
  const tokens = await tokensOf(app, callback, asked);
  return { browser, tokens, claims: await idTokenClaims(app, tokens.id_token) };
}

/** Exchanges the code of the redirect to the app. */
export async function tokensOf(app: App, callback: URL, asked: Asked): Promise<Tokens> {
  return await jsonOf(await exchange(app, callback.searchParams.get('code') ?? '', asked));
}

export async function refresh(
  app: App,
  refreshToken: string,
  changes: Changes = {},
  authentication?: Authentication,
): Promise<Response> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...changes };
  return await postAs(app, (await provider()).token_endpoint, form, authentication);
}

/** Reads the member's Patient. */
export async function readPatient(app: App, accessToken: string | undefined, id = member.patientId) {
  return await call(app, accessToken, `Patient/${id}`);
}

/** Sends a GET request to Patient Access, with a path below its base. */
export async function call(app: App, accessToken: string | undefined, path: string) {
  return await localFetch(`${base()}/${path}`, {
    headers: {
      'x-api-subscription-key': app.subscriptionKey,
      accept: 'application/fhir+json',
      origin: 'https://app.example.org',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
  });
}

export async function errorOf(answer: Response): Promise<[number, string]> {
  const { error } = await jsonOf<{ error: string }>(answer);
  return [answer.status, error];
}
