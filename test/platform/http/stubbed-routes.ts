import * as z from 'zod/mini';
import {
  noContent,
  type PortalRouteHandler,
  type PortalSession,
  publicRead,
  response,
  sessionRead,
  sessionRoute,
} from '../../../lambdas/portal/api/route-handler.ts';
import { portalRoutes, type RoutesOf } from '../../../lambdas/portal/catalog/portal-routes.ts';
import { createPortalHandler } from '../../../lambdas/portal/http/handler.ts';

import { type PortalEventParts, portalEvent, portalOrigin } from '../../portal/http/event.ts';

type AccountRoutes = Record<RoutesOf<'portal-accounts'>, PortalRouteHandler>;

/** Token of an open session. */
export const token = 'A'.repeat(43);
export const developer: PortalSession = {
  sessionId: 'a'.repeat(64),
  accountId: 'account-1',
  teamId: 'team-1',
  role: 'developer',
  state: 'active',
  name: 'Dana Developer',
  email: 'dana@example.org',
  accountVersion: 1,
};

/** The function of the portal's accounts with these routes; all others answer 204. */
export function handler(routes: Partial<AccountRoutes> = {}, session: PortalSession | undefined = developer) {
  const names = Object.entries(portalRoutes).filter(([, route]) => route.function === 'portal-accounts');
  const stubs = names.map(([name, { access }]) => {
    const answer = async () => noContent();
    return [name, access === 'public' ? publicRead(answer) : sessionRead(answer)];
  });
  const handle = createPortalHandler<'portal-accounts'>({
    origin: portalOrigin,
    routes: { ...(Object.fromEntries(stubs) as AccountRoutes), ...routes },
    sessions: { find: async (given) => (given === token ? session : undefined) },
    log: () => undefined,
  });
  return async (parts: PortalEventParts) => {
    const answer = await handle(portalEvent(parts));
    return { ...answer, problem: answer.statusCode >= 400 ? JSON.parse(answer.body) : undefined };
  };
}

export const signedIn = { cookies: { '__Host-session': token } };
/** A route that answers with the request it received. */
export const echo = sessionRoute(
  z.strictObject({ firstName: z.string({ error: 'a first name' }) }),
  async (request) => response(200, { got: request.body, by: request.session.accountId }),
);
