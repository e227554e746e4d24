import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { Answered } from '../../../local/gateway/gateway.ts';
import type { GatewayRequest } from '../../../local/gateway/request.ts';
import { type GatewayServer, type ReadLimits, startServer } from '../../../local/gateway/server.ts';
import { fetchHost, inboxHost } from '../../../local/inbox/inbox-host.ts';

let server: GatewayServer | undefined;
afterEach(() => server?.stop());

const ok: Answered = { answer: { statusCode: 200, headers: [], body: Buffer.from('fine') } };

async function serving(
  answer: (request: GatewayRequest) => Promise<Answered> = async () => ok,
  limits?: ReadLimits,
) {
  const seen: GatewayRequest[] = [];
  const started = await startServer({
    port: 0,
    otherHosts: new Map([[inboxHost, fetchHost(() => new Response('inbox'))]]),
    served: () => {},
    ...(limits && { limits }),
    async answer(request) {
      seen.push(request);
      return await answer(request);
    },
  });
  server = started;
  return { server: started, seen, send: (text: string) => send(started.port, text) };
}

/**
 * Sends a text and returns everything received until the connection ends.
 *
 * @param hangUp whether to reset the connection after sending
 */
async function send(port: number, text: string, hangUp = false): Promise<string> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.write(Buffer.from(text, 'latin1'), () => hangUp && socket.resetAndDestroy());
  });
}

/** Sends the beginning and then the piece again and again. Returns everything received until the connection ends. */
async function drip(port: number, beginning: string, piece: string): Promise<string> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const drops = setInterval(() => socket.write(piece), 50);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(drops);
      resolve(received);
    });
    socket.write(beginning);
  });
}

/** Whether a connection is accepted; it is closed at once. */
async function connects(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
    socket.on('close', (failed) => resolve(!failed));
  });
}

/** Source of a thread that sends `count` calls at once, sets `sent`, and posts the status line or the error of each call. */
const callsFromAnotherThread = `
  const { connect } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const { port, text, count, sent } = workerData;
  let written = 0;
  const call = () => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(text, () => {
      written += 1;
      if (written < count) return;
      Atomics.store(sent, 0, 1);
      Atomics.notify(sent, 0);
    });
    let received = '';
    socket.on('data', (chunk) => { received += chunk; });
    socket.on('error', (error) => resolve(error.code));
    socket.on('close', () => resolve(received.split('\\r\\n')[0]));
  });
  Promise.all(Array.from({ length: count }, call)).then((answers) => parentPort.postMessage(answers));
`;

const request = (line: string, ...headers: readonly string[]) =>
  [`${line} HTTP/1.1`, 'Host: pets.localhost', 'Connection: close', ...headers, '', ''].join('\r\n');

