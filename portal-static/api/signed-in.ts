import { signedInMarker } from '../../lambdas/portal/catalog/cookies.ts';

/** Whether this browser may have a session: it has the marker cookie, which is set and deleted with the session. */
export function mayBeSignedIn(): boolean {
  return document.cookie.includes(`${signedInMarker}=`);
}
