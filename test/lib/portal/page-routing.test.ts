import { createContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { portalPages } from '../../../lambdas/portal/catalog/pages.ts';
import { pageRouting, viewerAddressCode } from '../../../lib/portal/edge-functions.ts';
import { restriction, unsupportedSyntax } from '../../../local/cloudfront/viewer-runtime.ts';

const pages = {
  prerendered: ['/', '/docs', '/docs/errors', '/terms'],
  application: ['/sign-in', '/applications', '/try'],
  applicationFile: '/app.html',
  notFoundFile: '/404.html',
  signedInFolder: '/signed-in',
};

interface Value {
  readonly value: string;
  readonly multiValue?: readonly Value[];
}

interface Event {
  readonly context: { readonly eventType: 'viewer-request' | 'viewer-response' };
  readonly viewer?: { readonly ip: string };
  readonly request: {
    readonly uri: string;
    readonly querystring?: Readonly<Record<string, Value>>;
    readonly headers?: Readonly<Record<string, Value>>;
    readonly cookies?: Readonly<Record<string, Value>>;
  };
  readonly response?: { readonly statusCode: number };
}

/** Runs a CloudFront function: calls its global `handler` with JSON, with only the JavaScript features of CloudFront's runtime. */
function run(code: string, event: Event): Record<string, unknown> {
  const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  restriction.runInContext(context);
  new Script(code).runInContext(context);
  const text = new Script(`JSON.stringify(handler(JSON.parse(${JSON.stringify(JSON.stringify(event))})))`);
  return JSON.parse(text.runInContext(context));
}

const asked = (uri: string, querystring: Readonly<Record<string, Value>> = {}, cookies = {}) =>
  run(pageRouting(pages), {
    context: { eventType: 'viewer-request' },
    request: { uri, querystring, cookies },
  });

const askedSignedIn = (uri: string) => asked(uri, {}, { '__Host-signed-in': { value: '1' } });

const answered = (uri: string, statusCode: number) =>
  run(pageRouting(pages), {
    context: { eventType: 'viewer-response' },
    request: { uri },
    response: { statusCode },
  }).statusCode;

describe('the file of a path', () => {
  it.each([
    ['/', '/index.html'],
    ['/docs', '/docs/index.html'],
    ['/docs/errors', '/docs/errors/index.html'],
    ['/sign-in', '/app.html'],
    ['/applications', '/app.html'],
    ['/applications/a1/production', '/app.html'],
    ['/applications/name.with.dots', '/app.html'],
    ['/try/callback', '/app.html'],
    ['/assets/page-ABCD.js', '/assets/page-ABCD.js'],
    ['/favicon.ico', '/favicon.ico'],
    ['/index.html', '/index.html'],
  ])('of %s is %s', (uri, file) => {
    expect(asked(uri)).toMatchObject({ uri: file });
  });

  it.each([
    '/nothing',
    '/applicationsx',
    '/docs/nothing',
    '/nothing/',
    '/Docs',
    '/__proto__',
    '/constructor',
    '//docs',
    '/docs/..',
    '/api',
  ])('of %s, which is no page, is the page of what is not found', (uri) => {
    const file = uri.endsWith('..') ? uri : '/404.html';
    expect(asked(uri)).toMatchObject({ uri: file });
  });

  it('is known for every page there is', () => {
    const code = pageRouting();
    const of = (uri: string) =>
      run(code, { context: { eventType: 'viewer-request' }, request: { uri, querystring: {}, cookies: {} } })
        .uri;
    for (const page of portalPages.prerendered) expect(of(page), page).toMatch(/\/index\.html$/);
    for (const page of portalPages.application) expect(of(page), page).toBe(portalPages.applicationFile);
    // CloudFront's limit is 10 KB; the function's size must not grow with the site.
    expect(Buffer.byteLength(code)).toBeLessThan(10_000);
  });
});

describe('the file for a browser that may be signed in', () => {
  it.each([
    ['/', '/signed-in/index.html'],
    ['/docs', '/signed-in/docs/index.html'],
    ['/terms', '/signed-in/terms/index.html'],
    ['/nothing', '/signed-in/404.html'],
    ['/sign-in', '/app.html'],
    ['/applications/a1', '/app.html'],
    ['/assets/page-ABCD.js', '/assets/page-ABCD.js'],
    ['/docs/portal-openapi.json', '/docs/portal-openapi.json'],
  ])('of %s is %s', (uri, file) => {
    expect(askedSignedIn(uri)).toMatchObject({ uri: file });
  });

  it('is chosen by that cookie alone, and only while it is there', () => {
    const others = { '__Host-session': { value: 'A' }, 'signed-in': { value: '1' } };
    expect(asked('/docs', {}, others)).toMatchObject({ uri: '/docs/index.html' });
  });
});

describe('a trailing slash', () => {
  it.each([
    ['/docs/', '/docs'],
    ['/docs///', '/docs'],
    ['/applications/a1/', '/applications/a1'],
  ])('leads from %s to %s', (uri, location) => {
    expect(asked(uri)).toEqual({
      statusCode: 301,
      statusDescription: 'Moved Permanently',
      headers: { location: { value: location } },
    });
  });

  it('takes the query along as it came', () => {
    const query = {
      code: { value: 'a%20b' },
      tag: { value: 'x', multiValue: [{ value: 'x' }, { value: 'y' }] },
      plain: { value: '' },
    };
    expect(asked('/try/callback/', query)).toMatchObject({
      headers: { location: { value: '/try/callback?code=a%20b&tag=x&tag=y&plain' } },
    });
  });

  it.each([
    '//evil.example/',
    '///',
    '//evil.example/docs/',
    '/\\evil.example/',
  ])('leads nowhere else: %s', (uri) => {
    expect(asked(uri)).not.toHaveProperty('statusCode');
  });
});

describe('the status of an answer', () => {
  it.each([
    ['/404.html', 200, 404],
    ['/nothing', 200, 404],
    ['/signed-in/404.html', 200, 404],
    ['/signed-in', 200, 404],
    ['/signed-in/docs/index.html', 200, 200],
    ['/404.html', 304, 304],
    ['/docs', 200, 200],
    ['/docs/index.html', 200, 200],
    ['/app.html', 200, 200],
    ['/assets/page-ABCD.js', 200, 200],
  ])('to %s, from the bucket %i, is %i', (uri, from, to) => {
    expect(answered(uri, from)).toBe(to);
  });
});

describe('the code of both functions', () => {
  it.each([pageRouting(), viewerAddressCode])('is what cloudfront-js-2.0 reads', (code) => {
    expect(unsupportedSyntax(code)).toBeUndefined();
  });
});

describe('the viewer’s address', () => {
  it('is the one CloudFront saw, whatever the viewer says', () => {
    const changed = run(viewerAddressCode, {
      context: { eventType: 'viewer-request' },
      viewer: { ip: '198.51.100.7' },
      request: { uri: '/api/session', headers: { 'x-viewer-address': { value: '127.0.0.1' } } },
    });
    expect(changed.headers).toEqual({ 'x-viewer-address': { value: '198.51.100.7' } });
  });
});
