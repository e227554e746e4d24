import { afterAll, describe, expect, it } from 'vitest';
import { theMember, theRedirectUri, theSecret } from '../authorization/builders.ts';
import { type Call, eventOf, headerOf, redirectOf } from '../authorization/events.ts';
import { origins, startHandlerWorld } from '../authorization/handler-world.ts';
import {
  authorizationQuery,
  consentForm,
  obtainCode,
  openConsent,
  openSignIn,
  signInForm,
  tokenCall,
} from '../authorization/journey.ts';

/** Input that is meant to become markup, a header, a log line or an address. */

const world = await startHandlerWorld();
afterAll(() => world.stop());
const { clientId } = await world.register();

const authorize = '/fhir-oauth2/sec/dsnp/authorize';
const send = async (call: Call) => await world.authorize(eventOf(call));

const markup = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus=alert(1) autofocus x='",
  '</title></style><svg onload=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '{{constructor.constructor("alert(1)")()}}',
  '<!--',
  ']]>',
  'javascript:alert(1)',
];

/** Expects no tag or attribute on the page that our pages do not have, which shows that injected markup stayed text. */
function expectOnlyText(page: string): void {
  const tags = new Set(
    [...page.matchAll(/<\/?([a-z!][a-z0-9-]*)/gi)].map(([, name = '']) => name.toLowerCase()),
  );
  for (const foreign of ['script', 'img', 'svg', 'iframe', 'object', 'embed', 'base', '!--']) {
    expect(tags).not.toContain(foreign);
  }
  const attributes = [...page.matchAll(/<[a-z][^>]*>/gi)].flatMap(([tag]) => [
    ...tag.replace(/"[^"]*"/g, '""').matchAll(/\s([a-z-]+)(?:=|[\s>])/gi),
  ]);
  for (const [, name = ''] of attributes) expect(name).not.toMatch(/^on/i);
  for (const [, address = ''] of page.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
    expect(address).toMatch(/^(\/|#|https?:\/\/|mailto:)/);
  }
}

describe('markup in', () => {
  it.each(markup)('an application’s names stays text: %s', async (text) => {
    const client = await world.register({ clientName: text, displayName: text, attested: false });
    const signIn = await openSignIn(world, authorizationQuery(client.clientId));
    expect(signIn.page.statusCode).toBe(200);
    expectOnlyText(signIn.page.body);
    const consent = await openConsent(world, authorizationQuery(client.clientId));
    expect(consent.page.statusCode).toBe(200);
    expectOnlyText(consent.page.body);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    'https://app.example/"onclick="alert(1)',
    'vbscript:x',
  ])('an application’s addresses becomes no link, even where it got into the store: %s', async (uri) => {
    const client = await world.register({ applicationUri: uri, privacyUri: uri, termsOfServiceUri: uri });
    const { page } = await openConsent(world, authorizationQuery(client.clientId));
    expect(page.statusCode).toBe(200);
    expectOnlyText(page.body);
  });

  it.each(markup)('a user name stays text: %s', async (username) => {
    const opened = await openSignIn(world, authorizationQuery(clientId));
    const page = await send(signInForm(opened, { username, password: 'wrong' }));
    expect(page.statusCode).toBe(400);
    expectOnlyText(page.body);
  });

  it.each(markup)('a request’s parameters reaches no page: %s', async (text) => {
    for (const name of [
      'client_id',
      'redirect_uri',
      'state',
      'scope',
      'nonce',
      'login_hint',
      'ui_locales',
      'prompt',
    ]) {
      const page = await send({ path: authorize, query: authorizationQuery(clientId, { [name]: text }) });
      if (page.body === '') expect(headerOf(page, 'location')).toMatch(/^[\x21-\x7e]+$/);
      else expectOnlyText(page.body);
    }
  });
});

const breaks = [
  '\r\nSet-Cookie: a=b',
  '\nX: y',
  '\r\n\r\n<html>',
  '\0',
  '\u2028',
  '\u0085X: y',
  '%0d%0aX: y',
  '\u560d\u560aX: y',
];

describe('a line break in', () => {
  it.each(breaks)('a state stays inside the redirect: %j', async (text) => {
    const state = `x${text}`;
    for (const changes of [{ response_type: 'token', state }, { state }]) {
      const answer =
        'response_type' in changes
          ? await send({ path: authorize, query: authorizationQuery(clientId, changes) })
          : await send(consentForm(await openConsent(world, authorizationQuery(clientId, changes)), 'share'));
      expect(headerOf(answer, 'location')).toMatch(/^[\x21-\x7e]+$/);
      expect(redirectOf(answer).get('state')).toBe(state);
      expect(Object.keys(answer.headers ?? {}).map((name) => name.toLowerCase())).not.toContain('x');
    }
  });

  it.each(breaks)('no request reaches a header or a log line: %j', async (text) => {
    const before = world.logLines.length;
    const headers = {
      'x-request-id': `mine${text}`,
      'user-agent': `canary-agent${text}`,
      'x-forwarded-for': `canary-for${text}`,
      referer: `https://canary-referer/${text}`,
    };
    const opened = await openSignIn(world, authorizationQuery(clientId));
    const calls = [
      send({ path: authorize, query: authorizationQuery(`canary-client${text}`), headers }),
      send({ path: `${authorize}/canary-path${text}`, headers }),
      send({
        ...signInForm(opened, { username: `canary-user${text}`, password: `canary-password${text}` }),
        headers: { ...signInForm(opened).headers, ...headers },
      }),
      world.token(eventOf(tokenCall(`canary-client${text}`, `canary-code${text}`, { headers }))),
      world.token(
        eventOf({
          ...tokenCall(clientId, `canary-code${text}`),
          headers: { ...tokenCall(clientId, '').headers, ...headers },
        }),
      ),
    ];
    for (const answer of await Promise.all(calls)) {
      for (const value of Object.values(answer.headers ?? {})) {
        expect(String(value)).toMatch(/^[\x20-\x7e]*$/);
        expect(String(value)).not.toContain('canary');
      }
      expect(headerOf(answer, 'x-request-id')).toBe('request-1');
    }
    const lines = world.logLines.slice(before);
    for (const line of lines) {
      expect(line).toMatch(/^\{[\x20-\x7e]*\}$/);
      expect(line).not.toMatch(/canary|mine/);
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), code: expect.any(String) });
    }
  });
});

