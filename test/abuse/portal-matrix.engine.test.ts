import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../lambdas/platform/kernel/canonical-json.ts';
import { accountDecisionRoutes } from '../../lambdas/portal/accounts/account-decision-routes.ts';
import { accountRoutes } from '../../lambdas/portal/accounts/account-routes.ts';
import type { DeveloperServices } from '../../lambdas/portal/accounts/developer-services.ts';
import { createTableSessions } from '../../lambdas/portal/adapters/session-store.ts';
import type {
  PortalRouteHandler,
  PortalSession,
  PortalSessions,
} from '../../lambdas/portal/api/route-handler.ts';
import type { ApplicationView } from '../../lambdas/portal/api/views.ts';
import { applicationRoutes } from '../../lambdas/portal/applications/application-routes.ts';
import { callRoutes } from '../../lambdas/portal/applications/call-routes.ts';
import { credentialRoutes } from '../../lambdas/portal/applications/credential-routes.ts';
import { directoryRoutes } from '../../lambdas/portal/applications/directory-routes.ts';
import { jobRoutes } from '../../lambdas/portal/applications/job-routes.ts';
import { operationsRoutes } from '../../lambdas/portal/applications/operations-routes.ts';
import { organizationRoutes } from '../../lambdas/portal/applications/organization-routes.ts';
import { workspaceRoutes } from '../../lambdas/portal/applications/workspace-routes.ts';
import {
  type PortalRoute,
  type PortalRouteName,
  portalRoutes,
} from '../../lambdas/portal/catalog/portal-routes.ts';
import { createTeamApplications } from '../../lambdas/portal/compose-portal-applications.ts';
import { createPortalHandler } from '../../lambdas/portal/http/handler.ts';
import {
  anActiveDeveloper,
  anAddress,
  anOperator,
  type Browser,
  individual,
  type PortalWorld,
  password,
  payer,
  startPortalWorld,
  terms,
} from '../portal/accounts/portal-world.ts';
import { configuration } from '../portal/applications/configurations.ts';
import { portalWorld } from '../portal/applications/portal-world.ts';
import { portalEvent, portalOrigin } from '../portal/http/event.ts';
import { bodies, complaint, type Owned, pathOf, type Role, roles, verdict } from './portal-matrix.ts';

/** Calls every route of the portal in every role, through the handlers of all three functions: nobody reaches another team's resources. */

let people: PortalWorld;
let apps: ReturnType<typeof portalWorld>;
let cookies: Record<Role, Record<string, string>>;
let owned: Owned & { readonly teamId: string; readonly email: string; readonly version: number };
beforeAll(async () => {
  people = await startPortalWorld();
  apps = portalWorld(people.table);
  owned = await theirs();
  cookies = await everybody();
});
afterAll(async () => await people.stop());

const names = Object.keys(portalRoutes) as readonly PortalRouteName[];
/** Routes that are called last, since they end the session or the application. */
const last: readonly PortalRouteName[] = ['withdraw', 'signOutEverywhere', 'signOut', 'signUp'];
const inOrder = [...names.filter((name) => !last.includes(name)), ...last];

interface Holes {
  readonly services?: Partial<DeveloperServices>;
  readonly sessions?: (real: PortalSessions) => PortalSessions;
}

/** Creates the portal's three functions. `holes` replaces checks, so that a test can show that the matrix notices their absence. */
function aPortal({ services: broken = {}, sessions: wrapped = (real) => real }: Holes = {}) {
  const services = { ...people.services, ...broken };
  const sessions = wrapped(createTableSessions(people.table, () => people.clock.ms));
  const all: Readonly<Record<string, PortalRouteHandler>> = {
    ...accountRoutes(services),
    ...applicationRoutes(apps.portal),
    ...callRoutes(apps.portal),
    ...credentialRoutes(apps.credentialServices),
    ...workspaceRoutes(apps.portal),
    ...operationsRoutes(apps.portal),
    ...organizationRoutes(apps.portal),
    ...jobRoutes({ ...apps.portal, jobs: apps.jobs }),
    ...directoryRoutes({ directories: apps.directories, loads: apps.loads }),
    ...accountDecisionRoutes({ ...services, applications: createTeamApplications(apps.portal) }),
  };
  const log = () => undefined;
  const handlers = Object.fromEntries(
    ['portal-accounts', 'portal-applications', 'portal-operations'].map((name) => [
      name,
      createPortalHandler({ function: name, origin: portalOrigin, routes: all, sessions, log } as never),
    ]),
  );
  return {
    all,
    async knock(name: PortalRouteName, role: Role, at: Owned = owned) {
      const route: PortalRoute = portalRoutes[name];
      const body = bodies[name]?.();
      const event = portalEvent({
        method: route.method,
        path: pathOf(route, at),
        cookies: cookies[role],
        body,
      });
      const answer = await handlers[route.function]?.(event);
      if (answer === undefined) throw new Error('no such function');
      const text = answer.body;
      const code = answer.statusCode < 300 ? undefined : (JSON.parse(text).code as string);
      return { status: answer.statusCode, code, text };
    },
  };
}
type Portal = ReturnType<typeof aPortal>;

