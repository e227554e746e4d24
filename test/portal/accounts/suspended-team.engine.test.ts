import { afterAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../../lambdas/platform/runtime/random.ts';
import { accountDecisionRoutes } from '../../../lambdas/portal/accounts/account-decision-routes.ts';
import { createPortalAccountStore } from '../../../lambdas/portal/adapters/account-store.ts';
import type { PortalOutbox } from '../../../lambdas/portal/adapters/outbox.ts';
import type { OperatorAccountView } from '../../../lambdas/portal/api/operator-views.ts';
import { type PortalResult, type PortalSession, problem } from '../../../lambdas/portal/api/route-handler.ts';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { operate } from '../../../lambdas/portal/applications/operations-invocation.ts';
import { createTeamApplications } from '../../../lambdas/portal/compose-portal-applications.ts';
import { configuration } from '../applications/configurations.ts';
import {
  act,
  bodyOf,
  call,
  decide,
  developer,
  operator,
  otherOperator,
  portalWorld,
  problemOf,
  runOutboxWorker,
} from '../applications/portal-world.ts';
import { anActiveDeveloper, anAddress, startPortalWorld } from './portal-world.ts';

const people = await startPortalWorld();
afterAll(() => people.stop());

/** The portal's applications and the operators' decisions about accounts, over the accounts' table. */
function createSetup(carryOut?: PortalOutbox['carryOut']) {
  const apps = portalWorld(people.table);
  const { table, services } = people;
  const now = () => apps.clock.now;
  const { outbox } = apps.portal as typeof apps.portal & { readonly outbox: PortalOutbox };
  const carrier = carryOut === undefined ? outbox : { carryOut };
  const routes = accountDecisionRoutes({
    ...services,
    now,
    accounts: createPortalAccountStore(table, { outbox: carrier, random: systemRandom, now }),
    applications: createTeamApplications(apps.portal),
  });
  const ask = async (name: keyof typeof routes, accountId: string, body?: unknown, session = operator) => {
    apps.pass(1);
    const request = { query: {}, session, cookies: new Map(), requestId: 'request', ip: '::1' };
    return await routes[name].handle({ ...request, params: { accountId }, body });
  };
  return {
    apps,
    routes,
    show: async (accountId: string) => bodyOf<OperatorAccountView>(await ask('operatorAccount', accountId)),
    async decide(accountId: string, decision: object, session = operator): Promise<PortalResult> {
      const { version } = (await services.accounts.find(accountId)) ?? { version: 0 };
      return await ask('decideAccount', accountId, { version, ...decision }, session);
    },
    client: (view: ApplicationView) => apps.client('production', view.production?.clientId ?? '')?.state,
    stateOf: async ({ applicationId }: ApplicationView) =>
      (await apps.portal.applications.load(applicationId))?.application.state,
    timelineOf: async ({ applicationId }: ApplicationView) =>
      (await apps.portal.applications.load(applicationId))?.timeline ?? [],
  };
}
type Setup = ReturnType<typeof createSetup>;

async function aMember(more: object = {}): Promise<PortalSession> {
  const { accountId, email } = await anActiveDeveloper(people, more as never);
  const teamId = (await people.services.accounts.find(accountId))?.teamId ?? '';
  return { ...developer, accountId, teamId, email };
}

/** Creates another member of a person's team. */
async function aColleague(host: PortalSession): Promise<PortalSession> {
  const email = anAddress();
  const token = people.services.random.token();
  const seconds = people.clock.ms / 1000;
  const invitation = {
    invitationId: people.services.random.uuid(),
    tokenSha256: people.services.sha256Hex(token),
    teamId: host.teamId,
    email,
    invitedBy: host.name,
    createdAt: new Date(people.clock.ms).toISOString(),
    expiresAt: seconds + 3_600,
  };
  const team = await people.services.teams.find(host.teamId);
  if (team === undefined) throw new Error('the host has no team');
  const mail = { kind: 'mail', to: email, subject: 'S', text: 'T' } as const;
  await people.services.teams.invite(team, invitation, mail, host.accountId);
  return await aMember({ email, invitation: token });
}

async function registered({ apps }: Setup, session: PortalSession): Promise<ApplicationView> {
  const body = { configuration: configuration() };
  return bodyOf(await call(apps, 'registerApplication', { session, body }));
}

async function approved(setup: Setup, session: PortalSession): Promise<ApplicationView> {
  const view = await registered(setup, session);
  setup.apps.logCall('sandbox', view.sandbox.clientId);
  const promoted = bodyOf(await act(setup.apps, 'promote', view, {}, session));
  const submitted = bodyOf(await act(setup.apps, 'submit', promoted, {}, session));
  return bodyOf(await decide(setup.apps, submitted, { act: 'approve' }));
}

const suspend = { act: 'suspend', reason: 'Tokens were sold.' };
const unattended = { ...suspend, applications: 'unattended' };

describe('an account suspended with the applications nobody is left for', () => {
  it('stops each by an act of its own, for the same reason, and says which', async () => {
    const setup = createSetup();
    const session = await aMember();
    const [one, other, early] = [
      await approved(setup, session),
      await approved(setup, session),
      await registered(setup, session),
    ];
    const before = await setup.show(session.accountId);
    expect(before.team?.others).toEqual([]);
    expect(before.team?.approved.map(({ applicationId }) => applicationId).sort()).toEqual(
      [one.applicationId, other.applicationId].sort(),
    );
    const mailed = setup.apps.mails.length;

    const view = bodyOf<OperatorAccountView>(await setup.decide(session.accountId, unattended));
    expect(view).toMatchObject({ state: 'suspended', team: { approved: [] } });
    expect(view.suspended?.map(({ outcome }) => outcome)).toEqual(['suspended', 'suspended']);
    for (const each of [one, other]) {
      expect([await setup.stateOf(each), setup.client(each)]).toEqual(['suspended', 'suspended']);
      expect((await setup.timelineOf(each)).at(-1)).toMatchObject({
        act: 'suspend',
        actor: { kind: 'operator', name: operator.name },
        words: suspend.reason,
      });
    }
    expect(await setup.stateOf(early)).toBe('registered_in_sandbox');
    const told = setup.apps.mails.slice(mailed).map(({ subject }) => subject);
    expect(told.filter((subject) => subject === 'Your application is suspended')).toHaveLength(4);
    expect(told).toContain('Your developer portal account is suspended');
    expect(await runOutboxWorker(setup.apps)).toEqual({ done: 0, left: 0 });
  });

  it('leaves them to somebody else of the team who is active, and to nobody who isn’t', async () => {
    const setup = createSetup();
    const session = await aMember();
    const colleague = await aColleague(session);
    const view = await approved(setup, session);
    expect((await setup.show(session.accountId)).team?.others).toEqual(['Dana Okafor']);
    const first = bodyOf<OperatorAccountView>(await setup.decide(session.accountId, unattended));
    expect([first.state, first.suspended]).toEqual(['suspended', []]);
    expect([await setup.stateOf(view), setup.client(view)]).toEqual(['approved', 'active']);
    const second = bodyOf<OperatorAccountView>(await setup.decide(colleague.accountId, unattended));
    expect(second.suspended).toMatchObject([{ applicationId: view.applicationId, outcome: 'suspended' }]);
    expect(setup.client(view)).toBe('suspended');
  });

  it('leaves none to nobody where two who are the last are suspended at the same time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const setup = createSetup();
      const session = await aMember();
      const colleague = await aColleague(session);
      const view = await approved(setup, session);
      const answers = await Promise.all([
        setup.decide(session.accountId, unattended, operator),
        setup.decide(colleague.accountId, unattended, otherOperator),
      ]);
      const listed = answers.flatMap((answer) => bodyOf<OperatorAccountView>(answer).suspended ?? []);
      expect(listed).toMatchObject([{ applicationId: view.applicationId, outcome: 'suspended' }]);
      expect(setup.client(view)).toBe('suspended');
    }
  });

  it('stops nothing unless it is asked to', async () => {
    const setup = createSetup();
    const session = await aMember();
    const view = await approved(setup, session);
    const got = bodyOf<OperatorAccountView>(await setup.decide(session.accountId, suspend));
    expect(got.suspended).toEqual([]);
    expect(got.notice).toContain('keep running');
    expect(setup.client(view)).toBe('active');
  });
});

