import { describe, expect, it } from 'vitest';
import { configOf, files, serveSite } from './site.ts';

/** A site with one CloudFront function in front of its pages. */
function withFunction(code: string, EventType = 'viewer-request') {
  return serveSite((resources) => {
    Object.assign(resources.Rewrite?.Properties ?? {}, { FunctionCode: code });
    const FunctionARN = { 'Fn::GetAtt': ['Rewrite', 'FunctionARN'] };
    const association = { EventType, FunctionARN };
    configOf(resources).DefaultCacheBehavior.FunctionAssociations = [association];
    const [api] = configOf(resources).CacheBehaviors;
    Object.assign(api ?? {}, { FunctionAssociations: [association] });
  });
}

describe('a viewer-request function', () => {
  it('may rewrite the address, after the behaviour is chosen', async () => {
    expect((await serveSite().get('/guides/start')).body).toBe(files['guides/start.html']);
    const portal = withFunction("function handler(e) { e.request.uri = '/api/pets'; return e.request; }");
    expect((await portal.get('/anything')).status).toBe(403);
    expect(portal.events).toEqual([]);
  });

  it('sees the event of the specification', async () => {
    const portal = withFunction(
      'function handler(event) { return { statusCode: 200, headers: {}, body: JSON.stringify(event) }; }',
    );
    const { body } = await portal.get('/api/a%20b?x=1&x=2&y=', {
      method: 'POST',
      headers: [
        ['Cookie', 'a=1; b=2'],
        ['Accept', 'text/html'],
        ['Accept', 'text/plain'],
        ['Connection', 'close'],
      ],
    });
    expect(JSON.parse(body)).toEqual({
      version: '1.0',
      context: {
        distributionDomainName: expect.stringMatching(/\.cloudfront\.net$/),
        distributionId: expect.stringMatching(/^E/),
        eventType: 'viewer-request',
        requestId: 'extended=',
      },
      viewer: { ip: '127.0.0.1' },
      request: {
        method: 'POST',
        uri: '/api/a%20b',
        querystring: { x: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] }, y: { value: '' } },
        headers: {
          host: { value: 'portal.localhost:8080' },
          accept: { value: 'text/html', multiValue: [{ value: 'text/html' }, { value: 'text/plain' }] },
        },
        cookies: { a: { value: '1' }, b: { value: '2' } },
      },
    });
  });

  it('may change query, headers and cookies of a request to the API', async () => {
    const portal = withFunction(`async function handler(event) {
      const request = event.request;
      request.querystring = { page: { value: '2' } };
      request.headers['x-added'] = { value: 'yes' };
      delete request.cookies.b;
      return request;
    }`);
    await portal.get('/api/pets?drop=1', { headers: [['Cookie', 'a=1; b=2']] });
    expect(portal.events[0]?.queryStringParameters).toEqual({ page: '2' });
    expect(portal.events[0]?.headers).toMatchObject({ 'x-added': 'yes', cookie: 'a=1' });
  });

  it('may answer by itself', async () => {
    const portal = withFunction(`function handler() {
      return {
        statusCode: 302,
        headers: { location: { value: '/en/' } },
        cookies: { seen: { value: '1', attributes: 'Path=/; Secure' } },
      };
    }`);
    const answer = await portal.get('/');
    expect([answer.status, answer.header('location'), answer.header('set-cookie')]).toEqual([
      302,
      '/en/',
      'seen=1; Path=/; Secure',
    ]);
    expect(answer.header('x-cache')).toBe('FunctionGeneratedResponse from cloudfront');
  });

  it.each([
    ['throws', 'function handler() { throw new Error("no"); }'],
    ['runs on', 'function handler() { for (;;); }'],
    ['runs on after an await', 'async function handler() { await null; for (;;); }'],
    ['never answers', 'function handler() { return new Promise(() => {}); }'],
    ['is not there', 'function other() {}'],
    ['flattens, which the runtime cannot', 'function handler() { [1].flatMap((n) => n); }'],
    [
      'makes an object of entries, which the runtime cannot',
      'function handler() { Object.fromEntries([]); }',
    ],
    ['keeps a Set, which the runtime has not', 'function handler() { new Set(); }'],
    ['reads the event as an URL, which the runtime cannot', 'function handler() { new URL("http://a"); }'],
    ['makes code of text', 'function handler(e) { eval("1"); return e.request; }'],
    ['asks for a timer', 'function handler(e) { setTimeout(() => {}, 1); return e.request; }'],
    ['asks for the process', 'function handler(e) { process.exit(1); }'],
    [
      'breaks out of its globals',
      'function handler(e) { return this.constructor.constructor("return process")(); }',
    ],
  ])('that %s fails the request with 503', async (_what, code) => {
    const portal = withFunction(code);
    expect((await portal.get('/index.html')).status).toBe(503);
    expect(portal.lines.join()).toContain('its function failed');
  });

  it.each([
    ['returns nothing', 'function handler() {}'],
    ['changes the host', "function handler(e) { e.request.headers.host.value = 'x'; return e.request; }"],
    ['changes the method', "function handler(e) { e.request.method = 'PUT'; return e.request; }"],
    [
      'adds a header it may not',
      "function handler(e) { e.request.headers.upgrade = { value: 'x' }; return e.request; }",
    ],
    ['names no path', "function handler(e) { e.request.uri = 'x'; return e.request; }"],
  ])('that %s is invalid: 502', async (_what, code) => {
    expect((await withFunction(code).get('/index.html')).status).toBe(502);
  });

  it('works again after a call that had to be stopped', async () => {
    const portal = withFunction(
      "function handler(event) { if (event.request.uri === '/loop') for (;;); return { statusCode: 204 }; }",
    );
    expect((await portal.get('/loop')).status).toBe(503);
    expect((await portal.get('/')).status).toBe(204);
  });

  it('shares no variable between calls', async () => {
    const portal = withFunction(
      'let count = 0; function handler() { count += 1; return { statusCode: 200, body: String(count) }; }',
    );
    expect((await portal.get('/')).body).toBe('1');
    expect((await portal.get('/')).body).toBe('1');
  });
});

