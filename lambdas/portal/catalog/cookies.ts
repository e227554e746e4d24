/**
 * Cookie that the pages' scripts may read: `1` if this browser may be signed in. It is no secret and grants no access; without it the pages
 * do not request the account. CloudFront chooses the rendition of a static page by it.
 */
export const signedInMarker = '__Host-signed-in';

/** `Set-Cookie` of the marker when a session begins. Like the session's, it lives as long as the browser is open. */
export const markedSignedIn = `${signedInMarker}=1; Path=/; Secure; SameSite=Lax`;
/** `Set-Cookie` when a session has ended, or turns out to have. */
export const unmarkedSignedIn = `${signedInMarker}=; Path=/; Secure; SameSite=Lax; Max-Age=0`;