describe('an account suspended with applications by name', () => {
  it('stops those, whoever else is in the team, and no other', async () => {
    const setup = createSetup();
    const session = await aMember();
    await aColleague(session);
    const [one, other] = [await approved(setup, session), await approved(setup, session)];
    const named = { ...suspend, applications: [one.applicationId, one.applicationId] };
    const got = bodyOf<OperatorAccountView>(await setup.decide(session.accountId, named));
    expect(got.suspended).toEqual([
      { applicationId: one.applicationId, name: one.name, outcome: 'suspended' },
    ]);
    expect([setup.client(one), setup.client(other)]).toEqual(['suspended', 'active']);
  });

  it('is refused as a whole where one is another team’s, is none, or can’t be suspended', async () => {
    const setup = createSetup();
    const [session, stranger] = [await aMember(), await aMember()];
    const [mine, early, theirs] = [
      await approved(setup, session),
      await registered(setup, session),
      await approved(setup, stranger),
    ];
    const applications = [mine, early, theirs].map(({ applicationId }) => applicationId);
    const answer = problemOf(
      await setup.decide(session.accountId, { ...suspend, applications: [...applications, 'none'] }),
    );
    expect(answer.problem).toBe('invalid_request');
    expect(answer.errors?.map(({ pointer }) => pointer)).toEqual([
      '/applications/1',
      '/applications/2',
      '/applications/3',
    ]);
    expect((await people.services.accounts.find(session.accountId))?.state).toBe('active');
    expect([setup.client(mine), setup.client(theirs)]).toEqual(['active', 'active']);
  });
});

