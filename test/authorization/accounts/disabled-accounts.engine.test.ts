import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type AccountName,
  type MemberPoolUsers,
  sweepAccounts,
} from '../../../lambdas/authorization/accounts/disabled-accounts.ts';
import { createSessionEpochs } from '../../../lambdas/authorization/store/account-sessions-contract.ts';
import {
  createDisabledAccounts,
  createIsClosedToRefresh,
} from '../../../lambdas/authorization/store/disabled-accounts.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { startTestEngine } from '../../support/engine.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());
const table = createSignedTable(engine);

type State = Awaited<ReturnType<MemberPoolUsers['stateOf']>>;

/** A user pool whose users are enabled, disabled or deleted by the test. It counts the requests for single users. */
function userPool() {
  const states = new Map<AccountName, State>();
  let asked = 0;
  const pool: MemberPoolUsers = {
    async *disabled() {
      for (const [account, state] of states) if (state === 'disabled') yield account;
    },
    async stateOf({ sub }) {
      asked += 1;
      return [...states].find(([account]) => account.sub === sub)?.[1] ?? 'deleted';
    },
  };
  return { pool, states, asked: () => asked };
}

const patient = {
  ...{ patientId: 'p1', memberId: 'DSNP0001', displayName: 'Rosa Ejemplo' },
  relationship: 'self',
} as const;
const accountOf = (): AccountName => ({ sub: randomUUID(), username: `M${randomUUID().slice(0, 8)}` });
const isClosed = async ({ sub }: AccountName, patientId = 'p1') =>
  await createIsClosedToRefresh(table, { patientsOf: async () => [patient] })('DSNP', { sub, patientId });
const epoch = async ({ sub }: AccountName) => await createSessionEpochs(table)(sub);

describe('a sweep of the user pool', () => {
  it('closes an account that was disabled, once, with its sessions, and opens it when it is enabled again', async () => {
    const { pool, states, asked } = userPool();
    const [account, other] = [accountOf(), accountOf()];
    const accounts = createDisabledAccounts(table);
    states.set(account, 'enabled').set(other, 'enabled');
    expect(await sweepAccounts(pool, accounts)).toEqual({ disabled: 0, enabled: 0, deleted: 0 });
    expect(await isClosed(account)).toBe(false);
    states.set(account, 'disabled');
    expect(await sweepAccounts(pool, accounts)).toEqual({ disabled: 1, enabled: 0, deleted: 0 });
    expect(await sweepAccounts(pool, accounts)).toEqual({ disabled: 0, enabled: 0, deleted: 0 });
    expect([await isClosed(account), await epoch(account)]).toEqual([true, 1]);
    expect([await isClosed(other), await epoch(other)]).toEqual([false, 0]);
    expect(asked()).toBe(0);
    states.set(account, 'enabled');
    expect(await sweepAccounts(pool, accounts)).toEqual({ disabled: 0, enabled: 1, deleted: 0 });
    expect([await isClosed(account), await epoch(account)]).toEqual([false, 1]);
  });

  it('keeps a disabled account closed that is deleted, and asks about it no more', async () => {
    const { pool, states, asked } = userPool();
    const account = accountOf();
    const accounts = createDisabledAccounts(table);
    states.set(account, 'disabled');
    await sweepAccounts(pool, accounts);
    states.delete(account);
    expect(await sweepAccounts(pool, accounts)).toEqual({ disabled: 0, enabled: 0, deleted: 1 });
    expect(await sweepAccounts(pool, accounts)).toEqual({ disabled: 0, enabled: 0, deleted: 0 });
    expect([await isClosed(account), asked()]).toEqual([true, 1]);
  });

  it('leaves an account as it is that was disabled again while the pool was listed', async () => {
    const { pool, states } = userPool();
    const account = accountOf();
    const accounts = createDisabledAccounts(table);
    states.set(account, 'disabled');
    await sweepAccounts(pool, accounts);
    const listsNobody = { ...pool, async *disabled() {} };
    expect(await sweepAccounts(listsNobody, accounts)).toEqual({ disabled: 0, enabled: 0, deleted: 0 });
    expect(await isClosed(account)).toBe(true);
    await accounts.remove(account);
  });

  it('of two at once closes an account once', async () => {
    const { pool, states } = userPool();
    const account = accountOf();
    states.set(account, 'disabled');
    const sweep = () => sweepAccounts(pool, createDisabledAccounts(table));
    await Promise.all([sweep(), sweep()]);
    expect([await isClosed(account), await epoch(account)]).toEqual([true, 1]);
    await createDisabledAccounts(table).remove(account);
  });
});

describe('an account', () => {
  it('is closed to a refresh for a patient it may no longer act for', async () => {
    expect(await isClosed(accountOf(), 'p2')).toBe(true);
  });
});
