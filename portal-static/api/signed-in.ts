import { signedInMarker } from '../../lambdas/portal/catalog/cookies.ts';

/** Whether this browser may have a session: without the marker beside its cookie there is none to ask about. */
export function mayBeSignedIn(): boolean {
  return document.cookie.includes(`${signedInMarker}=`);
}
