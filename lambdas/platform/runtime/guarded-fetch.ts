/** Fetches documents from addresses that clients registered, guarded against server-side request forgery. */

import { lookup as resolveHost } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isPublicAddress } from './public-address.ts';

/**
 * Reads the document at an address that a client registered.
 *
 * @throws Error if it can't be read
 */
export type FetchDocument = (uri: string) => Promise<string>;

/** Maximum milliseconds for DNS, connection, TLS and the whole response. */
const timeoutMs = 2_000;
/** Maximum bytes of a response, unless the caller sets another. */
const mostBytes = 65_536;

/** Error: a request was not sent, or its response not read. The message does not contain the address. */
export class GuardedFetchError extends Error {
  override readonly name = 'GuardedFetchError';
  readonly reason: 'not-https' | 'not-public' | 'too-slow' | 'too-large';
  constructor(reason: GuardedFetchError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Address {
  readonly address: string;
  readonly family: number;
}

/** The parts of the network that tests replace. */
export interface Network {
  readonly resolve: (hostname: string) => Promise<readonly Address[]>;
  readonly request: typeof httpsRequest;
  readonly isPublic: (address: string) => boolean;
  readonly timeoutMs: number;
}

const internet: Network = {
  resolve: (hostname) => resolveHost(hostname, { all: true }),
  request: httpsRequest,
  isPublic: isPublicAddress,
  timeoutMs,
};

/** A request to a public host. @default GET without a body */
export interface GuardedRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** A response with any status. Redirects are returned, not followed. */
export interface GuardedAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/**
 * Creates the function that fetches a JSON document from an address that somebody else chose (`createGuardedRequest`).
 *
 * @throws Error if the request fails or the response is not JSON; the message does not contain the address.
 */
export function createFetchDocument(network: Network = internet): FetchDocument {
  const send = createGuardedRequest(network);
  return async (uri) => {
    const { status, headers, text } = await send(uri, {
      headers: { accept: 'application/jwk-set+json, application/json' },
    });
    if (status !== 200) throw new Error(`the answer has status ${status}`);
    const type = (headers['content-type'] ?? '').split(';', 1).join().trim().toLowerCase();
    if (type !== 'application/json' && type !== 'application/jwk-set+json') {
      throw new Error('the answer is not JSON');
    }
    return text;
  };
}

/**
 * Creates the function that sends a request to an address that somebody else chose, and only to the public internet (OWASP, "Server-Side
 * Request Forgery Prevention"). Only `https` on port 443 is allowed. All IP addresses of the name must be public, and the connection uses
 * the checked ones, so that a later DNS response changes nothing. Redirects are not followed. Limits are two seconds and 64 KB, unless the
 * caller sets others.
 *
 * @param options.loopback allows `http` to this machine too (`localhost` and names below it, RFC 6761), for a system that runs on one machine.
 * @throws Error if the request fails; the message does not contain the address.
 */
export function createGuardedRequest(
  network: Network = internet,
  { loopback = false, timeoutMs = network.timeoutMs, mostBytes: limit = mostBytes } = {},
) {
  return async (uri: string, asked: GuardedRequest = {}): Promise<GuardedAnswer> => {
    const signal = AbortSignal.timeout(timeoutMs);
    return await answerText(await guardedAnswer(network, uri, asked, signal, loopback), limit);
  };
}

/** A response whose body is read as it comes. */
export interface GuardedStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** @throws GuardedFetchError `too-slow` if nothing comes for `timeoutMs` */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the transfer. */
  readonly close: () => void;
}

/**
 * Creates the function that opens a response of any size, under the same guards as `createGuardedRequest`. The time limit is that of the
 * headers, and of each pause in the body.
 *
 * @throws Error if the request fails; the message does not contain the address.
 */
export function createGuardedStream(
  network: Network = internet,
  { loopback = false, timeoutMs = network.timeoutMs } = {},
) {
  return async (uri: string, asked: GuardedRequest = {}): Promise<GuardedStream> => {
    const headersInTime = new AbortController();
    const late = setTimeout(() => headersInTime.abort(), timeoutMs);
    const answer = await guardedAnswer(network, uri, asked, headersInTime.signal, loopback).finally(() =>
      clearTimeout(late),
    );
    answer.setTimeout(timeoutMs, () => {
      answer.destroy(new GuardedFetchError('too-slow', 'the answer stopped coming'));
    });
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: answer,
      close: () => {
        answer.destroy();
      },
    };
  };
}

async function guardedAnswer(
  network: Network,
  uri: string,
  asked: GuardedRequest,
  signal: AbortSignal,
  loopback: boolean,
): Promise<IncomingMessage> {
  const url = new URL(uri);
  if (loopback && url.protocol === 'http:' && isThisMachine(url.hostname)) {
    return await answerOf(httpRequest, url, asked, [thisMachine], signal);
  }
  if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') {
    throw new GuardedFetchError('not-https', 'the address is not plain https');
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await within(signal, network.resolve(hostname));
  if (addresses.length === 0 || !addresses.every(({ address }) => network.isPublic(address))) {
    throw new GuardedFetchError('not-public', 'the address is not public');
  }
  return await answerOf(network.request, url, asked, addresses, signal);
}

const thisMachine: Address = { address: '127.0.0.1', family: 4 };

function isThisMachine(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return await Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      const late = () => reject(new GuardedFetchError('too-slow', 'no answer in time'));
      signal.addEventListener('abort', late, { once: true });
    }),
  ]);
}

async function answerOf(
  request: Network['request'],
  url: URL,
  { method = 'GET', headers = {}, body }: GuardedRequest,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method,
      headers,
      signal,
      // Without an agent, no connection is kept or shared with another host.
      agent: false,
      lookup: pinned(addresses),
    };
    request(url, options).on('response', resolve).on('error', reject).end(body);
  });
}

/** A DNS lookup that returns the checked addresses. */
function pinned(addresses: readonly Address[]): NonNullable<RequestOptions['lookup']> {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** Reads a whole response of at most `limit` bytes. */
async function answerText(answer: IncomingMessage, limit: number): Promise<GuardedAnswer> {
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limit) throw new GuardedFetchError('too-large', 'the answer is too large');
      chunks.push(chunk);
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  } finally {
    answer.destroy();
  }
}
