/**
 * Cookie that pages' scripts can read: `1` if this browser may have a session. It is no secret and grants no access. Pages request the
 * account only if it is set, and CloudFront selects the rendition of a static page by it.
 */
export const signedInMarker = '__Host-signed-in';

/** `Set-Cookie` that sets the marker when a session begins. Like the session's cookie, it lasts until the browser is closed. */
export const markedSignedIn = `${signedInMarker}=1; Path=/; Secure; SameSite=Lax`;
/** `Set-Cookie` that deletes the marker when a session has ended, or is found to have ended. */
export const unmarkedSignedIn = `${signedInMarker}=; Path=/; Secure; SameSite=Lax; Max-Age=0`;
