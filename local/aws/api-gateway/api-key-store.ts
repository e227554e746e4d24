/** Local API Gateway: stored API keys, their usage plans and usage. */

import type { State } from '../protocol/state.ts';

export interface StoredApiKey {
  readonly id: string;
  readonly value: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly enabled: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly usagePlanIds: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

/** API keys, the usage plans they are in, and how often each was used on each day. */
export interface ApiKeyStore {
  get(id: string): StoredApiKey | undefined;
  /** Finds a key by its value. The result is cached until the next change, because the gateway asks at every call. */
  findByValue(value: string): StoredApiKey | undefined;
  list(): readonly StoredApiKey[];
  insert(key: Omit<StoredApiKey, 'usagePlanIds'>): void;
  update(id: string, change: Partial<Pick<StoredApiKey, 'name' | 'description' | 'enabled'>>): void;
  delete(id: string): void;
  addToPlan(usagePlanId: string, keyId: string): void;
  /**
   * Removes a key from a usage plan.
   *
   * @returns false if the key wasn't in the plan.
   */
  removeFromPlan(usagePlanId: string, keyId: string): boolean;
  /** Counts one call; `day` is `YYYY-MM-DD` in UTC. Counts are in memory for up to a second, so a crash may lose some. */
  recordUse(usagePlanId: string, keyId: string, day: string): void;
  /** Number of calls from day `from` to day `to`, both included. */
  used(usagePlanId: string, keyId: string, from: string, to: string): number;
  /** Writes the counts in memory to disk. */
  flush(): void;
}

interface Row {
  readonly id: string;
  readonly value: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly enabled: number;
  readonly created_at: number;
  readonly updated_at: number;
}

const schema = `
  CREATE TABLE IF NOT EXISTS api_key (
    id TEXT PRIMARY KEY, value TEXT UNIQUE, name TEXT, description TEXT, enabled INTEGER,
    created_at INTEGER, updated_at INTEGER) STRICT;
  CREATE TABLE IF NOT EXISTS api_key_tag (key_id TEXT, name TEXT, value TEXT, PRIMARY KEY (key_id, name)) STRICT;
  CREATE TABLE IF NOT EXISTS usage_plan_key (plan_id TEXT, key_id TEXT, PRIMARY KEY (plan_id, key_id)) STRICT;
  CREATE INDEX IF NOT EXISTS usage_plan_key_by_key ON usage_plan_key (key_id);
  CREATE TABLE IF NOT EXISTS api_usage (
    plan_id TEXT, key_id TEXT, day TEXT, used INTEGER, PRIMARY KEY (plan_id, key_id, day)) STRICT;
`;

export function apiKeyStore(state: State, now: () => number): ApiKeyStore {
  state.define(schema);
  const remembered = new Map<string, StoredApiKey>();
  const changed = (): void => remembered.clear();
  const usage = usageCounters(state);

  const whole = (row: Row | undefined): StoredApiKey | undefined => {
    if (row === undefined) return undefined;
    const plans = state.all<{ plan_id: string }>(
      'SELECT plan_id FROM usage_plan_key WHERE key_id = ?',
      row.id,
    );
    const { id, value, name, description } = row;
    const usagePlanIds = plans.map((plan) => plan.plan_id);
    const tags = state.all<{ name: string; value: string }>(
      'SELECT name, value FROM api_key_tag WHERE key_id = ?',
      row.id,
    );
    return {
      id,
      value,
      name,
      description,
      enabled: row.enabled === 1,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      usagePlanIds,
      tags: Object.fromEntries(tags.map((tag) => [tag.name, tag.value])),
    };
  };
  const get = (id: string): StoredApiKey | undefined =>
    whole(state.one<Row>('SELECT * FROM api_key WHERE id = ?', id));

  return {
    ...usage,
    get,
    findByValue(value) {
      const known = remembered.get(value);
      if (known !== undefined) return known;
      const found = whole(state.one<Row>('SELECT * FROM api_key WHERE value = ?', value));
      if (found !== undefined) remembered.set(value, found);
      return found;
    },
    list: () =>
      state.all<Row>('SELECT * FROM api_key ORDER BY created_at, id').flatMap((row) => whole(row) ?? []),
    insert({ id, value, name, description, enabled, createdAt, updatedAt, tags }) {
      state.atomically(() => {
        state.write(
          'INSERT INTO api_key (id, value, name, description, enabled, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
          id,
          value,
          name,
          description,
          enabled ? 1 : 0,
          createdAt,
          updatedAt,
        );
        for (const [tag, text] of Object.entries(tags)) {
          state.write('INSERT INTO api_key_tag (key_id, name, value) VALUES (?, ?, ?)', id, tag, text);
        }
      });
    },
    update(id, change) {
      const before = get(id);
      if (before === undefined) return;
      const { name, description, enabled } = { ...before, ...change };
      state.write(
        'UPDATE api_key SET name = ?, description = ?, enabled = ?, updated_at = ? WHERE id = ?',
        name,
        description,
        enabled ? 1 : 0,
        now(),
        id,
      );
      changed();
    },
    delete(id) {
      state.atomically(() => {
        state.write('DELETE FROM usage_plan_key WHERE key_id = ?', id);
        state.write('DELETE FROM api_key_tag WHERE key_id = ?', id);
        state.write('DELETE FROM api_key WHERE id = ?', id);
      });
      changed();
    },
    addToPlan(usagePlanId, keyId) {
      state.write('INSERT OR IGNORE INTO usage_plan_key (plan_id, key_id) VALUES (?, ?)', usagePlanId, keyId);
      changed();
    },
    removeFromPlan(usagePlanId, keyId) {
      const removed = state.write(
        'DELETE FROM usage_plan_key WHERE plan_id = ? AND key_id = ?',
        usagePlanId,
        keyId,
      );
      changed();
      return removed > 0;
    },
  };
}

function usageCounters(state: State): Pick<ApiKeyStore, 'recordUse' | 'used' | 'flush'> {
  const counted = new Map<string, number>();
  const flush = (): void => {
    if (counted.size === 0) return;
    state.atomically(() => {
      for (const [name, count] of counted) {
        const [planId = '', keyId = '', day = ''] = name.split(' ');
        state.write(
          `INSERT INTO api_usage (plan_id, key_id, day, used) VALUES (?, ?, ?, ?)
           ON CONFLICT (plan_id, key_id, day) DO UPDATE SET used = used + excluded.used`,
          planId,
          keyId,
          day,
          count,
        );
      }
    });
    counted.clear();
  };
  return {
    flush,
    recordUse(usagePlanId, keyId, day) {
      const name = `${usagePlanId} ${keyId} ${day}`;
      counted.set(name, (counted.get(name) ?? 0) + 1);
    },
    used(usagePlanId, keyId, from, to) {
      flush();
      const row = state.one<{ used: number | null }>(
        'SELECT sum(used) AS used FROM api_usage WHERE plan_id = ? AND key_id = ? AND day BETWEEN ? AND ?',
        usagePlanId,
        keyId,
        from,
        to,
      );
      return row?.used ?? 0;
    },
  };
}
