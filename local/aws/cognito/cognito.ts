/** Local Cognito: operations on user pools, by an administrator and for sign-in from a server. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { AwsError } from '../protocol/aws-error.ts';
import type { Service, ServiceOperation } from '../protocol/service.ts';
import { groupOperations } from './groups.ts';
import type { PoolGroups } from './pool-groups.ts';
import { type DefinePoolOperation, poolOperationDefiner, Username, UserPoolId } from './pool-operation.ts';
import { checkPassword, hashPassword } from './pool-passwords.ts';
import { existingUser, type PoolUser, type PoolUsers } from './pool-users.ts';
import { type SignIn, signIn } from './sign-in.ts';
import { listAttributes, readAttributes, renditionOf } from './user-attributes.ts';
import type { UserPool, UserPools } from './user-pools.ts';
import { userFilter } from './user-search.ts';

export interface CognitoDeps {
  readonly pools: UserPools;
  readonly users: PoolUsers;
  readonly groups: PoolGroups;
  readonly now: () => number;
  /** Whether the service's request rates apply; the load of very many members may switch them off. */
  readonly throttled: boolean;
}

const attributes = z.array(z.strictObject({ Name: z.string(), Value: z.optional(z.string()) }));
const strings = z.record(z.string(), z.string());
const user = { UserPoolId, Username };

/** Cognito user pools: users and passwords, through an administrator's calls, and sign-in from a server. */
export function cognito(deps: CognitoDeps): Service {
  const define = poolOperationDefiner(deps);
  return {
    operations: {
      ...userOperations(deps, define),
      ...groupOperations(deps, define),
      ...poolOperations(deps, define, signIn(deps)),
    },
  };
}

function userOperations(
  { users, groups }: CognitoDeps,
  define: DefinePoolOperation,
): Record<string, ServiceOperation> {
  const find = (pool: UserPool, name: string): PoolUser => existingUser(users, pool, name);
  const enable = (enabled: boolean) => (input: { Username: string }, pool: UserPool) => {
    users.update(pool, find(pool, input.Username), { enabled });
    return {};
  };
  return {
    ...define(
      'AdminCreateUser',
      'UserCreation',
      {
        ...user,
        UserAttributes: z.optional(attributes),
        TemporaryPassword: z.optional(z.string()),
        MessageAction: z.literal('SUPPRESS'),
      },
      async (input, pool) => ({ User: renditionOf(await createUser(users, pool, input), 'Attributes') }),
    ),
    ...define(
      'AdminSetUserPassword',
      'UserAccountRecovery',
      { ...user, Password: z.string(), Permanent: z.optional(z.boolean()) },
      async (input, pool) => {
        find(pool, input.Username);
        checkPassword(input.Password, pool.passwordPolicy);
        const passwordHash = await hashPassword(input.Password);
        const status = input.Permanent === true ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD';
        users.update(pool, find(pool, input.Username), { passwordHash, status, failures: 0 });
        return {};
      },
    ),
    ...define('AdminGetUser', 'UserRead', user, (input, pool) =>
      renditionOf(find(pool, input.Username), 'UserAttributes'),
    ),
    ...define(
      'AdminUpdateUserAttributes',
      'UserUpdate',
      { ...user, UserAttributes: attributes },
      (input, pool) => {
        const known = find(pool, input.Username);
        const changed = {
          ...known.attributes,
          ...unverified(input.UserAttributes),
          ...readAttributes(pool, input.UserAttributes),
        };
        users.update(pool, known, { attributes: changed });
        return {};
      },
    ),
    ...define('AdminDisableUser', 'UserUpdate', user, enable(false)),
    ...define('AdminEnableUser', 'UserUpdate', user, enable(true)),
    ...define('AdminDeleteUser', 'UserUpdate', user, (input, pool) => {
      const leaving = find(pool, input.Username);
      groups.forget(leaving);
      users.delete(leaving);
      return {};
    }),
    ...define(
      'ListUsers',
      'UserList',
      {
        UserPoolId,
        AttributesToGet: z.optional(z.array(z.string())),
        Filter: z.optional(z.string()),
        Limit: z.optional(z.int().check(z.minimum(0), z.maximum(60))),
        PaginationToken: z.optional(z.string()),
      },
      (input, pool) => listUsers(users.list(pool), input),
    ),
  };
}

function poolOperations(
  { pools }: CognitoDeps,
  define: DefinePoolOperation,
  initiate: SignIn,
): Record<string, ServiceOperation> {
  return {
    ...define(
      'AdminInitiateAuth',
      'UserAuthentication',
      { UserPoolId, ClientId: z.string(), AuthFlow: z.string(), AuthParameters: z.optional(strings) },
      (input) => initiate(input),
    ),
    ...define(
      'DescribeUserPoolClient',
      'UserPoolRead',
      { UserPoolId, ClientId: z.string() },
      (input, pool) => {
        const { id, name, secret, flows } = pools.client(pool.id, input.ClientId);
        return {
          UserPoolClient: {
            UserPoolId: pool.id,
            ClientId: id,
            ClientName: name,
            ClientSecret: secret,
            ExplicitAuthFlows: flows,
          },
        };
      },
    ),
  };
}

interface Creation {
  readonly Username: string;
  readonly UserAttributes?: z.infer<typeof attributes> | undefined;
  readonly TemporaryPassword?: string | undefined;
}

async function createUser(users: PoolUsers, pool: UserPool, input: Creation): Promise<PoolUser> {
  if (pool.aliases.includes('email') && /^[^\s@]+@[^\s@]+$/.test(input.Username)) {
    throw new AwsError(
      'InvalidParameterException',
      'Username cannot be of email format, since user pool is configured for email alias.',
    );
  }
  const temporary = input.TemporaryPassword;
  if (temporary !== undefined) checkPassword(temporary, pool.passwordPolicy);
  const passwordHash = await hashPassword(temporary ?? randomBytes(24).toString('base64url'));
  return users.insert(pool, {
    username: input.Username,
    passwordHash,
    attributes: readAttributes(pool, input.UserAttributes ?? []),
  });
}

/** The attributes that mark a changed address as unverified, unless the same call says otherwise. */
function unverified(given: readonly { Name: string }[]): Record<string, string> {
  const names = given.map(({ Name }) => Name).filter((name) => name === 'email' || name === 'phone_number');
  return Object.fromEntries(names.map((name) => [`${name}_verified`, 'false']));
}

function listUsers(
  all: readonly PoolUser[],
  input: {
    readonly AttributesToGet?: readonly string[] | undefined;
    readonly Filter?: string | undefined;
    readonly Limit?: number | undefined;
    readonly PaginationToken?: string | undefined;
  },
): unknown {
  const matching = all.filter(userFilter(input.Filter ?? ''));
  const start =
    input.PaginationToken === undefined
      ? 0
      : matching.findIndex(({ sub }) => sub === input.PaginationToken) + 1;
  const limit = input.Limit || 60;
  const page = matching.slice(start, start + limit);
  const last = page.at(-1);
  const wanted = ({ Name }: { readonly Name: string }) => input.AttributesToGet?.includes(Name) ?? true;
  return {
    Users: page.map((one) => ({
      ...renditionOf(one, 'Attributes'),
      Attributes: listAttributes(one).filter(wanted),
    })),
    ...(start + limit < matching.length && last !== undefined ? { PaginationToken: last.sub } : {}),
  };
}
