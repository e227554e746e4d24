/** Port of a DynamoDB table. */

import type { Key } from './key.ts';

/**
 * Port of a DynamoDB table, which all stores use: the operations that this service needs, on one table, with plain JavaScript values
 * (string, number, boolean, null, array, object; undefined members are left out). Condition, update and projection expressions are
 * DynamoDB's.
 *
 * Adapters: `sdk-table.ts` (AWS SDK document client) and `signed-table.ts` (the same calls without the SDK, for functions on the path of a
 * data request). One contract test runs against both.
 *
 * Errors: `ConditionFailed` if a condition does not hold, which is an expected outcome; `StoreUnavailable` if the store could not be
 * reached or refused for load in all attempts (three of 1 s, with jitter); `StoreDenied`, without a further attempt, if it denies the
 * caller access. Any other error is a defect, and thrown unchanged.
 */
export interface Table {
  /** Reads an item, strongly consistent. */
  get(key: Key, options?: ReadOptions): Promise<Item | undefined>;
  /** Reads items in one round trip, strongly consistent. The result is in the order of the keys. */
  batchGet(keys: readonly Key[]): Promise<readonly (Item | undefined)[]>;
  /** Reads a page of one partition, strongly consistent, in ascending order of `sk` unless `descending`. */
  query(query: Query): Promise<ItemPage>;
  put(item: Item & Key, condition?: Condition): Promise<void>;
  update(update: Update): Promise<Item>;
  /**
   * Carries out all writes or none. A repeat with the same `token` (≤ 36 characters) within 10 minutes is the same transaction; without a
   * token the adapters make one, so that their own retries are safe.
   */
  transact(writes: readonly Write[], token?: string): Promise<void>;
}

export type Item = Record<string, unknown>;

export interface ReadOptions {
  readonly consistent?: boolean;
}

export interface Condition {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

export interface Query {
  readonly pk: string;
  readonly skBeginsWith?: string;
  /** Bounds of `sk`, both inclusive; not together with `skBeginsWith`. */
  readonly skFrom?: string;
  readonly skTo?: string;
  readonly limit?: number;
  readonly descending?: boolean;
  /** `sk` of the last item of the previous page; for an index, the `next` of that page. */
  readonly after?: string;
  /** Names of the attributes to return, if the rest of a large item isn't needed. The whole item counts as read nevertheless. */
  readonly attributes?: readonly string[];
  /** Index to query (eventually consistent). Its partition key is this attribute, its sort key `sk`. */
  readonly index?: { readonly name: string; readonly attribute: string };
}

export interface ItemPage {
  readonly items: readonly Item[];
  /** `after` for the next page; absent on the last one. */
  readonly next?: string;
}

export interface Update {
  readonly key: Key;
  /** DynamoDB UpdateExpression, e.g. `SET #state = :revoked`. */
  readonly expression: string;
  readonly condition: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

export type Write =
  | { readonly put: Item & Key; readonly condition?: Condition }
  | { readonly update: Update }
  | { readonly delete: Key; readonly condition?: Condition }
  | { readonly check: Key; readonly condition: Condition }
  /** Unconditional changes of attributes. Those of one item become one update, because a transaction may contain an item once only. */
  | { readonly attributes: AttributeChanges };

/** Attributes to set and to remove; others stay unchanged. The item is created if it does not exist. */
export interface AttributeChanges {
  readonly key: Key;
  readonly set: Readonly<Record<string, unknown>>;
  readonly remove: readonly string[];
}

/** Error: a condition did not hold. `failed` has the positions of the writes whose conditions failed. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  readonly failed: readonly number[];
  constructor(failed: readonly number[]) {
    super('a condition of the write does not hold');
    this.failed = failed;
  }
}

/** Error: the store could not be reached, or refused for load, in every attempt. The outcome of a write is unknown. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
  constructor(cause: unknown) {
    super('the store is unavailable', { cause });
  }
}

/**
 * Error: the store denied access, because a role, a key's policy or credentials were changed or have expired. Nothing was written. The call
 * succeeds once an operator has corrected that, so the caller is told to try again.
 */
export class StoreDenied extends StoreUnavailable {
  override readonly name = 'StoreDenied';
}
