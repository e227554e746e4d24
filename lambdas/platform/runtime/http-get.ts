/** Sends GET requests to the service's own hosts, for functions that call its public APIs. */

import { lookup as systemLookup } from 'node:dns';
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { LookupFunction } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a GET.
 *
 * @returns undefined if no complete response arrived in time, or it is larger than `mostBytes`.
 */
export type HttpGet = (
  url: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<HttpAnswer | undefined>;

/** Resolves `localhost` and every name under it to this machine (RFC 6761 section 6.3), which Node does not do. */
const lookup: LookupFunction = (hostname, options, callback) => {
  if (!hostname.endsWith('.localhost')) return systemLookup(hostname, options, callback);
  const address = { address: '127.0.0.1', family: 4 };
  if (options.all === true) callback(null, [address]);
  else callback(null, address.address, address.family);
};

/**
 * Creates the function that sends GETs.
 *
 * @param timeoutMs for a whole call.
 * @param mostBytes of a response.
 */
export function createHttpGet(timeoutMs: number, mostBytes = 4_000_000): HttpGet {
  const agents = {
    'http:': new Agent({ keepAlive: true, lookup }),
    'https:': new SecureAgent({ keepAlive: true, lookup }),
  };
  return async (url, headers = {}) => {
    const isHttps = url.startsWith('https:');
    const agent = agents[isHttps ? 'https:' : 'http:'];
    const send = isHttps ? httpsRequest : httpRequest;
    const signal = AbortSignal.timeout(timeoutMs);
    return await new Promise((resolve) => {
      const failed = () => resolve(undefined);
      const outgoing = send(url, { agent, headers, signal }, (incoming) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        incoming.on('error', failed);
        incoming.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > mostBytes) incoming.destroy(new Error('the answer is too large'));
          else chunks.push(chunk);
        });
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      });
      outgoing.on('error', failed);
      outgoing.end();
    });
  };
}
