/**
 * A cookie beside the session's, which the pages' scripts may read: `1` where this browser may be signed in. It holds no secret
 * and opens nothing; without it the pages don't ask who is signed in, because nobody is. Pages without a script are chosen by it
 * at the edge.
 */
export const signedInMarker = '__Host-signed-in';

/** `Set-Cookie` of the marker when a session begins. Like the session's, it lives as long as the browser is open. */
export const markedSignedIn = `${signedInMarker}=1; Path=/; Secure; SameSite=Lax`;
/** `Set-Cookie` when a session has ended, or turns out to have. */
export const unmarkedSignedIn = `${signedInMarker}=; Path=/; Secure; SameSite=Lax; Max-Age=0`;
