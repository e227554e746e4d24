import { randomUUID } from 'node:crypto';
import { type Environment, environments } from '../../../lambdas/catalog/environments.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import { teamMemberKey } from '../../../lambdas/portal/adapters/portal-table-keys.ts';
import type { MailEntry } from '../../../lambdas/portal/api/outbox.ts';
import {
  type PortalRequest,
  type PortalResult,
  type PortalRouteHandler,
  type PortalSession,
  problem,
} from '../../../lambdas/portal/api/route-handler.ts';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import type { Portal } from '../../../lambdas/portal/applications/application-ports.ts';
import { applicationRoutes } from '../../../lambdas/portal/applications/application-routes.ts';
import { callRoutes } from '../../../lambdas/portal/applications/call-routes.ts';
import { credentialRoutes } from '../../../lambdas/portal/applications/credential-routes.ts';
import {
  type DirectoryServices,
  directoryRoutes,
} from '../../../lambdas/portal/applications/directory-routes.ts';
import { type JobServices, jobRoutes } from '../../../lambdas/portal/applications/job-routes.ts';
import { operationsRoutes } from '../../../lambdas/portal/applications/operations-routes.ts';
import { organizationRoutes } from '../../../lambdas/portal/applications/organization-routes.ts';
import { workspaceRoutes } from '../../../lambdas/portal/applications/workspace-routes.ts';
import { createPortal } from '../../../lambdas/portal/compose-portal-applications.ts';
import { provisioningDouble } from '../../clients/provisioning/provisioning-double.ts';
import { configuration } from './configurations.ts';

const tier = { name: 'standard', requestsPerSecond: 10, burst: 20, requestsPerDay: 50_000 };
const place = {
  auth: 'http://auth',
  token: 'http://token',
  apiTemplate: 'http://{lob}.api',
  resourceId: 'r',
};

/** The portal's applications over a real table, with two environments in memory that may be made unavailable. */
export function portalWorld(table: Table, settings: { readonly fourEyes?: 'on' | 'off' } = {}) {
  const doubles = { sandbox: provisioningDouble('sandbox'), production: provisioningDouble('production') };
  const away: Record<Environment, boolean> = { sandbox: false, production: false };
  const sent: { readonly environment: Environment; readonly action: string }[] = [];
  const mails: MailEntry[] = [];
  const clock = doubles.sandbox.clock;
  const passwords = new Map([['dev-1', 'correct horse battery']]);

  const portal = createPortal(
    {
      portalOrigin: 'http://portal.localhost:8080',
      provisioningFunctions: { sandbox: 'sandbox', production: 'production' },
      environmentAddresses: {
        environments: { sandbox: place, production: place },
        tryItRedirectUri: 'http://localhost:8080/try/callback',
      },
      portalTiers: { sandbox: tier, production: tier },
      protectedNames: ['CareFirst', 'Medicare', 'CMS'],
      ...settings,
    },
    {
      table,
      now: () => clock.now,
      uuid: randomUUID,
      log: () => undefined,
      mail: async (mail) => {
        mails.push(mail);
        return 'done';
      },
      environments: {
        async send(environment, request) {
          if (away[environment]) return { kind: 'refusal', refusal: { code: 'environment_unavailable' } };
          sent.push({ environment, action: request.action });
          return await doubles[environment].send(request);
        },
      },
      accounts: {
        contact: async (accountId) => ({ email: `${accountId}@sunrise-health.org`, company: 'Sunrise Inc.' }),
        view: async () => undefined,
      },
    },
  );

  const openSecrets = async ({ session }: PortalRequest<unknown>, password: string) =>
    passwords.get(session.accountId) === password
      ? ({ kind: 'opened', cookies: [] } as const)
      : problem('wrong_password');

  /** Jobs of the environments. A test sets the answers of `job-operations`. */
  const jobs: { send: JobServices['jobs']['send'] } = {
    send: async () => ({ kind: 'refusal', refusal: { code: 'environment_unavailable' } }),
  };

  /** The environments' functions for directories and loads. A test sets the answers. */
  const directories: { send: DirectoryServices['directories']['send'] } = {
    send: async () => ({ kind: 'refusal', refusal: { code: 'environment_unavailable' } }),
  };
  const loads: { send: DirectoryServices['loads']['send'] } = {
    send: async () => ({ kind: 'refusal', refusal: { code: 'environment_unavailable' } }),
  };

  const credentialServices = { ...portal, openSecrets };

  return {
    portal,
    credentialServices,
    table,
    doubles,
    jobs,
    directories,
    loads,
    away,
    sent,
    mails,
    clock,
    routes: {
      ...applicationRoutes(portal),
      ...callRoutes(portal),
      ...credentialRoutes(credentialServices),
      ...workspaceRoutes(portal),
      ...operationsRoutes(portal),
      ...organizationRoutes(portal),
      ...jobRoutes({ ...portal, jobs: { send: (...request) => jobs.send(...request) } }),
      ...directoryRoutes({
        directories: { send: (...request) => directories.send(...request) },
        loads: { send: (...request) => loads.send(...request) },
      }),
    },
    /** Adds a call of a client to the gateway's log. */
    logCall(environment: Environment, clientId: string, changed: object = {}) {
      doubles[environment].logged.push({
        clientId,
        time: clock.now - 1000,
        requestId: randomUUID(),
        host: 'dsnp.api.sandbox.localhost',
        method: 'GET',
        route: '/extfhirpatientaccess/v1/Patient/{id}',
        status: 200,
        ...changed,
      });
    },
    /** A client in an environment's memory; undefined if it has none. */
    client: (environment: Environment, clientId: string) => doubles[environment].clients.get(clientId),
    pass(milliseconds: number) {
      for (const environment of environments) doubles[environment].clock.now += milliseconds;
    },
  };
}