describe('what a suspension has decided', () => {
  it('waits for production where that is away, says so, and is carried out when it answers', async () => {
    const setup = createSetup();
    const session = await aMember();
    const view = await approved(setup, session);
    setup.apps.away.production = true;
    const got = bodyOf<OperatorAccountView>(await setup.decide(session.accountId, unattended));
    expect(got.suspended).toMatchObject([{ outcome: 'waiting' }]);
    expect(setup.client(view)).toBe('active');
    setup.apps.away.production = false;
    await runOutboxWorker(setup.apps);
    expect(setup.client(view)).toBe('suspended');
    expect((await setup.timelineOf(view)).filter((event) => event.act === 'suspend')).toHaveLength(1);
  });

  it('is carried out by the outbox worker where the function ends right after it was written', async () => {
    const setup = createSetup(async () => await Promise.reject(new Error('the function is dead')));
    const session = await aMember();
    const view = await approved(setup, session);
    const got = bodyOf<OperatorAccountView>(await setup.decide(session.accountId, unattended));
    expect(got.suspended).toMatchObject([{ outcome: 'waiting' }]);
    expect(await setup.stateOf(view)).toBe('approved');
    await runOutboxWorker(setup.apps);
    expect([await setup.stateOf(view), setup.client(view)]).toEqual(['suspended', 'suspended']);
    expect((await setup.timelineOf(view)).at(-1)).toMatchObject({
      actor: { name: operator.name },
      words: suspend.reason,
    });
  });

  it('is carried out once, by two at the same time too, and stops nothing that was resumed since', async () => {
    const setup = createSetup(async () => undefined);
    const session = await aMember();
    const view = await approved(setup, session);
    await setup.decide(session.accountId, unattended);
    await Promise.all([
      runOutboxWorker(setup.apps),
      runOutboxWorker(setup.apps),
      runOutboxWorker(setup.apps),
    ]);
    const stopped = (await setup.apps.portal.applications.load(view.applicationId))?.application;
    const resumed = { act: 'resume', version: stopped?.version };
    bodyOf(await decide(setup.apps, view, resumed, otherOperator));
    await runOutboxWorker(setup.apps);
    expect([await setup.stateOf(view), setup.client(view)]).toEqual(['approved', 'active']);
    expect((await setup.timelineOf(view)).filter((event) => event.act === 'suspend')).toHaveLength(1);
  });

  it('stays as it is when the account is resumed, which says so', async () => {
    const setup = createSetup();
    const session = await aMember();
    const view = await approved(setup, session);
    await setup.decide(session.accountId, unattended);
    const got = bodyOf<OperatorAccountView>(await setup.decide(session.accountId, { act: 'resume' }));
    expect([got.state, got.suspended]).toEqual(['active', undefined]);
    expect(got.notice).toContain('stay suspended');
    await runOutboxWorker(setup.apps);
    expect([await setup.stateOf(view), setup.client(view)]).toEqual(['suspended', 'suspended']);
  });
});

describe('the command line', () => {
  const nobody = async () => problem('not_found');

  it('says in a dry run what would be suspended, and writes nothing', async () => {
    const setup = createSetup();
    const session = await aMember();
    const view = await approved(setup, session);
    const operations = {
      portal: setup.apps.portal,
      accountRoutes: setup.routes,
      operators: { list: nobody, create: nobody, remove: nobody, resetAuthenticator: nobody },
      status: { measure: nobody, read: nobody, open: nobody, change: nobody },
    };
    const { version } = await setup.show(session.accountId);
    const asked = (applications: unknown, dryRun?: true) =>
      operate(operations, {
        action: 'decide-account',
        operator: 'olga',
        accountId: session.accountId,
        decision: { ...suspend, version, applications },
        ...(dryRun === undefined ? {} : { dryRun }),
      });
    expect(await asked('unattended', true)).toMatchObject({
      kind: 'result',
      result: { state: 'active', suspended: [{ applicationId: view.applicationId, outcome: 'waiting' }] },
    });
    expect(await asked(['none'], true)).toMatchObject({
      kind: 'problem',
      problem: { code: 'invalid_request', errors: [{ pointer: '/applications/0' }] },
    });
    expect(await asked('all', true)).toMatchObject({ kind: 'problem', problem: { code: 'invalid_request' } });
    expect([setup.client(view), (await setup.show(session.accountId)).version]).toEqual(['active', version]);
    expect(await asked('unattended')).toMatchObject({
      kind: 'result',
      result: { state: 'suspended', suspended: [{ outcome: 'suspended' }] },
    });
    expect((await setup.timelineOf(view)).at(-1)?.actor.name).toBe('olga');
  });
});
