import { afterAll, describe, expect, it } from 'vitest';
import { theMember, theRedirectUri } from './builders.ts';
import { type Call, cookieOf, eventOf, headerOf, hiddenFields, redirectOf } from './events.ts';
import { startHandlerWorld, uncoveredName } from './handler-world.ts';
import { authorizationQuery, consentForm, openConsent, openSignIn, signInForm } from './journey.ts';

const world = await startHandlerWorld();
afterAll(() => world.stop());
const { clientId } = await world.register();

const query = () => authorizationQuery(clientId);
const send = async (call: Call) => await world.authorize(eventOf(call));

describe('the authorization endpoint', () => {
  it.each([
    'dsnp/authorize',
    'DSNP/authorize',
    'dsnp/authorize/',
    'DSNP/authorize/',
  ])('shows the sign-in page at %s', async (path) => {
    const page = await send({ path: `/fhir-oauth2/sec/${path}`, query: query() });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Member ID or e-mail');
  });

  it('takes the same request as a form', async () => {
    const page = await send({ path: '/fhir-oauth2/sec/dsnp/authorize', form: query() });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Password');
  });

  it.each([
    'dSNP/authorize',
    'nolob/authorize',
    '/authorize',
    'dsnp/unknown',
    'dsnp',
    'dsnp/authorize/more',
  ])('has no page at %s', async (path) => {
    const page = await send({ path: `/fhir-oauth2/sec/${path}`, query: query() });
    expect(page.statusCode).toBe(404);
    expect(headerOf(page, 'content-type')).toBe('text/html; charset=utf-8');
  });

  it.each(['PUT', 'DELETE', 'HEAD', 'PATCH'])('does not know %s', async (method) => {
    const page = await send({ method, path: '/fhir-oauth2/sec/dsnp/authorize', query: query() });
    expect(page.statusCode).toBe(405);
    expect(headerOf(page, 'allow')).toBe('GET, POST');
  });

  it('shows a page and never redirects to an unregistered address', async () => {
    const page = await send({
      path: '/fhir-oauth2/sec/dsnp/authorize',
      query: authorizationQuery(clientId, { redirect_uri: 'https://evil.example/' }),
    });
    expect(page.statusCode).toBe(400);
    expect(headerOf(page, 'location')).toBe('');
    expect(page.body).not.toContain('evil.example');
    expect(headerOf(page, 'content-security-policy')).not.toContain('evil.example');
  });

  it('tells the application of its mistake, with state and iss', async () => {
    const answer = await send({
      path: '/fhir-oauth2/sec/dsnp/authorize',
      query: authorizationQuery(clientId, { response_type: 'token' }),
    });
    expect(answer.statusCode).toBe(303);
    expect(headerOf(answer, 'location').startsWith(`${theRedirectUri}?`)).toBe(true);
    expect(Object.fromEntries(redirectOf(answer))).toEqual({
      error: 'unsupported_response_type',
      error_description: 'response_type must be code',
      state: 'state-1',
      iss: 'https://auth.sandbox.example.org/fhir-oauth2/dsnp',
    });
  });

  it('gives a state back as it came, whatever is in it', async () => {
    const state = 'a b&c=d"<script>\r\nSet-Cookie: x=y é%00';
    const answer = await send({
      path: '/fhir-oauth2/sec/dsnp/authorize',
      query: authorizationQuery(clientId, { response_type: 'token', state }),
    });
    expect(redirectOf(answer).get('state')).toBe(state);
    expect(headerOf(answer, 'location')).toMatch(/^[\x21-\x7e]+$/);
  });

  it.each([
    ['malformed percent encoding', { form: 'client_id=%zz' }],
    ['a body of another type', { json: { client_id: 'x' } }],
    ['a body that is too large', { form: `client_id=${'x'.repeat(20_000)}` }],
  ])('answers a form with %s by a page', async (_what, call) => {
    const page = await send({ path: '/fhir-oauth2/sec/dsnp/authorize', ...call });
    expect(page.statusCode).toBe(400);
    expect(headerOf(page, 'content-type')).toBe('text/html; charset=utf-8');
  });
});