/** Creates the owner with an application, a draft and an invitation, and keeps the cookies of the owner’s session in `ownerCookies`. */
async function theirs() {
  const { browser, accountId, email } = await anActiveDeveloper(people);
  const { teamId } = (await people.services.accounts.find(accountId)) ?? { teamId: '' };
  const portal = applicationRoutes(apps.portal).registerApplication;
  const session: PortalSession = {
    ...{ sessionId: '', accountId, teamId, role: 'developer', state: 'active' },
    ...{ name: 'Owner', email, accountVersion: 1 },
  } as PortalSession;
  const request = { params: {}, query: {}, session, cookies: new Map(), requestId: 'r', ip: '::1' };
  const made = await portal.handle({ ...request, body: { configuration: configuration() } });
  if (made.kind === 'problem') throw new Error(JSON.stringify(made));
  const { applicationId, version } = made.body as ApplicationView;
  const draftId = 'draft-of-the-owner';
  await apps.portal.drafts.put(accountId, { draftId, screen: 'contact', values: {}, savedAt: 'then' });
  const invited = await browser.send('POST', '/api/team/invitations', { email: anAddress() });
  ownerCookies = browser.cookies;
  return {
    applicationId,
    version,
    draftId,
    invitationId: String(invited.body.invitationId),
    accountId,
    teamId,
    email,
  };
}
let ownerCookies: Record<string, string>;

async function everybody(): Promise<Record<Role, Record<string, string>>> {
  // `job-operations` takes account IDs without a colon.
  const operator = await anOperator(people, 'operator-olga');
  const unfinished = people.browser();
  await unfinished.send('POST', '/api/accounts', individual());
  const unverified = people.browser();
  const form = payer();
  await unverified.send('POST', '/api/accounts', form);
  await unverified.send('POST', '/api/account/email-code', { code: people.code(form.primaryContact.email) });
  await unverified.send('POST', '/api/account/terms', terms);
  const [stranger, removed, locked, suspended, closed] = await Promise.all(
    ['stranger', 'removed', 'locked', 'suspended', 'closed'].map(() => anActiveDeveloper(people)),
  ).then((all) => all as [Dev, Dev, Dev, Dev, Dev]);
  await wasColleague(removed);
  await changeState(locked.accountId, 'locked');
  const path = `/api/operations/accounts/${suspended.accountId}`;
  const { version } = (await operator.send('GET', path)).body;
  await operator.send('POST', `${path}/decisions`, { act: 'suspend', version, reason: 'A test.' });
  await closed.browser.send('POST', '/api/account/close', { password });
  const before = { ...closed.browser.cookies };
  return {
    anonymous: {},
    unfinished: unfinished.cookies,
    unverified: unverified.cookies,
    stranger: stranger.browser.cookies,
    removed: removed.browser.cookies,
    locked: locked.browser.cookies,
    suspended: suspended.browser.cookies,
    closed: before,
    operator: operator.cookies,
    owner: ownerCookies,
  };
}
type Dev = Awaited<ReturnType<typeof anActiveDeveloper>>;

/** The account joins the owner's team and leaves it again. */
async function wasColleague({ browser, email, accountId }: Dev): Promise<void> {
  const owner: Browser = people.browser({ ...ownerCookies });
  await owner.send('POST', '/api/team/invitations', { email });
  const invitation = /#(\S+)/.exec(people.messagesTo(email).at(-1)?.text ?? '')?.[1];
  const joined = await browser.send('POST', '/api/team/invitations/accept', { invitation });
  const left = await owner.send('DELETE', `/api/team/members/${accountId}`);
  expect([joined.status, left.status]).toEqual([200, 204]);
}

async function inviteAnew(): Promise<void> {
  const owner = people.browser({ ...ownerCookies });
  const invited = await owner.send('POST', '/api/team/invitations', { email: anAddress() });
  owned = { ...owned, invitationId: String(invited.body.invitationId) };
}

async function changeState(accountId: string, state: 'locked'): Promise<void> {
  await people.table.update({
    key: { pk: `ACCOUNT#${accountId}`, sk: 'ACCOUNT' },
    expression: 'SET #state = :state',
    condition: 'attribute_exists(pk)',
    names: { '#state': 'state' },
    values: { ':state': state },
  });
}

/** All items of the owner’s application, team and account as one text, to compare before and after. */
async function snapshot(): Promise<string> {
  const partitions = [
    `APPLICATION#${owned.applicationId}`,
    `TEAM#${owned.teamId}`,
    `ACCOUNT#${owned.accountId}`,
  ];
  const pages = await Promise.all(partitions.map(async (pk) => (await people.table.query({ pk })).items));
  return canonicalJson(pages);
}

/**
 * Calls every route in a role.
 *
 * @returns the differences between the answers and the expected ones
 */
