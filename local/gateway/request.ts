/** Local API Gateway: parses HTTP requests. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A call, as received. Bodies and header values are never logged. */
export interface GatewayRequest {
  readonly requestId: string;
  /** `$context.extendedRequestId`, the header `x-amz-apigw-id`. */
  readonly extendedRequestId: string;
  readonly traceId: string;
  readonly method: string;
  /** Host name without the port. */
  readonly host: string;
  readonly port: number;
  /** Path as sent, still percent-encoded. */
  readonly path: string;
  /** Raw query string without the question mark. */
  readonly query: string;
  /** Headers in the client's order and spelling. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly sourceIp: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** Headers that the gateway does not forward ("Important notes for REST APIs"). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** Host, path and query of a request. */
export interface Target {
  /** Host in lower case, without port; empty if the request names none (HTTP/1.0). */
  readonly host: string;
  /** Path as sent, still percent-encoded. */
  readonly path: string;
  /** Raw query string without the question mark. */
  readonly query: string;
}

/**
 * Reads a request's host and target. A target in absolute form takes precedence over the Host header (RFC 9112 section 3.2.2).
 *
 * @returns undefined for a request that must get 400: several Host headers (section 3.2), or a target of another form.
 */
export function readTarget(incoming: IncomingMessage): Target | undefined {
  const { url = '/', headers, rawHeaders } = incoming;
  if (pairs(rawHeaders).filter(([name]) => name.toLowerCase() === 'host').length > 1) return undefined;
  const [, authority, rest = ''] = /^https?:\/\/([^/?]*)(.*)$/i.exec(url) ?? [];
  const target = authority === undefined ? url : rest.replace(/^(?!\/)/, '/');
  if (!target.startsWith('/')) return undefined;
  const mark = target.indexOf('?');
  return {
    host: (authority ?? headers.host ?? '').toLowerCase().replace(/:\d+$/, ''),
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
  };
}

export function readRequest(
  incoming: IncomingMessage,
  { host, path, query }: Target,
  body: Buffer,
  receivedAt: number,
): GatewayRequest {
  const seconds = Math.floor(receivedAt / 1000).toString(16);
  const id = randomUUID();
  const port = incoming.socket.localPort ?? 0;
  return {
    requestId: id,
    extendedRequestId: `${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64').slice(0, 15)}=`,
    traceId: `Root=1-${seconds}-${id.replaceAll('-', '').slice(0, 24)}`,
    method: incoming.method ?? 'GET',
    host,
    port,
    path,
    query,
    headers: pairs(incoming.rawHeaders).filter(([name]) => !hopByHop.has(name.toLowerCase())),
    body,
    sourceIp: String(incoming.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, ''),
    receivedAt,
  };
}

function pairs(raw: readonly string[]): (readonly [string, string])[] {
  const list: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) list.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return list;
}

/** A header's last value, by its name in any case; of several values API Gateway forwards the last. */
export function headerOf(request: GatewayRequest, name: string): string | undefined {
  const lower = name.toLowerCase();
  return request.headers.findLast(([key]) => key.toLowerCase() === lower)?.[1];
}

/**
 * Query parameters in order, percent-decoded, with plus signs as spaces; undefined if an escape is invalid. A semicolon separates like an
 * ampersand ("Important notes for REST APIs").
 */
export function queryOf(query: string): readonly (readonly [string, string])[] | undefined {
  if (query === '') return [];
  try {
    return query
      .split(/[&;]/)
      .filter((pair) => pair !== '')
      .map((pair) => {
        const equals = pair.indexOf('=');
        const name = equals < 0 ? pair : pair.slice(0, equals);
        return [decode(name), equals < 0 ? '' : decode(pair.slice(equals + 1))] as const;
      });
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
