/**
 * Redirect URIs of native apps (RFC 8252 section 7), for public clients only. Another app on the same device may receive requests to a
 * private-use scheme or a loopback port too; PKCE keeps it from redeeming the code.
 */

/** A private-use scheme, named after a domain that its owner has (section 7.1). The dot distinguishes it from registered schemes. */
const privateUse = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\//;

/**
 * An `http` address of the device itself, by IP literal, and the text after its port (section 7.3). `localhost` is excluded, because a
 * resolver may resolve it to another address (section 8.3).
 */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

/** Whether a redirect URI has an app's private-use scheme, e.g. `com.example.app:/callback`. */
export function isPrivateUseUri(uri: string): boolean {
  return privateUse.test(uri) && URL.canParse(uri);
}

/**
 * A loopback address without its port, which a native app gets from the system at run time.
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
