/** Checks addresses of other payers, before anything is sent there. */

import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { PayerFaultCode } from '../../catalog/payer/other-payers.ts';

/** The addresses that an environment admits for another payer. */
export interface AddressRules {
  readonly origins: EnvironmentOrigins;
  /** Whether http to this machine is admitted: on one machine, other payers run there too. */
  readonly loopback: boolean;
}

/**
 * The reason to refuse an address; undefined if it is admitted. The guarded fetch checks later where the name leads.
 *
 * @param address a URL without query and fragment
 */
export function addressFault(
  address: string,
  { origins, loopback }: AddressRules,
): PayerFaultCode | undefined {
  const url = URL.parse(address);
  if (url === null || address.length > 500) return 'not-https';
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return 'not-https';
  if (isOwnHost(url.host, origins)) return 'own-host';
  if (url.protocol === 'https:' && url.port === '') return undefined;
  return loopback && url.protocol === 'http:' && isThisMachine(url.hostname) ? undefined : 'not-https';
}

function isThisMachine(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** Whether a host (with its port) is one of this environment's. A trailing dot is the same name in DNS. */
function isOwnHost(host: string, { auth, token, apiTemplate }: EnvironmentOrigins): boolean {
  const own = [
    auth,
    token,
    ...lineOfBusinessCodes.map((lob) => apiTemplate.replace('{lob}', lob.toLowerCase())),
  ];
  const plain = host.replace(/\.(?=:|$)/, '');
  return own.some((origin) => new URL(origin).host === plain);
}

/** An address as it is stored and compared: the host in lowercase, no trailing slash. */
export function plainAddress(address: string): string {
  const url = URL.parse(address.trim());
  return url === null ? address.trim() : url.href.replace(/\/+$/, '');
}
