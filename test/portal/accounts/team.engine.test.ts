import { afterAll, describe, expect, it } from 'vitest';
import {
  anActiveDeveloper,
  anAddress,
  hasApplications,
  individual,
  password,
  startPortalWorld,
} from './portal-world.ts';

const world = await startPortalWorld();
afterAll(() => world.stop());

const token = (to: string) => {
  const link = /https:\S+#(\S+)/.exec(world.messagesTo(to).at(-1)?.text ?? '');
  if (link?.[1] === undefined) throw new Error(`no invitation to ${to}`);
  return link[1];
};
const invite = async (browser: Awaited<ReturnType<typeof anActiveDeveloper>>['browser'], email: string) =>
  await browser.send('POST', '/api/team/invitations', { email });

describe('a team', () => {
  it('begins with its founder', async () => {
    const { browser, accountId, email } = await anActiveDeveloper(world);
    const team = await browser.send('GET', '/api/team');
    expect(team.body).toMatchObject({
      name: 'Wellness Works',
      members: [{ accountId, email, name: 'Dana Okafor' }],
      invitations: [],
    });
  });

  it('takes in who was invited by mail, once', async () => {
    const [host, guest] = [await anActiveDeveloper(world), await anActiveDeveloper(world)];
    const invited = await invite(host.browser, guest.email);
    expect(invited.status).toBe(201);
    expect(JSON.stringify(invited.body)).not.toContain(token(guest.email));
    const invitation = token(guest.email);
    expect(invitation).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const joined = await guest.browser.send('POST', '/api/team/invitations/accept', { invitation });
    expect(joined.body.members).toHaveLength(2);
    const mine = await host.browser.send('GET', '/api/team');
    expect(mine.body).toMatchObject({ teamId: joined.body.teamId, invitations: [] });
    const again = await guest.browser.send('POST', '/api/team/invitations/accept', { invitation });
    expect(again.body.code).toBe('invitation_invalid');
  });

  it('takes in who signs up by the invitation', async () => {
    const host = await anActiveDeveloper(world);
    const email = anAddress();
    await invite(host.browser, email);
    const invitation = token(email);
    const other = await world.browser().send('POST', '/api/accounts', individual({ invitation }));
    expect(other.body.code).toBe('invitation_invalid');
    const guest = await anActiveDeveloper(world, { email: email.toUpperCase(), invitation });
    const team = await guest.browser.send('GET', '/api/team');
    expect(team.body.members).toHaveLength(2);
  });

  it('refuses an invitation of somebody else, an old one and a withdrawn one', async () => {
    const [host, guest, thief] = await Promise.all([
      anActiveDeveloper(world),
      anActiveDeveloper(world),
      anActiveDeveloper(world),
    ]);
    const invited = await invite(host.browser, guest.email);
    const accept = async (browser: typeof guest.browser) =>
      (await browser.send('POST', '/api/team/invitations/accept', { invitation: token(guest.email) })).body
        .code;
    expect(await accept(thief.browser)).toBe('invitation_invalid');
    const path = `/api/team/invitations/${String(invited.body.invitationId)}`;
    expect((await thief.browser.send('DELETE', path)).body.code).toBe('not_found');
    expect((await host.browser.send('DELETE', path)).status).toBe(204);
    expect((await host.browser.send('DELETE', path)).body.code).toBe('not_found');
    expect(await accept(guest.browser)).toBe('invitation_invalid');
  });

  it('refuses an invitation of seven days, and takes one a second younger', async () => {
    const host = await anActiveDeveloper(world);
    const [late, intime] = [anAddress(), anAddress()];
    await invite(host.browser, late);
    world.after(1);
    await invite(host.browser, intime);
    world.after(7 * 24 * 60 * 60 - 1);
    const signUp = async (email: string) =>
      await world.browser().send('POST', '/api/accounts', individual({ email, invitation: token(email) }));
    expect((await signUp(late)).body.code).toBe('invitation_invalid');
    expect((await signUp(intime)).status).toBe(201);
  });

  it('invites nobody twice and no member', async () => {
    const host = await anActiveDeveloper(world);
    const email = anAddress();
    await invite(host.browser, email);
    expect((await invite(host.browser, email.toUpperCase())).body.errors).toMatchObject([{ code: 'taken' }]);
    expect((await invite(host.browser, host.email)).body.errors).toMatchObject([{ code: 'taken' }]);
  });

  it('sends twenty invitations a day at most', async () => {
    const host = await anActiveDeveloper(world);
    const statuses: number[] = [];
    for (let sent = 0; sent < 21; sent += 1) statuses.push((await invite(host.browser, anAddress())).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });

  it('gives who leaves a team of their own, and keeps its last member', async () => {
    const [host, guest] = [await anActiveDeveloper(world), await anActiveDeveloper(world)];
    const remove = async (by: typeof host, whom: typeof host) =>
      await by.browser.send('DELETE', `/api/team/members/${whom.accountId}`);
    expect((await remove(host, guest)).body.code).toBe('not_found');
    expect((await remove(host, host)).body.errors).toMatchObject([{ pointer: '/accountId' }]);
    await invite(host.browser, guest.email);
    await guest.browser.send('POST', '/api/team/invitations/accept', { invitation: token(guest.email) });
    expect((await remove(host, guest)).status).toBe(204);
    const own = await guest.browser.send('GET', '/api/team');
    expect(own.body.members).toMatchObject([{ accountId: guest.accountId }]);
    expect((await host.browser.send('GET', '/api/team')).body.members).toHaveLength(1);
    const events = await world.services.accounts.events(guest.accountId);
    expect(events.at(-1)).toMatchObject({ act: 'leave_team', actor: { id: host.accountId } });
  });

  const aTeamOf = async (count: number) => {
    const host = await anActiveDeveloper(world);
    const guests: (typeof host)[] = [];
    for (let at = 0; at < count - 1; at += 1) {
      const guest = await anActiveDeveloper(world);
      await invite(host.browser, guest.email);
      await guest.browser.send('POST', '/api/team/invitations/accept', { invitation: token(guest.email) });
      world.after(60);
      guests.push(guest);
    }
    return [host, ...guests] as const;
  };
  type Person = Awaited<ReturnType<typeof anActiveDeveloper>>;
  const rolesIn = async ({ browser }: Person) => {
    const members = (await browser.send('GET', '/api/team')).body.members as unknown as readonly {
      accountId: string;
      role: string;
    }[];
    return new Map(members.map(({ accountId, role }) => [accountId, role]));
  };
  const remove = async (by: Person, whom: Person) =>
    await by.browser.send('DELETE', `/api/team/members/${whom.accountId}`);
  const setRole = async (by: Person, whom: Person, role: string) =>
    await by.browser.send('PUT', `/api/team/members/${whom.accountId}`, { role });

  it('has its founder for an owner, and who was invited for a member, who removes and invites nobody', async () => {
    const [host, guest] = (await aTeamOf(2)) as unknown as [Person, Person];
    expect(await rolesIn(host)).toEqual(
      new Map([
        [host.accountId, 'owner'],
        [guest.accountId, 'member'],
      ]),
    );
    const open = await invite(host.browser, anAddress());
    const invitation = `/api/team/invitations/${String(open.body.invitationId)}`;
    for (const answer of [
      await remove(guest, host),
      await invite(guest.browser, anAddress()),
      await guest.browser.send('DELETE', invitation),
      await setRole(guest, guest, 'owner'),
      await setRole(guest, host, 'member'),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'owners_only' } });
    }
    expect((await rolesIn(host)).size).toBe(2);
    expect((await remove(guest, guest)).status).toBe(204);
  });

  it('has owners made by owners, and keeps one', async () => {
    const [host, guest] = (await aTeamOf(2)) as unknown as [Person, Person];
    expect((await setRole(host, host, 'member')).body.errors).toMatchObject([{ pointer: '/role' }]);
    expect((await setRole(host, guest, 'owner')).status).toBe(200);
    expect((await setRole(guest, host, 'member')).status).toBe(200);
    expect(await rolesIn(guest)).toEqual(
      new Map([
        [host.accountId, 'member'],
        [guest.accountId, 'owner'],
      ]),
    );
    expect((await setRole(guest, guest, 'member')).body.errors).toMatchObject([{ pointer: '/role' }]);
    const events = await world.services.accounts.events(guest.accountId);
    expect(events.at(-1)).toMatchObject({ act: 'become_team_owner', actor: { id: host.accountId } });
  });

  it('gets another owner when the last one leaves or closes the account: whoever is in it longest', async () => {
    const [host, first, second] = (await aTeamOf(3)) as unknown as [Person, Person, Person];
    expect((await remove(host, host)).status).toBe(204);
    expect(await rolesIn(first)).toEqual(
      new Map([
        [first.accountId, 'owner'],
        [second.accountId, 'member'],
      ]),
    );
    expect((await first.browser.send('POST', '/api/account/close', { password })).status).toBe(204);
    expect(await rolesIn(second)).toEqual(new Map([[second.accountId, 'owner']]));
  });

  it('keeps an owner when both of two leave, or take each other’s role, at the same time', async () => {
    for (const act of [(one: Person) => remove(one, one), (one: Person) => setRole(one, one, 'member')]) {
      const [host, guest, third] = (await aTeamOf(3)) as unknown as [Person, Person, Person];
      await setRole(host, guest, 'owner');
      await Promise.all([act(host), act(guest)]);
      const roles = await rolesIn(third);
      expect([...roles.values()]).toContain('owner');
    }
  });

  it('is named with who invites to whoever has the link, and to nobody else', async () => {
    const host = await anActiveDeveloper(world);
    const email = anAddress();
    await invite(host.browser, email);
    const show = async (invitation: string) =>
      await world.browser().send('POST', '/api/team/invitations/show', { invitation });
    expect((await show(token(email))).body).toMatchObject({
      team: 'Wellness Works',
      invitedBy: 'Dana Okafor',
      email,
    });
    expect((await show('x'.repeat(43))).body.code).toBe('invitation_invalid');
    world.after(7 * 24 * 60 * 60);
    expect((await show(token(email))).body.code).toBe('invitation_invalid');
  });

  it('with applications is not left alone', async () => {
    const [host, guest] = [await anActiveDeveloper(world), await anActiveDeveloper(world)];
    const team = await guest.browser.send('GET', '/api/team');
    await hasApplications(world, String(team.body.teamId), 1);
    await invite(host.browser, guest.email);
    const got = await guest.browser.send('POST', '/api/team/invitations/accept', {
      invitation: token(guest.email),
    });
    expect(got.body.code).toBe('invitation_invalid');
    expect(got.body.detail).toContain('Your own team has active applications');
  });

  it('has room for fifty, however many accept at the same time', async () => {
    const host = await anActiveDeveloper(world);
    const account = await world.services.accounts.find(host.accountId);
    const teamId = account?.teamId ?? '';
    const guests = [await anActiveDeveloper(world), await anActiveDeveloper(world)];
    for (const guest of guests) await invite(host.browser, guest.email);
    await world.table.update({
      key: { pk: `TEAM#${teamId}`, sk: 'TEAM' },
      expression: 'SET members = :most',
      condition: 'attribute_exists(pk)',
      values: { ':most': 49 },
    });
    const both = await Promise.all(
      guests.map((guest) =>
        guest.browser.send('POST', '/api/team/invitations/accept', { invitation: token(guest.email) }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'limit_reached',
      limit: 50,
    });
  });

  it('shows a link in a name to nobody: the mail has it as words', async () => {
    const host = await anActiveDeveloper(world, {
      firstName: 'Win at https://evil.example/now',
      lastName: 'X',
    });
    const email = anAddress();
    await invite(host.browser, email);
    const mail = world.messagesTo(email).at(-1);
    expect(mail?.text).toContain('Win at https evil example now X');
    expect(mail?.subject).toBe('You are invited to a developer portal team');
  });
});
