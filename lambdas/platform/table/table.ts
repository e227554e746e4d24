/** Port of a DynamoDB table. */

import type { Key } from './key.ts';

/**
 * The port every store is written against: the DynamoDB operations this service uses, on one table, with plain
 * JavaScript values (string, number, boolean, null, array, object; undefined members are left out). Condition,
 * update and projection expressions are DynamoDB's own.
 *
 * Two adapters: `sdk-table.ts` (AWS SDK document client) and `signed-table.ts` (the same calls, hand-signed, for the
 * functions a data request waits for). One contract test holds both to this page.
 *
 * Errors: `ConditionFailed` where a condition does not hold (an expected answer); `StoreUnavailable` when the store
 * could not be reached or refused for load after the retries (1 s each, 3 attempts with jitter), or at once (`StoreDenied`)
 * where it refuses who calls. Anything else is a
 * defect and thrown as it comes.
 */
export interface Table {
  /** Strongly consistent. */
  get(key: Key, options?: ReadOptions): Promise<Item | undefined>;
  /** Strongly consistent; one round trip; the answers stand in the keys' order. */
  batchGet(keys: readonly Key[]): Promise<readonly (Item | undefined)[]>;
  /** Strongly consistent page of one partition, `sk` ascending unless `descending`. */
  query(query: Query): Promise<ItemPage>;
  put(item: Item & Key, condition?: Condition): Promise<void>;
  update(update: Update): Promise<Item>;
  /**
   * All or none. `token` (≤ 36 characters) makes a repeat within 10 minutes the same act; the adapters make one where
   * it is absent, so that their own retries are safe.
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
  /** Bounds of `sk`, both inside; not together with `skBeginsWith`. */
  readonly skFrom?: string;
  readonly skTo?: string;
  readonly limit?: number;
  readonly descending?: boolean;
  /** `sk` of the last item already seen; of an index's page, its `next`. */
  readonly after?: string;
  /** Names of the attributes to send, where the rest of a large item isn't needed. It is read, and counts, all the same. */
  readonly attributes?: readonly string[];
  /** Asks an index (eventually consistent), whose partition key is this attribute and whose sort key is `sk`. */
  readonly index?: { readonly name: string; readonly attribute: string };
}

export interface ItemPage {
  readonly items: readonly Item[];
  /** Present when there is more: the `after` of the next page. */
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
  /** Unconditional. Those of one item are one update of the transaction, which may hold an item once. */
  | { readonly attributes: AttributeChanges };

/** Attributes that are set and removed, the others staying as they are. The item is made if it isn't there. */
export interface AttributeChanges {
  readonly key: Key;
  readonly set: Readonly<Record<string, unknown>>;
  readonly remove: readonly string[];
}

/** A condition did not hold. `failed` lists the positions of the writes whose conditions failed. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  readonly failed: readonly number[];
  constructor(failed: readonly number[]) {
    super('a condition of the write does not hold');
    this.failed = failed;
  }
}

/** The store could not be reached, or refused for load, after every attempt. The outcome of a write is unknown. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
  constructor(cause: unknown) {
    super('the store is unavailable', { cause });
  }
}

/**
 * The store refuses who calls: a role, a key's policy or credentials were changed or ran out. Nothing was written; the same call
 * does better once somebody mends it, so that a caller is told to come again.
 */
export class StoreDenied extends StoreUnavailable {
  override readonly name = 'StoreDenied';
}
