/** Sends requests to one host over connections that are kept (HTTP/1.1, RFC 9112). */

import type { Socket } from 'node:net';

/**
 * Sends a request.
 *
 * @param request the whole of it: request line, headers and body.
 * @param timeoutMs of the request, with the opening of its connection.
 */
export type SendText = (request: string, timeoutMs: number) => Promise<StoreResponse>;

/** Status and body of a response. */
export interface StoreResponse {
  readonly status: number;
  readonly text: string;
}

interface Waiting {
  readonly resolve: (response: StoreResponse) => void;
  readonly reject: (cause: unknown) => void;
}

interface Connection {
  readonly socket: Socket;
  /** The caller that waits for a response; undefined on a free connection. */
  waiting: Waiting | undefined;
  /** Milliseconds since 1970 at which a free connection may be closed by the host. */
  freeUntil: number;
}

/** The host counts from when it sent the response: a request must be there before it closes the connection. */
const keepAliveMarginMs = 1_000;

/**
 * Opens connections as they are needed, and takes the one first that became free last. A connection has one request at a time, and
 * bytes that aren't one whole response end it: nothing of a response is ever taken for another's.
 *
 * A request by `node:http` costs two and a half times the CPU (docs/decisions/0065).
 *
 * @throws the cause where no whole response came in time. The request may have been carried out.
 */
export function createConnections(endpoint: URL): SendText {
  const free: Connection[] = [];
  const connect = connector(endpoint);

  function open(): Connection {
    const socket = connect();
    const connection: Connection = { socket, waiting: undefined, freeUntil: 0 };
    const read = createResponseReader();
    const fail = (cause: unknown) => {
      const at = free.indexOf(connection);
      if (at !== -1) free.splice(at, 1);
      socket.destroy();
      connection.waiting?.reject(cause);
      connection.waiting = undefined;
    };
    const closed = () => fail(new Error('the connection was closed'));
    socket.on('data', (bytes) => {
      try {
        if (connection.waiting === undefined) throw new Error('a response that nobody asked for');
        const received = read(bytes);
        if (received === undefined) return;
        const { waiting } = connection;
        connection.waiting = undefined;
        connection.freeUntil = Date.now() + received.reusableMs;
        if (received.reusableMs > 0) free.push(connection);
        else socket.destroy();
        // A free connection does not keep the process alive.
        socket.unref();
        waiting.resolve(received.response);
      } catch (cause) {
        fail(cause);
      }
    });
    socket.on('error', fail).on('end', closed).on('close', closed);
    return connection;
  }

  function take(): Connection {
    for (;;) {
      const connection = free.pop() ?? open();
      if (connection.freeUntil === 0 || connection.freeUntil > Date.now()) return connection;
      connection.socket.destroy();
    }
  }

  return (request, timeoutMs) =>
    new Promise((resolve, reject) => {
      const connection = take();
      const { socket } = connection;
      const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), timeoutMs);
      connection.waiting = {
        resolve: (response) => {
          clearTimeout(timer);
          resolve(response);
        },
        reject: (cause) => {
          clearTimeout(timer);
          reject(cause);
        },
      };
      socket.ref();
      socket.write(request);
    });
}

/** Opens sockets to the host. Loaded as needed: TLS is part of the cold start only where it is used. */
function connector({ protocol, hostname, port }: URL): () => Socket {
  const net = process.getBuiltinModule('node:net');
  // A URL has an IPv6 address in brackets.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const options = { host, noDelay: true, keepAlive: true };
  if (protocol !== 'https:') return () => net.connect({ ...options, port: Number(port || 80) });
  const tls = process.getBuiltinModule('node:tls');
  let session: Buffer | undefined;
  return () =>
    tls
      .connect({
        ...options,
        port: Number(port || 443),
        // An IP address is not sent as a server name (RFC 6066 section 3).
        servername: net.isIP(host) === 0 ? host : '',
        ALPNProtocols: ['http/1.1'],
        ...(session !== undefined && { session }),
      })
      // The next connection resumes it, which spares both sides a signature.
      .on('session', (latest) => {
        session = latest;
      });
}

