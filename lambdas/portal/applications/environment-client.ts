/** Finds the client of an application in the environment that a path names, and words what the environment refuses. */

import type { Environment } from '../../catalog/environments.ts';
import type { ProvisioningRefusal } from '../../clients/provisioning/provisioning-contract.ts';
import { environmentName } from '../api/application-requests.ts';
import { type PortalProblem, type PortalRequest, problem } from '../api/route-handler.ts';
import { allowedActs } from './allowed-acts.ts';
import type { LoadedApplication } from './application.ts';
import type { EnvironmentAnswer, PreflightServices } from './application-ports.ts';
import { findApplication } from './find-application.ts';
import { ensureClients } from './reconcile-client.ts';
import { runPreflight } from './run-preflight.ts';

export interface EnvironmentClient {
  readonly kind: 'client';
  readonly loaded: LoadedApplication;
  readonly environment: Environment;
  readonly clientId: string;
}

/** Finds the application's client in the environment that the path names. Production is not found before the application is promoted. */
export async function clientInEnvironment(
  portal: PreflightServices,
  { session, params }: PortalRequest<unknown>,
): Promise<EnvironmentClient | PortalProblem> {
  const environment = environmentName.safeParse(params.environment);
  const wanted = { applicationId: params.applicationId ?? '', teamId: session.teamId };
  const first = environment.success ? await findApplication(portal, wanted) : undefined;
  if (!environment.success || first === undefined) return problem('not_found');
  const isThere = environment.data === 'sandbox' || first.application.production !== undefined;
  if (!isThere) return problem('not_found');
  let loaded = first;
  if (loaded.clients[environment.data] === undefined) {
    if ((await ensureClients(portal, loaded)) !== 'done') return problem('environment_unavailable');
    loaded = (await findApplication(portal, wanted)) ?? loaded;
  }
  const clientId = loaded.clients[environment.data];
  if (clientId !== undefined) return { kind: 'client', loaded, environment: environment.data, clientId };
  // Production has no client as long as values copied from the sandbox are invalid in production.
  return problem('preflight_failed', { checks: await runPreflight(portal, loaded) });
}

/** A wrong field or parameter of a request. */
export function invalidParameter(name: string, expected: string) {
  return { pointer: `/${name}`, code: 'invalid' as const, expected };
}

/** Converts an environment's refusal to the portal's problem. */
export function refused(
  refusal: Extract<EnvironmentAnswer, { readonly kind: 'refusal' }>['refusal'] | ProvisioningRefusal,
  { application }: LoadedApplication,
): PortalProblem {
  switch (refusal.code) {
    case 'environment_unavailable':
      return problem('environment_unavailable');
    case 'too_many_credentials':
      return problem('too_many_credentials');
    case 'state_conflict':
      return problem('state_conflict', {
        state: application.state,
        allowed: allowedActs(application, 'developer'),
      });
    case 'invalid_request':
      return problem('invalid_request', {
        errors: refusal.issues.map(({ path, message }) =>
          invalidParameter(['requestId', 'createdAt'].includes(path) ? path : '', message),
        ),
      });
    case 'client_not_found':
      throw new Error('the environment does not know a client it has given');
  }
}
