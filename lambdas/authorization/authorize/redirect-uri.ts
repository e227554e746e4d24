/** Compares a request's redirect URI with the registered ones. */

import { loopbackWithoutPort } from '../../catalog/oauth/native-redirect-uris.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';

/** Visible ASCII: what else a URL parser forgives would be trouble in a header. A fragment is forbidden (RFC 6749 section 3.1.2). */
const usable = /^[\x21\x22\x24-\x7e]+$/;

/**
 * Whether a redirect URI is registered for a client. Raw strings are compared (RFC 9700 section 4.1.3), since a parser would
 * forgive case, ports, dots and encodings. Of a public client's loopback address the port may be any: a native app learns it
 * from the system when it starts to listen (RFC 8252 section 7.3).
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
