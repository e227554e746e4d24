import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, describe, expect, it } from 'vitest';
import { type Call, cookieOf, eventOf, headerOf } from '../authorization/events.ts';
import { startHandlerWorld } from '../authorization/handler-world.ts';
import {
  authorizationQuery,
  consentForm,
  openConsent,
  openSignIn,
  signInForm,
} from '../authorization/journey.ts';

/**
 * Forms that no page of ours sent, or that were sent from another browser (CSRF, session fixation), and pages in a frame (clickjacking).
 */

const world = await startHandlerWorld();
afterAll(() => world.stop());
const { clientId } = await world.register();

const query = (changes: Record<string, string> = {}) => authorizationQuery(clientId, changes);
const send = async (call: Call) => await world.authorize(eventOf(call));
type Opened = Awaited<ReturnType<typeof openSignIn>>;
type Form = { readonly headers: Record<string, string>; readonly form: Record<string, string> };

/** A valid form of each page. */
const forms: readonly {
  readonly page: string;
  readonly open: () => Promise<Opened>;
  readonly good: (opened: Opened) => Call;
}[] = [
  { page: 'sign-in', open: () => openSignIn(world, query()), good: signInForm },
  {
    page: 'consent (share)',
    open: () => openConsent(world, query()),
    good: (opened) => consentForm(opened, 'share'),
  },
  {
    page: 'consent (decline)',
    open: () => openConsent(world, query()),
    good: (opened) => consentForm(opened, 'decline'),
  },
];

/** Forgeries of a valid form. `other` is an interaction of another browser at the same step. */
const forgeries: readonly (readonly [string, (form: Form, other: Opened) => Form])[] = [
  ['no token', ({ headers, form: { form_token: _, ...form } }) => ({ headers, form })],
  ['an empty token', ({ headers, form }) => ({ headers, form: { ...form, form_token: '' } })],
  ['a wrong token', ({ headers, form }) => ({ headers, form: { ...form, form_token: 'A'.repeat(43) } })],
  [
    'the token of another browser',
    ({ headers, form }, other) => ({ headers, form: { ...form, form_token: other.fields.form_token ?? '' } }),
  ],
  [
    'the cookie’s secret for a token',
    ({ headers, form }) => ({
      headers,
      form: { ...form, form_token: headers.cookie?.split('=')[1] ?? '' },
    }),
  ],
  ['no cookie', ({ headers: { cookie: _, ...headers }, form }) => ({ headers, form })],
  [
    'the cookie of another browser',
    ({ headers, form }, other) => ({ headers: { ...headers, cookie: other.cookie }, form }),
  ],
  [
    'another browser’s secret under this one’s name',
    ({ headers, form }, other) => ({
      headers: {
        ...headers,
        cookie: `${headers.cookie?.split('=')[0]}=${other.cookie.split('=')[1]}`,
      },
      form,
    }),
  ],
  [
    'its cookie twice',
    ({ headers, form }, other) => ({
      headers: {
        ...headers,
        cookie: `${headers.cookie}; ${headers.cookie?.split('=')[0]}=${other.cookie.split('=')[1]}`,
      },
      form,
    }),
  ],
  [
    'a cookie without its prefix',
    ({ headers, form }) => ({
      headers: { ...headers, cookie: headers.cookie?.replace('__Host-', '') ?? '' },
      form,
    }),
  ],
  [
    'the interaction of another browser',
    ({ headers, form }, other) => ({
      headers,
      form: { ...form, interaction: other.fields.interaction ?? '' },
    }),
  ],
  ['no interaction', ({ headers, form: { interaction: _, ...form } }) => ({ headers, form })],
  ...[
    'https://evil.example',
    'null',
    'http://auth.sandbox.example.org',
    'https://auth.sandbox.example.org.evil.example',
    'https://AUTH.sandbox.example.org',
  ].map(
    (origin) =>
      [
        `the origin ${origin}`,
        ({ headers, form }: Form): Form => ({ headers: { ...headers, origin }, form }),
      ] as const,
  ),
  ...['cross-site', 'same-site', 'none'].map(
    (site) =>
      [
        `Sec-Fetch-Site ${site}`,
        ({ headers, form }: Form): Form => ({ headers: { ...headers, 'sec-fetch-site': site }, form }),
      ] as const,
  ),
];

const accepted = (answer: APIGatewayProxyResult) => answer.statusCode === 303;

