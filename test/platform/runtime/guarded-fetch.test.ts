import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import type { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createFetchDocument,
  createGuardedRequest,
  type Network,
} from '../../../lambdas/platform/runtime/guarded-fetch.ts';
import { isPublicAddress } from '../../../lambdas/platform/runtime/public-address.ts';

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '93.184.215.14',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.0.1',
    '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
    '2a00:1450:4001::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '127.255.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'localhost',
    '2130706433',
    '0x7f.1',
    '',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** Starts an application's server on this machine that is treated as a public one. */
async function serving(listener: RequestListener, changes: Partial<Network> = {}) {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const asked: string[] = [];
  const network: Network = {
    resolve: async (hostname) => {
      asked.push(hostname);
      return [{ address: '127.0.0.1', family: 4 }];
    },
    request: ((url: URL, options: object) =>
      httpRequest({ hostname: url.hostname, path: url.pathname, port, ...options })) as typeof httpsRequest,
    isPublic: () => true,
    timeoutMs: 20_000,
    ...changes,
  };
  return { fetchDocument: createFetchDocument(network), network, port, asked };
}

const json: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('{"keys":[]}');
};

describe('a document at an address somebody else chose', () => {
  it('is fetched from the address that was looked at', async () => {
    const { fetchDocument, asked } = await serving(json);
    expect(await fetchDocument('https://app.example.com/jwks')).toBe('{"keys":[]}');
    expect(asked).toEqual(['app.example.com']);
  });

  it.each([
    ['http', 'http://app.example.com/jwks'],
    ['another port', 'https://app.example.com:8443/jwks'],
    ['a user name', 'https://user@app.example.com/jwks'],
    ['a file', 'file:///etc/passwd'],
  ])('is not fetched by %s', async (_what, uri) => {
    const { fetchDocument, asked } = await serving(json);
    await expect(fetchDocument(uri)).rejects.toThrow('not plain https');
    expect(asked).toEqual([]);
  });

  it.each([
    ['the machine itself', ['127.0.0.1']],
    ['the cloud’s metadata', ['169.254.169.254']],
    ['a private address beside a public one', ['93.184.215.14', '10.0.0.1']],
    ['nothing', []],
  ])('is not fetched where the name leads to %s', async (_what, addresses) => {
    let connected = false;
    const { fetchDocument } = await serving(json, {
      resolve: async () => addresses.map((address) => ({ address, family: 4 })),
      isPublic: isPublicAddress,
      request: (() => {
        connected = true;
        throw new Error('connected');
      }) as unknown as typeof httpsRequest,
    });
    await expect(fetchDocument('https://app.example.com/jwks')).rejects.toThrow('not public');
    expect(connected).toBe(false);
  });

  it.each([
    'https://127.0.0.1/jwks',
    'https://[::1]/jwks',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://localhost/jwks',
  ])('is not fetched from %s, by the real network', async (uri) => {
    await expect(createFetchDocument()(uri)).rejects.toThrow('not public');
  });

  it.each<[string, RequestListener, string]>([
    ['redirects', (_q, r) => r.writeHead(302, { location: 'http://169.254.169.254/' }).end(), 'status 302'],
    ['is missing', (_q, r) => r.writeHead(404).end(), 'status 404'],
    ['is a page', (_q, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('{}'), 'not JSON'],
    [
      'is too large',
      (_q, r) => r.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(70_000)),
      'too large',
    ],
  ])('is refused where it %s', async (_what, listener, message) => {
    const { fetchDocument } = await serving(listener);
    await expect(fetchDocument('https://app.example.com/jwks')).rejects.toThrow(message);
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    [
      'never ends',
      (_q, r) => {
        r.writeHead(200, { 'content-type': 'application/json' }).write('{');
      },
    ],
  ])('is given up where it %s', async (_what, listener) => {
    const { fetchDocument } = await serving(listener, { timeoutMs: 200 });
    await expect(fetchDocument('https://app.example.com/jwks')).rejects.toThrow('aborted');
  });

  it('is given up where its name is never resolved', async () => {
    const { fetchDocument } = await serving(json, {
      resolve: () => new Promise(() => undefined),
      timeoutMs: 200,
    });
    await expect(fetchDocument('https://app.example.com/jwks')).rejects.toThrow('no answer in time');
  });
});

describe('a request to a provider of a plan', () => {
  const echo: RequestListener = (request, response) => {
    request.setEncoding('utf8').on('data', (body: string) => {
      response.writeHead(400, { 'content-type': 'text/plain' }).end(`${request.method} ${body}`);
    });
  };
  const post = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hello' };

  it('has a method and a body, and an answer of any status', async () => {
    const { network } = await serving(echo);
    const { status, text } = await createGuardedRequest(network)('https://login.example.com/token', post);
    expect([status, text]).toEqual([400, 'POST hello']);
  });

  it('reaches this machine by http only where that is admitted', async () => {
    const { port } = await serving(echo);
    const uri = `http://localhost:${port}/token`;
    const admitting = createGuardedRequest(undefined, { loopback: true });
    expect((await admitting(uri, post)).text).toBe('POST hello');
    const below = `http://payer.api.localhost:${port}/token`;
    expect((await admitting(below, post)).text).toBe('POST hello');
    await expect(admitting('http://localhost.example.com/token', post)).rejects.toThrow('not plain https');
    await expect(createGuardedRequest()(uri, post)).rejects.toThrow('not plain https');
    await expect(admitting('http://10.0.0.1/token', post)).rejects.toThrow('not plain https');
    await expect(admitting('http://[::1]/token', post)).rejects.toThrow('not plain https');
  });

  it('has a response of at most the bytes that the caller admits', async () => {
    const { network } = await serving((_q, r) => r.writeHead(200).end('x'.repeat(70_000)));
    const send = (options: object) => createGuardedRequest(network, options)('https://payer.example.com/');
    await expect(send({})).rejects.toThrow('too large');
    expect((await send({ mostBytes: 70_000 })).text).toHaveLength(70_000);
    await expect(send({ mostBytes: 69_999 })).rejects.toThrow('too large');
  });
});
