import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createConnections } from '../../../lambdas/platform/table/http-connections.ts';
import fc from '../../support/property.ts';

const request = 'POST / HTTP/1.1\r\nHost: store.test\r\nContent-Length: 2\r\n\r\n{}';
const body = '{"name":"María 🙂"}';
const length = Buffer.byteLength(body);
const plain = `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${body}`;

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/**
 * Starts a host that handles the socket of each request.
 *
 * @returns a function that sends it a request, and the number of its connections
 */
async function startHost(answer: (socket: Socket, at: number) => void, timeoutMs = 2_000) {
  let connections = 0;
  let requests = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    closings.push(() => socket.destroy());
    socket.on('error', () => {});
    socket.on('data', () => {
      answer(socket, requests);
      requests += 1;
    });
  });
  closings.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const send = createConnections(new URL(`http://127.0.0.1:${port}`));
  return { send: () => send(request, timeoutMs), connections: () => connections };
}

const answering = (...texts: readonly string[]) =>
  startHost((socket, at) => socket.write(texts[Math.min(at, texts.length - 1)] ?? ''));

describe('a response', () => {
  it.each([
    ['with its length', plain],
    [
      'in chunks',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"na\r\n${(length - 4).toString(16)};x=y\r\n${body.slice(4)}\r\n0\r\n\r\n`,
    ],
    [
      'in chunks, with a field behind them',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${body}\r\n0\r\nDigest: x\r\n\r\n`,
    ],
  ])('%s is the same wherever it is cut, on one connection', async (_what, text) => {
    const bytes = Buffer.from(text);
    let cuts: readonly number[] = [];
    const host = await startHost(async (socket) => {
      for (const [at, from] of [0, ...cuts].entries()) {
        socket.write(bytes.subarray(from, cuts[at]));
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const cutsOf = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(cutsOf, async (places) => {
        cuts = places.toSorted((one, other) => one - other);
        expect(await host.send()).toEqual({ status: 200, text: body });
      }),
      { numRuns: 60 },
    );
    expect(host.connections()).toBe(1);
  });

  it('of several megabytes is whole', async () => {
    const long = 'x'.repeat(5_000_000);
    const host = await answering(`HTTP/1.1 200 OK\r\nContent-Length: ${long.length}\r\n\r\n${long}`);
    expect((await host.send()).text === long).toBe(true);
  });

  it.each([
    ['no HTTP', '220 mail.example.org ESMTP\r\n\r\n'],
    ['of no known length', 'HTTP/1.1 200 OK\r\n\r\n{}'],
    ['of two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['longer than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}{}'],
    ['longer than its chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{}'],
    ['with a chunk of no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n'],
    ['not the last of its request', 'HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n'],
    ['with a head without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`],
  ])('that is %s fails, and the next request has another connection', async (_what, text) => {
    const host = await answering(text, plain);
    await expect(host.send()).rejects.toThrow();
    expect(await host.send()).toEqual({ status: 200, text: body });
    expect(host.connections()).toBe(2);
  });

  it.each([
    ['ends in the middle', (socket: Socket) => socket.end(plain.slice(0, -3))],
    ['is cut off', (socket: Socket) => socket.resetAndDestroy()],
  ])('that %s fails', async (_what, answer) => {
    await expect((await startHost(answer)).send()).rejects.toThrow();
  });

  it('that doesn’t come in time fails, and what comes later is nobody’s', async () => {
    let late: Socket | undefined;
    const host = await startHost((socket, at) => {
      if (at === 0) late = socket;
      else socket.write(plain);
    }, 30);
    await expect(host.send()).rejects.toThrow('no answer in time');
    late?.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate');
    expect((await host.send()).text).toBe(body);
  });
});

describe('a connection', () => {
  it('is kept for the next request, and another is opened for one at the same time', async () => {
    const host = await answering(plain);
    await host.send();
    await host.send();
    expect(host.connections()).toBe(1);
    await Promise.all([host.send(), host.send()]);
    expect(host.connections()).toBe(2);
  });

  it.each([
    ['that the host closes', 'Connection: close'],
    ['whose time is almost over', 'Connection: keep-alive\r\nKeep-Alive: timeout=1'],
  ])('%s is not used again', async (_what, fields) => {
    const host = await answering(plain.replace('OK', `OK\r\n${fields}`));
    await host.send();
    await host.send();
    expect(host.connections()).toBe(2);
  });

  it.each([
    ['was closed', (socket: Socket) => socket.end()],
    ['brought what nobody asked for', (socket: Socket) => socket.write(plain)],
  ])('that %s while it was free is not used again', async (_what, spoil) => {
    const sockets: Socket[] = [];
    const host = await startHost((socket) => {
      sockets.push(socket);
      socket.write(plain);
    });
    await host.send();
    for (const socket of sockets) spoil(socket);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await host.send()).text).toBe(body);
    expect(host.connections()).toBe(2);
  });
});
