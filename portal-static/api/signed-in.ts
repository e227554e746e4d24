import { signedInMarker } from '../../lambdas/portal/catalog/cookies.ts';

/** Whether this browser may have a session: without the marker cookie there is none. */
export function mayBeSignedIn(): boolean {
  return document.cookie.includes(`${signedInMarker}=`);
}
