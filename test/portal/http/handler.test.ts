import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import {
  noContent,
  problem,
  publicRoute,
  response,
  sessionRead,
  sessionRoute,
} from '../../../lambdas/portal/api/route-handler.ts';
import { portalRoutes } from '../../../lambdas/portal/catalog/portal-routes.ts';
import { checkAccess } from '../../../lambdas/portal/http/check-access.ts';
import { createPortalHandler } from '../../../lambdas/portal/http/handler.ts';
import { developer, echo, handler, signedIn } from '../../platform/http/stubbed-routes.ts';
import { portalEvent, portalOrigin } from './event.ts';

describe('routes', () => {
  it('gives a handler the decoded parameters of the path', async () => {
    const send = handler({
      removeTeamMember: sessionRead(async ({ params }) => response(200, params)),
    });
    const answer = await send({ method: 'DELETE', path: '/api/team/members/a%20b', ...signedIn });
    expect(JSON.parse(answer.body)).toEqual({ accountId: 'a b' });
  });

  it.each([
    '/api/nothing',
    '/api/account/',
    '/api/applications',
    '/api/team/members/%E0%A4%A',
  ])('answers 404 as problem+json for %s', async (path) => {
    const answer = await handler()({ path, ...signedIn });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers).toMatchObject({
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
    });
    expect(answer.problem).toMatchObject({
      type: `${portalOrigin}/docs/errors#not_found`,
      status: 404,
      code: 'not_found',
      requestId: 'gateway-request-1',
    });
  });

  it('names the methods of an address in Allow', async () => {
    const answer = await handler()({ method: 'PUT', path: '/api/account', ...signedIn });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers).toMatchObject({ Allow: 'GET, PATCH' });
  });

  it('refuses to be made with a handler whose session the route does not have', () => {
    expect(() => handler({ signIn: sessionRead(async () => noContent()) })).toThrow('signIn');
  });

  it('sends no CORS header, not even when asked from elsewhere', async () => {
    const answer = await handler()({ path: '/api/bot-check', headers: { Origin: 'https://evil.example' } });
    expect(
      Object.keys(answer.headers ?? {})
        .join()
        .toLowerCase(),
    ).not.toContain('access-control');
  });
});

