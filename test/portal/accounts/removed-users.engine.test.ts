import { afterAll, describe, expect, it } from 'vitest';
import { conditionHolds } from '../../../lambdas/platform/table/conditional-writes.ts';
import { createUserRemoval } from '../../../lambdas/portal/accounts/remove-user.ts';
import { claimOutboxEntry, createPortalOutbox } from '../../../lambdas/portal/adapters/outbox.ts';
import { anActiveDeveloper, individual, person, startPortalWorld } from './portal-world.ts';

const world = await startPortalWorld();
afterAll(() => world.stop());

/** Runs the outbox worker this many minutes later. */
async function runOutboxWorker(minutesLater: number) {
  const { services, table, clock } = world;
  const user = createUserRemoval({
    accounts: services.accounts,
    directory: services.directory,
    claim: async (entryId) => await conditionHolds(table, [claimOutboxEntry(entryId)]),
  });
  const outbox = createPortalOutbox(
    table,
    { mail: async () => 'done', user },
    () => clock.ms + minutesLater * 60_000,
  );
  return await outbox.carryOutLeft();
}

const signUp = async (form: object) => await world.browser().send('POST', '/api/accounts', form);
const users = () => new Set(world.directory.users.keys());
/** Makes the next call of a method fail, as if the function had ended there. */
function dies(object: object, name: string) {
  const before = Object.entries(object).find(([key]) => key === name)?.[1];
  Object.assign(object, {
    [name]: async () => {
      Object.assign(object, { [name]: before });
      return await Promise.reject(new Error('the function is dead'));
    },
  });
}

describe('a user of the pool', () => {
  it('is removed once its sign-up is superseded, and its successor’s stays', async () => {
    const form = individual();
    const first = String((await signUp(form)).body.accountId);
    world.after(3_601);
    const second = String((await signUp({ ...form, botCheck: person() })).body.accountId);
    expect((await world.services.accounts.find(first))?.state).toBe('closed');
    expect([users().has(first), users().has(second)]).toEqual([true, true]);
    await runOutboxWorker(1);
    expect([users().has(first), users().has(second)]).toEqual([false, true]);
    await runOutboxWorker(20);
    expect(users().has(second)).toBe(true);
    expect(await world.services.accounts.findByEmail(form.email)).toMatchObject({ accountId: second });
  });

  it('stays where its sign-up was completed in the moment another came for its address', async () => {
    const form = individual();
    const browser = world.browser();
    const first = String((await browser.send('POST', '/api/accounts', form)).body.accountId);
    world.after(3_541);
    await browser.send('POST', '/api/account/email-code/resend');
    const code = world.code(form.email);
    world.after(61);
    const [proven, other] = await Promise.all([
      browser.send('POST', '/api/account/email-code', { code }),
      signUp({ ...form, botCheck: person() }),
    ]);
    await runOutboxWorker(20);
    const held = (await world.services.accounts.findByEmail(form.email))?.accountId;
    expect(held).toBe(proven.status === 200 ? first : other.body.accountId);
    expect(users().has(held ?? '')).toBe(true);
    // The user of a decoy account is kept as well, so that nobody who signed up can tell the difference.
    expect(users().has(String(other.body.accountId))).toBe(true);
    expect(users().has(first)).toBe(proven.status === 200);
  });

  it('is removed where its sign-up died before the account was made, a quarter of an hour later', async () => {
    const before = users();
    dies(world.services.accounts, 'create');
    expect((await signUp(individual())).status).toBe(500);
    const [left = ''] = [...users()].filter((name) => !before.has(name));
    expect(await world.services.accounts.find(left)).toBeUndefined();
    await runOutboxWorker(10);
    expect(users().has(left)).toBe(true);
    await runOutboxWorker(16);
    expect(users().has(left)).toBe(false);
    expect(await runOutboxWorker(16)).toEqual({ done: 0, left: 0 });
  });

  it('is removed where its sign-up was refused after it was made', async () => {
    const username = 'taken-name';
    await anActiveDeveloper(world, { username });
    const before = users();
    const { findByUsername } = world.services.accounts;
    // The first lookup finds no account with the name, as before a concurrent sign-up.
    Object.assign(world.services.accounts, {
      findByUsername: async (name: string) => {
        Object.assign(world.services.accounts, { findByUsername });
        return name === username ? undefined : await findByUsername(name);
      },
    });
    const refused = await signUp(individual({ username }));
    expect(refused.body.errors).toMatchObject([{ pointer: '/username', code: 'taken' }]);
    const [left = ''] = [...users()].filter((name) => !before.has(name));
    expect(users().has(left)).toBe(true);
    await runOutboxWorker(16);
    expect(users().has(left)).toBe(false);
  });

  it('and its account are both there or neither, whichever of sign-up and outbox worker is first', async () => {
    for (const late of [true, false]) {
      const before = users();
      const { create } = world.services.accounts;
      Object.assign(world.services.accounts, {
        create: async (creation: Parameters<typeof create>[0]) => {
          Object.assign(world.services.accounts, { create });
          // The sign-up takes longer than the quarter of an hour after which the outbox worker removes its user.
          if (late) await runOutboxWorker(16);
          return await create(creation);
        },
      });
      const form = individual();
      const answer = await signUp(form);
      if (!late) await runOutboxWorker(16);
      const made = [...users()].filter((name) => !before.has(name));
      const account = await world.services.accounts.findByEmail(form.email);
      expect(answer.status).toBe(late ? 503 : 201);
      expect(made).toEqual(account === undefined ? [] : [account.accountId]);
      expect(account === undefined).toBe(late);
    }
  });

  it('is removed in the end where the outbox worker dies in between', async () => {
    dies(world.services.accounts, 'create');
    const before = users();
    await signUp(individual());
    const [left = ''] = [...users()].filter((name) => !before.has(name));
    dies(world.services.directory, 'remove');
    expect((await runOutboxWorker(16)).left).toBe(1);
    expect(users().has(left)).toBe(true);
    await runOutboxWorker(16);
    expect(users().has(left)).toBe(false);
  });
});
