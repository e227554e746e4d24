import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import {
  anActiveDeveloper,
  anAddress,
  individual,
  type PortalWorld,
  password,
  person,
  startPortalWorld,
} from '../portal/accounts/portal-world.ts';

/** Response times must not reveal whether an address has an account: each answer waits for the same calls in the same order. */

let world: PortalWorld;
let calls: string[] = [];
beforeAll(async () => {
  world = await startPortalWorld({}, async (engine) => counted(createSignedTable(engine)));
  Object.assign(world.services, { directory: counted(world.directory) });
});
afterAll(async () => await world.stop());

function counted<Target extends object>(target: Target): Target {
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        calls.push(String(name));
        return await member.apply(of, args);
      };
    },
  });
}

/** Lists the calls to the store and the user pool, in order. */
async function work(path: string, body: object): Promise<readonly string[]> {
  calls = [];
  await world.browser().send('POST', path, { botCheck: person(), ...body });
  return calls.filter((name) => name !== ('query' satisfies keyof Table));
}

it.each([
  [
    'a sign-in with a wrong password',
    '/api/session',
    (email: string) => ({ identifier: email, password: 'not that' }),
  ],
  ['a password reset', '/api/password-reset', (email: string) => ({ email })],
  ['a sign-up', '/api/accounts', (email: string) => ({ ...individual({ email }), botCheck: person() })],
  [
    'a code that sets a password',
    '/api/password-reset/confirm',
    (email: string) => ({
      botCheck: undefined,
      ...{ email, code: '123456', password, passwordConfirmation: password },
    }),
  ],
] as const)('waits for the same, whether somebody has the address or not: %s', async (_what, path, bodyOf) => {
  const { email } = await anActiveDeveloper(world);
  world.after(3_600);
  // A first request, so that calls that an instance makes once are not counted.
  await work(path, bodyOf(anAddress()));
  const taken = await work(path, bodyOf(email));
  const free = await work(path, bodyOf(anAddress()));
  expect(taken.length).toBeGreaterThan(2);
  expect(taken).toEqual(free);
});