export type PortalWorld = ReturnType<typeof portalWorld>;

export const developer: PortalSession = {
  sessionId: 'session-1',
  accountId: 'dev-1',
  teamId: 'team-1',
  role: 'developer',
  state: 'active',
  name: 'Dana Dev',
  email: 'dev-1@sunrise-health.org',
  accountVersion: 1,
};
export const stranger: PortalSession = {
  ...developer,
  accountId: 'dev-2',
  teamId: 'team-2',
  name: 'Sam Strange',
};
export const operator: PortalSession = {
  ...developer,
  accountId: 'op-1',
  role: 'operator',
  name: 'Olga One',
};
export const otherOperator: PortalSession = { ...operator, accountId: 'op-2', name: 'Omar Two' };

/** The item that makes a person a member of a team, as the accounts store it. */
export function inTeam({ teamId, accountId }: PortalSession) {
  return { ...teamMemberKey(teamId, accountId), accountId, joinedAt: '2026-11-21T10:00:00.000Z' };
}

type RouteName = keyof PortalWorld['routes'];

/** Calls a route with a parsed request, as the HTTP layer does. */
export async function call(
  world: PortalWorld,
  name: RouteName,
  parts: {
    readonly session?: PortalSession;
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  } = {},
): Promise<PortalResult> {
  const route: PortalRouteHandler = world.routes[name];
  world.pass(1);
  const { session = developer, params = {}, query = {}, body } = parts;
  if (name === 'registerApplication') await world.table.put(inTeam(session));
  const parsed =
    route.schema === undefined ? { success: true as const, data: undefined } : route.schema.safeParse(body);
  if (!parsed.success) throw new Error(JSON.stringify(parsed.error.issues));
  const request = {
    session,
    params,
    query,
    body: parsed.data,
    cookies: new Map(),
    requestId: 'request',
    ip: '::1',
  };
  return await route.handle(request);
}

/**
 * The body of a successful answer.
 *
 * @throws Error with the problem of any other answer.
 */
export function bodyOf<Body = ApplicationView>(answer: PortalResult): Body {
  if (answer.kind === 'problem') throw new Error(JSON.stringify(answer));
  return answer.body as Body;
}

export function problemOf(answer: PortalResult) {
  if (answer.kind !== 'problem') throw new Error(`no problem, but ${answer.status}`);
  return answer;
}

/** Takes an act as a developer or operator on the application's present version. */
export async function act(
  world: PortalWorld,
  name: RouteName,
  view: ApplicationView,
  body: object = {},
  session: PortalSession = developer,
): Promise<PortalResult> {
  const params = { applicationId: view.applicationId };
  return await call(world, name, { session, params, body: { version: view.version, ...body } });
}

export async function decide(
  world: PortalWorld,
  view: ApplicationView,
  decision: object,
  session: PortalSession = operator,
): Promise<PortalResult> {
  return await act(world, 'decideApplication', view, decision, session);
}

export async function registered(world: PortalWorld, changed = {}): Promise<ApplicationView> {
  return bodyOf(
    await call(world, 'registerApplication', { body: { configuration: configuration(changed) } }),
  );
}

export async function promoted(world: PortalWorld): Promise<ApplicationView> {
  const view = await registered(world);
  world.logCall('sandbox', view.sandbox.clientId);
  return bodyOf(await act(world, 'promote', view));
}

export async function submitted(world: PortalWorld): Promise<ApplicationView> {
  return bodyOf(await act(world, 'submit', await promoted(world)));
}

export async function approved(world: PortalWorld): Promise<ApplicationView> {
  return bodyOf(await decide(world, await submitted(world), { act: 'approve' }));
}

export async function shown(
  world: PortalWorld,
  { applicationId }: ApplicationView,
): Promise<ApplicationView> {
  return bodyOf(await call(world, 'application', { params: { applicationId } }));
}

/** Tries everything left in the outbox, as the outbox worker does. */
export async function runOutboxWorker(world: PortalWorld) {
  world.pass(60_000);
  return await (
    world.portal as Portal & { outbox: { carryOutLeft(): Promise<{ done: number; left: number }> } }
  ).outbox.carryOutLeft();
}