async function sweep(portal: Portal, role: Role): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const name of inOrder) {
    const route: PortalRoute = portalRoutes[name];
    const before = await snapshot();
    const { code, text } = await portal.knock(name, role);
    const said = complaint(verdict(route, role), route, code);
    if (said !== undefined) wrong.push(`${role} ${name}: ${said}`);
    if (role === 'owner' || role === 'operator') continue;
    if ((await snapshot()) !== before) wrong.push(`${role} ${name}: changed what is the owner’s`);
    if (text.includes(owned.applicationId) || text.includes(owned.email))
      wrong.push(`${role} ${name}: told what is the owner’s`);
  }
  return wrong;
}

describe('every route', () => {
  it('has a body here that its schema takes, where it takes one', () => {
    const { all } = aPortal();
    expect(Object.keys(all).sort()).toEqual([...names].sort());
    for (const name of names) {
      const schema = all[name]?.schema;
      expect([name, bodies[name] !== undefined]).toEqual([name, schema !== undefined]);
      if (schema !== undefined)
        expect([name, schema.safeParse(bodies[name]?.()).error]).toEqual([name, undefined]);
    }
  });

  it.each(
    roles.filter((role) => role !== 'owner'),
  )('gives %s what the table says, and nothing of another’s', async (role) => {
    expect(await sweep(aPortal(), role)).toEqual([]);
  });

  it('answers for another’s as for what does not exist, word for word', async () => {
    const portal = aPortal();
    const none = '00000000-0000-4000-8000-000000000000';
    const nothing = { ...owned, applicationId: none, invitationId: none, accountId: none };
    const stranger = await anActiveDeveloper(people);
    cookies.stranger = stranger.browser.cookies;
    const told = ({ text }: { readonly text: string }) => text.replace(/"requestId":"[^"]*"/, '');
    for (const name of names) {
      if (verdict(portalRoutes[name], 'stranger') !== 'not_found') continue;
      const [others, nobodys] = [
        await portal.knock(name, 'stranger'),
        await portal.knock(name, 'stranger', nothing),
      ];
      expect([name, others.status, told(others)]).toEqual([name, nobodys.status, told(nobodys)]);
    }
  });
});

describe('the sweep itself', () => {
  const breaks =
    (change: (session: PortalSession) => PortalSession) =>
    (real: PortalSessions): PortalSessions => ({
      find: async (token) => {
        const session = await real.find(token);
        return session === undefined ? undefined : change(session);
      },
    });
  const anew = async (role: 'stranger' | 'unfinished') => {
    const made = await anActiveDeveloper(people);
    cookies[role] = made.browser.cookies;
  };

  it('finds a team that is believed to be the owner’s, on each of the routes of applications', async () => {
    await anew('stranger');
    const hole = aPortal({ sessions: breaks((session) => ({ ...session, teamId: owned.teamId })) });
    const wrong = (await sweep(hole, 'stranger')).join('\n');
    const ofTeams = names.filter((name) => verdict(portalRoutes[name], 'stranger') === 'not_found');
    const missed = ofTeams.filter(
      (name) => portalRoutes[name].access === 'developer' && !wrong.includes(` ${name}:`),
    );
    expect(missed).toEqual([]);
    expect(wrong).toContain('stranger applications: told what is the owner’s');
  });

  it('finds a developer who is taken for an operator', async () => {
    await anew('stranger');
    const hole = aPortal({ sessions: breaks((session) => ({ ...session, role: 'operator' })) });
    const wrong = (await sweep(hole, 'stranger')).join('\n');
    for (const name of names.filter((each) => portalRoutes[each].access === 'operator'))
      expect(wrong).toContain(` ${name}:`);
  });

  it('finds an account that is taken for a finished one', async () => {
    const browser = people.browser();
    await browser.send('POST', '/api/accounts', individual());
    cookies.unfinished = browser.cookies;
    const hole = aPortal({ sessions: breaks((session) => ({ ...session, state: 'active' })) });
    const wrong = (await sweep(hole, 'unfinished')).join('\n');
    const behind = names.filter((each) => portalRoutes[each].access === 'developer');
    expect(behind.filter((name) => !wrong.includes(` ${name}:`))).toEqual([]);
  });

  it('finds an invitation that anybody may withdraw', async () => {
    await anew('stranger');
    await inviteAnew();
    const { teams } = people.services;
    const everywhere = {
      ...teams,
      withdraw: async (_team: string, id: string) => await teams.withdraw(owned.teamId, id, owned.accountId),
    };
    const wrong = await sweep(aPortal({ services: { teams: everywhere } }), 'stranger');
    expect(wrong).toEqual([
      'stranger withdrawInvitation: good instead of not_found',
      'stranger withdrawInvitation: changed what is the owner’s',
    ]);
  });

  it('reaches with the same names and bodies what is there, for whom it is', async () => {
    await inviteAnew();
    expect(await sweep(aPortal(), 'owner')).toEqual([]);
  });
});
