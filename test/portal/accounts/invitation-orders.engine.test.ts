import { afterAll, describe, expect, it } from 'vitest';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';
import { runsInTurn } from '../../support/matrix-turn.ts';
import fc from '../../support/property.ts';
import { interleaving } from './interleaving.ts';
import { anActiveDeveloper, anAddress, startPortalWorld } from './portal-world.ts';

/** Concurrent invitations of one team: whatever the order of their calls, no more are open than the team has places. */

const orders = interleaving();
const world = await startPortalWorld({}, async (engine) => orders.wrap(createSignedTable(engine)));
afterAll(() => world.stop());

type Developer = Awaited<ReturnType<typeof anActiveDeveloper>>;

/** An invitation makes about eight calls. Calls after the last turn run in the order in which they wait. */
const turns = fc.array(fc.nat({ max: 2 }), { minLength: 30, maxLength: 30 });
const runs = runsInTurn(40);

/** Creates a developer an hour later, since sign-ups from one IP address are limited by the hour. */
async function aDeveloper(): Promise<Developer> {
  world.after(3_600);
  return await anActiveDeveloper(world);
}

/** A team with `room` free places; members have all others. */
async function aHost(room: number): Promise<Developer & { readonly teamId: string }> {
  const host = await aDeveloper();
  const teamId = (await world.services.accounts.find(host.accountId))?.teamId ?? '';
  await world.table.update({
    key: { pk: `TEAM#${teamId}`, sk: 'TEAM' },
    expression: 'SET members = :members',
    condition: 'attribute_exists(pk)',
    values: { ':members': portalLimits.teamMembers - room },
  });
  return { ...host, teamId };
}

const invite = async ({ browser }: Developer, email: string) =>
  await world.browser({ ...browser.cookies }).send('POST', '/api/team/invitations', { email });

const invitationIn = (email: string) => {
  const link = /https:\S+#(\S+)/.exec(world.messagesTo(email).at(-1)?.text ?? '');
  if (link?.[1] === undefined) throw new Error(`no invitation to ${email}`);
  return link[1];
};

describe('invitations sent at once', () => {
  it('of which one has room: one is sent, and the others hear that there is none', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (order) => {
        const host = await aHost(1);
        const addresses = [anAddress(), anAddress(), anAddress()];
        const acts = addresses.map((email, at) => [String(at), () => invite(host, email)] as const);
        const answers = Object.values(await orders.race(Object.fromEntries(acts), order));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
        expect(answers.flatMap(({ body }) => body.code ?? [])).toEqual(['limit_reached', 'limit_reached']);
        expect(await world.services.teams.invitations(host.teamId)).toHaveLength(1);
        expect(addresses.filter((email) => world.messagesTo(email).length > 0)).toHaveLength(1);
      }),
      runs,
    );
  });

  it('that have room are all sent', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (order) => {
        const host = await aHost(3);
        const act = () => invite(host, anAddress());
        const answers = Object.values(await orders.race({ one: act, two: act, three: act }, order));
        expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
        expect(await world.services.teams.invitations(host.teamId)).toHaveLength(3);
      }),
      runs,
    );
  });

  it('to one address are one', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (order) => {
        const host = await aHost(3);
        const email = anAddress();
        const act = () => invite(host, email);
        const answers = Object.values(await orders.race({ one: act, two: act }, order));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
        expect(world.messagesTo(email)).toHaveLength(1);
      }),
      runs,
    );
  });

  it('while somebody joins: the place of who joins is counted once', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (order) => {
        const host = await aHost(2);
        const guest = await anActiveDeveloper(world);
        await invite(host, guest.email);
        const invitation = invitationIn(guest.email);
        const answers = await orders.race(
          {
            join: () =>
              world
                .browser({ ...guest.browser.cookies })
                .send('POST', '/api/team/invitations/accept', { invitation }),
            one: () => invite(host, anAddress()),
            two: () => invite(host, anAddress()),
          },
          order,
        );
        expect(answers.join?.status).toBe(200);
        expect([answers.one?.status, answers.two?.status].sort()).toEqual([201, 409]);
        const team = await world.services.teams.find(host.teamId);
        const open = await world.services.teams.invitations(host.teamId);
        expect([team?.members, open.length]).toEqual([portalLimits.teamMembers - 1, 1]);
      }),
      runs,
    );
  });
});
