import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Answered } from './gateway.ts';
import { payloadLimitBytes } from './limits.ts';
import { type GatewayRequest, readRequest } from './request.ts';

/** One finished call, for the request log. */
export interface Served {
  readonly request: GatewayRequest;
  readonly answered: Answered;
  readonly milliseconds: number;
}

export interface HttpHost {
  /** Answers the calls of a host that is no API's, like the inbox. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
}

export interface ServerOptions {
  readonly port: number;
  readonly answer: (request: GatewayRequest) => Promise<Answered>;
  /** Host name → who answers there instead of the gateway. */
  readonly otherHosts?: ReadonlyMap<string, HttpHost>;
  readonly served: (served: Served) => void;
}

export interface GatewayServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves all hosts on one port, on both loopback addresses (browsers try ::1 first).
 *
 * @throws the listening error (`EADDRINUSE`) where a port is taken.
 */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const servers: Server[] = [];
  try {
    const first = await listen(options, '127.0.0.1', options.port);
    servers.push(first.server);
    try {
      servers.push((await listen(options, '::1', first.port)).server);
    } catch (error) {
      // A machine without IPv6 has no ::1.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') throw error;
    }
    return { port: first.port, stop: () => close(servers) };
  } catch (error) {
    await close(servers);
    // A port that is free on one address may be taken on the other: where any will do, another is tried.
    if (options.port === 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      return await startServer(options);
    throw error;
  }
}

async function listen(options: ServerOptions, address: string, port: number) {
  const server = createServer({ maxHeaderSize: 32_768 }, (incoming, outgoing) => {
    const host = String(incoming.headers.host ?? '')
      .toLowerCase()
      .replace(/:\d+$/, '');
    const other = options.otherHosts?.get(host);
    if (other !== undefined) other.handle(incoming, outgoing);
    else receive(options, incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, ipv6Only: true }, resolve);
  });
  const bound = server.address();
  return { server, port: typeof bound === 'object' && bound !== null ? bound.port : port };
}

async function close(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    ),
  );
}

/** Collects the body, up to just beyond the limit: the gateway refuses it, nothing more is kept. */
function receive(options: ServerOptions, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const receivedAt = Date.now();
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size - chunk.length <= payloadLimitBytes) chunks.push(chunk);
  });
  incoming.once('end', () => {
    const request = readRequest(incoming, Buffer.concat(chunks), receivedAt);
    void options.answer(request).then((answered) => {
      send(request, answered, outgoing);
      options.served({ request, answered, milliseconds: performance.now() - startedAt });
    });
  });
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
    // A function's header that HTTP has no way to send (RFC 9110 section 5.5): API Gateway's answer is 502.
    outgoing.writeHead(502, { 'content-type': 'application/json' });
    outgoing.end('{"message":"Internal server error"}');
  }
}
