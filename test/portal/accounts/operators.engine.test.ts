import { afterAll, describe, expect, it } from 'vitest';
import { createOperatorCommands } from '../../../lambdas/portal/accounts/operator-commands.ts';
import { readOperatorActs } from '../../../lambdas/portal/adapters/operator-acts.ts';
import type { NewOperatorAccess } from '../../../lambdas/portal/api/operations-contract.ts';
import { type PortalResult, problem } from '../../../lambdas/portal/api/route-handler.ts';
import {
  anActiveDeveloper,
  anAddress,
  aPhone,
  type PortalWorld,
  person,
  startPortalWorld,
} from './portal-world.ts';

const world = await startPortalWorld();
afterAll(() => world.stop());
const commands = createOperatorCommands({ ...world.services, operators: operatorsOf(world) });

/** The operators' group of the user pool, over the users of the world's directory. */
function operatorsOf({ directory }: PortalWorld) {
  return {
    async create(accountId: string, _person: unknown, chosen: string) {
      directory.users.set(accountId, { password: chosen, enabled: true, operator: true });
      return true;
    },
    list: async () =>
      [...directory.users]
        .filter(([, { operator }]) => operator)
        .map(([accountId]) => ({ accountId, name: 'Olga Operator', email: 'olga@plan.example' })),
    async remove(accountId: string) {
      const user = directory.users.get(accountId);
      if (user !== undefined) directory.users.set(accountId, { ...user, operator: false, enabled: false });
    },
  };
}

const by = { kind: 'operator', id: 'command-line:ida', name: 'Ida' } as const;
const request = { by, requestId: 'request-1', dryRun: false };
const olga = () => ({
  firstName: 'Olga',
  lastName: 'Operator',
  email: anAddress('plan.example'),
  phone: aPhone(),
});
const bodyOf = (answer: PortalResult) => (answer.kind === 'problem' ? undefined : answer.body);

async function made(person: ReturnType<typeof olga>): Promise<NewOperatorAccess> {
  return (bodyOf(await commands.create(person, request)) as { made: NewOperatorAccess }).made;
}

async function signedIn(email: string, password: string, phone: string) {
  const browser = world.browser();
  const asked = await browser.send('POST', '/api/session', {
    identifier: email,
    password,
    botCheck: person(),
  });
  if (asked.body.next !== 'code') return { browser, asked };
  const code = world.code(`+1${phone.replaceAll('-', '')}`);
  return { browser, asked, done: await browser.send('POST', '/api/session/code', { code }) };
}

describe('operators', () => {
  it('sign in by the password that was told and the code of a text, and may decide at once', async () => {
    const operator = olga();
    const { operatorId, password } = await made(operator);
    const { browser, asked, done } = await signedIn(operator.email, password, operator.phone);
    expect(asked.body).toMatchObject({ next: 'code', channel: 'sms' });
    expect(done?.body).toMatchObject({
      next: 'signed_in',
      account: { role: 'operator', accountId: operatorId },
    });
    expect((await browser.send('GET', '/api/operations/accounts')).status).toBe(200);
    expect(bodyOf(await commands.list())).toMatchObject({
      operators: expect.arrayContaining([expect.objectContaining({ operatorId, state: 'active' })]),
    });
  });

  it('lose every session when they are removed, and the address is free again', async () => {
    const operator = olga();
    const { operatorId, password } = await made(operator);
    const { browser } = await signedIn(operator.email, password, operator.phone);
    expect(bodyOf(await commands.remove(operator.email, request))).toMatchObject({
      operatorId,
      state: 'closed',
    });
    const { acts } = await readOperatorActs(world.table, by.id, undefined);
    expect(acts.filter(({ id }) => id === operatorId).map(({ act }) => act)).toEqual([
      'close',
      'make_operator',
    ]);
    expect((await browser.send('GET', '/api/operations/accounts')).status).toBe(401);
    expect((await signedIn(operator.email, password, operator.phone)).asked.body.code).toBe(
      'sign_in_refused',
    );
    expect((await made(operator)).operatorId).not.toBe(operatorId);
  });

  it('are removed once more under their id where the first answer was lost', async () => {
    const { operatorId } = await made(olga());
    for (const _time of ['first', 'again']) {
      expect(bodyOf(await commands.remove(operatorId, request))).toMatchObject({ state: 'closed' });
    }
  });

  it.each([
    'before',
    'after',
  ])('made by hand and removed in the moment of their first sign-in, %s their account is made, get no further', async (when) => {
    const name = `by-hand-${when}`;
    world.directory.users.set(name, { password: 'tall lantern maps', enabled: true, operator: true });
    const { ensureOperator } = world.services.accounts;
    let removed: PortalResult | undefined;
    const remove = async () => {
      Object.assign(world.services.accounts, { ensureOperator });
      removed = await commands.remove(name, request);
    };
    Object.assign(world.services.accounts, {
      ensureOperator: async (account: Parameters<typeof ensureOperator>[0]) => {
        if (when === 'before') await remove();
        await ensureOperator(account);
        if (when === 'after') await remove();
      },
    });
    const browser = world.browser();
    const body = { identifier: name, password: 'tall lantern maps', botCheck: person() };
    await browser.send('POST', '/api/session', body);
    expect(removed).toMatchObject({ status: 200 });
    const code = world.code(`${name}@plan.example`);
    const done = await browser.send('POST', '/api/session/code', { code });
    expect(done.status).toBe(401);
    expect((await browser.send('GET', '/api/operations/accounts')).status).toBe(401);
    expect((await world.services.accounts.find(name))?.state).toBe('closed');
    // The e-mail address belongs to no account.
    expect(await world.services.accounts.findByEmail(`${name}@plan.example`)).toBeUndefined();
  });

  it('have an address that nobody else has', async () => {
    const { email } = await anActiveDeveloper(world);
    expect(await commands.create({ ...olga(), email: email.toUpperCase() }, request)).toMatchObject({
      problem: 'invalid_request',
      errors: [{ pointer: '/person/email', code: 'taken' }],
    });
  });

  it('are neither made nor removed by a dry run', async () => {
    const operator = olga();
    const users = world.directory.users.size;
    expect(bodyOf(await commands.create(operator, { ...request, dryRun: true }))).toEqual({
      email: operator.email,
    });
    expect(world.directory.users.size).toBe(users);
    const { operatorId, password } = await made(operator);
    await commands.remove(operatorId, { ...request, dryRun: true });
    expect((await signedIn(operator.email, password, operator.phone)).done?.status).toBe(200);
  });

  it('are no developers: an account of a developer is not found here', async () => {
    const { email } = await anActiveDeveloper(world);
    expect(await commands.remove(email, request)).toEqual(problem('not_found'));
    expect(await commands.remove('nobody', request)).toEqual(problem('not_found'));
  });
});
