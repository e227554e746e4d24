/**
 * Redirect URIs of native apps (RFC 8252 section 7), for public clients only: what a private-use scheme or a port of the machine
 * itself receives, another app of the same machine may receive too, and PKCE is what keeps it from redeeming the code.
 */

/** A scheme after a domain name its owner has (section 7.1): a dot tells it from every scheme that is registered. */
const privateUse = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\//;

/**
 * An `http` address of the machine itself by its IP literal, and what follows its port (section 7.3). `localhost` is none: a
 * resolver may lead it elsewhere (section 8.3).
 */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

/** Whether a redirect URI is of a scheme of the app's own, e.g. `com.example.app:/callback`. */
export function isPrivateUseUri(uri: string): boolean {
  return privateUse.test(uri) && URL.canParse(uri);
}

/**
 * The loopback address without its port, which a native app learns from the system when it starts to listen.
 *
 * @returns undefined for any other URI.
 */
export function loopbackWithoutPort(uri: string): string | undefined {
  const [, address, rest] = loopback.exec(uri) ?? [];
  return address === undefined || !URL.canParse(uri) ? undefined : `${address}${rest}`;
}

/** Whether only a native app may have this redirect URI in production. */
export function isNativeUri(uri: string): boolean {
  return isPrivateUseUri(uri) || loopbackWithoutPort(uri) !== undefined;
}
