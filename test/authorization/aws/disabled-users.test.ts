import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  ListUsersCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDisabledUsers } from '../../../lambdas/authorization/aws/disabled-users.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';
import { mockClient } from '../../support/client-doubles.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const pool = createDisabledUsers(
  new CognitoIdentityProviderClient({ region: 'us-east-1' }),
  'us-east-1_members',
);
async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
const user = (Username: string, sub: string) => ({ Username, Attributes: [{ Name: 'sub', Value: sub }] });
const failure = (name: string) => Object.assign(new Error(name), { name });
const account = { sub: 'sub-1', username: 'DSNP0001' };

beforeEach(() => {
  cognito.reset();
});

describe('the disabled users of the pool', () => {
  it('are listed page by page, by a filter and with nothing of them but the subject', async () => {
    cognito
      .on(ListUsersCommand)
      .resolvesOnce({ Users: [user('DSNP0001', 'sub-1')], PaginationToken: 'next' })
      .resolvesOnce({ Users: [user('DSNP0002', 'sub-2')] });
    expect(await all(pool.disabled())).toEqual([account, { sub: 'sub-2', username: 'DSNP0002' }]);
    const [first, second] = cognito.commandCalls(ListUsersCommand).map(({ args: [{ input }] }) => input);
    expect(first).toMatchObject({ Filter: 'status = "Disabled"', AttributesToGet: ['sub'] });
    expect(second).toMatchObject({ PaginationToken: 'next' });
  });

  it('are not known where the pool does not answer', async () => {
    cognito.on(ListUsersCommand).rejects(failure('TooManyRequestsException'));
    await expect(all(pool.disabled())).rejects.toThrow(StoreUnavailable);
  });
});

describe('one user', () => {
  it.each([
    ['enabled', { Enabled: true, UserAttributes: [{ Name: 'sub', Value: 'sub-1' }] }],
    ['disabled', { Enabled: false, UserAttributes: [{ Name: 'sub', Value: 'sub-1' }] }],
    // The user was deleted and another one created with the same name.
    ['deleted', { Enabled: true, UserAttributes: [{ Name: 'sub', Value: 'sub-2' }] }],
  ])('is %s', async (state, answer) => {
    cognito.on(AdminGetUserCommand).resolves(answer);
    expect(await pool.stateOf(account)).toBe(state);
  });

  it('is deleted where the pool knows none, and of unknown state where it does not answer', async () => {
    cognito.on(AdminGetUserCommand).rejects(failure('UserNotFoundException'));
    expect(await pool.stateOf(account)).toBe('deleted');
    cognito.on(AdminGetUserCommand).rejects(failure('InternalErrorException'));
    await expect(pool.stateOf(account)).rejects.toThrow(StoreUnavailable);
  });
});
