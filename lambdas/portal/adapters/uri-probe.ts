/** Calls addresses that developers register, guarded against server-side request forgery. */

import { lookup as resolveHost } from 'node:dns/promises';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isPublicAddress } from '../../platform/runtime/public-address.ts';
import type { Portal } from '../applications/application-ports.ts';
import type { Reachability } from '../applications/preflight-checks.ts';

/** Milliseconds for DNS, connection, TLS and the status line of the response. */
const timeoutMs = 3_000;

interface Address {
  readonly address: string;
  readonly family: number;
}

/** DNS and HTTPS requests; replaced by a test. */
export interface Internet {
  readonly resolve: (hostname: string) => Promise<readonly Address[]>;
  readonly request: typeof httpsRequest;
  readonly isPublic: (address: string) => boolean;
  readonly timeoutMs: number;
}

const internet: Internet = {
  resolve: (hostname) => resolveHost(hostname, { all: true }),
  request: httpsRequest,
  isPublic: isPublicAddress,
  timeoutMs,
};

/** A probe that opens no address, for a configuration without access to the internet. */
export const closedNetwork: Portal['network'] = { reach: async () => 'skipped' };

/**
 * Creates the probe that checks whether an address chosen by a developer responds. It connects only to the public internet (OWASP,
 * "Server-Side Request Forgery Prevention"): `https` on port 443; every IP address of the name must be public, and the connection goes to
 * the IP addresses that were checked; redirects are not followed; the body is not read, and only the kind of the response is returned.
 */
export function createInternet(network: Internet = internet): Portal['network'] {
  return {
    async reach(uri) {
      const url = new URL(uri);
      if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return 'silent';
      // Requests to other ports would make the portal a port scanner.
      if (url.port !== '') return 'skipped';
      const signal = AbortSignal.timeout(network.timeoutMs);
      try {
        const addresses = await withinTime(signal, network.resolve(url.hostname));
        if (addresses.length === 0 || !addresses.every(({ address }) => network.isPublic(address)))
          return 'silent';
        return verdict(await statusOf(network, url, addresses, signal));
      } catch {
        return 'silent';
      }
    },
  };
}

/** Classifies an HTTP status. A page that requires a sign-in, or another method, counts as reachable. */
function verdict(status: number): Reachability {
  return status < 400 || [401, 403, 405].includes(status) ? 'answers' : 'refuses';
}

async function withinTime<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return await Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true });
    }),
  ]);
}

async function statusOf(
  { request }: Internet,
  url: URL,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<number> {
  return await new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: 'GET',
      headers: { accept: '*/*' },
      signal,
      // A connection of its own, never reused for another host.
      agent: false,
      lookup: pinned(addresses),
    };
    request(url, options)
      .on('response', (answer) => {
        answer.destroy();
        resolve(answer.statusCode ?? 0);
      })
      .on('error', reject)
      .end();
  });
}

/** Makes a DNS lookup that returns the addresses that were checked, so that a later DNS answer has no effect. */
function pinned(addresses: readonly Address[]): NonNullable<RequestOptions['lookup']> {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
