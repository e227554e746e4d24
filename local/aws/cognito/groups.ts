/** Operations on the groups of a user pool. */

import * as z from 'zod/mini';
import { AwsError } from '../protocol/aws-error.ts';
import type { ServiceOperation } from '../protocol/service.ts';
import type { PoolGroup, PoolGroups } from './pool-groups.ts';
import { type DefinePoolOperation, Username, UserPoolId } from './pool-operation.ts';
import { existingUser, type PoolUsers } from './pool-users.ts';
import { renditionOf } from './user-attributes.ts';
import type { UserPool } from './user-pools.ts';

const GroupName = z
  .string()
  .check(z.minLength(1), z.maxLength(128), z.regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u));
const page = {
  Limit: z.optional(z.int().check(z.minimum(0), z.maximum(60))),
  NextToken: z.optional(z.string()),
};

interface Page {
  readonly Limit?: number | undefined;
  readonly NextToken?: string | undefined;
}

/** Operations on the members of groups. The groups themselves are declared in templates (`AWS::Cognito::UserPoolGroup`). */
export function groupOperations(
  { groups, users }: { readonly groups: PoolGroups; readonly users: PoolUsers },
  define: DefinePoolOperation,
): Record<string, ServiceOperation> {
  const membership = (change: 'add' | 'remove') => (input: Membership, pool: UserPool) => {
    const group = groups.find(pool, input.GroupName);
    groups[change](group, existingUser(users, pool, input.Username));
    return {};
  };
  const member = { UserPoolId, Username, GroupName };
  return {
    ...define('AdminAddUserToGroup', 'UserResourceUpdate', member, membership('add')),
    ...define('AdminRemoveUserFromGroup', 'UserResourceUpdate', member, membership('remove')),
    ...define(
      'AdminListGroupsForUser',
      'UserResourceRead',
      { UserPoolId, Username, ...page },
      (input, pool) => {
        const all = groups.ofUser(pool, existingUser(users, pool, input.Username));
        const { entries, next } = pageOf(all, ({ name }) => name, input);
        return { Groups: entries.map(groupRendition), ...next };
      },
    ),
    ...define('ListUsersInGroup', 'UserList', { UserPoolId, GroupName, ...page }, (input, pool) => {
      const members = groups.members(groups.find(pool, input.GroupName));
      const { entries, next } = pageOf(members, (sub) => sub, input);
      const found = entries.flatMap((sub) => users.find(pool, sub) ?? []);
      return { Users: found.map((one) => renditionOf(one, 'Attributes')), ...next };
    }),
  };
}

interface Membership {
  readonly Username: string;
  readonly GroupName: string;
}

function groupRendition({ poolId, name, description, roleArn, precedence }: PoolGroup): object {
  return {
    GroupName: name,
    UserPoolId: poolId,
    ...(description === undefined ? {} : { Description: description }),
    ...(roleArn === undefined ? {} : { RoleArn: roleArn }),
    ...(precedence === undefined ? {} : { Precedence: precedence }),
  };
}

/** A page of at most 60 entries; its token is the name of the last entry. */
function pageOf<T>(
  all: readonly T[],
  nameOf: (entry: T) => string,
  { Limit, NextToken }: Page,
): { readonly entries: readonly T[]; readonly next: { readonly NextToken?: string } } {
  const after = all.findIndex((entry) => nameOf(entry) === NextToken);
  if (NextToken !== undefined && after < 0) {
    throw new AwsError('InvalidParameterException', 'Invalid pagination token.');
  }
  const end = after + 1 + (Limit || 60);
  const entries = all.slice(after + 1, end);
  const last = entries.at(-1);
  return { entries, next: end < all.length && last !== undefined ? { NextToken: nameOf(last) } : {} };
}