describe('a viewer-response function', () => {
  it('may change headers of an answer, not of an error', async () => {
    const portal = withFunction(
      `function handler(event) {
        event.response.headers['x-seen'] = { value: event.request.uri };
        return event.response;
      }`,
      'viewer-response',
    );
    const page = await portal.get('/guides/start.html');
    expect([page.header('x-seen'), page.body]).toEqual(['/guides/start.html', files['guides/start.html']]);
    expect((await portal.get('/missing.html')).header('x-seen')).toBeUndefined();
  });
});

describe('the runtime', () => {
  it('has what AWS lists of it', async () => {
    const used = `async function handler(event) {
      const texts = ['a,b'.split(','), Object.values({ c: 'c' }), Object.entries({})];
      const all = [].concat.apply([], texts).filter((each) => each.includes('a') || 'bc'.startsWith(each, 0));
      const answers = await Promise.all(all.map((each) => Promise.resolve(each.padStart(2, '-'))));
      const found = /(?<letter>[a-z])$/.exec(answers.join('').replaceAll('-', ''));
      const more = (...rest) => rest.reduce((sum, each) => sum + each ** 2, 0);
      const body = \`\${answers.find((each) => each === '-a')} \${found.groups.letter} \${more(1, 2)} \${Math.max(1, 2)}\`;
      return { statusCode: 200, body: JSON.stringify([body, new Date(0).toISOString(), decodeURIComponent('%20')]) };
    }`;
    const { status, body } = await withFunction(used).get('/');
    expect([status, JSON.parse(body)]).toEqual([200, ['-a b 5 2', '1970-01-01T00:00:00.000Z', ' ']]);
  });

  it.each([
    ['destructuring', 'function handler({ request }) { return request; }'],
    ['for-of', 'function handler(event) { for (const each of [event]) return each.request; }'],
    ['a class', 'class Page {} function handler(event) { return event.request; }'],
    ['optional chaining', 'function handler(event) { return event?.request; }'],
    ['a default', 'function handler(event, other = 1) { return event.request; }'],
    ['spread', 'function handler(event) { return { ...event.request }; }'],
  ])('does not read %s: refused at the start', (_what, code) => {
    expect(() => withFunction(code)).toThrow("cloudfront-js-2.0 can't read its code");
  });
});

describe('a function this machine can not run', () => {
  it.each([
    ['modules', "const crypto = require('crypto'); function handler() {}", 'modules are not implemented'],
    ['imports', "import cf from 'cloudfront';\nfunction handler() {}", 'modules are not implemented'],
    ['broken code', 'function handler( {', "its code can't be read"],
    ['too much code', `function handler() {} // ${'x'.repeat(10_240)}`, 'larger than 10240 bytes'],
  ])('is refused at the start: %s', (_what, code, message) => {
    expect(() => withFunction(code)).toThrow(message);
  });

  it('is refused for a runtime of another time', () => {
    expect(() =>
      serveSite((resources) => {
        Object.assign(resources.Rewrite?.Properties ?? {}, {
          FunctionConfig: { Runtime: 'cloudfront-js-1.0' },
        });
      }),
    ).toThrow('the runtime cloudfront-js-1.0 is not implemented on one machine');
  });
});
