/** Access check of the portal's routes: session, role, second factor. */

import { type PortalProblem, type PortalSession, problem } from '../api/route-handler.ts';
import type { PortalRoute } from '../catalog/portal-routes.ts';

/** Paths by which every account manages itself, an operator's account too. */
const own = /^\/api\/(?:account|sessions?)(?:\/|$)/;

/**
 * Checks that a session may use a route.
 *
 * @param needsAuthenticator whether operators may use the console only with an authenticator app.
 * @returns the refusal; undefined if the session may use the route.
 */
export function checkAccess(
  route: PortalRoute,
  session: PortalSession | undefined,
  needsAuthenticator = false,
): PortalProblem | undefined {
  if (route.access === 'public') return undefined;
  if (session === undefined || session.state === 'closed') return problem('signed_out');
  const isOperator = session.role === 'operator';
  // A route of another role is answered as if it did not exist.
  if (route.access === 'operator' ? !isOperator : isOperator && !own.test(route.path)) {
    return problem('not_found');
  }
  if (session.state === 'suspended') return problem('account_suspended');
  if (route.access === 'operator' && needsAuthenticator && session.hasAuthenticator !== true) {
    return problem('authenticator_needed');
  }
  if (route.access === 'pending' || session.state === 'active') return undefined;
  if (session.state === 'locked') return problem('account_locked');
  return problem('account_state', { state: session.state });
}
