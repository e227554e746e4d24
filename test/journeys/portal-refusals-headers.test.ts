import { beforeAll, describe, expect, it } from 'vitest';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { portalPages } from '../../lambdas/portal/catalog/pages.ts';
import { runningSystem } from './journey.ts';
import { type Answer, type Door, portalDoor } from './portal-door.ts';

/** Security headers of each answer of the portal's host, pages and API. */

let door: Door;
beforeAll(() => {
  door = portalDoor(runningSystem());
});

function policy(): string {
  const { port } = runningSystem();
  const host = (name: string) => `http://${name}.sandbox.localhost:${port}`;
  const called = ['auth', 'token', ...lineOfBusinessCodes.map((lob) => `${lob.toLowerCase()}.api`)].map(host);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${called.join(' ')}`,
    "worker-src 'self'",
    "frame-src 'none'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types portal',
  ].join('; ');
}

function expectSecure({ headers }: Answer): void {
  expect(headers).toMatchObject({
    'content-security-policy': policy(),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(headers['permissions-policy']).toContain('camera=()');
  const cors = Object.keys(headers).filter((name) => name.startsWith('access-control'));
  expect(cors).toEqual([]);
  expect(headers).not.toHaveProperty('x-powered-by');
}

const session = { cookie: `__Host-session=${'A'.repeat(43)}`, origin: 'https://evil.example' };

describe('a page', () => {
  it.each([
    ...portalPages.prerendered,
    ...portalPages.application,
  ])('has the headers of the host, sets no cookie and runs nothing of its own: %s', async (path) => {
    const answer = await door.knock('GET', path, { headers: session });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expectSecure(answer);
    expect(answer.setCookies).toEqual([]);
    expect(answer.text).not.toMatch(/<script(?![^>]*\ssrc=)/i);
    expect(answer.text).not.toMatch(/<style|<[^>]+\s(?:style|on[a-z]+)=|javascript:/i);
    const loaded = [...answer.text.matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="([^"]*)"/g)];
    for (const [, url = ''] of loaded) expect(url).toMatch(/^(?:\/(?!\/)|data:image\/)/);
  });

  it.each([
    '/nothing',
    '/docs/nothing',
    '/SIGN-IN',
    '/app.js.map',
    '/assets/../secrets.txt',
    '/.env',
    '/docs/errors/x',
  ])('that isn’t there is 404 with the same headers: %s', async (path) => {
    const answer = await door.knock('GET', path, { headers: session });
    expect(answer.status).toBe(404);
    expectSecure(answer);
    expect(answer.setCookies).toEqual([]);
  });

  it.each([
    '//evil.example/',
    '/\\evil.example/',
    '//evil.example/sign-in/',
    '/%5cevil.example/',
    '/sign-in//evil.example/',
  ])('leads to no other host: %s', async (path) => {
    const { headers } = await door.knock('GET', path);
    const location = headers.location;
    if (location !== undefined) expect(new URL(location, door.origin).origin).toBe(door.origin);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('takes no %s', async (method) => {
    const answer = await door.knock(method, '/sign-in', { headers: session });
    expect(answer.status).toBe(403);
    expect(answer.setCookies).toEqual([]);
  });
});

describe('an answer of the API', () => {
  it.each([
    ['GET', '/api/bot-check', 200],
    ['GET', '/api/sandbox/addresses', 200],
    ['GET', '/api/account', 401],
    ['GET', '/api/nothing', 404],
    ['PUT', '/api/account', 405],
    ['OPTIONS', '/api/account', 405],
    ['POST', '/api/session', 403],
  ] as const)('has the headers of the host, is kept nowhere, and is for no other site: %s %s', async (method, path, status) => {
    const headers = {
      ...session,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const answer = await door.knock(method, path, { headers });
    expect(answer.status).toBe(status);
    expectSecure(answer);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toMatch(/^application\/(problem\+)?json$/);
    expect(answer.setCookies.join()).not.toContain('__Host-session=');
  });
});
