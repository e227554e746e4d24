/** Operators' routes for the verified identifiers of a payer's organization, which each environment stores with the client. */

import * as z from 'zod/mini';
import { type Environment, environments } from '../../catalog/environments.ts';
import {
  type OrganizationIdentifier,
  organizationIdentifier,
} from '../../catalog/payer/organization-identifiers.ts';
import { environmentName } from '../api/application-requests.ts';
import type { VerifiedOrganizationView } from '../api/operator-views.ts';
import {
  type PortalRequest,
  type PortalResult,
  type PortalRouteHandler,
  problem,
  response,
  sessionRead,
  sessionRoute,
} from '../api/route-handler.ts';
import { identifiersOf, type StatedIdentifiers, statedIdentifiers } from '../api/stated-identifiers.ts';
import type { LoadedApplication } from './application.ts';
import type { Portal } from './application-ports.ts';
import { actorOf } from './application-routes.ts';
import { findApplication } from './find-application.ts';

/** The organization in the answer to `describe`. */
const describedOrganization = z.object({ organization: z._default(z.array(organizationIdentifier), []) });

type OrganizationServices = Pick<Portal, 'applications' | 'environments' | 'now' | 'uuid'>;

/** Makes the routes that read and replace the identifiers. */
export function organizationRoutes(portal: OrganizationServices) {
  return {
    verifiedOrganization: sessionRead(async ({ params }) => {
      const loaded = await findApplication(portal, { applicationId: params.applicationId ?? '' });
      return loaded === undefined ? problem('not_found') : await show(portal, loaded);
    }),
    verifyOrganization: sessionRoute(statedIdentifiers, (request) => verify(portal, request)),
  } satisfies Readonly<Record<string, PortalRouteHandler>>;
}

async function show(portal: OrganizationServices, { clients }: LoadedApplication): Promise<PortalResult> {
  const shown: VerifiedOrganizationView['environments'][number][] = [];
  for (const environment of environments) {
    const clientId = clients[environment];
    if (clientId === undefined) continue;
    const identifiers = await verifiedIn(portal, environment, clientId);
    if (identifiers === undefined) return problem('environment_unavailable');
    shown.push({ environment, identifiers });
  }
  return response(200, { environments: shown } satisfies VerifiedOrganizationView);
}

async function verifiedIn(
  { environments: client }: OrganizationServices,
  environment: Environment,
  clientId: string,
): Promise<readonly OrganizationIdentifier[] | undefined> {
  const answer = await client.send(environment, { action: 'describe', clientId });
  return answer.kind === 'client' ? describedOrganization.parse(answer.client).organization : undefined;
}

/** Replaces the identifiers. The environment audits the change; the application's timeline shows the operator. */
async function verify(
  portal: OrganizationServices,
  { session, params, body }: PortalRequest<StatedIdentifiers>,
): Promise<PortalResult> {
  const environment = environmentName.safeParse(params.environment);
  const loaded = await findApplication(portal, { applicationId: params.applicationId ?? '' });
  const clientId = environment.success ? loaded?.clients[environment.data] : undefined;
  if (!environment.success || loaded === undefined || clientId === undefined) return problem('not_found');
  const requestId = portal.uuid();
  const organization = [...identifiersOf(body)];
  const request = { action: 'verify-organization', requestId, clientId, organization } as const;
  const answer = await portal.environments.send(environment.data, request);
  if (answer.kind === 'refusal') {
    return problem(answer.refusal.code === 'state_conflict' ? 'not_found' : 'environment_unavailable');
  }
  const { kind, name } = actorOf(session);
  await portal.applications.recordOperatorAct(
    loaded.application,
    {
      eventId: requestId,
      at: new Date(portal.now()).toISOString(),
      actor: { kind, name },
      act: 'verify_organization',
      state: loaded.application.state,
      words: [environment.data, ...organization.map(({ value }) => value)].join(', '),
    },
    session.accountId,
  );
  return await show(portal, loaded);
}