interface Received {
  readonly response: StoreResponse;
  /** For how long the connection may be used again, from now on. */
  readonly reusableMs: number;
}

/** Reads the responses of one connection: takes bytes as they come, and gives a response when it is whole. @throws where they are no response */
function createResponseReader(): (bytes: Buffer) => Received | undefined {
  let chunks: Buffer[] = [];
  let length = 0;
  let head: Head | undefined;
  return (bytes) => {
    chunks.push(bytes);
    length += bytes.length;
    const end = head?.bodyLength === undefined ? 0 : head.length + head.bodyLength;
    // A long body is put together once.
    if (length < end) return undefined;
    const all = chunks.length === 1 ? bytes : Buffer.concat(chunks);
    chunks = [all];
    head ??= readHead(all);
    const body = head && readBody(all, head);
    if (head === undefined || body === undefined) return undefined;
    const { status, reusableMs } = head;
    chunks = [];
    length = 0;
    head = undefined;
    return { response: { status, text: body }, reusableMs };
  };
}

/** Status line and headers of a response, as far as they matter here. */
interface Head {
  readonly status: number;
  /** Bytes of the head. */
  readonly length: number;
  /** Bytes of the body; undefined where it comes in chunks. */
  readonly bodyLength: number | undefined;
  readonly reusableMs: number;
}

/** Bytes of a head, at most: as many as `node:http` takes. */
const longestHead = 16_384;

/** @returns undefined while its end is missing. @throws where it is no head of HTTP/1.1, or says no length */
function readHead(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1 && bytes.length <= longestHead) return undefined;
  const text = bytes.toString('latin1', 0, end + 2);
  const status = /^HTTP\/1\.1 ([2-5]\d\d) /.exec(text)?.[1];
  const bodyLength = /\r\ncontent-length: *(\d+) *\r\n/i.exec(text)?.[1];
  const isChunked = /\r\ntransfer-encoding: *chunked *\r\n/i.test(text);
  // A head with both has no certain meaning (RFC 9112 section 6.3).
  if (status === undefined || (bodyLength === undefined) !== isChunked) {
    throw new Error('a response that is no HTTP/1.1 of known length');
  }
  const keepAlive = /\r\nkeep-alive:[^\r]*\btimeout=(\d+)/i.exec(text)?.[1];
  const isLast = /\r\nconnection:[^\r]*\bclose\b/i.test(text);
  return {
    status: Number(status),
    length: end + 4,
    bodyLength: isChunked ? undefined : Number(bodyLength),
    reusableMs: isLast ? 0 : Number(keepAlive ?? Number.POSITIVE_INFINITY) * 1_000 - keepAliveMarginMs,
  };
}

/** @returns undefined while its end is missing. @throws where more comes than the body */
function readBody(bytes: Buffer, { length, bodyLength }: Head): string | undefined {
  const body = bodyLength === undefined ? joinedChunks(bytes, length) : bytes.subarray(length);
  if (body === undefined || body.length < (bodyLength ?? 0)) return undefined;
  if (body.length > (bodyLength ?? body.length)) throw new Error('a response longer than it says');
  return body.toString();
}

/** The content of a body that comes in chunks (RFC 9112 section 7.1); fields behind them are left out. */
function joinedChunks(bytes: Buffer, from: number): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = /^[\da-f]{1,8}(?=;|$)/i.exec(bytes.toString('latin1', at, lineEnd))?.[0];
    if (size === undefined) throw new Error('a chunk without its size');
    const start = lineEnd + 2;
    const end = start + Number.parseInt(size, 16);
    if (end === start) return endsAt(bytes, lineEnd) ? Buffer.concat(parts) : undefined;
    parts.push(bytes.subarray(start, end));
    at = end + 2;
  }
}

/** Whether the last line has come. @throws where more comes behind it */
function endsAt(bytes: Buffer, lastChunk: number): boolean {
  const end = bytes.indexOf('\r\n\r\n', lastChunk);
  if (end !== -1 && end + 4 < bytes.length) throw new Error('a response longer than it says');
  return end !== -1;
}
