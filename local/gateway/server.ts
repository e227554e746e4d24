/** HTTP server of all local hosts. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answered } from './gateway.ts';
import { payloadLimitBytes } from './limits.ts';
import { gatewayRefusal } from './refusal.ts';
import { type GatewayRequest, readRequest, readTarget, type Target } from './request.ts';

/** One finished call, for the request log. */
export interface ServerAnswer {
  readonly request: GatewayRequest;
  readonly answered: Answered;
  readonly milliseconds: number;
}

export interface HttpHost {
  /** Handles requests to a host that is not an API's, such as the inbox. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
}

export interface ServerOptions {
  readonly port: number;
  readonly answer: (request: GatewayRequest) => Promise<Answered>;
  /** Hosts, by name, that something else than the gateway serves. */
  readonly otherHosts?: ReadonlyMap<string, HttpHost>;
  readonly served: (served: ServerAnswer) => void;
  /** @default readLimits */
  readonly limits?: ReadLimits;
}

/** Time limits for clients, in milliseconds; a connection that exceeds one gets 408 and is closed. */
export interface ReadLimits {
  readonly headers: number;
  /** For the whole request, including its headers. */
  readonly request: number;
  /** For a connection without traffic while a response waits to be read. */
  readonly silence: number;
}

export interface GatewayServer {
  readonly port: number;
  /** Stops accepting connections, and waits until calls in progress have their responses, at most for as long as a function may run. */
  drain(): Promise<void>;
  /** Ends every connection. */
  stop(): Promise<void>;
}

/** Complete calls that have no response yet, on both addresses. */
interface Traffic {
  draining: boolean;
  readonly underWay: Set<ServerResponse>;
}

/** Longest wait for calls in progress: the integration timeout ("Quotas"). */
const drainLimitMs = 29_000;
const quietForMs = 50;
const idleConnectionMs = 60_000;

/** A slow connection uploads 10 MB, the payload limit, in half a minute; headers never take ten seconds. */
const readLimits: ReadLimits = { headers: 10_000, request: 30_000, silence: 60_000 };
/** Most connections on each address. Node raises its limit of open files to the machine's, which is higher. */
const maxConnections = 2_000;
/** Most connections on an address that wait to be accepted; Node's default. */
const backlog = 511;

/**
 * Serves all hosts on one port, on both loopback addresses (browsers try ::1 first).
 *
 * @throws the listening error (`EADDRINUSE`) if a port is in use.
 */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const servers: Server[] = [];
  const traffic: Traffic = { draining: false, underWay: new Set() };
  try {
    const first = await listen(options, traffic, '127.0.0.1', options.port);
    servers.push(first.server);
    try {
      servers.push((await listen(options, traffic, '::1', first.port)).server);
    } catch (error) {
      // A machine without IPv6 has no ::1.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') throw error;
    }
    return { port: first.port, drain: () => drain(servers, traffic), stop: () => close(servers) };
  } catch (error) {
    await close(servers);
    // A port that is free on one address may be in use on the other; if any port will do, another one is tried.
    if (options.port === 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      return await startServer(options);
    throw error;
  }
}

async function listen(options: ServerOptions, traffic: Traffic, address: string, port: number) {
  const { headers, request, silence } = options.limits ?? readLimits;
  const reading = {
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(1_000, headers),
  };
  const server = createServer({ maxHeaderSize: 32_768, ...reading }, (incoming, outgoing) => {
    if (traffic.draining) outgoing.shouldKeepAlive = false;
    const target = readTarget(incoming);
    if (target === undefined) {
      outgoing.writeHead(400, { connection: 'close', 'content-length': 0 }).end();
      return;
    }
    const other = options.otherHosts?.get(target.host);
    if (other !== undefined) other.handle(incoming, outgoing);
    else receive(options, traffic, target, incoming, outgoing);
  });
  // A long timeout like that of a load balancer: after Node's 5 s, connections would be closed that clients are about to reuse.
  server.keepAliveTimeout = idleConnectionMs;
  server.timeout = silence;
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, backlog, ipv6Only: true }, resolve);
  });
  const bound = server.address();
  return { server, port: typeof bound === 'object' && bound !== null ? bound.port : port };
}

async function drain(servers: readonly Server[], traffic: Traffic): Promise<void> {
  traffic.draining = true;
  const limit = AbortSignal.timeout(drainLimitMs);
  await readWhatArrived();
  for (const server of servers) server.close();
  // A request may still be unread in its socket, so the server counts as idle only after some time without calls.
  for (let quietMs = 0; quietMs < quietForMs && !limit.aborted; quietMs += 10) {
    if (traffic.underWay.size > 0) quietMs = 0;
    await sleep(10);
  }
}

/**
 * Accepts the waiting connections and reads what they sent; closing the server would reset them. One turn of the event loop accepts a
 * connection (libuv since 1.45), and the next one reads it.
 */
async function readWhatArrived(): Promise<void> {
  for (let turn = 0; turn < backlog + 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function close(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          // The callback is also called if the server is closed already.
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    ),
  );
}

/** Collects the body up to just beyond the limit. The gateway refuses a longer body, so the rest is dropped. */
function receive(
  options: ServerOptions,
  traffic: Traffic,
  target: Target,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const receivedAt = Date.now();
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size - chunk.length <= payloadLimitBytes) chunks.push(chunk);
  });
  incoming.once('end', async () => {
    traffic.underWay.add(outgoing);
    outgoing.once('close', () => traffic.underWay.delete(outgoing));
    const request = readRequest(incoming, target, Buffer.concat(chunks), receivedAt);
    const answered = await options.answer(request).catch(defect);
    send(request, answered, outgoing);
    options.served({ request, answered, milliseconds: performance.now() - startedAt });
  });
}

/** The response to a call that hit a defect of the local system; the process keeps running. */
function defect(error: unknown): Answered {
  const reason = error instanceof Error ? error.name : 'unknown';
  const refusal = gatewayRefusal('DEFAULT_5XX', { statusCode: 500, reason: `the runner failed: ${reason}` });
  const body = Buffer.from('{"message":"Internal server error"}');
  return { answer: { statusCode: 500, headers: [['Content-Type', 'application/json']], body }, refusal };
}

function send(request: GatewayRequest, { answer }: Answered, outgoing: ServerResponse): void {
  const headers: string[] = [];
  for (const [name, value] of answer.headers) headers.push(name, value);
  const bodiless = answer.statusCode === 204 || answer.statusCode === 304;
  if (!bodiless) headers.push('Content-Length', String(answer.body.length));
  try {
    outgoing.writeHead(answer.statusCode, headers);
    outgoing.end(bodiless || request.method === 'HEAD' ? undefined : answer.body);
  } catch {
    // A function returned a header that HTTP can't send (RFC 9110 section 5.5); API Gateway responds 502.
    outgoing.writeHead(502, { 'content-type': 'application/json' });
    outgoing.end('{"message":"Internal server error"}');
  }
}
