import { describe, expect, it } from 'vitest';
import { draftKey, draftsKey, teamMemberKey } from '../../../lambdas/portal/adapters/portal-table-keys.ts';
import { problem } from '../../../lambdas/portal/api/route-handler.ts';
import type { ApplicationSummary, DraftView } from '../../../lambdas/portal/api/views.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import { configuration } from '../applications/configurations.ts';
import { bodyOf, call, developer, portalWorld, problemOf } from '../applications/portal-world.ts';

const table = await createEmptyTable();

let drafters = 0;
function aDrafter() {
  drafters += 1;
  const world = portalWorld(table);
  const session = { ...developer, accountId: `drafter-${drafters}`, teamId: `drafters-${drafters}` };
  const { accountId } = session;
  return {
    world,
    session,
    save: (name: string) =>
      call(world, 'saveDraft', {
        session,
        params: { draftId: `draft-${name}` },
        body: { screen: 'uris', values: {} },
      }),
    drop: (name: string) => call(world, 'deleteDraft', { session, params: { draftId: `draft-${name}` } }),
    register: (name: string) =>
      call(world, 'registerApplication', {
        session,
        body: { configuration: configuration(), draftId: `draft-${name}` },
      }),
    kept: async () =>
      bodyOf<{ drafts: readonly DraftView[] }>(await call(world, 'drafts', { session })).drafts.length,
    counted: async () => (await table.get(draftsKey(accountId)))?.drafts ?? 0,
  };
}
const full = problem('limit_reached', { limit: 20 });
const named = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => String(from + at).padStart(4, '0'));

describe('drafts saved at the very same time', () => {
  it('are kept as far as there is room: of twelve for the last place, one', async () => {
    const { save, kept, counted } = aDrafter();
    for (const name of named(19)) bodyOf(await save(name));
    const answers = await Promise.all(named(12, 100).map(save));
    expect(answers.filter((answer) => answer.kind !== 'problem')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'problem')).toEqual(
      Array.from({ length: 11 }, () => full),
    );
    expect([await kept(), await counted()]).toEqual([20, 20]);
  });

  it('are one where they have one name, whoever is first', async () => {
    const { save, kept, counted } = aDrafter();
    const answers = await Promise.all(Array.from({ length: 8 }, () => save('same-name')));
    expect(answers.filter((answer) => answer.kind === 'problem')).toEqual([]);
    expect([await kept(), await counted()]).toEqual([1, 1]);
  });

  it('are counted right however they are dropped, saved and registered in between', async () => {
    const { save, drop, register, kept, counted } = aDrafter();
    for (const name of named(20)) bodyOf(await save(name));
    await Promise.all([
      ...['0000', '0000', '0001', '0001', '0002'].map(drop),
      ...['0002', '0003', '0004'].map(register),
      ...['0000', '0005', '0006'].map(save),
    ]);
    expect(await counted()).toBe(await kept());
    for (const name of named(20, 200)) await save(name);
    expect([await kept(), await counted()]).toEqual([20, 20]);
    expect(await save('one-more')).toEqual(full);
    await drop('0200');
    bodyOf(await save('one-more'));
  });
});

describe('a draft', () => {
  it('kept before drafts were counted is counted with the first that comes after', async () => {
    const { save, drop, kept, counted, session } = aDrafter();
    for (const name of named(20)) {
      const draftId = `draft-${name}`;
      const draft = { draftId, screen: 'uris', values: {}, savedAt: '2026-11-20T10:00:00.000Z' };
      await table.put({ ...draftKey(session.accountId, draftId), ...draft });
    }
    expect(await save('one-more')).toEqual(full);
    await drop('0000');
    bodyOf(await save('one-more'));
    expect([await kept(), await counted()]).toEqual([20, 20]);
  });

  it('that was dropped keeps no registration back, and ends no other', async () => {
    const { save, drop, register, kept, counted } = aDrafter();
    bodyOf(await save('gone'));
    bodyOf(await save('stays'));
    await drop('gone');
    bodyOf(await register('gone'));
    bodyOf(await register('never-was'));
    expect([await kept(), await counted()]).toEqual([1, 1]);
  });
});

describe('a registration', () => {
  it('from one draft is made once, whether its answer was lost or another tab sent it too', async () => {
    const { world, session, register } = aDrafter();
    const answers = await Promise.all([register('same'), register('same'), register('same')]);
    const ids = answers.map((answer) => bodyOf(answer).applicationId);
    expect(new Set(ids).size).toBe(1);
    expect(bodyOf(await register('same')).applicationId).toBe(ids[0]);
    const { applications } = bodyOf<{ applications: readonly ApplicationSummary[] }>(
      await call(world, 'applications', { session }),
    );
    expect(applications).toHaveLength(1);
    expect(world.doubles.sandbox.clients.size).toBe(1);
  });

  it('from a draft that was registered with other values changes nothing, and says so', async () => {
    const { world, session, register } = aDrafter();
    const { applicationId } = bodyOf(await register('same'));
    const again = await call(world, 'registerApplication', {
      session,
      body: { configuration: configuration({ applicationName: 'Another' }), draftId: 'draft-same' },
    });
    expect(problemOf(again)).toMatchObject({
      problem: 'stale_version',
      current: { applicationId },
      changed: ['applicationName'],
    });
  });

  it('is each developer’s own, whatever their drafts are called', async () => {
    const ids = await Promise.all(
      [aDrafter(), aDrafter()].map(async ({ register }) => bodyOf(await register('same')).applicationId),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('is listed with the newest change first', async () => {
    const { world, session, register } = aDrafter();
    const made: string[] = [];
    for (const name of named(4)) {
      made.push(bodyOf(await register(name)).applicationId);
      world.pass(1_000);
    }
    const { applications } = bodyOf<{ applications: readonly ApplicationSummary[] }>(
      await call(world, 'applications', { session }),
    );
    expect(applications.map(({ applicationId }) => applicationId)).toEqual(made.reverse());
  });

  it('leaves nothing in a team that was left while it was under way', async () => {
    const { world, session } = aDrafter();
    const { teamId, accountId } = session;
    const { commit } = world.portal.applications;
    // A colleague removes the registering person from the team just before the write.
    Object.assign(world.portal.applications, {
      commit: async (asked: Parameters<typeof commit>[0]) => {
        await table.transact([{ delete: teamMemberKey(teamId, accountId) }]);
        return await commit(asked);
      },
    });
    const answer = await call(world, 'registerApplication', {
      session,
      body: { configuration: configuration() },
    });
    expect(problemOf(answer).problem).toBe('unavailable');
    const { applications } = bodyOf<{ applications: readonly ApplicationSummary[] }>(
      await call(world, 'applications', { session }),
    );
    expect(applications).toEqual([]);
    expect(world.doubles.sandbox.clients.size).toBe(0);
  });
});
