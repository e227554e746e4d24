/** Compares a request's redirect URI with the registered ones. */

import { loopbackWithoutPort } from '../../catalog/oauth/native-redirect-uris.ts';
import type { OAuthClient } from './oauth-client.ts';

/**
 * Characters of a redirect URI: visible ASCII, because URL parsers accept others that would break a header. `#` is excluded, because a
 * fragment is forbidden (RFC 6749 section 3.1.2).
 */
const usable = /^[\x21\x22\x24-\x7e]+$/;

/**
 * Whether a redirect URI is registered for a client. Raw strings are compared (RFC 9700 section 4.1.3), since a parser would equate
 * spellings that differ in case, port, dots or encoding. A loopback address of a public client may have any port, because a native app gets
 * its port from the system (RFC 8252 section 7.3).
 */
export function matchesRegistered(
  client: Pick<OAuthClient, 'redirectUris' | 'tokenEndpointAuthMethod'>,
  redirectUri: string,
): boolean {
  if (!usable.test(redirectUri)) return false;
  if (client.redirectUris.includes(redirectUri)) return true;
  if (client.tokenEndpointAuthMethod !== 'none') return false;
  const asked = loopbackWithoutPort(redirectUri);
  return asked !== undefined && client.redirectUris.some((one) => loopbackWithoutPort(one) === asked);
}
