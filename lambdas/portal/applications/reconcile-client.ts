/** Registers, updates, suspends, resumes or revokes an application's client in an environment until it matches the application. */

import * as z from 'zod/mini';
import { type Environment, environments } from '../../catalog/environments.ts';
import type { ProvisioningRequest } from '../../clients/provisioning/provisioning-contract.ts';
import { clientRegistration, clientStates } from '../../clients/provisioning/registration-contract.ts';
import type { OutboxResult } from '../api/outbox.ts';
import type { LoadedApplication } from './application.ts';
import type { ClientServices } from './application-ports.ts';
import { isSame } from './difference.ts';
import { type DesiredClient, desiredClient, termsOf } from './registration.ts';

/** The part of the answer to `describe` that the portal decides about. */
const describedClient = z.object({ ...clientRegistration.shape, state: z.enum(clientStates) });

/** Rounds after which a constantly changing application is left to the next attempt. */
const mostRounds = 5;

/**
 * Changes an environment's client to match the application: registers, updates, suspends, resumes or revokes it. Can be repeated at any
 * time. Reads the application again if it changed meanwhile, so that outbox entries can be carried out in any order.
 *
 * @param resume whether to resume a client that is suspended in the environment. Without it, a client that an operator of the environment
 * has suspended stays suspended.
 * @returns `away` where the environment cannot be reached; `later` where its function failed or the application keeps changing.
 * @throws Error where the environment refuses values that the portal has checked by the same rules, which is a defect.
 */
export async function reconcileClient(
  portal: ClientServices,
  applicationId: string,
  environment: Environment,
  resume: boolean,
): Promise<OutboxResult> {
  const client = clientOf(portal, environment);
  let settled: number | undefined;
  for (let round = 0; round < mostRounds; round += 1) {
    const loaded = await portal.applications.load(applicationId);
    if (loaded === undefined || loaded.application.version === settled) return 'done';
    const desired = desiredClient(loaded.application, environment, termsOf(portal, environment));
    if (desired === undefined) return 'done';
    const done = await reconcile(portal, client, loaded, environment, desired, resume);
    if (!done) return client.missed();
    settled = loaded.application.version;
  }
  return 'later';
}

async function reconcile(
  portal: ClientServices,
  client: EnvironmentClient,
  { application, clients }: LoadedApplication,
  environment: Environment,
  desired: DesiredClient,
  resume: boolean,
): Promise<boolean> {
  const { applicationId, version } = application;
  let clientId = clients[environment];
  if (clientId === undefined) {
    // The request ID is derived from the application's ID, so that a repeated registration returns the existing client.
    clientId = await client.register(`${applicationId}-${environment}`, desired);
    if (clientId === undefined) return false;
    await portal.applications.keepClient(applicationId, environment, clientId);
  }
  const present = await client.describe(clientId);
  if (present === undefined) return false;
  const requestId = (action: string) => `${applicationId}-${environment[0]}-${action}-${version}`;
  const { state, ...registration } = present;
  // Sent even if the client is revoked already: a revocation that failed half-way leaves its keys in API Gateway, and a repeat removes
  // them.
  if (desired.state === 'revoked')
    return await client.act({ action: 'revoke', requestId: requestId('revoke'), clientId });
  // A client that is revoked in the environment cannot be changed.
  if (state === 'revoked') return true;
  // Suspends before updating, so that a failed update does not delay the suspension.
  if (desired.state === 'suspended') {
    if (!(await client.act({ action: 'suspend', requestId: requestId('suspend'), clientId }))) return false;
  }
  if (!isSame(registration, desired.registration)) {
    const update = { action: 'update', requestId: requestId('update'), clientId } as const;
    if (!(await client.act({ ...update, registration: desired.registration }))) return false;
  }
  if (desired.state === 'active' && resume) {
    return await client.act({ action: 'resume', requestId: requestId('resume'), clientId });
  }
  return true;
}

/**
 * Makes the calls to an environment's `provisioning` function. A call that gets no answer returns undefined or false; a refusal is a defect
 * and throws.
 */
function clientOf({ environments }: ClientServices, environment: Environment) {
  let missed: Exclude<OutboxResult, 'done'> = 'later';
  const send = async (request: ProvisioningRequest) => {
    const answer = await environments.send(environment, request);
    if (answer.kind !== 'refusal') return answer;
    if (answer.refusal.code === 'environment_unavailable') {
      missed = answer.refusal.reached === true ? 'later' : 'away';
      return undefined;
    }
    // Another attempt or an operator of the environment has changed the client's state first, so nothing is left to do.
    if (answer.refusal.code === 'state_conflict') return answer;
    throw new Error(`the environment refuses ${request.action}: ${answer.refusal.code}`);
  };
  return {
    async register(requestId: string, { registration, state }: DesiredClient): Promise<string | undefined> {
      const suspended = state === 'active' ? {} : ({ suspended: true } as const);
      const answer = await send({ action: 'register', requestId, registration, ...suspended });
      return answer?.kind === 'credentials' ? answer.credentials.clientId : undefined;
    },
    async describe(clientId: string) {
      const answer = await send({ action: 'describe', clientId });
      return answer?.kind === 'client' ? describedClient.parse(answer.client) : undefined;
    },
    async act(request: ProvisioningRequest): Promise<boolean> {
      return (await send(request)) !== undefined;
    },
    /** The result for the outbox entry after a call that the environment did not answer: `away` if it could not be reached, else `later`. */
    missed: () => missed,
  };
}
type EnvironmentClient = ReturnType<typeof clientOf>;

/**
 * Registers the clients that an application should have and does not have yet. The application cannot change before its first client is
 * registered, so that each attempt registers the same client.
 *
 * @returns `away` or `later` where an environment is not available, as `reconcileClient` does.
 */
export async function ensureClients(
  portal: ClientServices,
  { application, clients }: LoadedApplication,
): Promise<OutboxResult> {
  for (const environment of environments) {
    if (clients[environment] !== undefined) continue;
    if (desiredClient(application, environment, termsOf(portal, environment)) === undefined) continue;
    const outcome = await reconcileClient(portal, application.applicationId, environment, false);
    if (outcome !== 'done') return outcome;
  }
  return 'done';
}
