/** Local Cognito: the users of the pools. */

import { randomUUID } from 'node:crypto';
import { AwsError } from '../protocol/aws-error.ts';
import type { State } from '../protocol/state.ts';
import type { UserPool } from './user-pools.ts';

export type UserStatus = 'FORCE_CHANGE_PASSWORD' | 'CONFIRMED';

export interface PoolUser {
  readonly poolId: string;
  readonly username: string;
  readonly sub: string;
  readonly status: UserStatus;
  readonly enabled: boolean;
  readonly passwordHash: string | null;
  /** The user's attributes without `sub`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Number of wrong passwords since the last correct one. */
  readonly failures: number;
  /** Milliseconds since 1970. */
  readonly lastFailureAt: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

type Change = Partial<Omit<PoolUser, 'poolId' | 'username' | 'sub' | 'createdAt' | 'modifiedAt'>>;

/** The users of all pools. A user is found by name, by `sub`, or by a verified alias. */
export interface PoolUsers {
  find(pool: UserPool, name: string): PoolUser | undefined;
  list(pool: UserPool): readonly PoolUser[];
  /** @throws AwsError `UsernameExistsException`, `AliasExistsException`. */
  insert(pool: UserPool, user: Pick<PoolUser, 'username' | 'passwordHash' | 'attributes'>): PoolUser;
  /** @throws AwsError `AliasExistsException`. */
  update(pool: UserPool, user: PoolUser, change: Change): PoolUser;
  delete(user: PoolUser): void;
}

/** @throws AwsError `UserNotFoundException`. */
export function existingUser(users: PoolUsers, pool: UserPool, name: string): PoolUser {
  const found = users.find(pool, name);
  if (found === undefined) throw new AwsError('UserNotFoundException', 'User does not exist.');
  return found;
}

const schema = `
  CREATE TABLE IF NOT EXISTS pool_user (
    pool_id TEXT, name_key TEXT, sub TEXT, email_key TEXT, phone_key TEXT, user TEXT,
    PRIMARY KEY (pool_id, name_key)) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS pool_user_by_sub ON pool_user (pool_id, sub);
  CREATE UNIQUE INDEX IF NOT EXISTS pool_user_by_email ON pool_user (pool_id, email_key);
  CREATE UNIQUE INDEX IF NOT EXISTS pool_user_by_phone ON pool_user (pool_id, phone_key);
`;

export function poolUsers(state: State, now: () => number): PoolUsers {
  state.define(schema);
  const rows = (where: string, ...values: string[]): PoolUser[] =>
    state
      .all<{ user: string }>(`SELECT user FROM pool_user WHERE ${where}`, ...values)
      .map(({ user }) => JSON.parse(user) as PoolUser);
  const fold = (pool: UserPool, text: string): string => (pool.caseSensitive ? text : text.toLowerCase());

  /**
   * Key under which an alias is unique; undefined if the pool does not have the alias or the attribute is not verified, so that nobody can
   * sign in with it.
   */
  function aliasKey(pool: UserPool, user: PoolUser, alias: 'email' | 'phone_number'): string | null {
    const value = user.attributes[alias];
    if (!pool.aliases.includes(alias) || value === undefined) return null;
    return user.attributes[`${alias}_verified`] === 'true' ? fold(pool, value) : null;
  }

  function store(pool: UserPool, user: PoolUser): PoolUser {
    const email = aliasKey(pool, user, 'email');
    const phone = aliasKey(pool, user, 'phone_number');
    const name = fold(pool, user.username);
    const taken = rows(
      'pool_id = ? AND name_key <> ? AND (email_key = ? OR phone_key = ?)',
      pool.id,
      name,
      email ?? '',
      phone ?? '',
    );
    if (taken.length > 0) {
      const alias = taken[0]?.attributes.email === user.attributes.email ? 'email' : 'phone_number';
      throw new AwsError('AliasExistsException', `An account with the ${alias} already exists.`);
    }
    state.write(
      'INSERT OR REPLACE INTO pool_user (pool_id, name_key, sub, email_key, phone_key, user) VALUES (?, ?, ?, ?, ?, ?)',
      pool.id,
      name,
      user.sub,
      email,
      phone,
      JSON.stringify(user),
    );
    return user;
  }

  return {
    find(pool, name) {
      const key = fold(pool, name);
      return (
        rows('pool_id = ? AND name_key = ?', pool.id, key)[0] ??
        rows('pool_id = ? AND (sub = ? OR email_key = ? OR phone_key = ?)', pool.id, name, key, key)[0]
      );
    },
    list: (pool) => rows('pool_id = ? ORDER BY name_key', pool.id),
    insert(pool, { username, passwordHash, attributes }) {
      const key = fold(pool, username);
      if (rows('pool_id = ? AND name_key = ?', pool.id, key).length > 0) {
        throw new AwsError('UsernameExistsException', 'User account already exists');
      }
      const times = { createdAt: now(), modifiedAt: now(), failures: 0, lastFailureAt: 0 };
      const status = 'FORCE_CHANGE_PASSWORD' as const;
      const sub = randomUUID();
      return store(pool, {
        poolId: pool.id,
        username,
        sub,
        status,
        enabled: true,
        passwordHash,
        attributes,
        ...times,
      });
    },
    update: (pool, user, change) => store(pool, { ...user, ...change, modifiedAt: now() }),
    delete: ({ poolId, sub }) =>
      void state.write('DELETE FROM pool_user WHERE pool_id = ? AND sub = ?', poolId, sub),
  };
}
