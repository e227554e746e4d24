import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../lambdas/portal/accounts/account.ts';
import type { AccountEvent } from '../../../lambdas/portal/accounts/account-store-port.ts';
import { emailClaimKey } from '../../../lambdas/portal/adapters/account-items.ts';
import { anActiveDeveloper, anAddress, individual, startPortalWorld } from './portal-world.ts';

/** Conflicts that the store refuses by conditions of its writes, since another request may have changed what was read. */

const world = await startPortalWorld();
afterAll(() => world.stop());

const event = (act: AccountEvent['act'], state: Account['state']): AccountEvent => ({
  at: new Date(world.clock.ms).toISOString(),
  eventId: randomUUID(),
  actor: { kind: 'developer', id: 'dana', name: 'Dana Okafor' },
  act,
  state,
  requestId: 'request-1',
});

async function anAccount(): Promise<Account> {
  const { accountId } = await anActiveDeveloper(world);
  return await read(accountId);
}

async function read(accountId: string): Promise<Account> {
  const account = await world.services.accounts.find(accountId);
  if (account === undefined) throw new Error('the account is gone');
  return account;
}

const changed = async (account: Account, changes: Partial<Account>) =>
  await world.services.accounts.change({
    account,
    next: { ...account, version: account.version + 1, ...changes },
    event: event('change_name', changes.state ?? account.state),
  });

describe('a change', () => {
  it('of an account that was changed meanwhile does not happen, nor what belongs to it', async () => {
    const account = await anAccount();
    const { accountId } = account;
    expect(await changed(account, { firstName: 'First' })).toBe(true);
    const events = (await world.services.accounts.events(accountId)).length;
    expect(await changed(account, { firstName: 'Second' })).toBe(false);
    expect(await read(accountId)).toMatchObject({ firstName: 'First', version: account.version + 1 });
    expect(await world.services.accounts.events(accountId)).toHaveLength(events);
  });

  it('of an account in another state than the one that was read does not happen', async () => {
    const account = await anAccount();
    expect(await changed({ ...account, state: 'suspended' }, { state: 'active' })).toBe(false);
    expect(await read(account.accountId)).toEqual(account);
  });

  it('to an address that somebody took meanwhile does not happen, and lets none go', async () => {
    const [account, other] = [await anAccount(), await anAccount()];
    expect(await changed(account, { email: other.email })).toBe(false);
    expect((await world.services.accounts.findByEmail(account.email))?.accountId).toBe(account.accountId);
    expect((await world.services.accounts.findByEmail(other.email))?.accountId).toBe(other.accountId);
  });

  it('to another address takes the new one and lets the old one go', async () => {
    const account = await anAccount();
    const email = anAddress();
    expect(await changed(account, { email })).toBe(true);
    expect((await world.services.accounts.findByEmail(email))?.accountId).toBe(account.accountId);
    expect(await world.services.accounts.findByEmail(account.email)).toBeUndefined();
  });

  it('lets no address go that is somebody else’s by now', async () => {
    const account = await anAccount();
    const claim = emailClaimKey(account.email);
    await world.table.put({ ...claim, accountId: 'somebody-else' });
    expect(await changed(account, { state: 'closed' })).toBe(false);
    expect(await world.table.get(claim)).toMatchObject({ accountId: 'somebody-else' });
  });
});

describe('a sign-up in the place of one that nobody proved', () => {
  /** Signs up without entering the e-mail code. */
  async function squatter(changes: Record<string, unknown> = {}): Promise<Account> {
    const begun = await world.browser().send('POST', '/api/accounts', individual(changes));
    return await read(String(begun.body.accountId));
  }
  const inPlaceOf = async (superseded: Account, changes: Partial<Account>) => {
    const accountId = randomUUID();
    const teamId = randomUUID();
    const account: Account = { ...superseded, version: 1, ...changes, accountId, teamId };
    const team = { teamId, name: 'Wellness Works', members: 1, applications: 0, invited: 0 };
    const joins = { kind: 'own_team', team } as const;
    const creation = { account, event: event('sign_up', account.state), supersedes: [superseded], joins };
    return { accountId, result: await world.services.accounts.create(creation) };
  };
  const nameOf = () => `dana.${randomUUID().slice(0, 8)}`;

  it('gets its address, and a user name that was free', async () => {
    const before = await squatter();
    const username = nameOf();
    const { accountId, result } = await inPlaceOf(before, { username });
    expect(result).toBe('created');
    expect((await world.services.accounts.findByEmail(before.email))?.accountId).toBe(accountId);
    expect((await world.services.accounts.findByUsername(username))?.accountId).toBe(accountId);
    expect((await read(before.accountId)).state).toBe('closed');
  });

  it('gets no user name that a third one has, and then nothing at all', async () => {
    const before = await squatter();
    const username = nameOf();
    const third = await squatter({ username });
    const { accountId, result } = await inPlaceOf(before, { username });
    expect(result).toBe('taken');
    expect((await world.services.accounts.findByUsername(username))?.accountId).toBe(third.accountId);
    expect((await world.services.accounts.findByEmail(before.email))?.accountId).toBe(before.accountId);
    expect(await world.services.accounts.find(accountId)).toBeUndefined();
  });

  it('comes too late where that one went on', async () => {
    const before = await squatter();
    expect(await changed(before, { state: 'pending_phone' })).toBe(true);
    const { result } = await inPlaceOf(before, {});
    expect(result).toBe('taken');
    expect((await read(before.accountId)).state).toBe('pending_phone');
  });
});
