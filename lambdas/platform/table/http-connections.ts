/** Sends requests to one host over persistent connections (HTTP/1.1, RFC 9112). */

import type { Socket } from 'node:net';

/**
 * Sends a request.
 *
 * @param request the whole request: request line, headers and body.
 * @param timeoutMs for the request, including a new connection.
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
  /** The caller that waits for the response; undefined while the connection is free. */
  waiting: Waiting | undefined;
  /** Time from which the host may close a free connection, milliseconds since 1970. */
  freeUntil: number;
}

/**
 * Milliseconds subtracted from the host's keep-alive timeout, which begins when the host sends its response: a request must arrive before
 * the host closes the connection.
 */
const keepAliveMarginMs = 1_000;

/**
 * Opens connections when needed, and reuses the one that became free last. A connection has one request at a time. Bytes that are not
 * exactly one response close it, so that no response is taken for another request's.
 *
 * A request with `node:http` takes two and a half times the CPU (docs/decisions/0065).
 *
 * @throws the cause if no complete response arrived in time. The request may have been carried out.
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
        // A free connection must not keep the process alive.
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

/** Opens sockets to the host. TLS is loaded only if it is used, because it is part of the cold start. */
function connector({ protocol, hostname, port }: URL): () => Socket {
  const net = process.getBuiltinModule('node:net');
  // In a URL, an IPv6 address has brackets.
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
        // An IP address must not be sent as a server name (RFC 6066 section 3).
        servername: net.isIP(host) === 0 ? host : '',
        ALPNProtocols: ['http/1.1'],
        ...(session !== undefined && { session }),
      })
      // The next connection resumes the session, which saves both sides a signature.
      .on('session', (latest) => {
        session = latest;
      });
}

interface Received {
  readonly response: StoreResponse;
  /** Milliseconds from now in which the connection may be used again. */
  readonly reusableMs: number;
}

/**
 * Parses the responses of one connection: takes bytes as they arrive, and returns a response once it is complete.
 *
 * @throws Error if the bytes are no response
 */
function createResponseReader(): (bytes: Buffer) => Received | undefined {
  let chunks: Buffer[] = [];
  let length = 0;
  let head: Head | undefined;
  return (bytes) => {
    chunks.push(bytes);
    length += bytes.length;
    const end = head?.bodyLength === undefined ? 0 : head.length + head.bodyLength;
    // The chunks of a long body are concatenated once, at the end.
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

/** Status and the relevant headers of a response. */
interface Head {
  readonly status: number;
  /** Bytes of status line and headers, with the empty line after them. */
  readonly length: number;
  /** Bytes of the body; undefined if it is chunked. */
  readonly bodyLength: number | undefined;
  readonly reusableMs: number;
}

/** Maximum bytes of status line and headers, as in `node:http`. */
const longestHead = 16_384;

/**
 * Parses status line and headers.
 *
 * @returns undefined while they are incomplete.
 * @throws Error if they are not HTTP/1.1, or the body has no length
 */
function readHead(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1 && bytes.length <= longestHead) return undefined;
  const text = bytes.toString('latin1', 0, end + 2);
  const status = /^HTTP\/1\.1 ([2-5]\d\d) /.exec(text)?.[1];
  const bodyLength = /\r\ncontent-length: *(\d+) *\r\n/i.exec(text)?.[1];
  const isChunked = /\r\ntransfer-encoding: *chunked *\r\n/i.test(text);
  // The length is ambiguous if both headers are present (RFC 9112 section 6.3).
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

/**
 * Reads the body.
 *
 * @returns undefined while it is incomplete.
 * @throws Error if more bytes follow
 */
function readBody(bytes: Buffer, { length, bodyLength }: Head): string | undefined {
  const body = bodyLength === undefined ? joinedChunks(bytes, length) : bytes.subarray(length);
  if (body === undefined || body.length < (bodyLength ?? 0)) return undefined;
  if (body.length > (bodyLength ?? body.length)) throw new Error('a response longer than it says');
  return body.toString();
}

/**
 * The content of a chunked body (RFC 9112 section 7.1), without trailer fields.
 *
 * @returns undefined while it is incomplete.
 */
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

/**
 * Whether a chunked body is complete.
 *
 * @throws Error if more bytes follow
 */
function endsAt(bytes: Buffer, lastChunk: number): boolean {
  const end = bytes.indexOf('\r\n\r\n', lastChunk);
  if (end !== -1 && end + 4 < bytes.length) throw new Error('a response longer than it says');
  return end !== -1;
}