describe('the HTTP server', () => {
  it('takes the host of a target in absolute form', async () => {
    const { send, seen } = await serving();
    await send(request('GET HTTP://Dogs.localhost:8080/a%20b?c=d'));
    await send(request('GET http://dogs.localhost?c'));
    expect(seen.map(({ host, path, query }) => [host, path, query])).toEqual([
      ['dogs.localhost', '/a%20b', 'c=d'],
      ['dogs.localhost', '/', 'c'],
    ]);
    expect(await send(request(`GET http://${inboxHost}/`))).toContain('inbox');
  });

  it.each([
    ['two hosts', request('GET /', 'Host: dogs.localhost')],
    ['a target that is no path', request('OPTIONS *')],
    ['a length and chunks', request('POST /', 'Content-Length: 3', 'Transfer-Encoding: chunked')],
    ['two lengths', request('POST /', 'Content-Length: 3', 'Content-Length: 4')],
    ['a length below zero', request('POST /', 'Content-Length: -3')],
    ['a transfer coding it does not know', request('POST /', 'Transfer-Encoding: xchunked')],
    ['a space before a colon', request('POST /', 'Transfer-Encoding : chunked')],
    ['a folded header', request('GET /', 'X-A: b', ' c')],
    ['a header with a NUL', request('GET /', 'X-A: \0')],
    ['lines that end with LF alone', request('GET /').replaceAll('\r', '')],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('refuses %s with 400, unasked', async (_what, text) => {
    const { send, seen } = await serving();
    expect(await send(text)).toMatch(/^HTTP\/1\.1 400 [^\r]+\r\n/);
    expect(seen).toEqual([]);
  });

  it('answers requests sent one after another in their order', async () => {
    const { send } = await serving(async ({ path }) => {
      await new Promise((resolve) => setTimeout(resolve, path === '/slow' ? 50 : 0));
      return { answer: { ...ok.answer, body: Buffer.from(path) } };
    });
    const first = request('GET /slow').replace('Connection: close\r\n', '');
    const received = await send(first + request('GET /quick'));
    expect(received.indexOf('/slow')).toBeLessThan(received.indexOf('/quick'));
    expect(received.match(/200 OK/g)).toHaveLength(2);
  });

  it('speaks HTTP/1.0, and ignores a wish for another protocol', async () => {
    const { send } = await serving();
    expect(await send('GET / HTTP/1.0\r\nHost: pets.localhost\r\n\r\n')).toContain('200 OK');
    const upgrade = request('GET /', 'Upgrade: websocket').replace('close', 'close, upgrade');
    expect(await send(upgrade)).toContain('200 OK');
  });

  it('outlives connections that break, and methods nobody knows', async () => {
    const { server, send: ask, seen } = await serving();
    await send(server.port, `${request('POST /', 'Content-Length: 1000')}a`, true);
    await ask(request('CONNECT pets.localhost:443'));
    expect(await ask(request('TRACE /').replace('pets.localhost', inboxHost))).toContain('405');
    expect(await ask(request('GET /'))).toContain('fine');
    expect(seen).toHaveLength(1);
  });

  it('answers 500 for a defect of its own, and goes on', async () => {
    const { send } = await serving(async ({ path }) => {
      if (path === '/broken') throw new TypeError('secret');
      return ok;
    });
    const broken = await send(request('GET /broken'));
    expect(broken).toContain('500 Internal Server Error');
    expect(broken).toContain('{"message":"Internal server error"}');
    expect(broken).not.toContain('secret');
    expect(await send(request('GET /'))).toContain('fine');
  });

  describe('with clients that take their time', () => {
    const limits = { headers: 200, request: 500, silence: 60_000 };

    it('answers 408 to hundreds that drip their headers, and closes them', async () => {
      const { server, seen, send: ask } = await serving(undefined, limits);
      const dripping = Array.from({ length: 400 }, () =>
        drip(server.port, 'GET / HTTP/1.1\r\nHost: pets.localhost\r\n', 'X-A: b\r\n'),
      );
      expect(await ask(request('GET /'))).toContain('fine');
      for (const received of await Promise.all(dripping)) expect(received).toMatch(/^HTTP\/1\.1 408 /);
      expect(seen).toHaveLength(1);
    });

    it('answers 408 to hundreds whose bodies stall, and closes them', async () => {
      const { server, seen, send: ask } = await serving(undefined, limits);
      const head = request('POST /', 'Content-Length: 1000');
      const stalled = Array.from({ length: 200 }, () => send(server.port, `${head}a`));
      expect(await ask(request('GET /'))).toContain('fine');
      for (const received of await Promise.all(stalled)) expect(received).toMatch(/^HTTP\/1\.1 408 /);
      expect(seen).toHaveLength(1);
    });

    it('ends a connection on which nothing moves, though the call waits', async () => {
      const { server } = await serving(() => new Promise(() => {}), { ...limits, silence: 200 });
      expect(await send(server.port, request('GET /'))).toBe('');
    });
  });

  it('lets the calls under way finish before it ends, and takes no new ones', async () => {
    const finish = Promise.withResolvers<Answered>();
    const { server, seen, send: ask } = await serving(() => finish.promise);
    const underWay = ask(request('GET /slow').replace('Connection: close\r\n', ''));
    await expect.poll(() => seen).toHaveLength(1);
    const drained = server.drain();
    await expect.poll(() => connects(server.port)).toBe(false);
    expect(await send(server.port, request('GET /late'))).toBe('');
    expect(seen).toHaveLength(1);
    finish.resolve(ok);
    await drained;
    await server.stop();
    expect(await underWay).toContain('fine');
  });

  it('answers calls that arrived before it stopped to listen and that it had no time to accept', async () => {
    const { server } = await serving();
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const calls = new Worker(callsFromAnotherThread, {
      eval: true,
      workerData: { port: server.port, text: request('GET /'), count: 500, sent },
    });
    const received = once(calls, 'message');
    await once(calls, 'online');
    // Blocks this thread, so that the calls are sent and none is accepted yet.
    Atomics.wait(sent, 0, 0, 10_000);
    await server.drain();
    await server.stop();
    const [answers]: unknown[] = await received;
    expect(answers).toEqual(Array.from({ length: 500 }, () => 'HTTP/1.1 200 OK'));
  });
});