describe('the sign-in page', () => {
  it('lets nothing be framed, kept, loaded or run', async () => {
    const { page } = await openSignIn(world, query());
    expect(headerOf(page, 'cache-control')).toBe('no-store');
    expect(headerOf(page, 'x-content-type-options')).toBe('nosniff');
    expect(headerOf(page, 'content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; form-action 'self' https:\/\/app\.example\.com; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(page.body).not.toContain('<script');
    expect(page.body.length).toBeLessThan(15_000);
  });

  it('keeps its secret in a cookie of its own', async () => {
    const [one, two] = [await openSignIn(world, query()), await openSignIn(world, query())];
    expect(headerOf(one.page, 'set-cookie')).toMatch(
      /^__Host-interaction-[\w-]{11}=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=900$/,
    );
    expect(one.cookie.split('=')[0]).not.toBe(two.cookie.split('=')[0]);
    expect(one.page.body).not.toContain(one.cookie.split('=')[1]);
  });

  it('works in two tabs of one browser', async () => {
    const [one, two] = [await openSignIn(world, query()), await openSignIn(world, query())];
    const cookie = `${one.cookie}; ${two.cookie}`;
    for (const opened of [two, one]) {
      expect((await send(signInForm({ ...opened, cookie }))).statusCode).toBe(303);
    }
  });

  it.each([
    ['an unknown name', { username: 'NOBODY01', password: theMember.password }],
    ['a wrong password', { username: theMember.memberId, password: 'wrong' }],
    [
      'the right password of a member without this plan',
      { username: uncoveredName(), password: theMember.password },
    ],
  ])('answers %s with the same words, and keeps the name only', async (_what, credentials) => {
    const opened = await openSignIn(world, query());
    const page = await send(signInForm(opened, credentials));
    expect(page.statusCode).toBe(400);
    expect(page.body).toContain('We could not sign you in to your Medicare Advantage Dual-Eligible');
    expect(page.body).toContain(`value="${credentials.username}"`);
    expect(page.body).not.toContain(credentials.password);
    expect(page.body).toContain('role="alert"');
    expect((await send(signInForm(opened))).statusCode).toBe(303);
  });

  it('escapes what was typed', async () => {
    const page = await send(
      signInForm(await openSignIn(world, query()), { username: '"><script>x</script>', password: 'x' }),
    );
    expect(page.body).not.toContain('<script>');
  });

  it.each([
    [{ username: '', password: 'x' }, 'Enter your member ID or e-mail'],
    [{ username: 'DSNP0001', password: '' }, 'Enter your password'],
  ])('asks for what is missing in %j', async (credentials, text) => {
    const page = await send(signInForm(await openSignIn(world, query()), credentials));
    expect(page.statusCode).toBe(400);
    expect(page.body).toContain(text);
  });

  it('leads a form sent twice on to the consent page', async () => {
    const opened = await openSignIn(world, query());
    const [first, second] = [await send(signInForm(opened)), await send(signInForm(opened))];
    expect(headerOf(second, 'location')).toBe(headerOf(first, 'location'));
  });
});

describe('a form that is not from our page', () => {
  const foreign: readonly [string, Readonly<Record<string, string>>][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin it would name', { origin: 'null' }],
    ['the same host over http', { origin: 'http://auth.sandbox.example.org' }],
    ['a browser that says cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a browser that says same-site', { 'sec-fetch-site': 'same-site' }],
  ];

  it.each(foreign)('but from %s is refused at the sign-in', async (_what, headers) => {
    const form = signInForm(await openSignIn(world, query()));
    const page = await send({ ...form, headers: { ...form.headers, ...headers } });
    expect(page.statusCode).toBe(403);
  });

  it.each(foreign)('but from %s is refused at the consent', async (_what, headers) => {
    const form = consentForm(await openConsent(world, query()), 'share');
    const page = await send({ ...form, headers: { ...form.headers, ...headers } });
    expect(page.statusCode).toBe(403);
    expect(headerOf(page, 'location')).toBe('');
  });

  it('is refused without the cookie, with another tab’s cookie, or with another form’s token', async () => {
    const [mine, other] = [await openConsent(world, query()), await openConsent(world, query())];
    const [, secret] = other.cookie.split('=');
    const statuses = [
      await send(consentForm({ ...mine, cookie: '' }, 'share')),
      await send(consentForm({ ...mine, cookie: other.cookie }, 'share')),
      await send(consentForm({ ...mine, cookie: `${mine.cookie.split('=')[0]}=${secret}` }, 'share')),
      await send(consentForm({ ...mine, cookie: `${mine.cookie}; ${mine.cookie}` }, 'share')),
      await send(
        consentForm(
          { ...mine, fields: { ...mine.fields, form_token: other.fields.form_token ?? '' } },
          'share',
        ),
      ),
      await send(consentForm({ ...mine, fields: { interaction: mine.fields.interaction ?? '' } }, 'share')),
      await send(consentForm({ ...mine, fields: { form_token: mine.fields.form_token ?? '' } }, 'share')),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([400, 400, 403, 400, 403, 403, 400]);
    expect((await send(consentForm(mine, 'share'))).statusCode).toBe(303);
  });

  it('is taken from a program that says nothing of where it comes from', async () => {
    const form = signInForm(await openSignIn(world, query()));
    const { cookie = '' } = form.headers ?? {};
    expect((await send({ ...form, headers: { cookie } })).statusCode).toBe(303);
  });
});

describe('the consent page', () => {
  it('says what is shared, with whom and until when', async () => {
    const { page } = await openConsent(world, query());
    expect(page.statusCode).toBe(200);
    for (const text of [
      'Share your data with Steps Health?',
      theMember.displayName,
      'Your details',
      'from app.example.com',
      'https://app.example.com/privacy',
      'for 30 minutes after you agree',
      '>Share my data</button>',
      '>Don&#39;t share</button>',
    ]) {
      expect(page.body).toContain(text);
    }
    expect(page.body).not.toContain('Be careful');
    expect(page.body).not.toContain('<script');
    expect(page.body.length).toBeLessThan(15_000);
  });

  it('warns above the list where the application is not attested', async () => {
    const client = await world.register({ attested: false, displayName: '<b>Free Gifts</b>' });
    const { page } = await openConsent(world, authorizationQuery(client.clientId));
    expect(page.body).not.toContain('<b>');
    expect(page.body.indexOf('Be careful')).toBeGreaterThan(0);
    expect(page.body.indexOf('Be careful')).toBeLessThan(page.body.indexOf('What you share'));
  });

  it('links to web addresses only', async () => {
    const client = await world.register({
      privacyUri: 'javascript:alert(1)',
      termsOfServiceUri: 'data:text/html,x',
    });
    const { page } = await openConsent(world, authorizationQuery(client.clientId));
    expect(page.body).not.toMatch(/javascript:|data:/);
    expect(page.body).toContain('not given us a link to its privacy policy');
  });

  it('is not to be had before the sign-in', async () => {
    const { cookie, fields } = await openSignIn(world, query());
    const page = await send({
      path: '/fhir-oauth2/sec/dsnp/consent',
      query: `interaction=${fields.interaction}`,
      headers: { cookie },
    });
    expect(page.statusCode).toBe(400);
    expect((await send(consentForm({ cookie, fields }, 'share'))).statusCode).toBe(400);
  });

  it('is not to be had in another LOB', async () => {
    const opened = await openConsent(world, query());
    const form = consentForm(opened, 'share');
    const page = await send({ ...form, path: form.path.replace('dsnp', 'mapd') });
    expect(page.statusCode).toBe(400);
  });

  it('tells the application when the member does not agree', async () => {
    const answer = await send(consentForm(await openConsent(world, query()), 'decline'));
    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer).get('error')).toBe('access_denied');
    expect(redirectOf(answer).get('state')).toBe('state-1');
    expect(redirectOf(answer).has('code')).toBe(false);
  });

  it('takes one answer, whichever is first', async () => {
    const opened = await openConsent(world, query());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send(consentForm(opened, index % 2 === 0 ? 'share' : 'decline')),
      ),
    );
    // The same answer again is answered alike, the other one with an error page.
    const led = answers.filter(({ statusCode }) => statusCode === 303);
    expect(new Set(led.map((answer) => headerOf(answer, 'location'))).size).toBe(1);
    expect(led.length).toBeLessThanOrEqual(10);
    expect(answers.filter(({ statusCode }) => statusCode === 400).length).toBeGreaterThanOrEqual(10);
  });

  it('asks again for an answer that is none', async () => {
    const opened = await openConsent(world, query());
    const form = consentForm(opened, 'share');
    const page = await send({ ...form, form: { ...opened.fields, answer: 'maybe' } });
    expect(page.statusCode).toBe(400);
    expect((await send(consentForm(opened, 'share'))).statusCode).toBe(303);
  });

  it('is closed to an application suspended meanwhile', async () => {
    const client = await world.register();
    const opened = await openConsent(world, authorizationQuery(client.clientId));
    await world.register({ ...client, state: 'suspended' });
    const page = await send(consentForm(opened, 'share'));
    expect(page.statusCode).toBe(400);
    expect(headerOf(page, 'location')).toBe('');
  });

  it('lets the form lead to an app’s own scheme', async () => {
    const redirect_uri = 'com.example.steps:/callback';
    const client = await world.register({ redirectUris: [redirect_uri] });
    const opened = await openConsent(world, authorizationQuery(client.clientId, { redirect_uri }));
    expect(headerOf(opened.page, 'content-security-policy')).toContain(
      "form-action 'self' com.example.steps:;",
    );
    const answer = await send(consentForm(opened, 'share'));
    expect(headerOf(answer, 'location')).toMatch(/^com\.example\.steps:\/callback\?code=/);
  });
});

it('writes no secret and nothing of the member into a log line', async () => {
  const opened = await openConsent(world, query());
  const answer = await send(consentForm(opened, 'share'));
  const secrets = [
    cookieOf(opened.page),
    hiddenFields(opened.page.body).form_token,
    redirectOf(answer).get('code'),
    theMember.password,
    theMember.memberId,
    theMember.displayName,
    theMember.patientId,
  ];
  for (const secret of secrets.filter((text) => text !== '' && typeof text === 'string')) {
    expect(world.logLines.join('\n')).not.toContain(secret);
  }
});
