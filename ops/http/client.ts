/** HTTP client of the CLI and the demo. */

import { lookup as systemLookup } from 'node:dns';
import { Agent, request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { LookupFunction } from 'node:net';

export interface HttpRequest {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends one request, without following redirects or keeping cookies. Rejects if the whole response does not arrive within 30 s. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/** Resolves `localhost` and every name below it to this machine (RFC 6761 section 6.3), as browsers do and Node does not. */
const lookup: LookupFunction = (hostname, options, callback) => {
  if (hostname !== 'localhost' && !hostname.endsWith('.localhost')) {
    systemLookup(hostname, options, callback);
    return;
  }
  const address = { address: '127.0.0.1', family: 4 };
  if (options.all === true) callback(null, [address]);
  else callback(null, address.address, address.family);
};

const timeoutMilliseconds = 30_000;

export function createHttp(): Http {
  const agents = {
    'http:': new Agent({ keepAlive: true, lookup }),
    'https:': new SecureAgent({ keepAlive: true, lookup }),
  };
  return async ({ method, url, headers = {}, body }) => {
    const { protocol } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`no HTTP: ${protocol}`);
    const options: RequestOptions = {
      method,
      agent: agents[protocol],
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      signal: AbortSignal.timeout(timeoutMilliseconds),
    };
    return await new Promise((resolve, reject) => {
      const send = protocol === 'https:' ? httpsRequest : httpRequest;
      const outgoing = send(url, options, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  };
}

/** A header's value; repeated headers are joined (RFC 9110 section 5.3). */
export function headerText(response: HttpResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Wraps the client as a `fetch` function for libraries that need one; text bodies only, no redirects followed. */
export function fetchOver(http: Http): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    const answer = await http({
      method: asked.method as HttpRequest['method'],
      url: asked.url,
      headers: Object.fromEntries(asked.headers),
      ...(asked.body === null ? {} : { body: await asked.text() }),
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value ?? '']).map((one): [string, string] => [name, one]),
    );
    const empty = answer.status === 204 || answer.status === 304;
    return new Response(empty ? null : answer.body, { status: answer.status, headers });
  };
}