describe('requests from other sites', () => {
  it.each([
    ['another origin', { Origin: 'https://evil.example' }],
    ['an opaque origin', { Origin: 'null' }],
    ['an origin that begins alike', { Origin: `${portalOrigin}.evil.example` }],
    [
      'another origin that claims to be the same',
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    ],
  ])('are refused: %s', async (_, headers) => {
    const answer = await handler()({ method: 'DELETE', path: '/api/session', headers, ...signedIn });
    expect(answer.problem).toMatchObject({ status: 403, code: 'cross_site_request' });
  });

  it.each([
    ['neither header', {}, 403],
    ['Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['Sec-Fetch-Site: same-origin', { 'Sec-Fetch-Site': 'same-origin' }, 204],
  ])('without Origin and with %s', async (_, headers, status) => {
    const event = portalEvent({ method: 'DELETE', path: '/api/sessions', ...signedIn });
    delete event.headers.Origin;
    const handle = createPortalHandler<'portal-accounts'>({
      origin: portalOrigin,
      routes: { signOutEverywhere: sessionRead(async () => noContent()) } as never,
      sessions: { find: async () => developer },
      log: () => undefined,
    });
    const answer = await handle({ ...event, headers: { ...event.headers, ...headers } });
    expect(answer.statusCode).toBe(status);
  });
});

describe('access', () => {
  it.each([
    ['no cookie', {}],
    ['a cookie of no session', { cookies: { '__Host-session': 'B'.repeat(43) } }],
    ['a cookie of another form', { cookies: { '__Host-session': 'short' } }],
  ])('asks to sign in: %s', async (_, parts) => {
    const answer = await handler()({ path: '/api/account', ...parts });
    expect(answer.problem).toMatchObject({ status: 401, code: 'signed_out' });
    expect(answer.multiValueHeaders?.['Set-Cookie']).toBeUndefined();
  });

  it('opens nothing to the mark of who was signed in, and takes it away once the session has ended', async () => {
    for (const cookies of [{}, { '__Host-session': 'B'.repeat(43) }]) {
      const answer = await handler()({
        path: '/api/account',
        cookies: { ...cookies, '__Host-signed-in': '1' },
      });
      expect(answer.problem).toMatchObject({ status: 401, code: 'signed_out' });
      expect(answer.multiValueHeaders?.['Set-Cookie']).toEqual([
        '__Host-signed-in=; Path=/; Secure; SameSite=Lax; Max-Age=0',
      ]);
    }
  });

  it.each([
    ['pending_email', '/api/account', undefined],
    ['pending_email', '/api/team', 'account_state'],
    ['pending_verification', '/api/team', 'account_state'],
    ['suspended', '/api/account', 'account_suspended'],
    ['locked', '/api/team', 'account_locked'],
    ['closed', '/api/account', 'signed_out'],
    ['active', '/api/team', undefined],
  ] as const)('an account that is %s at %s', async (state, path, code) => {
    const answer = await handler({}, { ...developer, state })({ path, ...signedIn });
    expect(answer.problem?.code).toBe(code);
    if (code === 'account_state') expect(answer.problem.state).toBe(state);
  });

  it('shows an operator their own account and no team', async () => {
    const send = handler({}, { ...developer, role: 'operator' });
    expect((await send({ path: '/api/account', ...signedIn })).statusCode).toBe(204);
    expect((await send({ path: '/api/team', ...signedIn })).problem.code).toBe('not_found');
  });
});

describe('an operator without an authenticator app', () => {
  it.each([
    [true, undefined, 'authenticator_needed'],
    [true, true, undefined],
    [false, undefined, undefined],
    [undefined, undefined, undefined],
  ] as const)('decides where none is needed (%s, %s): %s', (needed, has, refused) => {
    const session = { ...developer, role: 'operator' as const, ...(has ? { hasAuthenticator: has } : {}) };
    expect(checkAccess(portalRoutes.decideApplication, session, needed)?.problem).toBe(refused);
    expect(checkAccess(portalRoutes.beginAuthenticator, session, needed)).toBeUndefined();
  });
});

describe('bodies', () => {
  const send = handler({ updateAccount: echo });
  const patch = async (body: unknown, headers = {}) =>
    await send({ method: 'PATCH', path: '/api/account', body, headers, ...signedIn });

  it('reach the handler as the schema made them, with who is signed in', async () => {
    expect(JSON.parse((await patch({ firstName: 'Dana' })).body)).toEqual({
      got: { firstName: 'Dana' },
      by: 'account-1',
    });
  });

  it.each([
    ['no JSON', '{"firstName":'],
    ['an array', '[]'],
    ['a name twice', '{"firstName":"a","firstName":"b"}'],
    ['a name twice, once escaped', '{"firstName":"a","first\\u004eame":"b"}'],
    ['__proto__', '{"firstName":"a","__proto__":{"state":"active"}}'],
    ['half of a surrogate pair', '{"firstName":"\\ud800"}'],
    ['a thousand levels', `{"firstName":${'['.repeat(1000)}${']'.repeat(1000)}}`],
    ['sixty thousand open brackets', '['.repeat(60_000)],
  ])('that are no plain JSON object are refused: %s', async (_, body) => {
    expect((await patch(body)).problem).toMatchObject({ status: 400, code: 'invalid_json' });
  });

  it('larger than 64 KB are refused, and one of exactly that size is read', async () => {
    const size = (bytes: number) => JSON.stringify({ firstName: 'x'.repeat(bytes - 16) });
    expect(size(65_536)).toHaveLength(65_536);
    expect((await patch(size(65_536))).statusCode).toBe(200);
    expect((await patch(size(65_537))).problem).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    '',
  ])('of the type "%s" are refused', async (type) => {
    const answer = await patch('{"firstName":"a"}', { 'Content-Type': type });
    expect(answer.problem).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it('name what is missing, wrong or unknown by JSON pointer', async () => {
    const deep = sessionRoute(
      z.strictObject({
        uris: z.array(z.string({ error: 'an address' })),
        name: z.string({ error: 'a name' }),
      }),
      async () => noContent(),
    );
    const answer = await handler({ updateAccount: deep })({
      method: 'PATCH',
      path: '/api/account',
      body: { uris: ['https://a.example', 7], state: 'active', 'a/b~c': 1 },
      ...signedIn,
    });
    expect(answer.problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(answer.problem.errors).toEqual([
      { pointer: '/uris/1', code: 'invalid', expected: 'an address' },
      { pointer: '/name', code: 'missing', expected: 'a name' },
      { pointer: '/state', code: 'unknown_field', expected: 'remove this field: it does not exist' },
      { pointer: '/a~1b~0c', code: 'unknown_field', expected: 'remove this field: it does not exist' },
    ]);
  });

  it('refuses a parameter of the query that is sent twice', async () => {
    const answer = await handler()({ path: '/api/account', query: { page: ['1', '2'] }, ...signedIn });
    expect(answer.problem.errors).toEqual([
      { pointer: '/page', code: 'invalid', expected: 'this parameter only once' },
    ]);
  });
});

describe('answers', () => {
  it('carry cookies, each in a header of its own', async () => {
    const send = handler({
      signOutEverywhere: sessionRead(async () => noContent({ cookies: ['a=1', 'b=2'] })),
    });
    const answer = await send({ method: 'DELETE', path: '/api/sessions', ...signedIn });
    expect(answer.multiValueHeaders).toEqual({ 'Set-Cookie': ['a=1', 'b=2'] });
  });

  it('say in header and body when to come again', async () => {
    const busy = publicRoute(z.strictObject({}), async () => problem('too_many_requests', { retryAfter: 8 }));
    const answer = await handler({ signIn: busy })({ method: 'POST', path: '/api/session', body: {} });
    expect(answer.headers).toMatchObject({ 'Retry-After': '8' });
    expect(answer.problem).toMatchObject({ status: 429, retryAfter: 8 });
  });

  it('say nothing of a defect, and of an unreachable store not what became of the request', async () => {
    const log = vi.fn();
    const failing = async (error: Error) => {
      const handle = createPortalHandler<'portal-accounts'>({
        origin: portalOrigin,
        routes: { account: sessionRead(() => Promise.reject(error)) } as never,
        sessions: { find: async () => developer },
        log,
      });
      return await handle(portalEvent({ path: '/api/account', ...signedIn }));
    };
    const defect = await failing(new Error('secret in the message'));
    expect(defect.statusCode).toBe(500);
    expect(defect.body).not.toContain('secret');
    const unavailable = await failing(new StoreUnavailable('gone'));
    expect(unavailable.statusCode).toBe(503);
    expect(unavailable.body).not.toMatch(/nothing was/i);
    expect(unavailable.headers).toMatchObject({ 'Retry-After': '1', 'X-Request-Id': 'gateway-request-1' });
    expect(log).toHaveBeenCalledTimes(2);
  });
});
