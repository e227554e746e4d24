/** HTTP client of another payer's server (SMART Backend Services, PDex, Bulk Data Access IG). */

import type { webcrypto } from 'node:crypto';
import { SignJWT } from 'jose';
import { jsonMember, jsonValue } from '../../platform/kernel/json-members.ts';
import {
  createGuardedRequest,
  createGuardedStream,
  type GuardedRequest,
} from '../../platform/runtime/guarded-fetch.ts';
import type { OtherPayer } from '../payers/other-payer.ts';
import { type PayerServer, PayerUnreachable } from '../runs/run-ports.ts';

/** Milliseconds for one request and its answer; for the first byte of a file. */
const timeoutMs = 30_000;
/** Seconds that an assertion is valid: SMART allows five minutes. */
const assertionSeconds = 60;
/** Seconds before its end that a token is no longer used. */
const marginSeconds = 30;
const mostRedirects = 3;
const redirects = [301, 302, 303, 307, 308];

export interface PayerServerOptions {
  /** Whether payers on this machine may be called by `http`. */
  readonly loopback: boolean;
  /** The current private key of this plan as a client, for RS384. */
  readonly signingKey: () => Promise<{ readonly kid: string; readonly key: webcrypto.CryptoKey }>;
  /** Decrypts the value of a payer's header. */
  readonly openHeader: (payerId: string, sealed: Uint8Array) => Promise<string>;
  readonly now: () => number;
  readonly uuid: () => string;
}

interface Token {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Creates the clients of payers' servers. A token is kept until shortly before it expires, for each payer. */
export function createPayerServers(options: PayerServerOptions) {
  const { loopback, now } = options;
  const tokens = new Map<string, Token>();
  const stream = createGuardedStream(undefined, { loopback, timeoutMs });

  async function tokenOf(payer: OtherPayer): Promise<string> {
    const known = tokens.get(payer.payerId);
    if (known !== undefined && known.until > now()) return known.value;
    const token = await requestToken(options, payer);
    tokens.set(payer.payerId, token);
    return token.value;
  }

  async function headersOf(payer: OtherPayer, withToken: boolean): Promise<Record<string, string>> {
    if (!withToken) return {};
    const { header } = payer;
    return {
      authorization: `Bearer ${await tokenOf(payer)}`,
      ...(header !== undefined && {
        [header.name]: await options.openHeader(payer.payerId, header.sealed),
      }),
    };
  }

  return (payer: OtherPayer): PayerServer => {
    const isOwn = (address: string) => new URL(address).origin === new URL(payer.fhirBase).origin;
    return {
      async send({ method, address, headers = {}, body, mostBytes }) {
        const url = URL.canParse(address) ? address : `${payer.fhirBase}/${address}`;
        if (!isOwn(url)) throw new PayerUnreachable('status_elsewhere');
        const request = createGuardedRequest(undefined, { loopback, timeoutMs, mostBytes });
        const ask = async () =>
          await reached(async () => {
            const all = { accept: 'application/fhir+json', ...headers, ...(await headersOf(payer, true)) };
            return await request(url, { method, headers: all, ...(body !== undefined && { body }) });
          });
        const answer = await ask();
        if (answer.status !== 401) return answer;
        // The token may have been revoked or its key rotated: another one is tried once.
        tokens.delete(payer.payerId);
        return await ask();
      },

      async open(url, { from, withToken }) {
        let address = url;
        for (let hop = 0; hop <= mostRedirects; hop += 1) {
          const headers = {
            accept: 'application/fhir+ndjson',
            'accept-encoding': 'gzip',
            ...(from > 0 && { range: `bytes=${from}-` }),
            ...(await headersOf(payer, withToken && isOwn(address))),
          };
          const answer = await reached(async () => await stream(address, { headers }));
          const { location } = answer.headers;
          if (!redirects.includes(answer.status) || location === undefined) return answer;
          answer.close();
          address = new URL(location, address).href;
        }
        throw new PayerUnreachable('too_many_redirects');
      },
    };
  };
}

/**
 * Requests a token (RFC 7523 section 2.2; SMART Backend Services, "Obtain access token").
 *
 * @throws PayerUnreachable
 */
export async function requestToken(options: PayerServerOptions, payer: OtherPayer): Promise<Token> {
  const { loopback, now, uuid } = options;
  const { kid, key } = await options.signingKey();
  const { tokenEndpoint, clientId, scopes, header, payerId } = payer;
  const seconds = Math.floor(now() / 1000);
  const assertion = await new SignJWT({ jti: uuid() })
    .setProtectedHeader({ alg: 'RS384', kid, typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(tokenEndpoint)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + assertionSeconds)
    .sign(key);
  const request: GuardedRequest = {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(header !== undefined && { [header.name]: await options.openHeader(payerId, header.sealed) }),
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: scopes,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }).toString(),
  };
  const { status, text } = await reached(
    async () => await createGuardedRequest(undefined, { loopback, timeoutMs })(tokenEndpoint, request),
  );
  const answer = jsonValue(text);
  const value = jsonMember(answer, 'access_token');
  if (status !== 200 || typeof value !== 'string') {
    throw new PayerUnreachable(status >= 500 || status === 429 ? 'token_unavailable' : 'token_refused');
  }
  const expires = Number(jsonMember(answer, 'expires_in') ?? 300);
  return { value, until: now() + (expires - marginSeconds) * 1000 };
}

/** Calls the payer, and gives each failure of the network the name of its reason. */
async function reached<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PayerUnreachable) throw error;
    const { reason = 'no_connection' } = error as { readonly reason?: string };
    throw new PayerUnreachable(reason.replaceAll('-', '_'));
  }
}
