/** Local Cognito: groups. */

import { AssemblyError } from '../../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { State } from '../protocol/state.ts';
import type { PoolUser } from './pool-users.ts';
import type { UserPool } from './user-pools.ts';

/** A group as a template declares it. */
export interface PoolGroup {
  readonly poolId: string;
  readonly name: string;
  readonly description?: string;
  readonly roleArn?: string;
  readonly precedence?: number;
}

/** The groups of all pools with their members. Deleting a user removes it from its groups. */
export interface PoolGroups {
  /** @throws AwsError `ResourceNotFoundException`. */
  find(pool: UserPool, name: string): PoolGroup;
  add(group: PoolGroup, user: PoolUser): void;
  remove(group: PoolGroup, user: PoolUser): void;
  /** Removes a user from all groups. */
  forget(user: PoolUser): void;
  /** Lists a user's groups by precedence, then by name. */
  ofUser(pool: UserPool, user: PoolUser): readonly PoolGroup[];
  /** Subjects (`sub`) of the members, in the order in which they joined. */
  members(group: PoolGroup): readonly string[];
}

const schema = `
  CREATE TABLE IF NOT EXISTS pool_group_member (
    pool_id TEXT, group_name TEXT, sub TEXT, PRIMARY KEY (pool_id, group_name, sub)) STRICT;
`;

/**
 * Reads the groups of the templates.
 *
 * @throws AssemblyError for a group without a pool, or two groups with the same name.
 */
export function poolGroups(assembly: Assembly, state: State): PoolGroups {
  state.define(schema);
  const groups = new Map<string, PoolGroup>();
  for (const resource of assembly.ofType('AWS::Cognito::UserPoolGroup')) {
    const group = readGroup(assembly, resource);
    const key = `${group.poolId}/${group.name}`;
    if (groups.has(key)) {
      throw new AssemblyError(
        `stack ${resource.stack}: ${resource.logicalId}: the group ${key} exists already`,
      );
    }
    groups.set(key, group);
  }
  return {
    find(pool, name) {
      const group = groups.get(`${pool.id}/${name}`);
      if (group === undefined) throw new AwsError('ResourceNotFoundException', 'Group not found.');
      return group;
    },
    add: ({ poolId, name }, { sub }) =>
      void state.write(
        'INSERT OR IGNORE INTO pool_group_member (pool_id, group_name, sub) VALUES (?, ?, ?)',
        poolId,
        name,
        sub,
      ),
    remove: ({ poolId, name }, { sub }) =>
      void state.write(
        'DELETE FROM pool_group_member WHERE pool_id = ? AND group_name = ? AND sub = ?',
        poolId,
        name,
        sub,
      ),
    forget: ({ poolId, sub }) =>
      void state.write('DELETE FROM pool_group_member WHERE pool_id = ? AND sub = ?', poolId, sub),
    ofUser(pool, { sub }) {
      const sql =
        'SELECT group_name FROM pool_group_member WHERE pool_id = ? AND sub = ? ORDER BY group_name';
      return state
        .all<{ group_name: string }>(sql, pool.id, sub)
        .flatMap(({ group_name }) => groups.get(`${pool.id}/${group_name}`) ?? [])
        .toSorted((left, right) => (left.precedence ?? Infinity) - (right.precedence ?? Infinity) || 0);
    },
    members({ poolId, name }) {
      const sql = 'SELECT sub FROM pool_group_member WHERE pool_id = ? AND group_name = ? ORDER BY rowid';
      return state.all<{ sub: string }>(sql, poolId, name).map(({ sub }) => sub);
    },
  };
}

function readGroup(assembly: Assembly, { stack, logicalId, physicalId, properties }: Resource): PoolGroup {
  const { UserPoolId, Description, RoleArn, Precedence } = properties;
  if (assembly.byPhysicalId(String(UserPoolId), 'AWS::Cognito::UserPool') === undefined) {
    throw new AssemblyError(
      `stack ${stack}: ${logicalId}: no template declares the pool ${String(UserPoolId)}`,
    );
  }
  return {
    poolId: String(UserPoolId),
    name: physicalId,
    ...(Description === undefined ? {} : { description: String(Description) }),
    ...(RoleArn === undefined ? {} : { roleArn: String(RoleArn) }),
    ...(Precedence === undefined ? {} : { precedence: Number(Precedence) }),
  };
}