describe('a secret', () => {
  it('is in no line a function writes, whatever happens to it', async () => {
    const before = world.logLines.length;
    const canaries = [theSecret, theMember.password, theMember.displayName, theMember.memberId];
    const opened = await openConsent(world, authorizationQuery(clientId));
    const shared = await send(consentForm(opened, 'share'));
    const code = redirectOf(shared).get('code') ?? '';
    await world.withoutStore(() => world.token(eventOf(tokenCall(clientId, code))));
    const issued = JSON.parse((await world.token(eventOf(tokenCall(clientId, code)))).body);
    await world.token(eventOf(tokenCall(clientId, code)));
    const lines = world.logLines.slice(before).join('\n');
    expect(lines).not.toBe('');
    const secrets = [
      code,
      issued.access_token,
      issued.id_token,
      opened.cookie.split('=')[1],
      opened.fields.form_token,
    ];
    for (const secret of [...canaries, ...secrets, theMember.patientId]) {
      expect(secret).toMatch(/./);
      expect(lines).not.toContain(secret);
    }
  });
});

describe('an address', () => {
  it.each([
    'login',
    'continue',
    'next',
    'return_to',
    'returnUrl',
    'RelayState',
    'post_logout_redirect_uri',
    'target_link_uri',
    'url',
    'redirect',
    'redirect_uri[]',
  ])('in the parameter %s leads nowhere', async (name) => {
    const evil = { [name]: 'https://evil.example/' };
    const opened = await openSignIn(world, authorizationQuery(clientId, evil));
    expect(opened.page.body).not.toContain('evil.example');
    expect(headerOf(opened.page, 'content-security-policy')).not.toContain('evil.example');
    const form = signInForm(opened);
    const signedIn = await send({
      ...form,
      query: `${new URLSearchParams(evil)}`,
      form: { ...(form.form as object), ...evil },
    });
    expect(headerOf(signedIn, 'location').startsWith(`${origins.auth}/fhir-oauth2/sec/dsnp/consent?`)).toBe(
      true,
    );
    expect(headerOf(signedIn, 'location')).not.toContain('evil');
    const consent = await openConsent(world, authorizationQuery(clientId, evil));
    const answer = consentForm(consent, 'share');
    const shared = await send({ ...answer, form: { ...(answer.form as object), ...evil } });
    expect(headerOf(shared, 'location').startsWith(`${theRedirectUri}?code=`)).toBe(true);
  });

  it.each([
    { host: 'evil.example' },
    { host: 'auth.sandbox.example.org@evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
    { forwarded: 'host=evil.example;proto=http' },
    { 'x-original-url': '/fhir-oauth2/sec/mapd/authorize', 'x-rewrite-url': '/evil' },
    { 'x-http-method-override': 'DELETE' },
    { 'x-forwarded-prefix': '/evil.example' },
  ])('in a header is not believed: %j', async (headers) => {
    const plain = { path: '/fhir-oauth2/dsnp/.well-known/openid-configuration' };
    expect((await world.discovery(eventOf({ ...plain, headers }))).body).toBe(
      (await world.discovery(eventOf(plain))).body,
    );
    const page = await send({ path: authorize, query: authorizationQuery(clientId), headers });
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain('evil');
    const refused = await send({
      path: authorize,
      query: authorizationQuery(clientId, { response_type: 'token' }),
      headers,
    });
    expect(redirectOf(refused).get('iss')).toBe(`${origins.auth}/fhir-oauth2/dsnp`);
    const opened = await openSignIn(world, authorizationQuery(clientId));
    const form = signInForm(opened);
    const signedIn = await send({ ...form, headers: { ...form.headers, ...headers } });
    expect(headerOf(signedIn, 'location').startsWith(`${origins.auth}/`)).toBe(true);
  });
});

describe('a shared cache', () => {
  it('may keep only what is the same for everybody', async () => {
    const held = headerOf(
      await world.discovery(eventOf({ path: '/fhir-oauth2/pub/dsnp/jwks' })),
      'cache-control',
    );
    expect(held).toBe('public, max-age=300');
    const code = await obtainCode(world, authorizationQuery(clientId));
    const answers = await Promise.all([
      world.token(eventOf(tokenCall(clientId, code))),
      world.token(eventOf(tokenCall(clientId, 'unknown'))),
      world.token(eventOf({ method: 'GET', path: '/fhir-oauth2/pub/dsnp/token' })),
      send({ path: authorize, query: authorizationQuery(clientId) }),
      send({ path: authorize, query: authorizationQuery(clientId, { response_type: 'token' }) }),
      send({ path: `${authorize}/x.css`, query: authorizationQuery(clientId) }),
      world.discovery(eventOf({ path: '/nothing.css' })),
    ]);
    for (const answer of answers) expect(headerOf(answer, 'cache-control')).toContain('no-store');
  });
});

describe('an answer that might be mixed up with another server’s', () => {
  it('names its issuer, the one in the metadata, whichever way it goes (RFC 9207)', async () => {
    const metadata = JSON.parse(
      (await world.discovery(eventOf({ path: '/fhir-oauth2/dsnp/.well-known/openid-configuration' }))).body,
    );
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true);
    const opened = async () => await openConsent(world, authorizationQuery(clientId));
    const answers = [
      await send(consentForm(await opened(), 'share')),
      await send(consentForm(await opened(), 'decline')),
      await send({ path: authorize, query: authorizationQuery(clientId, { response_type: 'token' }) }),
      await send({
        path: authorize,
        query: authorizationQuery(clientId, { iss: 'https://evil.example', prompt: 'none' }),
      }),
    ];
    for (const answer of answers) expect(redirectOf(answer).getAll('iss')).toEqual([metadata.issuer]);
  });
});