describe.each(forms)('the form of $page', ({ open, good }) => {
  it.each(forgeries)('is refused with %s, and works afterwards as it should', async (_what, forge) => {
    const [opened, other] = [await open(), await open()];
    const call = good(opened);
    const { headers, form } = forge(
      { headers: { ...call.headers }, form: { ...(call.form as object) } },
      other,
    );
    const answer = await send({ ...call, headers, form });
    expect([400, 403]).toContain(answer.statusCode);
    expect(headerOf(answer, 'location')).toBe('');
    expect(accepted(await send(call))).toBe(true);
  });

  it('is not taken by GET, by another method’s header or in another LOB', async () => {
    const opened = await open();
    const call = good(opened);
    const asQuery = `${new URLSearchParams(call.form as Record<string, string>)}`;
    const { form: _, ...rest } = call;
    const byGet = await send({ ...rest, method: 'GET', query: asQuery });
    expect(accepted(byGet)).toBe(false);
    const overridden = await send({
      ...rest,
      method: 'GET',
      query: asQuery,
      headers: { ...call.headers, 'x-http-method-override': 'POST', 'x-method-override': 'POST' },
    });
    expect(accepted(overridden)).toBe(false);
    expect(accepted(await send({ ...call, path: call.path.replace('dsnp', 'mapd') }))).toBe(false);
    expect(accepted(await send(call))).toBe(true);
  });
});

describe('an interaction', () => {
  it('that an attacker opened is of no use in another browser: the address alone opens nothing', async () => {
    const attacker = await openConsent(world, query());
    const address = {
      path: '/fhir-oauth2/sec/dsnp/consent',
      query: `interaction=${attacker.fields.interaction}`,
    };
    const victim = await send(address);
    expect(victim.statusCode).toBe(400);
    expect(victim.body).not.toContain('Rosa');
    const withTheirOwn = await openSignIn(world, query());
    expect((await send({ ...address, headers: { cookie: withTheirOwn.cookie } })).statusCode).toBe(400);
  });

  it('can’t be planted: the server takes no handle or secret from the request', async () => {
    const planted = `__Host-interaction-AAAAAAAAAAA=${'B'.repeat(43)}`;
    const opened = await send({
      path: '/fhir-oauth2/sec/dsnp/authorize',
      query: `${query()}&interaction=AAAAAAAAAAA`,
      headers: { cookie: planted },
    });
    expect(cookieOf(opened)).toMatch(/^__Host-interaction-[\w-]{11}=[\w-]{43}$/);
    expect(cookieOf(opened)).not.toContain('AAAAAAAAAAA');
    expect(cookieOf(opened)).not.toContain('B'.repeat(43));
    expect(opened.body).not.toContain('AAAAAAAAAAA');
    const consent = { path: '/fhir-oauth2/sec/dsnp/consent', query: 'interaction=AAAAAAAAAAA' };
    expect((await send({ ...consent, headers: { cookie: planted } })).statusCode).toBe(400);
  });

  it('does not skip the sign-in: its consent page and form are closed before it', async () => {
    const opened = await openSignIn(world, query());
    const page = await send({
      path: '/fhir-oauth2/sec/dsnp/consent',
      query: `interaction=${opened.fields.interaction}`,
      headers: { cookie: opened.cookie },
    });
    expect(page.statusCode).toBe(400);
    expect(accepted(await send(consentForm(opened, 'share')))).toBe(false);
    expect(accepted(await send(signInForm(opened)))).toBe(true);
  });
});

describe('no page can be put in a frame, kept, or sniffed', () => {
  const pages: readonly (readonly [string, () => Promise<APIGatewayProxyResult>])[] = [
    ['the sign-in page', async () => (await openSignIn(world, query())).page],
    ['the consent page', async () => (await openConsent(world, query())).page],
    [
      'a failed sign-in',
      async () =>
        await send(signInForm(await openSignIn(world, query()), { username: 'X1', password: 'wrong' })),
    ],
    [
      'a refused form',
      async () => await send({ path: '/fhir-oauth2/sec/dsnp/consent', form: 'answer=share' }),
    ],
    [
      'an unregistered redirect',
      async () =>
        await send({
          path: '/fhir-oauth2/sec/dsnp/authorize',
          query: query({ redirect_uri: 'https://evil.example/' }),
        }),
    ],
    ['an unknown page', async () => await send({ path: '/fhir-oauth2/sec/dsnp/nothing' })],
    ['an unknown LOB', async () => await send({ path: '/fhir-oauth2/sec/none/authorize' })],
    ['a wrong method', async () => await send({ method: 'PUT', path: '/fhir-oauth2/sec/dsnp/authorize' })],
    [
      'an unreachable store',
      () => world.withoutStore(() => send({ path: '/fhir-oauth2/sec/dsnp/authorize', query: query() })),
    ],
  ];

  it.each(pages)('%s', async (_what, open) => {
    const page = await open();
    expect(headerOf(page, 'x-frame-options')).toBe('DENY');
    expect(headerOf(page, 'x-content-type-options')).toBe('nosniff');
    expect(headerOf(page, 'cache-control')).toBe('no-store');
    expect(headerOf(page, 'content-type')).toBe('text/html; charset=utf-8');
    const policy = headerOf(page, 'content-security-policy').split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]),
    );
    expect(policy.join()).not.toMatch(/unsafe|\*|script-src/);
    expect(page.body).not.toMatch(/<script|<iframe|<object|\son[a-z]+=/i);
  });
});
